//! What is said of a label that was saved: in the console and in the walk the same.

use crate::domain::Outcome;
use crate::domain::review::{Label, Word};

/// Whether a person and the judge say the same; `None` where one of them does not say.
pub fn agrees(word: Word, outcome: Option<Outcome>) -> Option<bool> {
    match (word, outcome?) {
        (Word::Acceptable, Outcome::Go) | (Word::Poor, Outcome::NoGo) => Some(true),
        (Word::Acceptable, Outcome::NoGo) | (Word::Poor, Outcome::Go) => Some(false),
        _ => None,
    }
}

/// What goes with labels beside their words: `reason wrong_fact`, `note`, `scores`.
pub fn parts(labels: &[Label]) -> Vec<String> {
    let any = |has: fn(&Label) -> bool| labels.iter().any(has);
    let reason = match labels {
        [Label { reason: Some(code), .. }] => Some(format!("reason {code}")),
        _ => any(|label| label.reason.is_some()).then(|| "a reason".to_owned()),
    };
    let note = any(|label| label.note.is_some()).then(|| "note".to_owned());
    let scores = any(|label| label.scores.is_some()).then(|| "scores".to_owned());
    [reason, note, scores].into_iter().flatten().collect()
}

/// The same in words: `with reason wrong_fact, note and scores`; empty where there is nothing.
pub fn with(labels: &[Label]) -> String {
    match &parts(labels)[..] {
        [] => String::new(),
        [one] => format!("with {one}"),
        [most @ .., last] => format!("with {} and {last}", most.join(", ")),
    }
}

/// That one label was saved, of a record with this name.
pub fn saved(label: &Label, name: &str) -> String {
    let with = with(std::slice::from_ref(label));
    let comma = if with.is_empty() { "" } else { ", " };
    format!("Saved: {} ({name}{comma}{with}).", label.label.as_str())
}

/// That labels do not count, since no content was shown for them; empty where all do.
pub fn uncounted(labels: &[Label]) -> String {
    match (labels.iter().filter(|label| label.is_unseen()).count(), labels.len()) {
        (0, _) => String::new(),
        (1, 1) => " It does not count: no content was shown.".to_owned(),
        (none, all) => format!(" {none} of {all} do not count: no content was shown."),
    }
}

/// How a label came to be blind, in a word or two: what this program did not show is only stated.
pub fn blindness(label: &Label) -> &'static str {
    match (label.blind, label.shown.is_some()) {
        (true, true) => "blind",
        (true, false) => "blind (stated)",
        (false, _) => "not blind",
    }
}

/// What the judge said, beside a label that was given without knowing it.
pub fn judged(word: Word, outcome: Outcome) -> String {
    let verdict = match outcome {
        Outcome::Go => "GO",
        Outcome::NoGo => "NO-GO",
        Outcome::Undetermined => "UNDET",
    };
    let how = match agrees(word, Some(outcome)) {
        Some(true) => " - you agree",
        Some(false) => " - you disagree",
        None => "",
    };
    format!(" Judge: {verdict}{how}.")
}

/// The end of a set of labels during which verdicts were held back: how many, and on how many of
/// those that can be compared the judge says the same.
pub fn end_of_set(labels: usize, agreed: usize, of: usize) -> String {
    let labels = super::counted(labels as u64, "label", "labels");
    let rest = match of {
        0 => "none can be compared with the judge".to_owned(),
        _ => format!("you agree with the judge on {agreed} of {of}"),
    };
    format!(" End of the set: {labels}; {rest}.")
}
