//! Commits, trees and blobs as git stores them, read.

use super::ObjectId;
use crate::domain::Timestamp;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// The content of a file.
    Blob,
    /// An annotated tag.
    Tag,
}

impl ObjectKind {
    /// The kind that git calls so.
    pub(super) fn parse(word: &str) -> Option<Self> {
        match word {
            "commit" => Some(Self::Commit),
            "tree" => Some(Self::Tree),
            "blob" => Some(Self::Blob),
            "tag" => Some(Self::Tag),
            _ => None,
        }
    }
}

/// An object, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its whole size in bytes.
    pub size: u64,
    /// Its content, or the beginning of it; hostile.
    pub bytes: Vec<u8>,
}

/// Reads one object, and at most so many bytes of its content, as `git cat-file --batch` writes it.
/// None, where it is not there.
pub fn object(answer: &[u8], most: u64) -> Option<Object> {
    let end = memchr::memchr(b'\n', answer)?;
    let (kind, size) = header(&answer[..end])?;
    let content = answer.get(end + 1..)?;
    let whole = usize::try_from(size.min(most)).unwrap_or(usize::MAX);
    Some(Object { kind, size, bytes: content[..content.len().min(whole)].to_vec() })
}

/// Reads what stands before an object: `ID KIND SIZE`.
pub(super) fn header(line: &[u8]) -> Option<(ObjectKind, u64)> {
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    words.next()?.parse::<ObjectId>().ok()?;
    Some((ObjectKind::parse(words.next()?)?, words.next()?.parse().ok()?))
}

/// What a commit says of itself. All texts are hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitObject {
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents, the first one first.
    pub parents: Vec<ObjectId>,
    /// Its author's name.
    pub author: String,
    /// Its committer's name.
    pub committer: String,
    /// Its committer date.
    pub time: Option<Timestamp>,
    /// The first line of its message.
    pub subject: String,
}

/// Reads a commit's content.
pub fn commit(bytes: &[u8]) -> Option<CommitObject> {
    let end = memchr::memmem::find(bytes, b"\n\n").unwrap_or(bytes.len());
    let message = bytes.get(end..).unwrap_or_default().trim_ascii_start();
    let subject = message.split(|b| *b == b'\n').next().unwrap_or_default();
    let field = |name: &'static str| {
        bytes[..end]
            .split(|b| *b == b'\n')
            .filter_map(move |line| line.strip_prefix(name.as_bytes()))
    };
    // Of several, programs take different ones: then it is not known who it was.
    let known = |name| Some(person(field(name).next()?)).filter(|_| field(name).count() == 1);
    let (author, _) = known("author ").unwrap_or_default();
    let time = field("committer ").next().and_then(|line| person(line).1);
    let (committer, _) = known("committer ").unwrap_or_default();
    Some(CommitObject {
        tree: field("tree ").next().and_then(ObjectId::from_bytes)?,
        parents: field("parent ").filter_map(ObjectId::from_bytes).collect(),
        author,
        committer,
        time,
        subject: String::from_utf8_lossy(subject).into_owned(),
    })
}

impl CommitObject {
    /// A commit of which nothing can be read.
    pub(super) fn unread(id: &ObjectId) -> Self {
        Self {
            tree: id.clone(),
            parents: Vec::new(),
            author: String::new(),
            committer: String::new(),
            time: None,
            subject: String::new(),
        }
    }
}

/// A name and a time from `NAME <MAIL> SECONDS ZONE`; no name where it has another form.
fn person(line: &[u8]) -> (String, Option<Timestamp>) {
    let (open, close) = (memchr::memchr(b'<', line), memchr::memrchr(b'>', line));
    let after = close.and_then(|close| line.get(close + 1..)).unwrap_or_default();
    let seconds = std::str::from_utf8(after).ok().and_then(|t| t.split_whitespace().next());
    let seconds = seconds.and_then(|t| t.parse::<i64>().ok());
    let name = open.filter(|_| close.is_some());
    let name = name.map_or(String::new(), |open| text(line[..open].trim_ascii()));
    (name, seconds.map(|s| Timestamp(s.saturating_mul(1_000_000))))
}

