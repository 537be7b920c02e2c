//! What a person typed, as a query for full text: data, never syntax.

use crate::text::{Class, class};
use std::collections::HashSet;

/// Bytes of a text that are looked at.
const MOST_BYTES: usize = 4 << 10;
/// Most words of a query.
const MOST_WORDS: usize = 32;
/// Longest word, in characters; what follows is left out.
const MOST_WORD: usize = 64;
/// Characters from which on a word is also the beginning of longer ones.
const PREFIX: usize = 3;

/// Words that are in every text and find nothing. They count where there are no others.
const COMMON: [&str; 52] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "could", "do", "does",
    "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "my", "no", "not", "of", "on", "or", "our", "please", "should", "so", "that", "the", "there",
    "this", "to", "was", "we", "what", "when", "why", "will", "with", "would", "you",
];

/// The words of a query, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    words: Vec<String>,
}

impl Query {
    /// The words of a text: runs of letters, digits and marks, in small letters. Of a long text the
    /// beginning counts.
    pub fn new(text: &str) -> Self {
        let text = text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or_default();
        let mut seen = HashSet::new();
        let all: Vec<String> = words(text)
            .into_iter()
            .map(|word| word.chars().take(MOST_WORD).collect::<String>())
            .filter(|word| seen.insert(word.clone()))
            .collect();
        let telling: Vec<_> =
            all.iter().filter(|word| !COMMON.contains(&word.as_str())).cloned().collect();
        let mut words = if telling.is_empty() { all } else { telling };
        words.truncate(MOST_WORDS);
        Self { words }
    }

    /// Whether there is no word in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The query in the syntax of FTS5: any of the words, each quoted, and those of three characters or
    /// more as beginnings too.
    pub(super) fn fts5(&self) -> String {
        let term = |word: &String| {
            let prefix = if is_prefix(word) { "*" } else { "" };
            // There is no quote in a word, and one that were would be data.
            format!("\"{}\"{prefix}", word.replace('"', "\"\""))
        };
        self.words.iter().map(term).collect::<Vec<_>>().join(" OR ")
    }

    /// How many of its words a text has, where there is no full text.
    pub(super) fn matches(&self, text: &str) -> usize {
        let other = words(text);
        let has = |word: &&String| {
            let same =
                |one: &String| one == *word || (is_prefix(word) && one.starts_with(word.as_str()));
            other.iter().any(same)
        };
        self.words.iter().filter(has).count()
    }
}

/// Runs of letters, digits and marks in a text, in small letters.
fn words(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || class(c) == Class::Mark;
    let lower = text.to_lowercase();
    lower.split(|c| !part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn is_prefix(word: &str) -> bool {
    word.chars().nth(PREFIX - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_is_data_and_each_word_is_there_once() {
        for (text, expected) in [
            ("\" OR * NEAR(", "\"near\"*"),
            ("title:x AND -y {a}^2", "\"title\"* OR \"x\" OR \"y\" OR \"2\""),
            ("Deploy deploy DEPLOY the", "\"deploy\"*"),
            ("How to do it", "\"how\"* OR \"to\" OR \"do\" OR \"it\""),
            ("na\u{308}h \u{00fc}ber", "\"na\u{308}h\"* OR \"\u{fc}ber\"*"),
            ("\0\u{202e};--", ""),
        ] {
            assert_eq!(Query::new(text).fts5(), expected, "{text:?}");
        }
        assert!(Query::new("  \n").is_empty());
    }

    #[test]
    fn long_text_is_cut() {
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n}")).collect();
        let query = Query::new(&words.join(" "));
        assert_eq!(query.words().len(), MOST_WORDS);
        let one = Query::new(&"\u{e9}".repeat(1 << 20));
        assert_eq!(one.words()[0].chars().count(), MOST_WORD);
    }
}
