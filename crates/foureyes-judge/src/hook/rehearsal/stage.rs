//! The repositories that a rehearsal pushes in, with a configuration and a log of their own.

use super::{Error, Rehearsal};
use crate::config::{Config, HookProtocol, Origins, to_toml};
use crate::git::{Attempt, Scratch};
use crate::hook::install::{self, Fixed, GRACE, Kind, Place, Scope, Wish, WishedMode};
use serde_json::Value;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How names of our directories begin.
pub(super) const PREFIX: &str = "foureyes-rehearsal-";
/// A file in each of them, which is locked for as long as its rehearsal runs.
const LOCK: &str = "lock";
/// After which a directory without one is removed.
const STALE: Duration = Duration::from_secs(6 * 3600);
/// A file of answers whose judge is never reached.
const NO_ANSWER: &str = "{\"text\": \"\", \"fail\": \"timeout\", \"always\": true}\n";

/// The repositories, and what a push in them is given.
pub(super) struct Stage {
    pub(super) git: Scratch,
    /// The directory of records of pushes, or the file of those of tasks.
    log: PathBuf,
    config: Config,
    file: PathBuf,
    data: PathBuf,
    limit: Duration,
}

impl Stage {
    pub(super) fn make(
        rehearsal: &Rehearsal<'_>,
        dir: &Path,
        failed: impl Fn(io::Error) -> Error,
    ) -> Result<Self, Error> {
        // Git names files by where they really are.
        let dir = dir.canonicalize().map_err(&failed)?;
        let (directory, file) = (dir.join("log"), dir.join("tasks.jsonl"));
        let mut config = rehearsal.config.clone();
        config.hook.log = directory.display().to_string();
        config.task.log = file.display().to_string();
        // Nobody is to decide about what is only rehearsed.
        (config.task.create_issues, config.task.mail_endpoint) = (false, None);
        // Nor are judges asked of whom a rule of risk thinks.
        config.risk.rules.clear();
        // What is pushed here is Markdown, whatever else is judged.
        config.files.push("*.md".to_owned());
        let git = Scratch::make(&dir).map_err(Error::Git)?;
        let (repository, hooks) = (git.hooks(), git.hooks());
        let place = Place { repository, dir: hooks, scope: Scope::Setting, kind: Kind::PrePush };
        let budget = rehearsal.config.hook.budget;
        let wish = Wish {
            binary: rehearsal.binary.clone(),
            mode: rehearsal.script.map_or(WishedMode::Configured, WishedMode::Fixed),
            budget,
            replace_old: false,
            fixed: Fixed::default(),
        };
        install::install(&place, &wish).map_err(Error::Install)?;
        let log = match config.hook.protocol {
            HookProtocol::Push => directory,
            HookProtocol::Task => file,
        };
        let limit = budget + Duration::from_secs(GRACE + 30);
        let file = dir.join("config.toml");
        let data = rehearsal.data.to_owned();
        let stage = Self { git, log, config, file, data, limit };
        stage.configure(&stage.config).map_err(|error| error.or(&failed))?;
        Ok(stage)
    }

    fn configure(&self, config: &Config) -> Result<(), Unconfigured> {
        let text = to_toml(config, &Origins::new()).map_err(Unconfigured::Toml)?;
        crate::files::atomic::write(&self.file, text.as_bytes()).map_err(Unconfigured::File)
    }

    /// From here on no judge of tasks can be reached.
    pub(super) fn without_judges(&self, failed: impl Fn(io::Error) -> Error) -> Result<(), Error> {
        let script = self.file.with_file_name("answers.jsonl");
        std::fs::write(&script, NO_ANSWER).map_err(&failed)?;
        let mut config = self.config.clone();
        config.judges.clear();
        config.judge.script = Some(script);
        self.configure(&config).map_err(|error| error.or(&failed))
    }

    pub(super) fn push(&self, skip: Option<&str>) -> Result<(Attempt, Duration), Error> {
        let (config, data) = (self.file.display().to_string(), self.data.display().to_string());
        let set = [
            ("GIT_JUDGE_SKIP", skip),
            ("GIT_JUDGE_FRESH", None),
            ("JUDGE_CREATE_ISSUES", None),
            ("FOUREYES_CONFIG", Some(config.as_str())),
            ("FOUREYES_DATA", Some(data.as_str())),
        ];
        let began = Instant::now();
        let attempt = self.git.push(&set, self.limit).map_err(Error::Git)?;
        Ok((attempt, began.elapsed()))
    }

    /// The records of a commit in the log, the last one last.
    pub(super) fn records(&self, commit: &str) -> Vec<Value> {
        let mut files = match std::fs::read_dir(&self.log) {
            Ok(days) => days.flatten().map(|day| day.path()).collect(),
            Err(_) => vec![self.log.clone()],
        };
        files.sort();
        let texts = files.iter().filter_map(|path| std::fs::read_to_string(path).ok());
        let lines = texts.flat_map(|text| {
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<Value>>()
        });
        lines.filter(|record| record["commit"] == commit).collect()
    }
}

/// Why the configuration for it could not be written.
enum Unconfigured {
    Toml(toml::ser::Error),
    File(io::Error),
}

impl Unconfigured {
    fn or(self, failed: impl Fn(io::Error) -> Error) -> Error {
        match self {
            Self::Toml(error) => Error::Config(error),
            Self::File(error) => failed(error),
        }
    }
}

/// The lock of a directory, held until the file is dropped: the system lets go of it where this is
/// killed. Whoever finds it by its name finds it held: before that nobody removes the directory.
pub(super) fn hold(dir: &Path) -> io::Result<File> {
    let new = dir.join("new");
    let file = File::create_new(&new)?;
    file.try_lock()?;
    std::fs::rename(new, dir.join(LOCK))?;
    Ok(file)
}

/// Removes what rehearsals left that were killed.
pub(super) fn sweep(temporary: &Path) {
    let Ok(entries) = std::fs::read_dir(temporary) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let Some(meta) = entry.metadata().ok().filter(|meta| ours && meta.is_dir()) else {
            continue;
        };
        if is_left(&entry.path(), &meta) {
            // Another user's stays: it cannot be removed.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Tells whether nobody rehearses in a directory any more.
fn is_left(dir: &Path, meta: &Metadata) -> bool {
    let lock = dir.join(LOCK);
    // Asked before opening: opening a FIFO would wait for a writer.
    if lock.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        let held = File::options().append(true).open(lock).map(|file| file.try_lock());
        return matches!(held, Ok(Ok(())));
    }
    let age = meta.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
    age.is_some_and(|age| age > STALE)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn concurrent_rehearsals_survive_cleanup_and_leftovers_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let make = || tempfile::Builder::new().prefix(PREFIX).tempdir_in(temporary.path()).unwrap();
        let left = make().keep();
        drop(hold(&left).unwrap());
        let done = AtomicBool::new(false);
        let sweeping = || {
            while !done.load(Ordering::SeqCst) {
                sweep(temporary.path());
            }
        };
        let lost = std::thread::scope(|all| {
            all.spawn(sweeping);
            all.spawn(sweeping);
            let lost = (0..2000).find(|_| {
                let dir = make();
                let held = hold(dir.path());
                held.is_err() || !dir.path().join(LOCK).exists()
            });
            done.store(true, Ordering::SeqCst);
            lost
        });
        assert_eq!(lost, None);
        assert!(!left.exists());
    }
}
