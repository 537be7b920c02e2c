//! What git writes about a push, read.

use super::{Blob, Pushed, PushedFile};
use crate::domain::Timestamp;
use crate::git::history::is_watched;
use crate::git::{CommitId, Error, ObjectId, ObjectKind};
use std::collections::HashMap;

/// Id, parents, committer date, committer, author; each followed by NUL.
pub(super) const FORMAT: &str = "%H%x00%P%x00%ct%x00%cn%x00%an%x00";

/// Reads the output of `git log -z -c --raw` with [`FORMAT`].
pub(super) fn commits(
    out: &[u8],
    committers: Option<&[String]>,
    watch: &[String],
) -> Result<Vec<Pushed>, Error> {
    let mut all: Vec<Pushed> = Vec::new();
    let mut tokens = out.split(|b| *b == 0);
    while let Some(token) = tokens.next() {
        // git sets a line break before the first change of most commits.
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        if let Some(id) = CommitId::from_bytes(token) {
            all.push(header(id, &mut tokens)?);
        } else if token.starts_with(b":") {
            let (Some(path), Some(commit)) = (tokens.next(), all.last_mut()) else {
                return Err(odd());
            };
            let blob = result(token).filter(|_| is_watched(path, watch));
            commit.files.extend(blob.map(|blob| PushedFile { path: path.to_vec(), blob }));
        } else if !token.is_empty() {
            return Err(odd());
        }
    }
    let wanted = |c: &Pushed| committers.is_none_or(|names| names.contains(&c.committer));
    all.retain(|c| !c.files.is_empty() && wanted(c));
    Ok(all)
}

fn header<'a>(id: CommitId, tokens: &mut impl Iterator<Item = &'a [u8]>) -> Result<Pushed, Error> {
    let mut next = || tokens.next().ok_or_else(odd);
    let (parents, time, committer, author) = (next()?, next()?, next()?, next()?);
    let seconds = std::str::from_utf8(time).ok().and_then(|t| t.parse::<i64>().ok());
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ok(Pushed {
        id,
        author: text(author),
        committer: text(committer),
        time: Timestamp(seconds.unwrap_or_default().saturating_mul(1_000_000)),
        root: parents.is_empty(),
        files: Vec::new(),
    })
}

/// What a path is after a change: `:MODE MODE ID ID STATUS` has a pair for one parent, a merge
/// one more of each and a colon a parent. `None` where it is gone or no file.
fn result(fields: &[u8]) -> Option<ObjectId> {
    let parents = fields.iter().take_while(|b| **b == b':').count();
    let text = std::str::from_utf8(fields.get(parents..)?).ok()?;
    let words: Vec<_> = text.split(' ').collect();
    let (mode, id) = (words.get(parents)?, words.get(2 * parents + 1)?);
    mode.starts_with("100").then(|| id.parse().ok()).flatten()
}

/// Reads the output of `git rev-list --parents`.
pub(super) fn parents(out: &[u8]) -> HashMap<CommitId, Vec<CommitId>> {
    let line = |line: &[u8]| {
        let mut ids = line.split(|b| *b == b' ').map(CommitId::from_bytes);
        Some((ids.next()??, ids.flatten().collect()))
    };
    out.split(|b| *b == b'\n').filter_map(line).collect()
}

/// Reads the files in the output of `git ls-tree -r -z`.
pub(super) fn files(out: &[u8]) -> HashMap<Vec<u8>, ObjectId> {
    let entry = |entry: &[u8]| {
        let tab = memchr::memchr(b'\t', entry)?;
        let head = std::str::from_utf8(&entry[..tab]).ok()?;
        let mut words = head.split(' ');
        let file = words.next()?.starts_with("100");
        let id = words.nth(1)?.parse().ok()?;
        file.then(|| (entry[tab + 1..].to_vec(), id))
    };
    out.split(|b| *b == 0).filter_map(entry).collect()
}

