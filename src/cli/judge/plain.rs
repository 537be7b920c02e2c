//! What was judged, as text.

use super::document::{Document, Entry};
use crate::engine::record::{Caveat, PushRecord};
use crate::text::escape;
use std::fmt::Write;

/// Columns of the text.
pub(super) const WIDTH: usize = 100;

/// All contents as text, and what they cost.
pub(super) fn text(document: &Document) -> String {
    let mut out = String::new();
    for content in &document.contents {
        if !out.is_empty() {
            out.push('\n');
        }
        entry(&mut out, content);
    }
    if document.spent > 0.0 {
        // Writing to a string does not fail.
        let _ = writeln!(out, "\ncost {:.4}", document.spent);
    }
    out
}

fn entry(out: &mut String, entry: &Entry) {
    let Some(record) = &entry.record else {
        let why = entry.skipped.as_deref().unwrap_or("not judged");
        out.push_str(&escape::field(0, "not judged:", why, WIDTH));
        out.push_str(&escape::field(2, "files:", &entry.files.join(", "), WIDTH));
        return;
    };
    let _ = writeln!(out, "{}", record.verdict.word());
    let mut line = |label: &str, text: &str| out.push_str(&escape::field(2, label, text, WIDTH));
    line("files:", &entry.files.join(", "));
    let scores = [record.scores.semantic, record.scores.pragmatic, record.scores.syntactic];
    if let [Some(semantic), Some(pragmatic), Some(syntactic)] = scores {
        let text = format!("semantic {semantic}, pragmatic {pragmatic}, syntactic {syntactic}");
        line("scores:", &text);
    }
    line("judge:", &judge(record));
    if let Some(decision) = &entry.four_eyes {
        line("four eyes:", decision);
    }
    write_caveats(out, 2, record.inconsistent, &record.caveats);
    quote(out, "findings", &record.findings);
    for suggestion in &record.revision_suggestions {
        quote(out, "suggestion", suggestion);
    }
    if let Some(answer) = &record.answer {
        quote(out, "the answer began", answer);
    }
}

/// What to know before trusting a verdict.
pub(super) fn write_caveats(
    out: &mut String,
    indent: usize,
    is_inconsistent: bool,
    caveats: &[Caveat],
) {
    let mut line = |label, text| out.push_str(&escape::field(indent, label, text, WIDTH));
    if is_inconsistent {
        let text = "the judge's own verdict contradicts its scores; the stricter one counts";
        line("inconsistent:", text);
    }
    caveats.iter().for_each(|caveat| line("caveat:", caveat.sentence()));
}

/// A text of a model.
pub(super) fn quote(out: &mut String, label: &str, text: &str) {
    let _ = writeln!(out, "  {label}:");
    out.push_str(&escape::block(text, "  | ", WIDTH));
}

fn judge(record: &PushRecord) -> String {
    let mut text = record.judge_model.clone();
    if let Some(served) = &record.served_model {
        let _ = write!(text, ", answered by {served}");
    }
    if let Some(latency) = record.latency_ms {
        let _ = write!(text, ", in {latency} ms");
    }
    if let Some(attempts) = record.attempts {
        let _ = write!(text, ", {attempts} calls");
    }
    text
}
