//! Memories that are picked for a person: where they are, and what is said and logged of it.

use super::{Clock, Failure, output};
use crate::config::Config;
use crate::files::paths::DataDir;
use crate::memories::DirectoryError;
use crate::picks::{PickLog, Picked, Setup, Wanted, pick};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the lock of the log is waited for.
const LOCK: Duration = Duration::from_secs(5);

/// Where memories are.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Place {
    /// Directory of memories, with `index.md`; the configured one if not given
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Place {
    /// The directory; `None` where it is in a home that is not known.
    pub(super) fn path(&self, config: &Config, home: Option<&Path>) -> Option<PathBuf> {
        self.directory.clone().or_else(|| config.memories.directory(home))
    }

    /// The directory, for a command.
    pub(super) fn of(&self, config: &Config, home: Option<&Path>) -> Result<PathBuf, Failure> {
        let path = self.path(config, home);
        path.ok_or_else(|| Failure::usage("the home directory is not known").hint("set HOME"))
    }
}

/// Picks memories for a person: what stands in the way is on stderr, what a judge costs in the log.
pub(super) struct Picker<'a> {
    config: &'a Config,
    data: &'a DataDir,
    clock: Clock,
    pub(super) directory: PathBuf,
    log: Option<PickLog>,
    refused: PathBuf,
}

impl<'a> Picker<'a> {
    pub(super) fn new(
        place: &Place,
        (config, data): (&'a Config, &'a DataDir),
        home: Option<&Path>,
        clock: Clock,
    ) -> Result<Self, Failure> {
        let directory = place.of(config, home)?;
        let log = config.memories.log_dir(home).map(PickLog::at);
        Ok(Self { config, data, clock, directory, log, refused: data.refused() })
    }

    /// Picks without a line in the log: [`Self::log`] writes it, once it is known what is put out.
    pub(super) fn find(&self, wanted: &Wanted<'_>) -> Result<Picked, Failure> {
        let setup = Setup {
            config: self.config,
            directory: &self.directory,
            cache: self.data.cache(),
            log: self.log.as_ref(),
            refused: Some(&self.refused),
            now: self.clock.now(),
            until: None,
        };
        pick(&setup, wanted).map_err(unreadable)
    }

    /// Logs a pick, and says what stood in the way of it.
    pub(super) fn log(&self, picked: &Picked) {
        let unlogged = self.log.as_ref().map(|log| picked.append(log, Instant::now() + LOCK));
        let unlogged = unlogged.iter().flatten();
        for warning in picked.warnings.iter().chain(unlogged).chain(&picked.record.error) {
            output::to_stderr(&format!("warning: {}", output::visible(warning)));
        }
    }
}

/// A directory that cannot be read, as a failure.
pub(super) fn unreadable(error: DirectoryError) -> Failure {
    Failure::local(error)
        .hint("`directory` in [memories] or `--directory` names it; docs/memories.md has its form")
}
