//! What a judgement speaks of, beside what it scores.

use super::*;
use crate::domain::{Improvement, Scores};

struct Answered {
    scores: Scores,
    findings: String,
    improvements: Vec<Improvement>,
}

fn answered(scores: [f32; 3], findings: &str, improvements: Vec<Improvement>) -> Answered {
    let [semantic, pragmatic, syntactic] = scores.map(Some);
    let scores = Scores { semantic, pragmatic, syntactic };
    Answered { scores, findings: findings.to_owned(), improvements }
}

fn enriched(answered: &Answered) -> Option<Enrichment<'static>> {
    let Answered { scores, findings, improvements } = answered;
    Thesaurus::built_in().enrich(Answer { scores, findings: Some(findings), improvements })
}

fn unexplained(answered: &Answered) -> Vec<Dimension> {
    enriched(answered).unwrap().unexplained.iter().collect()
}

#[test]
fn a_low_score_of_which_the_words_name_no_term_is_unexplained() {
    let words = "The revenue is wrong, and the reader cannot act on it.";
    assert_eq!(unexplained(&answered([1.0, 2.0, 1.0], words, vec![])), [Dimension::Syntactic]);
    assert_eq!(unexplained(&answered([1.0, 2.0, 3.0], words, vec![])), []);
    assert_eq!(unexplained(&answered([2.5, 3.0, 2.0], "", vec![])), [Dimension::Syntactic]);
    // A score outside 1 to 5 is used in nothing.
    assert_eq!(unexplained(&answered([0.0, -1.0, 9.0], "", vec![])), []);
}

#[test]
fn improvements_are_words_of_the_judge_and_places_are_not() {
    let named = Improvement { dimension: Some("syntactic".to_owned()), ..Improvement::default() };
    let place =
        Improvement { location: Some("docs/format.md".to_owned()), ..Improvement::default() };
    assert_eq!(unexplained(&answered([5.0, 5.0, 1.0], "bad", vec![named])), []);
    assert_eq!(unexplained(&answered([5.0, 5.0, 1.0], "bad", vec![place])), [Dimension::Syntactic]);
    // No term begins in one part and ends in the next.
    let parts = vec![Improvement::text("broken"), Improvement::text("link")];
    assert_eq!(unexplained(&answered([5.0, 5.0, 1.0], "bad", parts)), [Dimension::Syntactic]);
}

#[test]
fn what_the_answer_lacks_of_the_checklist_is_listed() {
    let missing = |answered: Answered| enriched(&answered).unwrap().missing;
    assert_eq!(missing(answered([1.0; 3], "bad", vec![])), ["evidence", "place", "remedy"]);
    let words = "In the last section, for example \"x\".";
    assert_eq!(missing(answered([1.0; 3], words, vec![])), ["remedy"]);
    let place = Improvement {
        location: Some("L3".to_owned()),
        issue: Some("x".to_owned()),
        ..Improvement::default()
    };
    assert_eq!(missing(answered([1.0; 3], "bad", vec![place])), ["evidence"]);
}

#[test]
fn terms_are_listed_once_by_heading_and_nothing_is_enriched_without_scores() {
    let full =
        answered([1.0; 3], "format, facts, FORMAT and wrong facts, insufficient evidence", vec![]);
    let found = enriched(&full).unwrap();
    let lines = ["semantic: facts, wrong", "syntactic: format", "ladder: insufficient evidence"];
    assert_eq!(found.lines(), lines);
    let names = Thesaurus::built_in().names(&Thesaurus::built_in().numbers([&full.findings]));
    assert_eq!(names, "\0semantic\0syntactic\0ladder");
    assert_eq!(found.unexplained.iter().collect::<Vec<_>>(), [Dimension::Pragmatic]);
    assert_eq!(enriched(&Answered { scores: Scores::default(), ..full }), None);
    // Where nothing is marked down, the answer need not say what to change.
    assert_eq!(enriched(&answered([5.0; 3], "fine", vec![])).unwrap().missing, [""; 0]);
}

#[test]
fn own_files_add_to_a_dimension_under_a_heading_of_their_own() {
    let text = "# syntactic\n## House Style\nsynonyms:: tone\n";
    let (own, _) = Thesaurus::new(&[Source { name: "own.md", bytes: text.as_bytes() }]);
    let Answered { scores, findings, improvements } = answered([5.0, 5.0, 1.0], "the tone", vec![]);
    let answer = Answer { scores: &scores, findings: Some(&findings), improvements: &improvements };
    let found = own.enrich(answer).unwrap();
    assert_eq!(own.names(&own.numbers(["the", "tone"])), "\0syntactic\0house style");
    assert!(found.unexplained.is_empty());
}
