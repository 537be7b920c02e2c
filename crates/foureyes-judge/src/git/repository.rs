//! A judged repository on this machine.

use super::{Call, CommitId, Error, History, Links, Selection, Surroundings, history};
use crate::domain::Timestamp;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A local clone that was found to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    path: PathBuf,
    shallow: bool,
}

impl Repository {
    /// Opens a clone: its top directory, or a bare repository. Directories above are not searched.
    ///
    /// # Errors
    /// [`Error::Open`] when git does not take it for a repository of its user.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let fail = |source| Error::Open { path: path.to_owned(), source: Box::new(source) };
        let call = Call::new(path, "rev-parse", Surroundings::User)
            .args(["--is-shallow-repository", "--show-prefix"]);
        let text = call.output().map_err(fail)?;
        let mut lines = text.split(|b| *b == b'\n');
        let shallow = lines.next() == Some(b"true");
        match lines.next() {
            // Below the top of a clone stands the path from there.
            None | Some(b"") => Ok(Self { path: path.to_owned(), shallow }),
            Some(_) => Err(fail(Error::Odd {
                call: "rev-parse".to_owned(),
                expected: "that this is the top of a clone",
            })),
        }
    }

    /// The directory it was opened at.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells whether its history is cut off.
    pub fn is_shallow(&self) -> bool {
        self.shallow
    }

    /// The commits that change what is judged: those of agents, which a hook had to judge, and those
    /// of everybody else.
    ///
    /// Those reachable from `refs` (full names, prefixes such as `refs/remotes`, globs, or names of
    /// branches and tags; empty: `refs/remotes` where there are any, else `refs/heads`). A commit's
    /// time is its committer date; `since` keeps those at or after it. A merge counts for the files
    /// that differ from all its parents.
    ///
    /// # Errors
    /// When a ref is not there or git fails.
    pub fn history(
        &self,
        refs: &[String],
        selection: &Selection,
        since: Option<Timestamp>,
    ) -> Result<History, Error> {
        let tips = self.tips(refs)?;
        // Without a tip git would take HEAD.
        if tips.is_empty() {
            return Ok(History::default());
        }
        let out = match self.stored(&tips, since) {
            // A git older than 2.37 does not know the filter; it is there for speed only.
            Err(Error::Failed { stderr, .. }) if stderr.contains("since-as-filter") => {
                self.stored(&tips, None)?
            }
            other => other?,
        };
        let stored = history::stored(&out);
        if stored.is_empty() {
            return Ok(History::default());
        }
        let ids = stored.iter().flat_map(|s| format!("{}\n", s.id).into_bytes()).collect();
        let log = Call::new(&self.path, "log", Surroundings::User).args(history::CHANGES);
        let changed = history::changed(&log.input(ids).output()?)?;
        let watching = selection.watching();
        let ids: Vec<_> = tips.iter().filter_map(|tip| tip.parse().ok()).collect();
        let git = Call::new(&self.path, "cat-file", Surroundings::User).arg("--batch").start();
        let links = Links::find(git, &ids, &watching);
        Ok(History::new(stored, changed, selection, links, since))
    }

    /// All commits that a commit leads to, itself among them; none where it is not in this clone.
    ///
    /// # Errors
    /// When git fails.
    pub fn reachable(&self, tip: &CommitId) -> Result<HashSet<CommitId>, Error> {
        let out = Call::new(&self.path, "rev-list", Surroundings::User)
            .args(["--ignore-missing", "--stdin"])
            .input(format!("{tip}\n").into_bytes())
            .output()?;
        Ok(out.split(|b| *b == b'\n').filter_map(CommitId::from_bytes).collect())
    }

    /// The commits as they are stored.
    fn stored(&self, tips: &[String], since: Option<Timestamp>) -> Result<Vec<u8>, Error> {
        // A smaller number would be read as something else than seconds since 1970.
        let since = since.map(|t| t.0.div_euclid(1_000_000)).filter(|s| *s > 100_000_000);
        Call::new(&self.path, "rev-list", Surroundings::User)
            .args(history::STORED)
            .arg("--stdin")
            .args(since.map(|seconds| format!("--since-as-filter={seconds}")))
            .input(tips.iter().flat_map(|id| [id.as_bytes(), b"\n"].concat()).collect())
            .output()
    }

    /// Ids of the commits that the named refs point to, tags followed.
    fn tips(&self, refs: &[String]) -> Result<Vec<String>, Error> {
        if refs.is_empty() {
            let remote = self.resolve(&["refs/remotes".to_owned()])?;
            return if remote.is_empty() {
                self.resolve(&["refs/heads".to_owned()])
            } else {
                Ok(remote)
            };
        }
        let mut all = Vec::new();
        for name in refs {
            // An empty pattern would match every ref.
            let named = !name.trim().is_empty();
            let found = if named { self.resolve(&spellings(name))? } else { Vec::new() };
            if found.is_empty() {
                return Err(Error::NoSuchRef { name: name.clone(), path: self.path.clone() });
            }
            all.extend(found);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Ids of the commits under ref patterns; refs to anything else are passed over.
    fn resolve(&self, patterns: &[String]) -> Result<Vec<String>, Error> {
        let format = "--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname)";
        let out = Call::new(&self.path, "for-each-ref", Surroundings::User)
            .args([format, "--"])
            .args(patterns)
            .output()?;
        let text = String::from_utf8_lossy(&out);
        let commit = |line: &str| -> Option<String> {
            let mut words = line.split(' ');
            while let (Some(kind), Some(id)) = (words.next(), words.next()) {
                if kind == "commit" && id.parse::<CommitId>().is_ok() {
                    return Some(id.to_owned());
                }
            }
            None
        };
        let mut ids: Vec<String> = text.lines().filter_map(commit).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
}

/// The full names that a configured ref may mean.
fn spellings(name: &str) -> Vec<String> {
    if name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    ["refs/heads/", "refs/remotes/", "refs/tags/"].map(|p| format!("{p}{name}")).into()
}
