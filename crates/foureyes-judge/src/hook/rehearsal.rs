//! Two pushes against a remote of our own: one that the judge should flag, and one past it.
//!
//! Configuration, script, program and judge are those of this machine. Repositories, remote and log
//! are not: they are made for it and removed, so nothing of anybody's is touched and no record of it
//! counts anywhere.

use super::install::{self, GRACE, Kind, Place, Scope, Wish, WishedMode};
use super::switch::ModeStatus;
use crate::config::{Config, HookMode, Origins};
use crate::git::{self, Attempt, Scratch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Something that no judge should let through: an asset in own words.
pub const POOR: &str = include_str!("../../../../assets/poor.md");
/// Name of the file that is pushed, behind the watched path.
const NAME: &str = "rehearsal.md";
/// How names of our directories begin.
const PREFIX: &str = "foureyes-rehearsal-";
/// A file in each of them, which is locked for as long as its rehearsal runs.
const LOCK: &str = "lock";
/// After which a directory without one is removed.
const STALE: Duration = Duration::from_secs(6 * 3600);
/// Most characters of what git says that are told.
const SAID: usize = 600;

/// What is rehearsed.
#[derive(Debug)]
pub struct Rehearsal<'a> {
    /// The configuration of this machine.
    pub config: &'a Config,
    /// The program that the script runs; an absolute path.
    pub binary: PathBuf,
    /// The mode that the script sets.
    pub script: Option<HookMode>,
    /// Which mode holds.
    pub status: &'a ModeStatus,
    /// The directory of data, where the switch is.
    pub data: &'a Path,
    /// Where the repositories are made.
    pub temporary: &'a Path,
}

/// How one push went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// `blocked` or `bypass`: the steps of the runbook.
    pub name: String,
    /// Whether it went as it should.
    pub well: bool,
    /// What happened, in a sentence. Raw text.
    pub text: String,
    /// Whether the push arrived.
    pub arrived: bool,
    /// The verdict in the record; `null` where none was written.
    pub verdict: Option<String>,
    /// Why there is no verdict, where there is none: a name as in records.
    pub error: Option<String>,
    /// The model that answered, where it says so. Raw text.
    pub served_model: Option<String>,
    /// Milliseconds of the whole push.
    pub took_ms: u64,
}

