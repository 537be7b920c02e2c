//! Commits as git stores them, and the files that they change.

use super::{CommitId, CommitObject, Error, ObjectId, Selection, commit};
use crate::domain::Timestamp;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Options with which `git rev-list` writes commits as they are stored. In its own format it would
/// read all of a commit in the encoding that the commit names, so that no name is what it was.
pub(super) const STORED: [&str; 3] = ["--header", "--parents", "--encoding=none"];

/// Options with which `git log` writes what the commits on its standard input change. They keep the
/// user's and the repository's taste out. What a merge changes is what differs from all its parents.
pub(super) const CHANGES: [&str; 15] = [
    "--no-walk=unsorted",
    "--stdin",
    "--format=%H%x00",
    "--raw",
    "--no-abbrev",
    "-z",
    "-c",
    "--no-renames",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-notes",
    "--encoding=UTF-8",
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
    /// The judged files and watched links that it adds or modifies, as bytes; hostile names.
    pub files: Vec<PathBuf>,
}

/// Commits that change what is judged, and what could not be known about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// Agents' commits to judge, newest first.
    pub commits: Vec<Commit>,
    /// Commits by everybody else, newest first: nobody judges them.
    pub others: Vec<Commit>,
    /// Agents' commits at the edge of a shallow clone: what they changed cannot be told, so they
    /// are not among `commits`.
    pub cut: usize,
}

/// A commit as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) id: CommitId,
    /// It has parents, and they are not here: a shallow clone is cut there.
    pub(super) cut: bool,
    /// What it says of itself; without names where that cannot be read.
    pub(super) object: CommitObject,
}

/// What a path is after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum After {
    /// A file with this content.
    File(ObjectId),
    /// A symbolic link, or another repository's commit.
    Link,
}

/// The paths that a commit adds or changes.
pub(super) type Changed = Vec<(Vec<u8>, After)>;

/// Reads the output of `git rev-list` with [`STORED`].
pub(super) fn stored(out: &[u8]) -> Vec<Stored> {
    let mut all = Vec::new();
    for one in out.split(|b| *b == 0) {
        let end = memchr::memchr(b'\n', one).unwrap_or(one.len());
        let mut ids = one[..end].split(|b| *b == b' ').map(CommitId::from_bytes);
        let Some(Some(id)) = ids.next() else { continue };
        let object = commit(one.get(end + 1..).unwrap_or_default());
        let object = object.unwrap_or_else(|| CommitObject::unread(&id));
        all.push(Stored { id, cut: ids.next().is_none() && !object.parents.is_empty(), object });
    }
    all
}

/// Reads the output of `git log` with [`CHANGES`].
pub(super) fn changed(out: &[u8]) -> Result<HashMap<CommitId, Changed>, Error> {
    let mut all: HashMap<CommitId, Changed> = HashMap::new();
    let mut current: Option<CommitId> = None;
    let mut tokens = out.split(|b| *b == 0);
    while let Some(token) = tokens.next() {
        // git sets a line break before the first change of most commits.
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        if let Some(id) = CommitId::from_bytes(token) {
            all.entry(id.clone()).or_default();
            current = Some(id);
        } else if token.starts_with(b":") {
            let (Some(path), Some(id)) = (tokens.next(), &current) else { return Err(odd()) };
            let after = after(token).map(|after| (path.to_vec(), after));
            all.entry(id.clone()).or_default().extend(after);
        } else if !token.is_empty() {
            return Err(odd());
        }
    }
    Ok(all)
}

/// What a path is after a change: `:MODE MODE ID ID STATUS` has a pair for one parent, a merge
/// one more of each and a colon a parent. `None` where it is gone.
fn after(fields: &[u8]) -> Option<After> {
    let parents = fields.iter().take_while(|b| **b == b':').count();
    let text = std::str::from_utf8(fields.get(parents..)?).ok()?;
    let words: Vec<_> = text.split(' ').collect();
    let (mode, id) = (words.get(parents)?, words.get(2 * parents + 1)?);
    match *mode {
        "120000" | "160000" => Some(After::Link),
        mode if mode.starts_with("100") => id.parse().ok().map(After::File),
        _ => None,
    }
}

