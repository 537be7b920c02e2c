//! What a list shows of a record, a column each. Texts are as they were logged: escape, then cut.

use super::record_fields::picked;
use foureyes_core::domain::{Column, Dimension, Record, Timestamp};
use foureyes_page::page::number;

/// Bytes of a text that a cell is made of, more or less; no terminal shows as much in one line.
const LONGEST: usize = 2_048;

/// What stands in place of the finding of a verdict that is hidden, and of how many where they are counted.
pub const HIDDEN: &str = "hidden until labelled";

/// What a column has of a record, as people read it at a time.
pub fn text(column: Column, row: &Record, now: Timestamp) -> String {
    match column {
        Column::Path => {
            let (name, more) = subject(row);
            name + &more
        }
        Column::Finding => finding(row),
        Column::State => state(row).to_owned(),
        Column::Scores => scores(row),
        Column::Box => row.box_name.clone(),
        Column::Author => author(row).to_owned(),
        Column::Model => model(row).to_owned(),
        Column::Latency => latency(row),
        Column::Age => match row.timestamp {
            Some(at) => number::cell_age(at, now).into(),
            None => "undated".to_owned(),
        },
    }
}

/// What was judged: the first file and how many more there are (` +2`), or the task and its round. The second
/// part is ours and is never cut.
pub fn subject(row: &Record) -> (String, String) {
    let more = row.files.len().saturating_sub(1);
    match (row.files.first(), &row.task_id, row.round) {
        (Some(file), ..) if more > 0 => (file.clone(), format!(" +{more}")),
        (Some(file), ..) => (file.clone(), String::new()),
        (None, Some(task), Some(round @ 1..)) => (task.clone(), format!(", round {round}")),
        (None, Some(task), _) => (task.clone(), String::new()),
        (None, None, _) => (picked(row).unwrap_or_default(), String::new()),
    }
}

/// The same where a line stands for a whole run: with its number of rounds.
pub fn subject_of_run(row: &Record, rounds: u64) -> (String, String) {
    let (name, _) = bare_subject(row);
    (name, format!(", {rounds} rounds"))
}

/// The same where the round would hint at the verdict.
pub fn bare_subject(row: &Record) -> (String, String) {
    match (row.files.first(), &row.task_id) {
        (None, Some(task)) => (task.clone(), String::new()),
        (None, None) => Default::default(),
        (Some(_), _) => subject(row),
    }
}

/// The findings in one line; else why it was decided, or why there is no verdict.
fn finding(row: &Record) -> String {
    let cause = || row.cause.map(|cause| cause.as_str().replace('_', " "));
    match (row.outcome, &row.reason, &row.findings) {
        (None, Some(reason), _) => {
            let word = row.verdict.as_deref().or(row.decision.as_deref());
            let word = word.map(|word| format!("{word}: ")).unwrap_or_default();
            one_line(&format!("{word}{reason}"))
        }
        (_, _, Some(findings)) if !findings.trim().is_empty() => one_line(findings),
        (_, reason, _) => {
            let text = row.error.as_deref().or(reason.as_deref()).map(one_line);
            text.or_else(cause).unwrap_or_default()
        }
    }
}

/// A text whose lines and runs of spaces became one space each.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > LONGEST {
            break;
        }
    }
    line
}

/// The three scores: `2/3/4`; nothing where none were given.
fn scores(row: &Record) -> String {
    // A person does not score: the zeros of an override are no scores.
    if row.scores.is_empty() || row.outcome.is_none() {
        return String::new();
    }
    let one = |d: Dimension| row.scores.get(d).map_or("-".to_owned(), |score| score.to_string());
    Dimension::ALL.map(one).join("/")
}

/// That it stopped a push; of what is no push its family. What people did about it, ledgers say.
pub fn state(row: &Record) -> &'static str {
    let is_family = row.evaluation().is_some_and(|kind| !kind.is_default());
    match row.is_stopped() {
        true => "stopped",
        false if is_family => row.family.as_str(),
        false => "",
    }
}

/// Who wrote the content; of a person's decision, who decided.
fn author(row: &Record) -> &str {
    row.author.as_deref().or(row.reviewer.as_deref()).unwrap_or_default()
}

/// The judge that answered, else the one that was asked for.
fn model(row: &Record) -> &str {
    row.served_model.as_deref().or(row.model.as_deref()).unwrap_or_default()
}

/// How long the call took: `850 ms`, `6.1 s`, `75 s`.
fn latency(row: &Record) -> String {
    match row.latency_ms {
        None => String::new(),
        Some(ms @ ..1_000) => format!("{ms} ms"),
        Some(ms @ 1_000..60_000) => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        Some(ms) => format!("{} s", ms / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(fields: &serde_json::Value) -> Record {
        let mut all = json!({
            "id": "0".repeat(64), "box": "b", "timestamp": null, "family": "push", "outcome": "no_go",
            "verdict": "NO-GO", "commit": null, "task_id": null, "author": null, "model": null,
            "files": [], "scores": {}, "findings": null, "cause": null, "origins": [],
        });
        let fields = fields.as_object().unwrap().clone();
        all.as_object_mut().unwrap().extend(fields);
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn finding_is_one_line_or_the_cause() {
        let of = |fields| finding(&record(&fields));
        assert_eq!(of(json!({"findings": "one\n  two\tthree "})), "one two three");
        assert_eq!(of(json!({"findings": " ", "cause": "rate_limited"})), "rate limited");
        assert_eq!(
            of(json!({"error": "no answer\nwithin 60 s", "cause": "timeout"})),
            "no answer within 60 s"
        );
        let decided = json!({"outcome": null, "verdict": "accept", "reason": "it is linked"});
        assert_eq!(of(decided), "accept: it is linked");
        assert_eq!(of(json!({})), "");
        assert!(of(json!({"findings": "word ".repeat(10_000)})).len() < LONGEST + 10);
    }

    #[test]
    fn subject_counts_further_files_and_names_the_round() {
        let of = |fields| subject(&record(&fields));
        let pair = |name: &str, more: &str| (name.to_owned(), more.to_owned());
        assert_eq!(of(json!({"files": ["a.md", "b.md", "c.md"]})), pair("a.md", " +2"));
        let task = json!({"task_id": "change-69", "round": 1});
        assert_eq!(of(task.clone()), pair("change-69", ", round 1"));
        assert_eq!(bare_subject(&record(&task)), pair("change-69", ""));
        assert_eq!(subject_of_run(&record(&task), 3), pair("change-69", ", 3 rounds"));
    }

    #[test]
    fn latency_has_three_digits_at_most_and_a_unit() {
        let of = |ms: u64| latency(&record(&json!({"latency_ms": ms})));
        assert_eq!([850, 6_149, 75_000].map(of), ["850 ms", "6.1 s", "75 s"]);
    }
}