/// A name that is no UTF-8 is of Latin 1, as git takes it.
fn text(bytes: &[u8]) -> String {
    let latin = || bytes.iter().copied().map(char::from).collect();
    std::str::from_utf8(bytes).map_or_else(|_| latin(), str::to_owned)
}

/// What a name in a directory stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A directory.
    Tree,
    /// A file, executable or not.
    File,
    /// A symbolic link; its content is where it points.
    Link,
    /// Another repository's commit.
    Submodule,
}

/// A name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it stands for.
    pub mode: Mode,
    /// The name: any bytes but `/` and NUL.
    pub name: Vec<u8>,
    /// What it names.
    pub id: ObjectId,
}

/// Reads a tree's content; `length` is that of an id in bytes, 20 or 32. What is damaged or cut
/// off at the end is left out.
pub fn tree(mut bytes: &[u8], length: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some((entry, rest)) = entry(bytes, length) {
        entries.push(entry);
        bytes = rest;
    }
    entries
}

fn entry(bytes: &[u8], length: usize) -> Option<(Entry, &[u8])> {
    let space = memchr::memchr(b' ', bytes)?;
    let nul = memchr::memchr(0, bytes)?;
    let name = bytes.get(space + 1..nul)?.to_vec();
    let id = bytes.get(nul + 1..nul + 1 + length)?;
    let digits: String = id.iter().map(|b| format!("{b:02x}")).collect();
    let mode = match &bytes[..space] {
        b"40000" | b"040000" => Mode::Tree,
        b"120000" => Mode::Link,
        b"160000" => Mode::Submodule,
        _ => Mode::File,
    };
    Some((Entry { mode, name, id: digits.parse().ok()? }, &bytes[nul + 1 + length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_there_or_not() {
        let id = "a".repeat(40);
        let read = object(format!("{id} blob 5\nhello\n").as_bytes(), 9).unwrap();
        assert_eq!((read.kind, read.size, read.bytes), (ObjectKind::Blob, 5, b"hello".to_vec()));
        let cut = object(format!("{id} blob 500\nhello").as_bytes(), 3).unwrap();
        assert_eq!((cut.size, cut.bytes), (500, b"hel".to_vec()));
        for bad in [format!("{id} missing\n"), format!("{id} ambiguous\n"), String::new()] {
            assert_eq!(object(bad.as_bytes(), 9), None, "{bad}");
        }
    }

    #[test]
    fn commit_author_and_date_survive_any_text() {
        let (t, p) = ("1".repeat(40), "2".repeat(40));
        let text = format!(
            "tree {t}\nparent {p}\nauthor A <B> <a@x> 5 +0000\ncommitter  <c@x> 7 -0300\ngpgsig x\n tree {p}\n\n\nsubject\u{1b}[2J\n\nparent {t}\n"
        );
        let read = commit(text.as_bytes()).unwrap();
        assert_eq!((read.tree.as_str(), read.parents.len()), (t.as_str(), 1));
        assert_eq!((read.author.as_str(), read.committer.as_str()), ("A", ""));
        assert_eq!(
            (read.time, read.subject.as_str()),
            (Some(Timestamp(7_000_000)), "subject\u{1b}[2J")
        );
        assert_eq!(commit(b"tree x"), None);
    }

    #[test]
    fn truncated_tree_yields_complete_entries() {
        let mut bytes = b"100644 a b\n\0".to_vec();
        bytes.extend([0xab; 20]);
        bytes.extend(b"40000 dir\0");
        bytes.extend([1; 20]);
        let read = tree(&bytes, 20);
        assert_eq!((read[0].name.as_slice(), read[0].mode), (b"a b\n".as_slice(), Mode::File));
        assert_eq!((read[1].mode, read[0].id.as_str()), (Mode::Tree, "ab".repeat(20).as_str()));
        assert_eq!(tree(&bytes[..bytes.len() - 1], 20).len(), 1);
    }
}
