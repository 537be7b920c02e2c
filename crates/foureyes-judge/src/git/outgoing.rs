//! What a push takes to a remote, asked from inside the hook that git runs for it.

mod parse;
mod promised;
mod pushed;
mod touched;

pub use pushed::{Arriving, Paths, Pushed, PushedFile};
pub use touched::{Header, Side, Text, Touched};

use super::call::Started;
use super::history::{self, Stored};
use super::{Call, CommitId, Error, Links, ObjectId, ObjectKind, Selection, Surroundings};
use promised::Changes;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is pushed, and what need not be.
#[derive(Debug, Clone, Default)]
pub struct Push {
    /// Commits and tags that are pushed.
    pub tips: Vec<ObjectId>,
    /// What the remote says it has. One that is not here is passed over.
    pub has: Vec<ObjectId>,
    /// What else need not be.
    pub known: Known,
}

/// Which commits are known to be there already, beside those that the remote itself names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Known {
    /// None.
    #[default]
    Nothing,
    /// What the branches of the remote of this name are, as this clone last saw them.
    Remote(String),
    /// What any ref of this repository leads to: it is the one that is pushed to.
    Refs,
}

/// An object's kind, size and the beginning of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// What it is.
    pub kind: ObjectKind,
    /// Its whole size in bytes.
    pub size: u64,
    /// Its content, or the beginning of it; hostile.
    pub bytes: Vec<u8>,
}

/// The repository that the git around us has opened, asked until some instant.
#[derive(Debug)]
pub struct Outgoing {
    dir: PathBuf,
    until: Instant,
    around: Surroundings,
    /// A git that waits for the ids of objects.
    reader: Mutex<Option<Started>>,
}

impl Outgoing {
    /// The repository in which this process was started as a hook.
    pub fn here(until: Instant) -> Self {
        Self::of(PathBuf::from("."), until, Surroundings::Hook)
    }

    /// A repository that somebody asks about.
    pub fn at(dir: impl Into<PathBuf>, until: Instant) -> Self {
        Self::of(dir.into(), until, Surroundings::User)
    }

    fn of(dir: PathBuf, until: Instant, around: Surroundings) -> Self {
        Self { dir, until, around, reader: Mutex::default() }
    }

    /// The same, asked until an earlier instant.
    #[must_use]
    pub fn within(&self, until: Instant) -> Self {
        Self::of(self.dir.clone(), self.until.min(until), self.around)
    }

    fn call(&self, subcommand: &str) -> Call {
        let left = self.until.saturating_duration_since(Instant::now());
        let call = Call::new(&self.dir, subcommand, self.around);
        call.limit(left.max(Duration::from_millis(1)))
    }

    /// The commits of a push by agents that add or change what is judged. Where there may be any, `meanwhile` is called
    /// while git looks for them; and where there are, the git that reads their contents is started for the next
    /// [`Outgoing::objects`].
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn commits(
        &self,
        push: &Push,
        selection: &Selection,
        meanwhile: impl FnOnce(),
    ) -> Result<Arriving, Error> {
        // Without a tip git would take HEAD.
        if push.tips.is_empty() || selection.is_nobody() {
            return Ok(Arriving::default());
        }
        let call = self.call("rev-list").args(history::STORED).arg("--ignore-missing");
        let listing = call.args(push.range()).input(push.input()).start()?;
        meanwhile();
        let mut stored = history::stored(&listing.output()?);
        stored.retain(|stored| selection.is_agents(&stored.object));
        if stored.is_empty() {
            return Ok(Arriving::default());
        }
        let changes = self.changes(&stored)?;
        let watching = selection.watching();
        let mut all = changes.known.values().flatten();
        let links = match all.all(|one| history::is_plain(one, &watching)) {
            true => Links::default(),
            // The git that waits for contents is asked first; where it is needed again, there is another.
            false => Links::find(self.reader(), &push.tips, &watching),
        };
        Ok(Arriving::new(stored, changes, &watching, links))
    }

    /// What commits change; the git that reads contents is started meanwhile.
    fn changes(&self, stored: &[Stored]) -> Result<Changes, Error> {
        let ids = stored.iter().flat_map(|s| format!("{}\n", s.id).into_bytes()).collect();
        let changes = self.call("log").args(history::CHANGES).input(ids).start()?;
        self.expect_objects();
        match changes.output() {
            Ok(out) => Ok(Changes { known: history::changed(&out)?, ..Changes::default() }),
            Err(failure) => {
                let ids: Vec<_> = stored.iter().map(|stored| stored.id.clone()).collect();
                self.promised(&ids, failure)
            }
        }
    }

    /// Starts git for the next [`Outgoing::objects`], while something else is asked.
    fn expect_objects(&self) {
        // Where it cannot be started, the question itself will say so.
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = self.reading().ok();
    }

    /// The git that was started for contents, else another.
    fn reader(&self) -> Result<Started, Error> {
        let started = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        started.map_or_else(|| self.reading(), Ok)
    }