/// It could not be rehearsed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No committer is an agent, or no path is watched: nothing is ever judged.
    #[error("the configuration names no {0}, so nothing is judged")]
    Nothing(&'static str),
    /// The directory for it could not be made or written.
    #[error("making repositories in {}", path.display())]
    Directory {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The configuration cannot be handed on.
    #[error("failed to write the configuration for it")]
    Config(#[source] toml::ser::Error),
    /// The hook could not be put in.
    #[error("putting the hook into the repository for it")]
    Install(#[source] install::Error),
    /// git failed.
    #[error("pushing in the repository for it")]
    Git(#[source] git::Error),
}

impl Rehearsal<'_> {
    /// Rehearses: first the push that should be blocked, then the one with the bypass.
    ///
    /// It takes as long as the judge does, at most twice the budget of the hook. All that it made
    /// is gone afterwards.
    ///
    /// # Errors
    /// What kept it from being rehearsed. A push that went otherwise than it should is none.
    pub fn run(&self) -> Result<[Step; 2], Error> {
        let agent = self.config.agents.first().ok_or(Error::Nothing("agent"))?;
        let watch = self.config.watch.first().ok_or(Error::Nothing("watched path"))?;
        sweep(self.temporary);
        let failed = |source| Error::Directory { path: self.temporary.to_owned(), source };
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(self.temporary);
        let dir = dir.map_err(failed)?;
        let _held = hold(dir.path()).map_err(failed)?;
        let stage = Stage::make(self, dir.path(), failed)?;
        let path = format!("{watch}{NAME}");
        let mut commit = stage.git.commit(agent, &path, POOR.as_bytes()).map_err(Error::Git)?;
        let (attempt, took) = stage.push(None)?;
        let blocked = self.blocked(&stage, &commit, &attempt, took);
        if attempt.went {
            // What has arrived already is not judged again.
            let more = format!("{POOR}\nThe end, which is the beginning.\n");
            commit = stage.git.commit(agent, &path, more.as_bytes()).map_err(Error::Git)?;
        }
        let (attempt, took) = stage.push(Some("1"))?;
        let bypass = bypass(&stage, &commit, &attempt, took);
        Ok([blocked, bypass])
    }

    fn blocked(&self, stage: &Stage, commit: &str, attempt: &Attempt, took: Duration) -> Step {
        let record = stage.record(commit);
        let mut step = Step::new("blocked", attempt, record.as_ref(), took);
        let blocks = self.status.mode == HookMode::Blocking;
        let flagged = step.verdict.as_deref() == Some("NO-GO");
        step.well = flagged && attempt.went != blocks;
        let scores = record.as_ref().map_or(String::new(), scores);
        step.text = match (&step.verdict, attempt.went) {
            (Some(_), false) if flagged && blocks => format!("NO-GO{scores}: the push was blocked"),
            (Some(_), true) if flagged && !blocks => {
                format!("NO-GO{scores}: the push went on, as advisory mode lets it")
            }
            (Some(_), true) if flagged => {
                format!("NO-GO{scores}, and the push went on all the same")
            }
            (Some(verdict), true) if verdict == "GO" => {
                format!("GO{scores}: the judge lets something deliberately poor through")
            }
            (Some(_), true) => format!("there is no verdict: {}", findings(record.as_ref())),
            (None, true) => "nothing was judged: the log has no record of it".to_owned(),
            (_, false) => {
                format!("the push failed, and not by a verdict: {}", attempt.stderr.trim())
            }
        };
        step.text = step.text.chars().take(SAID).collect();
        step
    }
}

fn bypass(stage: &Stage, commit: &str, attempt: &Attempt, took: Duration) -> Step {
    let record = stage.record(commit);
    let mut step = Step::new("bypass", attempt, record.as_ref(), took);
    let audited = step.error.as_deref() == Some("bypassed");
    step.well = attempt.went && audited;
    let text = match (attempt.went, audited) {
        (true, true) => "the push went on, and the bypass is in the log".to_owned(),
        (true, false) => "the push went on, and the log has no record of the bypass".to_owned(),
        (false, _) => format!("the push failed: {}", attempt.stderr.trim()),
    };
    step.text = text.chars().take(SAID).collect();
    step
}

fn scores(record: &Value) -> String {
    let of = |name: &str| record["scores"][name].as_u64();
    match (of("semantic"), of("pragmatic"), of("syntactic")) {
        (Some(s), Some(p), Some(x)) => format!(" S{s} P{p} X{x}"),
        _ => String::new(),
    }
}

fn findings(record: Option<&Value>) -> &str {
    let findings = record.and_then(|r| r["findings"].as_str());
    findings.filter(|text| !text.is_empty()).unwrap_or("the record does not say why")
}

impl Step {
    fn new(name: &str, attempt: &Attempt, record: Option<&Value>, took: Duration) -> Self {
        let text = |key: &str| record.and_then(|r| r[key].as_str()).map(str::to_owned);
        Self {
            name: name.to_owned(),
            well: false,
            text: String::new(),
            arrived: attempt.went,
            verdict: text("verdict"),
            error: text("error"),
            served_model: text("served_model"),
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// The repositories, and what a push in them is given.
struct Stage {
    git: Scratch,
    log: PathBuf,
    config: PathBuf,
    data: PathBuf,
    limit: Duration,
}

impl Stage {
    fn make(
        rehearsal: &Rehearsal<'_>,
        dir: &Path,
        failed: impl Fn(io::Error) -> Error,
    ) -> Result<Self, Error> {
        // Git names files by where they really are.
        let dir = dir.canonicalize().map_err(&failed)?;
        let log = dir.join("log");
        let mut config = rehearsal.config.clone();
        config.hook.log = log.display().to_string();
        // What is pushed here is Markdown, whatever else is judged.
        config.files.push("*.md".to_owned());
        let text = crate::config::to_toml(&config, &Origins::new()).map_err(Error::Config)?;
        let file = dir.join("config.toml");
        crate::files::atomic::write(&file, text.as_bytes()).map_err(&failed)?;
        let git = Scratch::make(&dir).map_err(Error::Git)?;
        let (repository, dir) = (git.hooks(), git.hooks());
        let place = Place { repository, dir, scope: Scope::Setting, kind: Kind::PrePush };
        let budget = rehearsal.config.hook.budget;
        let wish = Wish {
            binary: rehearsal.binary.clone(),
            mode: rehearsal.script.map_or(WishedMode::Configured, WishedMode::Fixed),
            budget,
            replace_old: false,
        };
        install::install(&place, &wish).map_err(Error::Install)?;
        let limit = budget + Duration::from_secs(GRACE + 30);
        Ok(Self { git, log, config: file, data: rehearsal.data.to_owned(), limit })
    }

    fn push(&self, skip: Option<&str>) -> Result<(Attempt, Duration), Error> {
        let (config, data) = (self.config.display().to_string(), self.data.display().to_string());
        let set = [
            ("GIT_JUDGE_SKIP", skip),
            ("GIT_JUDGE_FRESH", None),
            ("FOUREYES_CONFIG", Some(config.as_str())),
            ("FOUREYES_DATA", Some(data.as_str())),
        ];
        let began = Instant::now();
        let attempt = self.git.push(&set, self.limit).map_err(Error::Git)?;
        Ok((attempt, began.elapsed()))
    }

    /// The last record of a commit in the log.
    fn record(&self, commit: &str) -> Option<Value> {
        let mut days: Vec<_> =
            std::fs::read_dir(&self.log).ok()?.flatten().map(|e| e.path()).collect();
        days.sort();
        let lines = days.iter().filter_map(|path| std::fs::read_to_string(path).ok());
        let lines: Vec<Value> = lines
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .filter_map(|line| serde_json::from_str(&line).ok())
            .collect();
        lines.into_iter().rev().find(|record| record["commit"] == commit)
    }
}

/// The lock of a directory, held until the file is dropped: the system lets go of it where this is
/// killed. Whoever finds it by its name finds it held: before that nobody removes the directory.
fn hold(dir: &Path) -> io::Result<File> {
    let new = dir.join("new");
    let file = File::create_new(&new)?;
    file.try_lock()?;
    std::fs::rename(new, dir.join(LOCK))?;
    Ok(file)
}

/// Removes what rehearsals left that were killed.
fn sweep(temporary: &Path) {
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
