//! The fields of the language and the words that they know: for the parser, and for completion.

use super::ast::{Claimant, Decision, Label, Peer, TextField};
use super::field::text_field;
use crate::domain::{Cause, Family, JudgementKind};

/// All field names with what they mean, the most useful first; other names of a field at the end.
const FIELDS: [(&str, &str); 40] = [
    ("verdict", "what the judge said: go, no-go, undetermined"),
    ("is", "new, flagged, stopped, escalation, evaluation"),
    ("path", "beginning of a judged file"),
    ("author", "part of who wrote it"),
    ("model", "part of the judge, asked or answering"),
    ("box", "part of the box's name"),
    ("error", "why it is undetermined"),
    ("score", "any of the three scores: <3, 2..4"),
    ("score.semantic", "the semantic score"),
    ("score.pragmatic", "the pragmatic score"),
    ("score.syntactic", "the syntactic score"),
    ("since", "at that time or later: 7d, today"),
    ("until", "before that time"),
    ("day", "within that UTC day"),
    ("latency", "of the whole call: >2s, 500ms..2s"),
    ("text", "part of the findings or the reasoning"),
    ("terms", "terms in the findings: semantic, evidence"),
    ("family", "push, task, ladder, override"),
    ("evaluation", "in whose KPIs it counts: push, task"),
    ("commit", "beginning of the commit"),
    ("task", "part of the task"),
    ("round", "round of a task's verdict: 2, >1"),
    ("consensus", "how judges of a task agreed: split"),
    ("tier", "tier of a task's judge: quick, deep"),
    ("depth", "judges a task's run was to ask: panel"),
    ("judge", "part of the judge that answered"),
    ("mode", "part of the hook mode or tier"),
    ("reviewer", "part of who labelled or overrode it"),
    ("repeat", "whether a later verdict replaces it"),
    ("has", "whether the record has that field"),
    ("undated", "whether it has no usable time"),
    ("label", "what reviewers said of the content"),
    ("override", "what a reviewer decided all the same"),
    ("claimed", "who took the escalation on: none, any, me, a name"),
    ("assigned", "who is to label it: none, any, me, a name"),
    ("peer", "what a peer review found: differs, agrees"),
    ("id", "beginning of the record's id"),
    ("agent", "the same as author"),
    ("cause", "the same as error"),
    ("outcome", "the same as verdict"),
];

/// Short names of scores.
const SHORT: [(&str, &str); 3] =
    [("score.s", "score.semantic"), ("score.p", "score.pragmatic"), ("score.x", "score.syntactic")];

/// The exact words of all families that are no outcome by themselves.
pub(super) const VERDICTS: [&str; 9] = [
    "accept",
    "improve",
    "reject",
    "escalate",
    "SAFE_TO_COMMIT",
    "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK",
    "FIX_FIRST",
    "BLOCK",
    "INSUFFICIENT_EVIDENCE",
];

/// A field as a person is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name, without the colon.
    pub name: &'static str,
    /// What it means, in a few words.
    pub note: &'static str,
}

impl Field {
    /// All fields, the most useful first.
    pub fn all() -> impl Iterator<Item = Self> {
        FIELDS.into_iter().map(|(name, note)| Self { name, note })
    }

    /// Finds a field by a name as typed, whatever its case, a short one as well.
    pub fn named(name: &str) -> Option<Self> {
        let name = field(&name.to_lowercase())?;
        Self::all().find(|f| f.name == name)
    }

    /// The words that it knows; of a field that takes numbers or times, examples. Each is a value.
    pub fn values(self) -> Vec<&'static str> {
        let examples: &[&str] = match self.name {
            "since" => &["today", "yesterday", "24h", "7d", "2w", "30d"],
            "until" => &["today", "yesterday", "7d"],
            "day" => &["today", "yesterday"],
            "round" => &["1", "2", "3", ">1"],
            "tier" => &["quick", "deep", "tiebreaker", "human"],
            "depth" => &["sequential", "panel"],
            "consensus" => &["unanimous", "majority", "split"],
            "terms" => &["semantic", "pragmatic", "syntactic", "verdict", "evidence", "remedy"],
            "latency" => &[">2s", ">10s", ">30s", "<=1s", "500ms..2s"],
            name if name.starts_with("score") => &["<2", "<3", "<=3", ">=4", "2..4", "1"],
            name => return words(name),
        };
        examples.to_vec()
    }

    /// Whether it takes any text.
    pub fn takes_text(self) -> bool {
        let name = if self.name == "agent" { "author" } else { self.name };
        text_field(name).is_some()
    }
}

/// The long name of a field that was written in lower case.
pub(super) fn field(written: &str) -> Option<&'static str> {
    let short = SHORT.into_iter().find(|(short, _)| *short == written);
    let name = short.map_or(written, |(_, long)| long);
    FIELDS.into_iter().map(|(name, _)| name).find(|n| *n == name)
}

/// All field names, for finding the one that was meant.
pub(super) fn names() -> [&'static str; 40] {
    FIELDS.map(|(name, _)| name)
}

/// The fixed words of a field; none where it takes texts, numbers or times.
pub(super) fn words(field: &str) -> Vec<&'static str> {
    match field {
        "verdict" | "outcome" => {
            ["go", "no-go", "undetermined", "none"].into_iter().chain(VERDICTS).collect()
        }
        "family" => Family::ALL.map(Family::as_str).to_vec(),
        "evaluation" => JudgementKind::ALL.map(JudgementKind::as_str).to_vec(),
        "error" | "cause" => {
            ["none", "any", "no_judge"].into_iter().chain(Cause::ALL.map(Cause::as_str)).collect()
        }
        "has" => TextField::ALL.map(TextField::as_str).to_vec(),
        "label" => Label::ALL.map(Label::as_str).to_vec(),
        "override" => Decision::ALL.map(Decision::as_str).to_vec(),
        "claimed" | "assigned" => Claimant::WORDS.to_vec(),
        "peer" => Peer::ALL.map(Peer::as_str).to_vec(),
        "is" => vec![
            "evaluation",
            "new",
            "flagged",
            "stopped",
            "escalation",
            "unfinished",
            "odd_score",
            "unexplained",
            "repeat",
            "undated",
        ],
        "repeat" | "undated" => vec!["yes", "no"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::query::Query;

    #[test]
    fn every_value_that_is_offered_can_be_read() {
        for field in Field::all() {
            for value in field.values() {
                let text = format!("{}:{value}", field.name);
                assert!(Query::parse(&text).is_ok(), "{text}");
            }
            let some = !field.values().is_empty() || field.takes_text() || field.name == "id";
            assert!(some, "{}", field.name);
        }
    }

    #[test]
    fn a_field_is_found_by_any_of_its_names() {
        assert_eq!(Field::named("SCORE.P").map(|f| f.name), Some("score.pragmatic"));
        assert_eq!(Field::named("verdict").map(|f| f.name), Some("verdict"));
        assert_eq!(Field::named("verdic"), None);
    }
}