    fn reading(&self) -> Result<Started, Error> {
        self.call("cat-file").arg("--batch").start()
    }

    /// The parents of every commit that the remote has not.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn parents(&self, push: &Push) -> Result<HashMap<CommitId, Vec<CommitId>>, Error> {
        let call = self.call("rev-list").args(["--ignore-missing", "--parents"]);
        let out = call.args(push.range()).input(push.input()).output()?;
        Ok(parse::parents(&out))
    }

    /// The commits that names of commits and tags stand for, in their order.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn peeled(&self, ids: &[ObjectId]) -> Result<Vec<Option<CommitId>>, Error> {
        let input = ids.iter().flat_map(|id| format!("{id}^{{commit}}\n").into_bytes()).collect();
        let call = self.call("cat-file").arg("--batch-check=%(objectname)");
        let out = call.input(input).output()?;
        Ok(out.split(|b| *b == b'\n').map(CommitId::from_bytes).take(ids.len()).collect())
    }

    /// The files of a commit in some directories (of the whole tree, where none is given).
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn files(
        &self,
        commit: &CommitId,
        dirs: &[String],
    ) -> Result<HashMap<Vec<u8>, ObjectId>, Error> {
        let call = self.call("ls-tree").args(["-r", "-z", "--full-tree", commit.as_str(), "--"]);
        Ok(parse::files(&call.args(dirs).output()?))
    }

    /// Objects by their ids, in order; `None` for one that is not here. Nothing at all where git would
    /// write more than `most` bytes.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn objects(&self, ids: &[ObjectId], most: u64) -> Result<Option<Vec<Option<Blob>>>, Error> {
        if ids.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let all = self.reader()?.input(lines(ids), most).beginning(&|| false)?;
        if all.cut {
            return Ok(None);
        }
        let objects = parse::objects(&all.bytes);
        if objects.len() == ids.len() { Ok(Some(objects)) } else { Err(odd()) }
    }

    /// Kinds and sizes of objects, in order, without their contents.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn sizes(&self, ids: &[ObjectId]) -> Result<Vec<Option<Blob>>, Error> {
        let check = self.call("cat-file").arg("--batch-check").input(lines(ids)).output()?;
        let mut all = parse::heads(&check);
        all.resize(ids.len(), None);
        Ok(all)
    }

    /// The beginning of a large file's content, of which git writes no more than is read.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn beginning(&self, id: &ObjectId, most: u64) -> Result<Vec<u8>, Error> {
        let call = self.call("cat-file").args(["blob", id.as_str()]).most(most);
        Ok(call.beginning(&|| false)?.bytes)
    }
}

impl Push {
    /// What leaves out the branches that are known to be on the remote.
    fn range(&self) -> Vec<String> {
        let mut range = vec!["--stdin".to_owned()];
        // A name with one of these would be read as a pattern.
        let plain = |name: &str| !name.is_empty() && !name.contains(['*', '?', '[', '\\']);
        match &self.known {
            Known::Remote(name) if plain(name) => {
                range.extend(["--not".to_owned(), format!("--remotes={name}")]);
            }
            Known::Refs => range.extend(["--not", "--all"].map(str::to_owned)),
            Known::Remote(_) | Known::Nothing => {}
        }
        range
    }

    fn input(&self) -> Vec<u8> {
        let has = self.has.iter().flat_map(|id| format!("^{id}\n").into_bytes());
        lines(&self.tips).into_iter().chain(has).collect()
    }
}

fn lines(ids: &[ObjectId]) -> Vec<u8> {
    ids.iter().flat_map(|id| format!("{id}\n").into_bytes()).collect()
}

fn odd() -> Error {
    Error::Odd { call: "cat-file".to_owned(), expected: "the objects that were asked for" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, test_kill_process};

    #[test]
    fn git_that_waits_for_objects_is_ended_when_nobody_asks() {
        let dir = tempfile::tempdir().unwrap();
        Call::new(dir.path(), "init", Surroundings::Bare).output().unwrap();
        let git = Outgoing::at(dir.path(), Instant::now() + Duration::from_secs(60));
        let pid = |git: &Outgoing| {
            let reader = git.reader.lock().unwrap();
            Pid::from_raw(i32::try_from(reader.as_ref().unwrap().child.id()).unwrap()).unwrap()
        };
        git.expect_objects();
        let first = pid(&git);
        let absent: ObjectId = "1".repeat(40).parse().unwrap();
        for _ in 0..2 {
            assert_eq!(
                git.objects(std::slice::from_ref(&absent), 1 << 10).unwrap(),
                Some(vec![None])
            );
        }
        test_kill_process(first).unwrap_err();
        git.expect_objects();
        let second = pid(&git);
        // What has less time asks a git of its own.
        let absent = std::slice::from_ref(&absent);
        git.within(Instant::now() + Duration::from_secs(30)).objects(absent, 1 << 10).unwrap();
        test_kill_process(second).unwrap();
        drop(git);
        test_kill_process(second).unwrap_err();
    }
}
