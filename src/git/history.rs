//! What `git log` says about commits, read.

use super::{CommitId, Error};
use crate::domain::Timestamp;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Id, committer date, committer name; each followed by NUL.
pub(super) const FORMAT: &str = "%H%x00%ct%x00%cn%x00";

/// Options that keep the user's and the repository's taste out of what `git log` writes.
/// What a merge changes is what differs from all its parents.
pub(super) const LOG: [&str; 12] = [
    "-z",
    "-c",
    "--no-renames",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-notes",
    "--no-mailmap",
    "--encoding=UTF-8",
    "--fixed-strings",
    "-O/dev/null",
];

/// A commit that a hook had to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// Its committer's name; hostile text.
    pub committer: String,
    /// Its committer date.
    pub time: Timestamp,
    /// The watched `.md` files it adds or modifies, as bytes; hostile names.
    pub files: Vec<PathBuf>,
}

/// Commits of agents, and what could not be known about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// Commits to judge, newest first.
    pub commits: Vec<Commit>,
    /// Agents' commits at the edge of a shallow clone: what they changed cannot be told, so they
    /// are not among `commits`.
    pub cut: usize,
}

/// Which commits are wanted.
pub(super) struct Wanted<'a> {
    pub(super) committers: &'a [String],
    pub(super) watch: &'a [String],
    pub(super) since: Option<Timestamp>,
    pub(super) cut: &'a HashSet<CommitId>,
}

/// Reads the output of `git log -z -c --name-status` with [`FORMAT`].
pub(super) fn parse(out: &[u8], wanted: &Wanted<'_>) -> Result<History, Error> {
    let mut history = History::default();
    let mut open: Option<Commit> = None;
    let mut tokens = out.split(|b| *b == 0);
    while let Some(token) = tokens.next() {
        // git sets a line break before the first status of most commits.
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        if let Some(id) = CommitId::from_bytes(token) {
            history.keep(open.take(), wanted);
            open = Some(header(id, &mut tokens)?);
        } else if !token.is_empty() {
            let (Some(file), Some(commit)) = (tokens.next(), open.as_mut()) else {
                return Err(odd());
            };
            if !token.contains(&b'D') && is_watched(file, wanted.watch) {
                commit.files.push(path(file));
            }
        }
    }
    history.keep(open.take(), wanted);
    history.commits.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.id.cmp(&b.id)));
    Ok(history)
}

/// Reads what follows an id.
fn header<'a>(id: CommitId, tokens: &mut impl Iterator<Item = &'a [u8]>) -> Result<Commit, Error> {
    let (Some(time), Some(name)) = (tokens.next(), tokens.next()) else { return Err(odd()) };
    let seconds = std::str::from_utf8(time).ok().and_then(|t| t.parse::<i64>().ok());
    let time = Timestamp(seconds.ok_or_else(odd)?.saturating_mul(1_000_000));
    Ok(Commit { id, committer: String::from_utf8_lossy(name).into_owned(), time, files: vec![] })
}

impl History {
    /// Keeps a commit that was read to its end, if it is wanted.
    fn keep(&mut self, commit: Option<Commit>, wanted: &Wanted<'_>) {
        let Some(commit) = commit else { return };
        let recent = wanted.since.is_none_or(|since| commit.time >= since);
        if !recent || commit.files.is_empty() || !wanted.committers.contains(&commit.committer) {
            return;
        }
        if wanted.cut.contains(&commit.id) {
            self.cut += 1;
        } else {
            self.commits.push(commit);
        }
    }
}

/// Tells whether a file is one that the hook judges.
pub(super) fn is_watched(file: &[u8], watch: &[String]) -> bool {
    file.ends_with(b".md") && watch.iter().any(|prefix| file.starts_with(prefix.as_bytes()))
}

/// A path as git gives it: any bytes.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

fn odd() -> Error {
    Error::Odd { call: "log".to_owned(), expected: "commits with the files they change" }
}
