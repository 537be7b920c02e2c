//! The repository on a box, over the box's own SSH.

use super::Absence;
use super::object_source::ObjectSource;
use crate::config::{PullConfig, Remote};
use crate::domain::chain;
use crate::git::{Ask, Reply};
use crate::source::objects::{self, Objects, RepositoryState};
use crate::source::session;
use crate::source::ssh::{Error as SshError, Input, Link};
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;

/// For all that is asked of one box.
const TOTAL: Duration = Duration::from_secs(60);
/// How often is looked whether nobody waits any more.
const LOOK: Duration = Duration::from_millis(30);

/// A box, and how long it may take.
pub(super) struct Host<'a> {
    pub(super) remote: &'a Remote,
    pub(super) cache: &'a Path,
    pub(super) pull: PullConfig,
    pub(super) cancel: &'a dyn Fn() -> bool,
}

impl Host<'_> {
    /// Connects, and lets `then` ask the repository at a path. The connection ends with it.
    pub(super) fn ask(
        &self,
        path: &str,
        then: &mut dyn FnMut(&mut dyn ObjectSource),
    ) -> Result<(), Absence> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| unreachable(&e))?;
        // What ends a connection may need the runtime: this stays until all below is dropped.
        let _inside = runtime.enter();
        let clock = Clock { runtime: &runtime, started: std::time::Instant::now(), host: self };
        let (connect, idle) = (self.pull.connect_timeout, self.pull.idle_timeout);
        let link = clock.wait(Link::open(self.remote, self.cache, connect, idle))?;
        let link = link.map_err(|e| connection(&e))?;
        let command = objects::command();
        let ran = clock.wait(link.run(&command))?;
        let (_running, output, input) = ran.map_err(|e| connection(&e))?;
        let mut objects = Objects::new(output, input, idle).map_err(|e| broken(&e, &link))?;
        let state = clock.wait(objects.open(path))?.map_err(|e| broken(&e, &link))?;
        let shallow = match state {
            RepositoryState::NoGit => return Err(Absence::NoGitOnBox),
            RepositoryState::NoRepository => return Err(Absence::NoRepositoryOnBox),
            RepositoryState::Shallow => true,
            RepositoryState::Whole => false,
        };
        then(&mut There { clock: &clock, link: &link, objects, shallow });
        Ok(())
    }
}

struct There<'a> {
    clock: &'a Clock<'a>,
    link: &'a Link,
    objects: Objects<Input>,
    shallow: bool,
}

impl ObjectSource for There<'_> {
    fn ask(&mut self, asks: &[Ask]) -> Result<Vec<Reply>, Absence> {
        let replies = self.clock.wait(self.objects.ask(asks))?;
        replies.map_err(|error| broken(&error, self.link))
    }

    fn is_shallow(&self) -> bool {
        self.shallow
    }
}

struct Clock<'a> {
    runtime: &'a Runtime,
    started: std::time::Instant,
    host: &'a Host<'a>,
}

impl Clock<'_> {
    /// Waits for something, until the time is up or nobody waits for us.
    fn wait<T>(&self, what: impl Future<Output = T>) -> Result<T, Absence> {
        let left = TOTAL.saturating_sub(self.started.elapsed());
        let cancelled = async {
            while !(self.host.cancel)() {
                tokio::time::sleep(LOOK).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                done = tokio::time::timeout(left, what) => {
                    let reason = format!("it took longer than {} s", TOTAL.as_secs());
                    done.map_err(|_| Absence::BoxUnreachable { reason })
                }
                () = cancelled => Err(Absence::Cancelled),
            }
        })
    }
}

fn connection(error: &SshError) -> Absence {
    unreachable(error)
}

/// A talk that broke off, with what ssh says about it.
fn broken(error: &session::Error, link: &Link) -> Absence {
    let reason = [chain(error), link.output()].join(" ").trim().to_owned();
    Absence::BoxUnreachable { reason }
}

fn unreachable(error: &dyn std::error::Error) -> Absence {
    Absence::BoxUnreachable { reason: chain(error) }
}
