//! What is true of the made-up content, and where reviewers do not find it.

use crate::domain::RecordId;
use crate::domain::review::Word;
use crate::stats::sample;
use serde::Deserialize;
use std::collections::HashMap;

/// In so many cases a person cannot tell.
const UNSURE: f64 = 0.001;
/// In so many cases the second reviewer says the opposite.
const DIFFERENT: f64 = 0.02;
/// A line of the file that says what is true of the made-up content.
#[derive(Deserialize)]
struct Truth {
    commit: Option<String>,
    task_id: Option<String>,
    truth: String,
}

/// What is true, by commit or by task: a record may have travelled to another box, or carry another time.
pub(super) type Truths = HashMap<String, Word>;

/// What the second reviewer finds: now and then the opposite.
pub(super) fn otherwise(record: &RecordId, word: Word) -> Word {
    let differs =
        sample::public_draw("foureyes 2026 differences of the demo", &record.0) < DIFFERENT;
    match word {
        Word::Poor if differs => Word::Acceptable,
        Word::Acceptable if differs => Word::Poor,
        same => same,
    }
}

/// Reads what is true; what says something else of a record is passed over.
pub(super) fn truths(text: &str) -> Truths {
    let truths = text.lines().filter_map(|line| serde_json::from_str::<Truth>(line).ok());
    let of = |truth: Truth| Some((truth.commit.or(truth.task_id)?, Word::from_name(&truth.truth)?));
    truths.filter_map(of).collect()
}

/// Whether a person could not tell.
pub(super) fn doubtful(id: &RecordId) -> bool {
    sample::public_draw("foureyes 2026 doubts of the demo", &id.0) < UNSURE
}
