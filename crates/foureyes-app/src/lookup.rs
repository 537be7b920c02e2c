//! From what a person writes to the record that is meant.

use crate::domain::review::Reviews;
use crate::domain::{Family, RecordId, Timestamp, Window};
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::frame::schema;
use crate::store::cache::{Archive, CacheError};
use std::collections::HashSet;

/// Most words that are asked for by name; with more, all records are looked at.
const FEW: usize = 50;

/// The records of an archive that can be labelled: all but overrides.
#[derive(Debug)]
pub struct Known {
    /// In order.
    ids: Vec<RecordId>,
    /// In order: commit in lower case, record.
    commits: Vec<(String, RecordId)>,
    /// Those that a later evaluation repeats.
    repeats: HashSet<RecordId>,
}

/// Why a word names no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// It is no beginning of any id or commit.
    Nothing,
    /// It is the beginning of several.
    Several(Vec<RecordId>),
}

impl Lost {
    /// What is wrong with the word.
    pub fn message(&self, word: &str) -> String {
        match self {
            Self::Nothing => format!("no evaluation has an id or commit that starts with `{word}`"),
            Self::Several(ids) => {
                let some: Vec<_> = ids.iter().take(5).map(RecordId::to_string).collect();
                format!("`{word}` names {} records: {}", ids.len(), some.join(", "))
            }
        }
    }
}

impl Known {
    /// Looks up what words may name in an archive.
    ///
    /// # Errors
    /// A cache that cannot be read.
    pub fn load(archive: &Archive, words: &[String], now: Timestamp) -> Result<Self, CacheError> {
        let named = named(words);
        let with = |more: Option<Term>| {
            let verdicts = Family::ALL.into_iter().filter(|family| family.kind().is_some());
            let verdicts = verdicts.map(|family| Node::Term(Term::Family(family))).collect();
            let parts = [Some(Node::Or(verdicts)), named.clone(), more.map(Node::Term)];
            Query::new(Node::And(parts.into_iter().flatten().collect()))
        };
        let (all, repeats) = (with(None), with(Some(Term::Repeat(true))));
        let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
        let rows = archive.matching(&all, &scope, Window::ALL)?;
        let mut ids = archive.ids(&rows)?;
        let texts = archive.texts(&rows, schema::COMMIT)?;
        let commits = texts.iter().zip(&ids);
        let commits = commits.filter_map(|(text, id)| Some((text.as_ref()?.to_lowercase(), *id)));
        let mut commits: Vec<_> = commits.filter(|(text, _)| !text.is_empty()).collect();
        commits.sort_unstable();
        ids.sort_unstable();
        let repeats = archive.matching(&repeats, &scope, Window::ALL)?;
        Ok(Self { ids, commits, repeats: archive.ids(&repeats)?.into_iter().collect() })
    }

    /// The record that a word is the beginning of, by its id or its commit. Of the evaluations of
    /// a commit, those do not count that a later one repeats.
    ///
    /// # Errors
    /// A word that names no record, or several.
    pub fn find(&self, word: &str) -> Result<RecordId, Lost> {
        let word = word.to_lowercase();
        // Digits that begin an id and a commit of two records mean neither.
        let mut found = self.by_id(&word);
        found.extend(self.by_commit(&word));
        found.sort_unstable();
        found.dedup();
        only(found)
    }

    /// The record that a commit names, or the beginning of one.
    ///
    /// # Errors
    /// A word that names no record, or several.
    pub fn commit(&self, word: &str) -> Result<RecordId, Lost> {
        only(self.by_commit(&word.to_lowercase()))
    }

    fn by_id(&self, word: &str) -> Vec<RecordId> {
        if !is_hex(word) {
            return Vec::new();
        }
        let low: Result<RecordId, _> = format!("{word:0<64}").parse();
        let Ok(low) = low else { return Vec::new() };
        let from = self.ids.partition_point(|id| *id < low);
        let begins = |id: &&RecordId| id.to_string().starts_with(word);
        self.ids.iter().skip(from).take_while(begins).copied().collect()
    }

    /// The record of a commit, or of the beginning of one (at least 4 letters).
    fn by_commit(&self, word: &str) -> Vec<RecordId> {
        let from = self.commits.partition_point(|(commit, _)| commit.as_str() < word);
        let behind = self.commits.iter().skip(from);
        let begins = |(commit, _): &&(String, RecordId)| {
            commit == word || (word.len() >= 4 && commit.starts_with(word))
        };
        let all: Vec<_> = behind.take_while(begins).collect();
        let exact = |commit: &str| commit == word;
        let whole = all.iter().any(|(commit, _)| exact(commit));
        let named = all.iter().filter(|(commit, _)| !whole || exact(commit)).map(|(_, id)| *id);
        let named: Vec<RecordId> = named.collect();
        let last: Vec<_> = named.iter().filter(|id| !self.repeats.contains(id)).copied().collect();
        if last.is_empty() { named } else { last }
    }
}

fn only(found: Vec<RecordId>) -> Result<RecordId, Lost> {
    match found[..] {
        [] => Err(Lost::Nothing),
        [one] => Ok(one),
        _ => Err(Lost::Several(found)),
    }
}

fn is_hex(word: &str) -> bool {
    (4..=64).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Records that any of a few words may name; `None` for all records.
fn named(words: &[String]) -> Option<Node> {
    if words.is_empty() || words.len() > FEW {
        return None;
    }
    let mut sides = Vec::new();
    for word in words {
        if is_hex(word) {
            sides.push(Node::Term(Term::Id(word.to_lowercase())));
        }
        sides.push(Node::Term(Term::Text(TextField::Commit, Match::Loose, word.clone())));
    }
    Some(Node::Or(sides))
}
