//! All that commits touch, whoever judges it: paths, modes, contents before and after, and lines.
//!
//! What a repository configures or its attributes name changes no figure: renames are not looked for,
//! and a file that is not compared by lines has none.

use super::{Outgoing, odd};
use crate::git::{CommitId, Error, ObjectId, history};
use std::collections::HashMap;

/// Options with which `git log` counts lines against the first parent.
const COUNTS: [&str; 16] = [
    "--no-walk=unsorted",
    "--stdin",
    "--format=%H%x00",
    "--numstat",
    "--diff-merges=first-parent",
    "--diff-algorithm=myers",
    "--ignore-submodules=none",
    "-z",
    "--no-renames",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-notes",
    "--encoding=UTF-8",
    "-O/dev/null",
];

/// What a path was or is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Its mode, in octal digits.
    pub mode: String,
    /// Its content, or what it links to.
    pub id: ObjectId,
}

/// A path that a commit touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The path: any bytes, hostile.
    pub path: Vec<u8>,
    /// What it was in each parent that has it.
    pub before: Vec<Side>,
    /// What it is; `None` where it is gone.
    pub after: Option<Side>,
    /// Lines that are added or removed; `None` where they are not counted.
    pub lines: Option<u64>,
}

impl Outgoing {
    /// What each of some commits touches. Of a merge it is what differs from all of its parents, counted
    /// against the first one.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn touched(&self, ids: &[CommitId]) -> Result<HashMap<CommitId, Vec<Touched>>, Error> {
        let input = || ids.iter().flat_map(|id| format!("{id}\n").into_bytes()).collect::<Vec<_>>();
        let out = self.call("log").args(history::CHANGES).input(input()).output()?;
        let mut all = touched(&out)?;
        let out = self.call("log").args(COUNTS).input(input()).output()?;
        let mut counts = counts(&out)?;
        for (id, paths) in &mut all {
            let mut counted = counts.remove(id).unwrap_or_default();
            for path in paths {
                path.lines = counted.remove(&path.path).flatten();
            }
        }
        Ok(all)
    }

    /// The symbolic links of a commit, and where each points.
    ///
    /// # Errors
    /// When git fails or is not done in time, or there are more links than `most` bytes.
    pub fn links(&self, commit: &ObjectId, most: u64) -> Result<Links, Error> {
        let tree = self.call("ls-tree").args(["-r", "-z", "--full-tree", commit.as_str()]);
        let (paths, ids): (Vec<_>, Vec<_>) = links(&tree.output()?).into_iter().unzip();
        let objects = self.objects(&ids, most)?.ok_or_else(odd)?;
        let targets = objects.into_iter().map(|blob| blob.map(|blob| blob.bytes));
        Ok(paths.into_iter().zip(targets).filter_map(|(path, to)| Some((path, to?))).collect())
    }

    /// The commits that a revision names: one, or those of a range; at most so many, the newest first.
    ///
    /// # Errors
    /// When git fails or is not done in time, as where it names none.
    pub fn revision(&self, revision: &str, most: usize) -> Result<Vec<CommitId>, Error> {
        // A number after it would have git walk all the same.
        let call =
            self.call("rev-list").args([&format!("--max-count={most}"), "--no-walk=unsorted"]);
        let out = call.args(["--end-of-options", revision, "--"]).output()?;
        Ok(out.split(|b| *b == b'\n').filter_map(CommitId::from_bytes).collect())
    }

    /// Author, committer and message of commits, in order; `None` of one that cannot be read. Hostile texts.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn headers(&self, ids: &[CommitId], most: u64) -> Result<Vec<Option<Header>>, Error> {
        let objects = self.objects(ids, most)?.unwrap_or_default();
        let header = |bytes: &[u8]| {
            let object = crate::git::commit(bytes)?;
            let text = String::from_utf8_lossy(bytes);
            let message = text.split_once("\n\n").map_or("", |(_, message)| message).trim();
            let (author, committer) = (object.author, object.committer);
            Some(Header { author, committer, message: message.to_owned() })
        };
        let mut all: Vec<_> = objects.into_iter().map(|blob| header(&blob?.bytes)).collect();
        all.resize(ids.len(), None);
        Ok(all)
    }

    /// Numbers of lines of objects, at most `most` bytes of all together; `None` where they are more.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn texts(&self, ids: &[ObjectId], most: u64) -> Result<HashMap<ObjectId, Text>, Error> {
        let size = self.sizes(ids)?.into_iter().flatten().map(|blob| blob.size);
        if size.fold(0, u64::saturating_add) > most {
            return Ok(HashMap::new());
        }
        // Room for what git writes around each.
        let objects = self.objects(ids, most + 128 * ids.len() as u64)?.unwrap_or_default();
        let text = |bytes: &[u8]| Text {
            lines: memchr::memchr_iter(b'\n', bytes).count() as u64 + 1,
            is_binary: memchr::memchr(0, bytes).is_some() || std::str::from_utf8(bytes).is_err(),
        };
        let of =
            |(id, blob): (&ObjectId, Option<super::Blob>)| Some((id.clone(), text(&blob?.bytes)));
        Ok(ids.iter().zip(objects).filter_map(of).collect())
    }
}