/// Reads the output of `git cat-file --batch-check`, a line an object.
pub(super) fn heads(out: &[u8]) -> Vec<Option<Blob>> {
    let lines = out.strip_suffix(b"\n").unwrap_or(out).split(|b| *b == b'\n');
    lines.map(|line| head(line).map(|(kind, size)| Blob { kind, size, bytes: vec![] })).collect()
}

/// Reads the output of `git cat-file --batch`, `None` for an object that is not there, up to what
/// is cut or has another form.
pub(super) fn objects(mut out: &[u8]) -> Vec<Option<Blob>> {
    let mut all = Vec::new();
    while let Some(end) = memchr::memchr(b'\n', out) {
        let (line, rest) = (&out[..end], out.get(end + 1..).unwrap_or_default());
        match head(line) {
            Some((kind, size)) => {
                let length = usize::try_from(size).unwrap_or(usize::MAX);
                let Some(bytes) = rest.get(..length) else { break };
                all.push(Some(Blob { kind, size, bytes: bytes.to_vec() }));
                out = rest.get(length + 1..).unwrap_or_default();
            }
            None if line.ends_with(b" missing") => {
                all.push(None);
                out = rest;
            }
            None => break,
        }
    }
    all
}

/// `ID KIND SIZE`.
fn head(line: &[u8]) -> Option<(ObjectKind, u64)> {
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    words.next()?.parse::<ObjectId>().ok()?;
    Some((ObjectKind::of(words.next()?)?, words.next()?.parse().ok()?))
}

fn odd() -> Error {
    Error::Odd { call: "log".to_owned(), expected: "commits with the files they change" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_change_what_is_there_afterwards_counts() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let id = |text: String| result(text.as_bytes()).map(|id| id.to_string());
        assert_eq!(id(format!(":100644 100755 {a} {b} M")), Some(b.clone()));
        assert_eq!(id(format!("::100644 100644 100644 {a} {a} {b} MM")), Some(b.clone()));
        assert_eq!(id(format!(":100644 000000 {a} {z} D")), None, "gone");
        assert_eq!(id(format!(":000000 120000 {z} {a} A")), None, "a link");
        assert_eq!(id(format!(":000000 160000 {z} {a} A")), None, "another repository's commit");
        assert_eq!(id(format!("::100644 100644 000000 {a} {a} {z} DD")), None);
        assert_eq!(id(":".to_owned()), None);
        assert_eq!(id(format!(":::100644 {a}")), None);
    }

    #[test]
    fn contents_may_hold_what_looks_like_a_head() {
        let id = "a".repeat(40);
        let inner = format!("{id} blob 3\n");
        let text = format!("{id} blob {}\n{inner}\n{id} blob 0\n\n{id} blob 9\ncut", inner.len());
        let read = objects(text.as_bytes()).into_iter().map(|o| o.unwrap().bytes);
        assert_eq!(read.collect::<Vec<_>>(), [inner.into_bytes(), Vec::new()]);
        let text = format!("{id} blob 1\nx\n{id} missing\n{id} blob 1\ny\n");
        let read = objects(text.as_bytes());
        assert_eq!(read.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
        let check = format!("{id} blob 3\n{id} missing\n{id} commit 7\n");
        let read = heads(check.as_bytes());
        assert_eq!(read.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn a_path_that_looks_like_an_id_or_a_change_is_a_path() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let mut out = format!("{a}\0\x005\0Bot\0Bot\0").into_bytes();
        for path in [format!("w/{a}.md"), ":100.md".to_owned(), "w/\n.md".to_owned()] {
            out.extend(format!("\n:000000 100644 {z} {b} A\0{path}\0").bytes());
        }
        out.extend(
            format!("{b}\0{a}\x006\0Botty\0Bot\0\n:000000 100644 {z} {b} A\0w/x.md\0").bytes(),
        );
        let read =
            commits(&out, Some(&["Bot".to_owned()]), &["w/".to_owned(), ":".to_owned()]).unwrap();
        assert_eq!(read.len(), 1, "only the exact name of a committer counts");
        assert_eq!((read[0].files.len(), read[0].root), (3, true));
        assert!(commits(b"garbage\0", Some(&["Bot".to_owned()]), &[]).is_err());
    }
}
