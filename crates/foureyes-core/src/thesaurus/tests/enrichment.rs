//! What a judgement speaks of, beside what it scores.

use super::*;
use crate::domain::{Improvement, Record, Scores};

fn record(scores: [f32; 3], findings: &str, improvements: Vec<Improvement>) -> Record {
    let [semantic, pragmatic, syntactic] = scores.map(Some);
    let mut record: Record = serde_json::from_value(serde_json::json!({
        "id": "0".repeat(64), "box": "b", "timestamp": null, "family": "push", "outcome": "no_go",
        "verdict": "NO-GO", "commit": null, "task_id": null, "author": null, "model": null,
        "files": [], "scores": {"semantic": null, "pragmatic": null, "syntactic": null},
        "findings": null, "cause": null, "error": null, "origins": [],
    }))
    .unwrap();
    record.scores = Scores { semantic, pragmatic, syntactic };
    record.findings = Some(findings.to_owned());
    record.improvements = improvements;
    record
}

fn unexplained(record: &Record) -> Vec<Dimension> {
    Thesaurus::built_in().enrich(record).unwrap().unexplained.iter().collect()
}

#[test]
fn a_low_score_of_which_the_words_name_no_term_is_unexplained() {
    let words = "The revenue is wrong, and the reader cannot act on it.";
    assert_eq!(unexplained(&record([1.0, 2.0, 1.0], words, vec![])), [Dimension::Syntactic]);
    assert_eq!(unexplained(&record([1.0, 2.0, 3.0], words, vec![])), []);
    assert_eq!(unexplained(&record([2.5, 3.0, 2.0], "", vec![])), [Dimension::Syntactic]);
    // A score outside 1 to 5 is used in nothing.
    assert_eq!(unexplained(&record([0.0, -1.0, 9.0], "", vec![])), []);
}

#[test]
fn improvements_are_words_of_the_judge_and_places_are_not() {
    let named = Improvement { dimension: Some("syntactic".to_owned()), ..Improvement::default() };
    let place =
        Improvement { location: Some("docs/format.md".to_owned()), ..Improvement::default() };
    assert_eq!(unexplained(&record([5.0, 5.0, 1.0], "bad", vec![named])), []);
    assert_eq!(unexplained(&record([5.0, 5.0, 1.0], "bad", vec![place])), [Dimension::Syntactic]);
    // No term begins in one part and ends in the next.
    let parts = vec![Improvement::text("broken"), Improvement::text("link")];
    assert_eq!(unexplained(&record([5.0, 5.0, 1.0], "bad", parts)), [Dimension::Syntactic]);
}

#[test]
fn what_the_answer_lacks_of_the_checklist_is_listed() {
    let missing = |record: Record| Thesaurus::built_in().enrich(&record).unwrap().missing;
    assert_eq!(missing(record([1.0; 3], "bad", vec![])), ["evidence", "place", "remedy"]);
    let words = "In the last section, for example \"x\".";
    assert_eq!(missing(record([1.0; 3], words, vec![])), ["remedy"]);
    let place = Improvement {
        location: Some("L3".to_owned()),
        issue: Some("x".to_owned()),
        ..Improvement::default()
    };
    assert_eq!(missing(record([1.0; 3], "bad", vec![place])), ["evidence"]);
}

#[test]
fn terms_are_listed_once_and_nothing_is_enriched_without_scores() {
    let thesaurus = Thesaurus::built_in();
    let full = record([1.0; 3], "format, facts, FORMAT and wrong facts", vec![]);
    let terms: Vec<_> =
        thesaurus.enrich(&full).unwrap().terms.iter().map(|term| term.text.as_str()).collect();
    assert_eq!(terms, ["facts", "wrong", "format"]);
    let none = Record { scores: Scores::default(), ..full };
    assert_eq!(thesaurus.enrich(&none), None);
}
