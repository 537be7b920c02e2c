//! Bringing a commit that is not here from the remote of a clone.
//!
//! Objects alone are brought, by their names: no ref is made or moved, no tag followed, no
//! `FETCH_HEAD` written, nothing pruned or packed. What nothing refers to, git itself clears away
//! after some weeks. Working tree and index are never looked at.

use super::{Call, Error, ObjectId, Prefix, Repository, Surroundings};
use std::path::Path;
use std::time::{Duration, Instant};

/// What keeps everything but objects as it was.
const STILL: [&str; 9] = [
    "--quiet",
    "--no-tags",
    "--no-prune",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-gc",
    "--no-write-commit-graph",
    "--no-show-forced-updates",
    "--refmap=",
];

/// Most branches of a remote that are brought where a commit cannot be asked for by its name.
const TIPS: usize = 256;

/// How a remote says that it does not hand out a commit by its name alone.
const NOT_BY_NAME: [&str; 3] = ["not our ref", "unadvertised object", "no such remote ref"];

impl Repository {
    /// Has git bring a commit from the clone's remote within `limit`, and gives the remote's name.
    ///
    /// A full name is asked for itself; where the remote does not hand it out so, and for an
    /// abbreviation, the tips of its branches are. Whether the commit came is to be looked up.
    ///
    /// `allowed` are keys of the clone's own configuration that may name a program.
    ///
    /// # Errors
    /// [`Error::NoRemote`]; [`Error::OwnProgram`]; when git fails, is not done in time, or is cancelled.
    pub fn fetch(
        &self,
        wanted: &Prefix,
        allowed: &[String],
        limit: Duration,
        cancel: &dyn Fn() -> bool,
    ) -> Result<String, Error> {
        let deadline = Instant::now() + limit;
        let left = || deadline.saturating_duration_since(Instant::now());
        let remote = self.remote(cancel)?;
        self.starts_none_but(allowed, cancel)?;
        let ssh = ssh(self.path(), Surroundings::User, cancel)?;
        let call = |name| Call::new(self.path(), name, Surroundings::User).reaching(&ssh);
        let fetch = |ids: &[ObjectId]| {
            let call = call("fetch").args(STILL).args(["--", &remote]);
            call.args(ids.iter().map(ObjectId::as_str)).limit(left()).beginning(cancel)
        };
        if let Some(id) = wanted.full() {
            match fetch(&[id]) {
                Ok(_) => return Ok(remote),
                Err(Error::Failed { stderr, .. })
                    if NOT_BY_NAME.iter().any(|words| stderr.contains(words)) => {}
                Err(error) => return Err(error),
            }
        }
        let heads = call("ls-remote").args(["--heads", "--", &remote]).limit(left());
        let tips = tips(&heads.most(16 << 20).beginning(cancel)?.bytes);
        if !tips.is_empty() {
            fetch(&tips)?;
        }
        Ok(remote)
    }

    /// `origin`, or else the first remote there is.
    fn remote(&self, cancel: &dyn Fn() -> bool) -> Result<String, Error> {
        let out = Call::new(self.path(), "remote", Surroundings::User).beginning(cancel)?;
        let text = String::from_utf8_lossy(&out.bytes).into_owned();
        let names: Vec<_> = text.lines().filter(|name| !name.is_empty()).collect();
        let own = names.iter().find(|name| **name == "origin").or(names.first());
        own.map(|name| (*name).to_owned())
            .ok_or_else(|| Error::NoRemote { path: self.path().to_owned() })
    }

    /// Checks that the clone's own configuration names no other program that fetching starts: whoever
    /// gave the clone would choose what runs here. The user's own configuration may name any.
    fn starts_none_but(&self, allowed: &[String], cancel: &dyn Fn() -> bool) -> Result<(), Error> {
        let call = Call::new(self.path(), "config", Surroundings::User);
        let out = call.args(["--list", "--show-scope", "--name-only", "-z"]).beginning(cancel)?;
        let text = String::from_utf8_lossy(&out.bytes).into_owned();
        let words: Vec<&str> = text.split('\0').collect();
        let own = words.chunks(2).filter_map(|pair| match pair {
            ["local" | "worktree", key] if names_program(key) => Some(*key),
            _ => None,
        });
        let mut own = own.filter(|key| !allowed.iter().any(|a| a.eq_ignore_ascii_case(key)));
        own.next().map_or(Ok(()), |key| Err(Error::OwnProgram { key: key.to_owned() }))
    }
}

/// The ssh that git is configured to use, told to ask nothing.
pub(super) fn ssh(
    dir: &Path,
    around: Surroundings,
    cancel: &dyn Fn() -> bool,
) -> Result<String, Error> {
    let call = Call::new(dir, "config", around);
    let own = match call.args(["--get", "core.sshCommand"]).beginning(cancel) {
        Ok(out) => String::from_utf8_lossy(&out.bytes).trim().to_owned(),
        // There is none.
        Err(Error::Failed { .. }) => String::new(),
        Err(error) => return Err(error),
    };
    let program = if own.is_empty() { "ssh" } else { &own };
    Ok(format!("{program} -oBatchMode=yes -oConnectTimeout=10"))
}

/// Tells whether a key of git's configuration names a program that fetching starts.
fn names_program(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let (section, name) = (key.split('.').next(), key.rsplit('.').next());
    match (section.unwrap_or_default(), name.unwrap_or_default()) {
        ("core", name) => {
            matches!(name, "sshcommand" | "gitproxy" | "askpass" | "alternaterefscommand")
        }
        ("remote", name) => matches!(name, "uploadpack" | "vcs"),
        ("credential", name) => name == "helper",
        _ => false,
    }
}

/// Ids of `ID TAB REF` lines, each once.
fn tips(out: &[u8]) -> Vec<ObjectId> {
    let mut ids: Vec<_> = out
        .split(|b| *b == b'\n')
        .filter_map(|line| ObjectId::from_bytes(line.split(|b| *b == b'\t').next()?))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(TIPS);
    ids
}
