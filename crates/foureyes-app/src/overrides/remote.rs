//! Appending on a box, over the box's own SSH.

use crate::source::append::{self, Append, Reply, Request};
use crate::source::client::{Client, ClientError};

/// Has a box append records. Of those whose answers came, the answers count whatever is given back.
pub(super) async fn append(
    client: &Client<'_>,
    requests: &[Request],
    replies: &mut Vec<Reply>,
) -> Result<(), ClientError> {
    let idle = client.limits.idle_timeout;
    let append =
        async |output, input| Append::new(output, input, idle)?.run(requests, replies).await;
    client.run(&append::command(), append).await
}
