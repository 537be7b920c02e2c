//! What commits change, where trees are not here but promised by a remote: of a clone with `--filter=tree:0`.
//!
//! git fetches what it needs from that remote, in a bounded time and without a question. Where it cannot, what
//! is known without that remote is found out, and the other commits are told with the reason.

use super::{Outgoing, history};
use crate::git::fetch::ssh;
use crate::git::history::Changed;
use crate::git::{CommitId, Error, Surroundings};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Longest time for what a remote promised.
const FETCHING: Duration = Duration::from_secs(30);
/// Most questions that fail before no more are asked.
const MOST_FAILURES: usize = 64;

/// What commits change.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) known: HashMap<CommitId, Changed>,
    /// Those of which it is unknown, and why; hostile text.
    pub(super) unknown: HashMap<CommitId, String>,
}

impl Outgoing {
    /// Asks for changes after git failed to tell them. Where no remote promised what is missing, that it failed
    /// is all there is.
    ///
    /// # Errors
    /// That failure, and when git is not done in time.
    pub(super) fn promised(&self, ids: &[CommitId], failure: Error) -> Result<Changes, Error> {
        if !matches!(failure, Error::Failed { .. }) || !self.is_promised() {
            return Err(failure);
        }
        if let Some(known) = self.fetched(ids) {
            return Ok(Changes { known, ..Changes::default() });
        }
        let (mut changes, mut failures) = (Changes::default(), 0);
        self.split(ids, &mut changes, &mut failures)?;
        Ok(changes)
    }

    /// Whether a remote of this clone promises what is not here.
    fn is_promised(&self) -> bool {
        let name = "^(remote\\..*\\.promisor|extensions\\.partialclone)$";
        let call = self.call("config").args(["--name-only", "--get-regexp", name]);
        call.output().is_ok_and(|out| !out.is_empty())
    }

    /// The changes, with what git fetches for them. Only in a hook: there, git itself has just reached remotes as
    /// this clone is configured.
    fn fetched(&self, ids: &[CommitId]) -> Option<HashMap<CommitId, Changed>> {
        if self.around != Surroundings::Hook {
            return None;
        }
        let left = self.until.saturating_duration_since(Instant::now());
        let ssh = ssh(&self.dir, self.around, &|| false).ok()?;
        let call = self.call("log").reaching(&ssh).env_remove("GIT_NO_LAZY_FETCH");
        let call = call.args(history::CHANGES).input(lines(ids)).limit(FETCHING.min(left / 2));
        history::changed(&call.output().ok()?).ok()
    }

    /// The changes of as many as can be told without a remote: all at once, else each half.
    fn split(
        &self,
        ids: &[CommitId],
        changes: &mut Changes,
        failures: &mut usize,
    ) -> Result<(), Error> {
        let failure = match self.call("log").args(history::CHANGES).input(lines(ids)).output() {
            Ok(out) => {
                changes.known.extend(history::changed(&out)?);
                return Ok(());
            }
            Err(failure @ Error::Failed { .. }) => failure,
            Err(other) => return Err(other),
        };
        *failures += 1;
        if ids.len() <= 1 || *failures > MOST_FAILURES {
            let why = failure.to_string();
            changes.unknown.extend(ids.iter().map(|id| (id.clone(), why.clone())));
            return Ok(());
        }
        let (first, second) = ids.split_at(ids.len() / 2);
        self.split(first, changes, failures)?;
        self.split(second, changes, failures)
    }
}

fn lines(ids: &[CommitId]) -> Vec<u8> {
    ids.iter().flat_map(|id| format!("{id}\n").into_bytes()).collect()
}
