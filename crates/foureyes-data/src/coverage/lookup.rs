//! From the text of a commit in a record to the commit.

use crate::git::{Commit, CommitId};

/// Commits by id, so that an abbreviation is a range.
pub(super) struct Lookup<'a> {
    sorted: Vec<(&'a str, usize)>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(commits: &'a [Commit]) -> Self {
        let mut sorted: Vec<_> =
            commits.iter().enumerate().map(|(i, c)| (c.id.as_str(), i)).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Finds the one commit that a text names, in full or abbreviated.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let lower;
        let mut text = text.trim().trim_end_matches(['.', '…']);
        if text.len() < CommitId::SHORTEST || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            lower = text.to_ascii_lowercase();
            text = &lower;
        }
        let first = self.sorted.partition_point(|(id, _)| *id < text);
        let mut hits = self.sorted.get(first..)?.iter().take_while(|(id, _)| id.starts_with(text));
        let hit = hits.next()?;
        hits.next().is_none().then_some(hit.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;

    fn commit(id: &str) -> Commit {
        let id = id.parse().unwrap();
        Commit { id, committer: String::new(), time: Timestamp(0), files: vec![] }
    }

    #[test]
    fn abbreviation_matches_unique_commit() {
        let (a, b) = (format!("{}1", "a".repeat(39)), format!("{}2", "a".repeat(39)));
        let c = format!("abcdef0{}", "0".repeat(33));
        let commits = [commit(&a), commit(&b), commit(&c)];
        let lookup = Lookup::new(&commits);
        for (text, found) in [
            (a.as_str(), Some(0)),
            (&b.to_uppercase(), Some(1)),
            ("abcdef0", Some(2)),
            ("abcdef00...", Some(2)),
            ("abcdef", None),
            (&"a".repeat(39), None),
            ("abcdef1", None),
            ("", None),
            ("refs/heads/main", None),
            (&format!("{c}0"), None),
        ] {
            assert_eq!(lookup.find(text), found, "{text}");
        }
    }
}
