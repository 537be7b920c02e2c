//! A repository of our own and a bare one as its remote, for one trial.

use super::{Call, Error, Surroundings};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The branch of all that is pushed.
const BRANCH: &str = "trial";

/// Both repositories, in a directory that is the caller's: it removes it.
#[derive(Debug)]
pub struct Scratch {
    dir: PathBuf,
}

/// How a push ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// It arrived.
    pub went: bool,
    /// What git and the hook said of one that did not. Raw text.
    pub stderr: String,
}

impl Scratch {
    /// Makes both below a directory. The user's settings hold in them, but for where hooks are and
    /// whether something is signed.
    ///
    /// # Errors
    /// When git cannot be run, or fails.
    pub fn make(dir: &Path) -> Result<Self, Error> {
        let scratch = Self { dir: dir.to_owned() };
        let init = |args: &[&str], path: &Path| {
            let call = Call::new(dir, "init", Surroundings::User);
            call.args(["--quiet", "--template="]).args(args).arg("--").arg(path).output()
        };
        init(&["--bare"], &scratch.remote())?;
        init(&[], &scratch.work())?;
        let hooks = scratch.hooks();
        let settings: [(&str, &std::ffi::OsStr); 5] = [
            ("core.hooksPath", hooks.as_os_str()),
            ("commit.gpgSign", "false".as_ref()),
            ("push.gpgSign", "false".as_ref()),
            ("push.followTags", "false".as_ref()),
            ("gc.auto", "0".as_ref()),
        ];
        for (name, value) in settings {
            let call = Call::new(&scratch.work(), "config", Surroundings::User);
            call.args(["--local", name]).arg(value).output()?;
        }
        Ok(scratch)
    }

    fn remote(&self) -> PathBuf {
        self.dir.join("remote.git")
    }

    fn work(&self) -> PathBuf {
        self.dir.join("work")
    }

    /// Where its hooks are looked for.
    pub fn hooks(&self) -> PathBuf {
        self.dir.join("hooks")
    }

    /// Commits one file, by somebody who is author and committer. `path` is below the repository.
    ///
    /// # Errors
    /// A file that cannot be written, or a git that fails.
    pub fn commit(&self, who: &str, path: &str, bytes: &[u8]) -> Result<String, Error> {
        let file = self.work().join(path);
        let written = std::fs::create_dir_all(file.parent().unwrap_or(&self.dir))
            .and_then(|()| std::fs::write(&file, bytes));
        written.map_err(|source| Error::Scratch { path: file, source })?;
        let call = |name| Call::new(&self.work(), name, Surroundings::User);
        call("add").arg("--").arg(path).output()?;
        let mail = "trial@invalid";
        let by = [
            ("GIT_AUTHOR_NAME", who),
            ("GIT_AUTHOR_EMAIL", mail),
            ("GIT_COMMITTER_NAME", who),
            ("GIT_COMMITTER_EMAIL", mail),
        ];
        let commit = by.into_iter().fold(call("commit"), |c, (name, value)| c.env(name, value));
        commit.args(["--quiet", "--no-verify", "-m", "A trial"]).output()?;
        let id = call("rev-parse").args(["--verify", "HEAD"]).output()?;
        Ok(String::from_utf8_lossy(&id).trim().to_owned())
    }

    /// Pushes what was committed; the hook runs, with variables set or removed.
    ///
    /// # Errors
    /// When git cannot be run, or takes longer than `limit`. A push that is refused is none.
    pub fn push(&self, set: &[(&str, Option<&str>)], limit: Duration) -> Result<Attempt, Error> {
        let call = Call::new(&self.work(), "push", Surroundings::Hooks).reaching("false");
        let call = set.iter().fold(call, |call, (name, value)| match value {
            Some(value) => call.env(name, value),
            None => call.env_remove(name),
        });
        let remote = self.remote();
        let push =
            call.arg("--quiet").arg("--").arg(remote).arg(format!("HEAD:refs/heads/{BRANCH}"));
        match push.limit(limit).output() {
            Ok(_) => Ok(Attempt { went: true, stderr: String::new() }),
            Err(Error::Failed { stderr, .. }) => Ok(Attempt { went: false, stderr }),
            Err(error) => Err(error),
        }
    }

    /// The commit that the remote has; `None` where nothing arrived.
    ///
    /// # Errors
    /// When git cannot be run, or fails.
    pub fn arrived(&self) -> Result<Option<String>, Error> {
        let call = Call::new(&self.remote(), "for-each-ref", Surroundings::User);
        let stdout =
            call.args(["--format=%(objectname)", &format!("refs/heads/{BRANCH}")]).output()?;
        let id = String::from_utf8_lossy(&stdout).trim().to_owned();
        Ok((!id.is_empty()).then_some(id))
    }
}
