//! The one client of boxes: it starts a fixed script over SSH, has somebody speak with it, and keeps what
//! ssh or the box wrote where that breaks off.

use super::session;
use super::ssh::{Error as SshError, Input, Link, Output, Running};
use crate::config::{PullConfig, Remote};
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// A script that was not started, or a session with it that broke off.
#[derive(Debug)]
pub enum Broken {
    /// No connection.
    Connect(SshError),
    /// The session: nobody knows what was done there.
    RemoteSession {
        /// How it broke off.
        source: session::Error,
        /// What the box or ssh wrote about it, raw; often nothing.
        output: String,
    },
}

/// Starts a script on a connection, within `idle`, and has `then` speak with it. Gives also the command
/// that ran, for what it wrote on standard error.
///
/// # Errors
/// A script that does not start, or what `then` fails with.
pub async fn converse<'a, T>(
    link: &'a Link,
    command: &str,
    idle: Duration,
    then: impl AsyncFnOnce(Output, Input) -> Result<T, session::Error>,
) -> Result<(T, Running<'a>), Broken> {
    let silent =
        |_| Broken::RemoteSession { source: session::Error::Idle(idle), output: link.output() };
    let started = timeout(idle, link.run(command)).await.map_err(silent)?;
    let (running, output, input) = started.map_err(Broken::Connect)?;
    match then(output, input).await {
        Ok(answer) => Ok((answer, running)),
        Err(source) => {
            let complaint = running.complaint().await;
            let output = if complaint.is_empty() { link.output() } else { complaint };
            Err(Broken::RemoteSession { source, output: output.trim().to_owned() })
        }
    }
}

/// A box, and what is done there.
#[derive(Debug, Clone, Copy)]
pub struct Client<'a> {
    /// How it is reached.
    pub remote: &'a Remote,
    /// Where control sockets may be kept.
    pub cache: &'a Path,
    /// How long it may take.
    pub limits: &'a PullConfig,
    /// What is done, as the subject of an error: `writing`.
    pub purpose: &'static str,
}

/// A box that could not be asked, or whose answer is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No connection.
    #[error("connecting failed")]
    Connect(#[source] SshError),
    /// The session.
    #[error("{purpose} was broken off{}", in_parentheses(.output))]
    RemoteSession {
        /// What was done.
        purpose: &'static str,
        /// How it broke off.
        #[source]
        source: session::Error,
        /// What the box or ssh wrote about it, raw; often nothing.
        output: String,
    },
    /// It took too long in all.
    #[error("{purpose} took longer than {} s", limit.as_secs_f32())]
    TooLong {
        /// What was done.
        purpose: &'static str,
        /// How long it may take.
        limit: Duration,
    },
}

/// What a box or ssh wrote, behind an error; nothing where that is nothing.
pub fn in_parentheses(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(" ({output})") }
}

impl Client<'_> {
    /// Connects, starts a script and has `then` speak with it; the connection ends with it.
    ///
    /// # Errors
    /// A box that cannot be reached, breaks off, or takes too long in all.
    pub async fn run<T>(
        &self,
        command: &str,
        then: impl AsyncFnOnce(Output, Input) -> Result<T, session::Error>,
    ) -> Result<T, ClientError> {
        let (purpose, limit) = (self.purpose, self.limits.total_timeout);
        let done = timeout(limit, self.session(command, then)).await;
        let done = done.map_err(|_| ClientError::TooLong { purpose, limit })?;
        done.map_err(|broken| match broken {
            Broken::Connect(error) => ClientError::Connect(error),
            Broken::RemoteSession { source, output } => {
                ClientError::RemoteSession { purpose, source, output }
            }
        })
    }

    async fn session<T>(
        &self,
        command: &str,
        then: impl AsyncFnOnce(Output, Input) -> Result<T, session::Error>,
    ) -> Result<T, Broken> {
        let (connect, idle) = (self.limits.connect_timeout, self.limits.idle_timeout);
        let link = Link::open(self.remote, self.cache, connect, idle).await;
        let link = link.map_err(Broken::Connect)?;
        Ok(converse(&link, command, idle, then).await?.0)
    }
}
