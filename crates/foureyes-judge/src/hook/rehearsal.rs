//! Pushes against a remote of our own: one that the judge should flag, and one past it; of tasks also one
//! that nobody can decide about.
//!
//! Configuration, script, program and judge are those of this machine. Repositories, remote and log
//! are not: they are made for it and removed, so nothing of anybody's is touched and no record of it
//! counts anywhere.

mod stage;
mod steps;

use super::install;
use super::switch::ModeStatus;
use crate::config::{Config, HookMode, HookProtocol};
use crate::git;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stage::{PREFIX, Stage, hold, sweep};
use std::io;
use std::path::{Path, PathBuf};
use steps::Pushed;

/// Something that no judge should let through: an asset in own words.
pub const POOR: &str = include_str!("../../../../assets/poor.md");
/// Name of the file that is pushed, behind the watched path.
const NAME: &str = "rehearsal.md";
/// What a second content adds to it, and a third.
const MORE: &str = "\nThe end, which is the beginning.\n";
const LAST: &str = "\nThe end, once more.\n";

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
    /// `blocked` or `bypass`: the steps of the runbook; of tasks also `escalated`.
    pub name: String,
    /// Whether it went as it should.
    pub well: bool,
    /// What happened, in a sentence. Raw text.
    pub text: String,
    /// Whether the push arrived.
    pub arrived: bool,
    /// The verdict in the record, of a task the decision; `null` where none was written.
    pub verdict: Option<String>,
    /// Why there is no verdict, where there is none: a name as in records.
    pub error: Option<String>,
    /// The model that answered, where it says so. Raw text.
    pub served_model: Option<String>,
    /// Whether the answer carried the call word, of a task those of all judges; `null` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<bool>,
    /// Who was asked about a task, in the order of the rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Answered>,
    /// Milliseconds of the whole push.
    pub took_ms: u64,
}

/// A round of a task. Texts in it are hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// Its tier: `quick`, `deep` or `tiebreaker`.
    pub tier: String,
    /// The model that was asked for.
    pub model: String,
    /// The model that answered, where it says so.
    pub served_model: Option<String>,
    /// Whether its answer carried the call word; `null` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<bool>,
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
    /// Rehearses: first the push that should be blocked, then the one with the bypass; of tasks then one
    /// whose judges cannot be reached.
    ///
    /// It takes as long as the judge does, at most twice the budget of the hook. All that it made
    /// is gone afterwards.
    ///
    /// # Errors
    /// What kept it from being rehearsed. A push that went otherwise than it should is none.
    pub fn run(&self) -> Result<Vec<Step>, Error> {
        let agent = self.config.agents.first().ok_or(Error::Nothing("agent"))?;
        let watch = self.config.watch.first().ok_or(Error::Nothing("watched path"))?;
        sweep(self.temporary);
        let failed = |source| Error::Directory { path: self.temporary.to_owned(), source };
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(self.temporary);
        let dir = dir.map_err(failed)?;
        let _held = hold(dir.path()).map_err(failed)?;
        let stage = Stage::make(self, dir.path(), failed)?;
        let path = format!("{watch}{NAME}");
        let commit = |more: &str| {
            let text = format!("{POOR}{more}");
            stage.git.commit(agent, &path, text.as_bytes()).map_err(Error::Git)
        };
        let first = commit("")?;
        let (attempt, took) = stage.push(None)?;
        let pushed = Pushed { attempt: &attempt, records: &stage.records(&first), took };
        let mut steps = vec![match self.config.hook.protocol {
            HookProtocol::Push => pushed.judged_as_push(self.status.mode),
            HookProtocol::Task => pushed.judged_as_task(self.status.mode),
        }];
        // What has arrived already is not judged again.
        let next = if attempt.went { commit(MORE)? } else { first };
        let (attempt, took) = stage.push(Some("1"))?;
        let pushed = Pushed { attempt: &attempt, records: &stage.records(&next), took };
        steps.push(pushed.bypass());
        if self.config.hook.protocol == HookProtocol::Task {
            stage.without_judges(failed)?;
            let last = commit(LAST)?;
            let (attempt, took) = stage.push(None)?;
            let pushed = Pushed { attempt: &attempt, records: &stage.records(&last), took };
            steps.push(pushed.escalated());
        }
        Ok(steps)
    }
}
