//! What records have in common, as numbers: judges, contents, units.

use super::texts::Named;
use crate::instruments::Capability;
use crate::jsonl::{Draft, Forms};

/// Names what was judged, by `hash`; 0 where nothing tells. What a task's content is worth depends on what
/// was asked for, so both name it.
pub(super) fn content(
    draft: &Draft<'_>,
    named: &Named<'_>,
    hash: impl FnOnce(&[&[u8]]) -> u64,
) -> u64 {
    let own = draft.content_sha();
    let (name, of) = match (own.as_deref(), named.commit.as_deref()) {
        (Some(own), _) if !own.is_empty() => ("content\0", own),
        (_, Some(commit)) if !commit.is_empty() => ("commit\0", commit),
        _ => return 0,
    };
    let (name, of) = (name.as_bytes(), of.as_bytes());
    if !draft.family.kind().is_some_and(|kind| kind.has(Capability::Question)) {
        return hash(&[name, of]);
    }
    let asked = draft.task_sha().or_else(|| named.task.clone()).unwrap_or_default();
    hash(&[name, of, b"\0task\0", asked.as_bytes()])
}

/// Hashes of what rows have in common with others, made many at a time.
#[derive(Default)]
pub(super) struct Hashes {
    forms: Forms,
    rows: Vec<usize>,
}

impl Hashes {
    /// Gives what is in the row until then.
    pub(super) fn add(&mut self, row: usize, parts: &[&[u8]]) -> u64 {
        self.forms.add(parts);
        self.rows.push(row);
        0
    }

    pub(super) fn take(&mut self) -> impl Iterator<Item = (usize, u64)> {
        self.rows.drain(..).zip(self.forms.ids()).map(|(row, hash)| (row, hash.head()))
    }
}

/// Names how a judge was asked; 0 where that is not said.
pub(super) fn asked(sha: Option<&str>) -> u64 {
    let digits = |sha: &str| u64::from_str_radix(sha.get(..16)?, 16).ok();
    sha.filter(|sha| !sha.is_empty())
        .map_or(0, |sha| digits(sha).unwrap_or_else(|| hash(&[b"judge\0", sha.as_bytes()])).max(1))
}

/// The judge of the record before and its hash: a log names the same one line after line.
#[derive(Default)]
pub(super) struct Judge {
    parts: [String; 2],
    hash: Option<blake3::Hash>,
}

impl Judge {
    pub(super) fn hash_of(&mut self, parts: [&str; 2]) -> blake3::Hash {
        // Empty ones are not compared: see `Texts::is`.
        let is_same =
            |(own, part): (&String, &str)| part.is_empty() && own.is_empty() || own == part;
        if let Some(hash) = self.hash.filter(|_| self.parts.iter().zip(parts).all(is_same)) {
            return hash;
        }
        let mut hasher = blake3::Hasher::new();
        for (own, part) in self.parts.iter_mut().zip(parts) {
            own.replace_range(.., part);
            hasher.update(part.as_bytes());
            hasher.update(b"\0");
        }
        let hash = hasher.finalize();
        self.hash = Some(hash);
        hash
    }
}

/// Names what records have in common: 64 bits of BLAKE3.
pub(super) fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let hash = hasher.finalize();
    hash.as_bytes().iter().take(8).fold(0, |n, b| n << 8 | u64::from(*b))
}
