//! Asking a box, over the connection that pulls use.

use crate::cli::Failure;
use crate::cli::operator::signals::{self, interrupted};
use crate::config::{BoxConfig, Place, PullConfig};
use crate::source::checkup::{self, Checkup};
use crate::source::client::{Client, ClientError};
use std::path::Path;
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// Has a box report of itself.
pub(super) type Ask<'a> = dyn Fn(&BoxConfig) -> Result<Checkup, Error> + Sync + 'a;

/// A box that could not be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// No connection, or no whole answer.
    #[error(transparent)]
    Box(#[from] ClientError),
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

    /// Asks one box over SSH. Whatever happens, its connection is gone afterwards.
    pub(super) fn ask(&self, config: &BoxConfig) -> Result<Checkup, Error> {
        // Local boxes are never asked.
        let Place::Ssh(remote) = &config.place else {
            return Ok(Checkup { clock: None, paths: Vec::new() });
        };
        let client =
            Client { remote, cache: self.cache, limits: self.limits, purpose: "the checkup" };
        let (idle, command) = (self.limits.idle_timeout, checkup::command());
        let speak = async |output, input| checkup::ask(output, input, &config.logs, idle).await;
        let mut stop = self.stop.clone();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = stop.wait_for(Option::is_some) => Err(Error::Interrupted),
                checkup = client.run(&command, speak) => Ok(checkup?),
            }
        })
    }
}
