//! Ledgers in a directory of a box, over the box's own SSH.

use crate::config::{PullConfig, Remote};
use crate::source::ledgers::{self, Ledgers};
use crate::source::session;
use crate::source::ssh::{Error as SshError, Input, Link, Output};
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// A box that could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// No connection.
    #[error("connecting failed")]
    Connect(#[source] SshError),
    /// The talk failed.
    #[error("the exchange was broken off{}", in_parentheses(.output))]
    RemoteSession {
        /// How.
        #[source]
        source: session::Error,
        /// What ssh said about it, raw; often nothing.
        output: String,
    },
    /// It took too long in all.
    #[error("the exchange took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
}

fn in_parentheses(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(" ({output})") }
}

/// Connects to a box and lets `then` talk; the connection ends with it.
pub(super) async fn with<T>(
    remote: &Remote,
    cache: &Path,
    limits: &PullConfig,
    then: impl AsyncFnOnce(Ledgers<Output, Input>) -> Result<T, session::Error>,
) -> Result<T, Trouble> {
    let total = limits.total_timeout;
    let done = timeout(total, session(remote, cache, limits, then)).await;
    done.unwrap_or(Err(Trouble::TooLong(total)))
}

async fn session<T>(
    remote: &Remote,
    cache: &Path,
    limits: &PullConfig,
    then: impl AsyncFnOnce(Ledgers<Output, Input>) -> Result<T, session::Error>,
) -> Result<T, Trouble> {
    let (connect, idle) = (limits.connect_timeout, limits.idle_timeout);
    let link = Link::open(remote, cache, connect, idle).await.map_err(Trouble::Connect)?;
    let command = ledgers::command();
    let failed =
        |source| Trouble::RemoteSession { source, output: link.output().trim().to_owned() };
    let ran = timeout(idle, link.run(&command)).await;
    let ran = ran.map_err(|_| failed(session::Error::Idle(idle)))?;
    let (_running, output, input) = ran.map_err(Trouble::Connect)?;
    then(Ledgers::new(output, input, idle).map_err(failed)?).await.map_err(failed)
}
