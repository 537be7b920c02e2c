//! Appending on a box, over the box's own SSH.

use crate::config::{PullConfig, Remote};
use crate::source::append::{self, Append, Reply, Request};
use crate::source::{session, ssh};
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// Nobody heard whether a box holds what it was given.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("connecting failed")]
    Connect(#[source] ssh::Error),
    #[error("writing was broken off{}", in_parentheses(.output))]
    RemoteSession {
        #[source]
        source: session::Error,
        /// What ssh or the box said about it, raw; often nothing.
        output: String,
    },
    #[error("writing took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
}

fn in_parentheses(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(" ({output})") }
}

/// Has a box append records. Of those whose answers came, the answers count whatever is given back.
pub(super) async fn append(
    remote: &Remote,
    cache: &Path,
    limits: &PullConfig,
    requests: &[Request],
    replies: &mut Vec<Reply>,
) -> Result<(), Trouble> {
    let total = limits.total_timeout;
    let done = timeout(total, session(remote, cache, limits, requests, replies)).await;
    done.unwrap_or(Err(Trouble::TooLong(total)))
}

async fn session(
    remote: &Remote,
    cache: &Path,
    limits: &PullConfig,
    requests: &[Request],
    replies: &mut Vec<Reply>,
) -> Result<(), Trouble> {
    let (connect, idle) = (limits.connect_timeout, limits.idle_timeout);
    let opened = ssh::Link::open(remote, cache, connect, idle).await;
    let link = opened.map_err(Trouble::Connect)?;
    let command = append::command();
    let ran = timeout(idle, link.run(&command)).await;
    let silent =
        |_| Trouble::RemoteSession { source: session::Error::Idle(idle), output: link.output() };
    let (running, output, input) = ran.map_err(silent)?.map_err(Trouble::Connect)?;
    let done = match Append::new(output, input, idle) {
        Ok(append) => append.run(requests, replies).await,
        Err(source) => Err(source),
    };
    match done {
        Ok(()) => Ok(()),
        Err(source) => {
            let mut output = running.complaint().await;
            if output.is_empty() {
                output = link.output();
            }
            Err(Trouble::RemoteSession { source, output: output.trim().to_owned() })
        }
    }
}
