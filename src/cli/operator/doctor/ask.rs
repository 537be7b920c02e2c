//! Asking a box, over the connection that pulls use.

use crate::cli::Failure;
use crate::cli::operator::signals::{self, interrupted};
use crate::config::{BoxConfig, Place, PullConfig};
use crate::source::ssh::{Error as SshError, Link};
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

/// Most that is heard of a box.
const ANSWER: u64 = 1 << 20;

/// Runs `sh -c SCRIPT` on a box with these bytes as standard input, and gives its standard output.
///
/// The script has no single quote: the box's login shell reads it between two.
pub(super) type Ask<'a> = dyn Fn(&BoxConfig, &str, &[u8]) -> Result<Vec<u8>, Error> + Sync + 'a;

/// A box that could not be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// No connection.
    #[error(transparent)]
    Ssh(#[from] SshError),
    /// The connection ended under the answer.
    #[error("failed to read its answer")]
    Read(#[source] io::Error),
    /// It is connected and says nothing.
    #[error("connected, and no answer within {} s", .0.as_secs_f32())]
    Silent(Duration),
    /// All of it took too long.
    #[error("not done within {} s", .0.as_secs_f32())]
    TooLong(Duration),
    /// The operator asked to end.
    #[error("interrupted")]
    Interrupted,
}

/// Asks boxes; threads may share it.
pub(super) struct Asker<'a> {
    runtime: Runtime,
    limits: &'a PullConfig,
    cache: &'a Path,
    stop: watch::Receiver<Option<u8>>,
}

impl<'a> Asker<'a> {
    /// From here on a signal that asks to end is heard, also between two questions.
    pub(super) fn new(limits: &'a PullConfig, cache: &'a Path) -> Result<Self, Failure> {
        let runtime = signals::runtime()?;
        let (stopper, stop) = watch::channel(None);
        let interrupted = interrupted(&runtime);
        runtime.spawn(async move { stopper.send_replace(Some(interrupted.await)) });
        Ok(Self { runtime, limits, cache, stop })
    }

    /// The exit code, where a signal asked to end.
    pub(super) fn stopped(&self) -> Option<u8> {
        *self.stop.borrow()
    }

    /// Asks one box. Whatever happens, its connection is gone afterwards.
    pub(super) fn ask(
        &self,
        config: &BoxConfig,
        script: &str,
        input: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let total = self.limits.total_timeout;
        let mut stop = self.stop.clone();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = stop.wait_for(Option::is_some) => Err(Error::Interrupted),
                output = timeout(total, self.connect(config, script, input)) => {
                    output.unwrap_or(Err(Error::TooLong(total)))
                }
            }
        })
    }

    async fn connect(
        &self,
        config: &BoxConfig,
        script: &str,
        input: &[u8],
    ) -> Result<Vec<u8>, Error> {
        // Local boxes are never asked.
        let Place::Ssh(remote) = &config.place else { return Ok(Vec::new()) };
        let idle = self.limits.idle_timeout;
        let link = Link::open(remote, self.cache, self.limits.connect_timeout, idle).await?;
        let output = timeout(idle, exchange(&link, script, input)).await;
        output.unwrap_or(Err(Error::Silent(idle)))
    }
}

async fn exchange(link: &Link, script: &str, input: &[u8]) -> Result<Vec<u8>, Error> {
    let (running, output, mut stdin) = link.run(&format!("exec sh -c '{script}'")).await?;
    let sending = async {
        // A box that hangs up while we speak gives an answer that is not whole: that is told.
        let _ = stdin.write_all(input).await;
        drop(stdin);
    };
    let mut bytes = Vec::new();
    let mut output = output.take(ANSWER);
    let ((), read) = tokio::join!(sending, output.read_to_end(&mut bytes));
    drop(running);
    read.map_err(Error::Read)?;
    Ok(bytes)
}
