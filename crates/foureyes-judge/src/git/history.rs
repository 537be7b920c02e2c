//! Commits as git stores them, and the files that they change.

use super::{CommitId, CommitObject, Error, Links, ObjectId, Selection, Watching, commit};
use crate::domain::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Options with which `git rev-list` writes commits as they are stored. In its own format it would
/// read all of a commit in the encoding that the commit names, so that no name is what it was.
pub(super) const STORED: [&str; 3] = ["--header", "--parents", "--encoding=none"];

/// Options with which `git log` writes what the commits on its standard input change. They keep the
/// user's and the repository's taste out. What a merge changes is what differs from all its parents.
pub(super) const CHANGES: [&str; 16] = [
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
    "--ignore-submodules=none",
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
    /// The links through which watched paths are reached now.
    pub links: Links,
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

/// By what the changes of a commit are sorted.
pub(super) struct By<'a> {
    pub(super) watching: &'a Watching,
    pub(super) links: &'a Links,
    /// When links were made, and when the commit: places in a list with the newest first. A link that is in no list was
    /// there before all of it.
    pub(super) made: (&'a HashMap<Vec<u8>, usize>, usize),
}

impl By<'_> {
    /// Whether the links that lead to a watched name were there when the commit was made.
    fn holds(&self, name: &[u8]) -> bool {
        let (made, at) = self.made;
        let is_before = |link: &Vec<u8>| made.get(link).is_none_or(|made| at <= *made);
        made.is_empty() || self.links.passages_of(name).all(is_before)
    }
}

/// What of the changes of a commit matters.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The files that are judged, and the links and submodules in or above what is watched.
    pub(super) changed: Changed,
    /// Those links that take the place of a watched path, or lead on from one.
    pub(super) replaced: Vec<Vec<u8>>,
    /// Files that are watched through a link: its watched name and its target.
    pub(super) through: BTreeSet<(Vec<u8>, Vec<u8>)>,
    /// Paths that are not watched.
    pub(super) unwatched: usize,
}

impl Kept {
    /// Of the paths that a commit changes those that are judged, and links.
    pub(super) fn new(changed: Changed, by: &By<'_>) -> Self {
        let mut kept = Self::default();
        for (path, after) in changed {
            if kept.keeps(&path, &after, by) {
                kept.changed.push((path, after));
            } else {
                kept.unwatched += 1;
            }
        }
        kept
    }

    fn keeps(&mut self, path: &[u8], after: &After, by: &By<'_>) -> bool {
        let By { watching, links, .. } = by;
        if *after != After::Link {
            let is_named = watching.is_judged(path);
            let alias = links
                .aliases(path)
                .find(|alias| !is_named && watching.has_name(&alias.name) && by.holds(&alias.link));
            let is_kept = is_named || alias.is_some();
            self.through.extend(alias.map(|alias| (alias.link, alias.target)));
            return is_kept;
        }
        let passage = links.passage(path);
        let replaces = watching.is_replaced_by(path) || passage == Some(true);
        if replaces {
            self.replaced.push(path.to_vec());
        }
        replaces
            || passage.is_some()
            || watching.is_inside(path)
            || links.aliases(path).next().is_some()
    }
}

/// Whether a path is watched by its own name, so that no link need be known.
pub(super) fn is_plain((path, after): &(Vec<u8>, After), watching: &Watching) -> bool {
    *after != After::Link && watching.is_judged(path)
}

impl History {
    /// Sorts commits, the newest first, by who made them. What links lead to counts from when they were made.
    pub(super) fn new(
        stored: Vec<Stored>,
        mut changed: HashMap<CommitId, Changed>,
        selection: &Selection,
        links: Links,
        since: Option<Timestamp>,
    ) -> Self {
        let watching = selection.watching();
        let made = made(&stored, &changed);
        let mut history = Self::default();
        for (at, Stored { id, cut, object }) in stored.into_iter().enumerate() {
            let old = since.zip(object.time).is_some_and(|(since, time)| time < since);
            let time = object.time.unwrap_or(Timestamp(0));
            let by = By { watching: &watching, links: &links, made: (&made, at) };
            let kept = Kept::new(changed.remove(&id).unwrap_or_default(), &by).changed;
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
        history.links = links;
        history
    }
}

/// Of each path that becomes a link, the newest commit that makes it one, by its place.
fn made(stored: &[Stored], changed: &HashMap<CommitId, Changed>) -> HashMap<Vec<u8>, usize> {
    let mut made = HashMap::new();
    for (at, one) in stored.iter().enumerate() {
        let changes = changed.get(&one.id).into_iter().flatten();
        for (path, _) in changes.filter(|(_, after)| *after == After::Link) {
            made.entry(path.clone()).or_insert(at);
        }
    }
    made
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
