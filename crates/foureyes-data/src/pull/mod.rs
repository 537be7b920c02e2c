//! Bringing the mirror of each box up to date: only what is new travels.
//!
//! Whatever happened to a file meanwhile is noticed and reported, and no copy is ever lost. A box that
//! fails costs the others nothing.

mod asking;
mod checkup;
mod error;
mod fetch;
mod one;
mod pace;
mod plan;
mod questions;
mod room;
mod work;

pub use checkup::{Checkup, check_mirror};
pub use error::{Bound, Error};

use crate::config::{BoxConfig, Config, Place, PullConfig};
use crate::domain::Timestamp;
use crate::files::paths::DataDir;
use crate::store::state::Notice;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};

/// How a pull of a box ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullState {
    /// All that could be read was.
    Done,
    /// It failed; the last data and what arrived stay.
    Failed,
    /// Another process is pulling it; its data are used.
    Busy,
    /// It is on this machine: nothing to pull.
    Local,
}

/// A pull of a box.
#[derive(Debug)]
pub struct BoxPull {
    /// The box.
    pub name: String,
    /// How it ended.
    pub state: PullState,
    /// New bytes of logs in the mirror.
    pub bytes: u64,
    /// Files that got new bytes, or another name.
    pub files: u64,
    /// Bytes that came over the connection's data channel.
    pub received: u64,
    /// Questions the box was asked, each a round trip after connecting.
    pub round_trips: u32,
    /// How far the box's clock is ahead of `now`, in seconds, where it is known.
    pub clock_ahead_s: Option<i64>,
    /// What was noticed this time.
    pub notices: Vec<Notice>,
    /// Why it failed.
    pub error: Option<Error>,
    /// How long it took.
    pub took: Duration,
}

/// What happens meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A box is being connected to.
    Connecting,
    /// It lists its files.
    Listing,
    /// So many bytes in so many files are about to come.
    Fetching {
        /// Bytes, as far as is known.
        bytes: u64,
        /// Files.
        files: u64,
    },
    /// So many more bytes came.
    Bytes(u64),
    /// The box is done with.
    Ended(PullState),
}

/// Receives events of each box; called from several threads, and must not wait.
pub type Progress = Arc<dyn Fn(&str, Event) + Send + Sync>;

/// Tells the time by which the speed of an answer is measured; called before it, when it begins and when it ends.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// Pulls all boxes, some at the same time, and gives them in configured order.
///
/// Needs a multi-threaded tokio runtime with time and I/O. Dropping the future ends all
/// connections at once; what was committed stays.
pub async fn run(
    config: &Config,
    data: &DataDir,
    now: Timestamp,
    progress: Progress,
) -> Vec<BoxPull> {
    run_by(config, data, now, progress, Arc::new(Instant::now)).await
}

/// Does what [`run`] does, and measures speeds by a clock that is given: what is chosen by them
/// is then told by what passed, and hardly by how busy this machine is.
pub async fn run_by(
    config: &Config,
    data: &DataDir,
    now: Timestamp,
    progress: Progress,
    clock: Clock,
) -> Vec<BoxPull> {
    let (mirrors, days) = (data.mirror(), config.task.keep_questions);
    // What cannot be removed now is tried again by the next pull.
    let _ = spawn_blocking(move || questions::prune_all(&mirrors, days, now)).await;
    let permits = Arc::new(Semaphore::new(config.pull.parallel.max(1)));
    let mut tasks = JoinSet::new();
    for (i, target) in config.boxes.iter().enumerate() {
        let job = Job {
            target: target.clone(),
            limits: config.pull,
            keep_questions: config.task.keep_questions,
            data: data.clone(),
            now,
            progress: Arc::clone(&progress),
            clock: Arc::clone(&clock),
        };
        let permits = Arc::clone(&permits);
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire_owned().await.ok();
            (i, job.run().await)
        });
    }
    let mut pulls: Vec<Option<BoxPull>> = config.boxes.iter().map(|_| None).collect();
    while let Some(ended) = tasks.join_next().await {
        if let Ok((i, pull)) = ended {
            pulls[i] = Some(pull);
        }
    }
    let named = pulls.into_iter().zip(&config.boxes);
    named.map(|(pull, target)| pull.unwrap_or_else(|| died(&target.name))).collect()
}

/// A box to pull, with all that it takes.
struct Job {
    target: BoxConfig,
    limits: PullConfig,
    /// Days for which questions of tasks are kept.
    keep_questions: u32,
    data: DataDir,
    now: Timestamp,
    progress: Progress,
    clock: Clock,
}

impl Job {
    async fn run(self) -> BoxPull {
        let start = Instant::now();
        let mut pull = match &self.target.place {
            Place::Local => BoxPull::new(&self.target.name, PullState::Local),
            Place::Ssh(remote) => one::pull(&self, remote).await,
        };
        pull.took = start.elapsed();
        self.report(Event::Ended(pull.state));
        pull
    }

    fn report(&self, event: Event) {
        (self.progress)(&self.target.name, event);
    }
}

impl BoxPull {
    fn new(name: &str, state: PullState) -> Self {
        Self {
            name: name.to_owned(),
            state,
            bytes: 0,
            files: 0,
            received: 0,
            round_trips: 0,
            clock_ahead_s: None,
            notices: Vec::new(),
            error: None,
            took: Duration::ZERO,
        }
    }
}

fn died(name: &str) -> BoxPull {
    BoxPull { error: Some(Error::Task), ..BoxPull::new(name, PullState::Failed) }
}