impl Selection {
    /// Of the paths that a commit changes those that are judged, and the watched links.
    pub(super) fn kept(&self, changed: &Changed) -> Changed {
        let is_kept = |(path, after): &&(Vec<u8>, After)| match after {
            After::File(_) => self.is_judged(path),
            After::Link => self.is_watched(path),
        };
        changed.iter().filter(is_kept).cloned().collect()
    }
}

impl History {
    /// Sorts commits by who made them.
    pub(super) fn new(
        stored: Vec<Stored>,
        mut changed: HashMap<CommitId, Changed>,
        selection: &Selection,
        since: Option<Timestamp>,
    ) -> Self {
        let mut history = Self::default();
        for Stored { id, cut, object } in stored {
            let old = since.zip(object.time).is_some_and(|(since, time)| time < since);
            let time = object.time.unwrap_or(Timestamp(0));
            let kept = selection.kept(&changed.remove(&id).unwrap_or_default());
            if kept.is_empty() || old {
                continue;
            }
            let agents = selection.is_agents(&object);
            if cut {
                history.cut += usize::from(agents);
                continue;
            }
            let files = kept.iter().map(|(name, _)| path(name)).collect();
            let commit = Commit { id, committer: object.committer, time, files };
            if agents { history.commits.push(commit) } else { history.others.push(commit) }
        }
        let newest = |a: &Commit, b: &Commit| b.time.cmp(&a.time).then_with(|| a.id.cmp(&b.id));
        history.commits.sort_by(newest);
        history.others.sort_by(newest);
        history
    }
}

/// A path as git gives it: any bytes.
fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

fn odd() -> Error {
    Error::Odd { call: "log".to_owned(), expected: "commits with the files they change" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_report_final_state() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let file = |id: &str| Some(After::File(id.parse().unwrap()));
        let of = |text: String| after(text.as_bytes());
        assert_eq!(of(format!(":100644 100755 {a} {b} M")), file(&b));
        assert_eq!(of(format!("::100644 100644 100644 {a} {a} {b} MM")), file(&b));
        assert_eq!(of(format!(":100644 000000 {a} {z} D")), None, "gone");
        assert_eq!(of(format!(":000000 120000 {z} {a} A")), Some(After::Link));
        assert_eq!(of(format!(":000000 160000 {z} {a} A")), Some(After::Link));
        assert_eq!(of(format!("::100644 100644 000000 {a} {a} {z} DD")), None);
        assert_eq!(of(":".to_owned()), None);
        assert_eq!(of(format!(":::100644 {a}")), None);
    }

    #[test]
    fn path_resembling_id_or_status_is_a_path() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let mut out = format!("{a}\0").into_bytes();
        for path in [format!("w/{a}.md"), ":100.md".to_owned(), "w/\n.md".to_owned()] {
            out.extend(format!("\n:000000 100644 {z} {b} A\0{path}\0").bytes());
        }
        out.extend(format!("{b}\0\n:000000 100644 {z} {b} A\0w/x.md\0").bytes());
        let read = changed(&out).unwrap();
        let count = |id: &str| read[&id.parse().unwrap()].len();
        assert_eq!((count(&a), count(&b)), (3, 1));
        assert!(changed(b"garbage\0").is_err());
    }

    #[test]
    fn stored_commit_is_read_regardless_of_message() {
        let (a, b, t) = ("a".repeat(40), "b".repeat(40), "1".repeat(40));
        let out = format!(
            "{a} {b}\ntree {t}\nparent {b}\nauthor A <x> 1 +0000\ncommitter C <x> 5 +0000\nencoding UTF-16\n\n    {b}\n\0{b}\ntree {t}\nparent {a}\nauthor A <x> 1 +0000\ncommitter C\n\0{t}\nnothing\n\0"
        );
        let read = stored(out.as_bytes());
        let seen: Vec<_> = read.iter().map(|s| (s.cut, s.object.committer.as_str())).collect();
        assert_eq!(seen, [(false, "C"), (true, ""), (false, "")]);
    }
}
