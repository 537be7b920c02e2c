//! What terms of quality show of a record.

use super::Draft;
use crate::domain::{Dimension, Improvement};
use crate::thesaurus::{Answer, Thesaurus};
use std::borrow::Cow;

/// The fields of a record that terms are found for.
#[derive(Default)]
pub(super) struct Enriched {
    pub(super) terms: Vec<String>,
    pub(super) unexplained: Vec<Dimension>,
    pub(super) missing: Vec<String>,
}

impl<'a> Draft<'a> {
    /// The words of a judge in which terms are sought, and which terms; `None` where none are.
    pub fn judged_words(&self) -> Option<(&'a Thesaurus, impl Iterator<Item = Cow<'a, str>> + '_)> {
        let thesaurus = self.thesaurus.filter(|_| !self.scores.is_empty())?;
        Some((thesaurus, self.findings().into_iter().chain(self.words_of_improvements())))
    }

    /// The same as fields of a record, given its findings and improvements.
    pub(super) fn enriched(
        &self,
        findings: Option<&str>,
        improvements: &[Improvement],
    ) -> Enriched {
        let answer = Answer { scores: &self.scores, findings, improvements };
        let found = self.thesaurus.and_then(|thesaurus| thesaurus.enrich(answer));
        let Some(found) = found else { return Enriched::default() };
        Enriched {
            terms: found.lines(),
            unexplained: found.unexplained.iter().collect(),
            missing: found.missing.iter().map(|element| (*element).to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::Dimension;
    use crate::jsonl::{Settings, read_one};
    use crate::thesaurus::Thesaurus;

    #[test]
    fn terms_are_found_where_settings_have_some() {
        let line = br#"{"commit":"a","timestamp":"2026-02-15T10:30:00Z","verdict":"NO-GO",
            "scores":{"semantic":1,"pragmatic":2,"syntactic":5},"findings":"The date is wrong.",
            "revision_suggestions":["Name an owner."]}"#;
        let plain = read_one(line, &Settings::default()).unwrap();
        let settings =
            Settings { thesaurus: Some(Thesaurus::built_in().clone()), ..Settings::default() };
        let found = read_one(line, &settings).unwrap();
        assert_eq!(found.id, plain.id);
        assert_eq!(found.terms, ["semantic: wrong", "pragmatic: owner"]);
        assert_eq!((found.unexplained.len(), plain.terms.len()), (0, 0));
        assert_eq!(found.missing, ["evidence", "place"]);
        let silent = String::from_utf8_lossy(line).replace("wrong", "odd");
        let silent = read_one(silent.as_bytes(), &settings).unwrap();
        assert_eq!(silent.unexplained, [Dimension::Semantic]);
    }
}