/// Paths of links, each with where it points.
type Links = Vec<(Vec<u8>, Vec<u8>)>;

/// Who made a commit, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The author's name.
    pub author: String,
    /// The committer's name.
    pub committer: String,
    /// The message.
    pub message: String,
}

/// What a content is as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Its lines, or one more.
    pub lines: u64,
    /// Whether it has bytes that are no text.
    pub is_binary: bool,
}

/// Commits and what stands between them in an output with `-z`.
fn sections<'a>(
    out: &'a [u8],
    mut each: impl FnMut(&CommitId, &'a [u8], &mut dyn Iterator<Item = &'a [u8]>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut current: Option<CommitId> = None;
    let mut tokens = out.split(|b| *b == 0);
    while let Some(token) = tokens.next() {
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        match (CommitId::from_bytes(token), &current) {
            (Some(id), _) => current = Some(id),
            (None, _) if token.is_empty() => {}
            (None, Some(id)) => each(id, token, &mut tokens)?,
            (None, None) => return Err(odd()),
        }
    }
    Ok(())
}

fn touched(out: &[u8]) -> Result<HashMap<CommitId, Vec<Touched>>, Error> {
    let mut all: HashMap<CommitId, Vec<Touched>> = HashMap::new();
    sections(out, |id, token, tokens| {
        let path = tokens.next().ok_or_else(odd)?;
        let (before, after) = sides(token).ok_or_else(odd)?;
        let path = path.to_vec();
        all.entry(id.clone()).or_default().push(Touched { path, before, after, lines: None });
        Ok(())
    })?;
    Ok(all)
}

/// Modes and ids before and after: `:MODE MODE ID ID STATUS`, of a merge one more of each and a colon a
/// parent.
fn sides(fields: &[u8]) -> Option<(Vec<Side>, Option<Side>)> {
    let parents = fields.iter().take_while(|b| **b == b':').count();
    let text = std::str::from_utf8(fields.get(parents..)?).ok()?;
    let words: Vec<_> = text.split(' ').collect();
    let side = |at: usize| {
        let (mode, id) = (*words.get(at)?, words.get(at + parents + 1)?.parse().ok()?);
        (mode.bytes().any(|b| b != b'0')).then(|| Side { mode: mode.to_owned(), id })
    };
    words.get(2 * parents + 2).filter(|_| parents > 0)?;
    Some(((0..parents).filter_map(side).collect(), side(parents)))
}

/// Lines of each path: `ADDED\tREMOVED\tPATH`, with `-` where lines are not counted.
type Counts = HashMap<CommitId, HashMap<Vec<u8>, Option<u64>>>;

fn counts(out: &[u8]) -> Result<Counts, Error> {
    let mut all = Counts::new();
    sections(out, |id, token, _| {
        let mut fields = token.splitn(3, |b| *b == b'\t');
        let number = |field: Option<&[u8]>| -> Option<u64> {
            std::str::from_utf8(field?).ok()?.parse().ok()
        };
        let (added, removed) = (number(fields.next()), number(fields.next()));
        let path = fields.next().ok_or_else(odd)?.to_vec();
        let lines = added.zip(removed).map(|(a, r)| a.saturating_add(r));
        all.entry(id.clone()).or_default().insert(path, lines);
        Ok(())
    })?;
    Ok(all)
}

fn links(out: &[u8]) -> Vec<(Vec<u8>, ObjectId)> {
    let entry = |entry: &[u8]| {
        let tab = memchr::memchr(b'\t', entry)?;
        let head = std::str::from_utf8(&entry[..tab]).ok()?;
        let mut words = head.split(' ');
        let is_link = words.next()? == "120000";
        let id = words.nth(1)?.parse().ok()?;
        is_link.then(|| (entry[tab + 1..].to_vec(), id))
    };
    out.split(|b| *b == 0).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_of_a_change_are_read() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let of = |text: String| sides(text.as_bytes()).unwrap();
        let (before, after) = of(format!(":100644 100755 {a} {b} M"));
        assert_eq!((before[0].mode.as_str(), after.unwrap().mode.as_str()), ("100644", "100755"));
        let (before, after) = of(format!(":100644 000000 {a} {z} D"));
        assert_eq!((before.len(), after), (1, None));
        let (before, after) = of(format!("::100644 000000 100644 {a} {z} {b} MA"));
        assert_eq!((before.len(), after.unwrap().id.as_str()), (1, b.as_str()));
        for bad in [":", "100644", ":100644 100644"] {
            assert_eq!(sides(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn path_that_resembles_a_count_is_a_path() {
        let a = "a".repeat(40);
        let out = format!("{a}\0\n1\t2\tx\ty\0-\t-\tb.bin\0{a}/\0");
        assert!(counts(out.as_bytes()).is_err(), "a path without counts");
        let out = format!("{a}\0\n1\t2\tx\ty\0-\t-\tb.bin\0");
        let read = counts(out.as_bytes()).unwrap();
        let read = &read[&a.parse().unwrap()];
        assert_eq!(read[b"x\ty".as_slice()], Some(3));
        assert_eq!(read[b"b.bin".as_slice()], None);
    }
}
