//! What `git diff-tree` says differs between two commits, read.

use super::ObjectId;

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content, its mode or its kind is another.
    Modified,
    /// It had another name; how alike the contents are, in percent.
    Renamed(u8),
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub kind: Kind,
    /// Its content before; None where there was none.
    pub old: Option<ObjectId>,
    /// Its content after; None where there is none.
    pub new: Option<ObjectId>,
    /// Its path before: any bytes, hostile.
    pub from: Vec<u8>,
    /// Its path after, the same in all but a rename.
    pub path: Vec<u8>,
}

/// Reads the output of `git diff-tree -z --raw --no-abbrev`. What is cut off at the end, and what
/// has another form, is left out.
pub fn changes(out: &[u8]) -> Vec<Change> {
    let mut tokens = out.split(|b| *b == 0);
    let mut all = Vec::new();
    while let Some(token) = tokens.next() {
        let Some(fields) = token.strip_prefix(b":") else { continue };
        let Some((kind, old, new)) = fields_of(fields) else { continue };
        let Some(from) = tokens.next() else { break };
        let path = match kind {
            Kind::Renamed(_) => tokens.next(),
            _ => Some(from),
        };
        let Some(path) = path.filter(|p| !p.is_empty()) else { break };
        all.push(Change { kind, old, new, from: from.to_vec(), path: path.to_vec() });
    }
    all
}

/// `MODE MODE ID ID STATUS`; an id of zeros is none.
fn fields_of(fields: &[u8]) -> Option<(Kind, Option<ObjectId>, Option<ObjectId>)> {
    let text = std::str::from_utf8(fields).ok()?;
    let mut words = text.split(' ').skip(2);
    let mut id = || -> Option<Option<ObjectId>> {
        let word = words.next()?;
        Some(word.parse().ok().filter(|_| word.bytes().any(|b| b != b'0')))
    };
    let (old, new) = (id()?, id()?);
    let status = words.next()?;
    let kind = match status.as_bytes().first()? {
        b'A' => Kind::Added,
        b'D' => Kind::Deleted,
        b'M' | b'T' => Kind::Modified,
        b'R' => Kind::Renamed(status.get(1..)?.parse().unwrap_or(0)),
        _ => return None,
    };
    Some((kind, old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_names_are_bytes_and_truncated_list_yields_complete_entries() {
        let (a, b, z) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let mut out = format!(":100644 100644 {a} {b} M\0").into_bytes();
        out.extend(b":x\nodd\xff\0");
        out.extend(format!(":000000 100644 {z} {b} A\0new\0").bytes());
        out.extend(format!(":100644 100644 {a} {b} R087\0from\0to\0").bytes());
        let read = changes(&out);
        assert_eq!(read.len(), 3);
        assert_eq!(
            (read[0].kind, read[0].path.as_slice()),
            (Kind::Modified, b":x\nodd\xff".as_slice())
        );
        assert_eq!((read[1].kind, &read[1].old), (Kind::Added, &None));
        assert_eq!(
            (read[2].kind, read[2].from.as_slice()),
            (Kind::Renamed(87), b"from".as_slice())
        );
        assert_eq!(changes(&out[..out.len() - 4]).len(), 2);
    }
}
