//! Ledgers in a directory of a box, over the box's own SSH.

use crate::config::{PullConfig, Remote};
use crate::source::client::{Client, ClientError};
use crate::source::ledgers::{self, Ledgers};
use crate::source::session;
use crate::source::ssh::Input;
use std::path::Path;

/// Connects to a box and lets `then` speak; the connection ends with it.
pub(super) async fn with<T>(
    remote: &Remote,
    cache: &Path,
    limits: &PullConfig,
    then: impl AsyncFnOnce(Ledgers<Input>) -> Result<T, session::Error>,
) -> Result<T, ClientError> {
    let client = Client { remote, cache, limits, purpose: "the exchange" };
    let idle = limits.idle_timeout;
    let speak = async |output, input| then(Ledgers::new(output, input, idle)?).await;
    client.run(&ledgers::command(), speak).await
}
