//! What git writes about a push, read.

use super::Blob;
use crate::git::object::header;
use crate::git::{CommitId, ObjectId};
use std::collections::HashMap;

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
    lines.map(|line| header(line).map(|(kind, size)| Blob { kind, size, bytes: vec![] })).collect()
}

/// Reads the output of `git cat-file --batch`, `None` for an object that is not there, up to what
/// is cut or has another form.
pub(super) fn objects(mut out: &[u8]) -> Vec<Option<Blob>> {
    let mut all = Vec::new();
    while let Some(end) = memchr::memchr(b'\n', out) {
        let (line, rest) = (&out[..end], out.get(end + 1..).unwrap_or_default());
        match header(line) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_resembling_header_is_preserved() {
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
}
