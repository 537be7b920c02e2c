//! What was judged, for people and programs.

use crate::cli::{Failure, output};
use crate::engine::cost::Spend;
use crate::engine::record::{Caveat, PushRecord};
use crate::judging::{Evaluation, Item};
use crate::text::escape;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// Columns of the text for people.
const WIDTH: usize = 100;

/// What came of `foureyes judge`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// Name and version of this format.
    schema: &'static str,
    /// A content judged, or not; in the order of the files.
    contents: Vec<Entry>,
    /// What it cost, in the currency of the prices, as far as that is known.
    spent: f64,
    /// Calls whose cost is not known.
    calls_of_unknown_cost: u64,
}

/// One content.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Entry {
    /// Its files.
    pub(super) files: Vec<String>,
    /// The record, as it is logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<PushRecord>,
    /// What was decided about author and judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    four_eyes: Option<String>,
    /// Why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<String>,
}

impl Entry {
    /// A content that was not judged yet.
    pub(super) fn new(item: &Item) -> Self {
        let files = item.files.iter().map(|file| String::from_utf8_lossy(&file.path).into_owned());
        Self { files: files.collect(), ..Self::default() }
    }

    /// Takes what came of it.
    pub(super) fn take(&mut self, record: &PushRecord, evaluation: &Evaluation) {
        self.record = Some(record.masked());
        self.four_eyes = evaluation.four_eyes.as_ref().map(ToString::to_string);
    }
}

impl Document {
    pub(super) fn new(contents: Vec<Entry>, spend: &Spend) -> Self {
        Self {
            schema: "foureyes/judge/1",
            contents,
            spent: spend.spent,
            calls_of_unknown_cost: spend.unknown,
        }
    }

    /// The records of what was judged.
    pub(super) fn records(&self) -> impl Iterator<Item = &PushRecord> {
        self.contents.iter().filter_map(|entry| entry.record.as_ref())
    }

    pub(super) fn has_skipped(&self) -> bool {
        self.contents.iter().any(|entry| entry.record.is_none())
    }

    pub(super) fn print_json(&self) -> Result<(), Failure> {
        output::print(crate::text::json::pretty(self)?)
    }

    pub(super) fn print(&self) -> Result<(), Failure> {
        output::print(self.plain())
    }

    fn plain(&self) -> String {
        let mut out = String::new();
        for entry in &self.contents {
            if !out.is_empty() {
                out.push('\n');
            }
            entry.plain(&mut out);
        }
        if self.spent > 0.0 {
            // Writing to a string does not fail.
            let _ = writeln!(out, "\ncost {:.4}", self.spent);
        }
        out
    }
}

impl Entry {
    fn plain(&self, out: &mut String) {
        let Some(record) = &self.record else {
            let why = self.skipped.as_deref().unwrap_or("not judged");
            out.push_str(&escape::field(0, "not judged:", why, WIDTH));
            out.push_str(&escape::field(2, "files:", &self.files.join(", "), WIDTH));
            return;
        };
        let _ = writeln!(out, "{}", record.verdict.word());
        let mut line =
            |label: &str, text: &str| out.push_str(&escape::field(2, label, text, WIDTH));
        line("files:", &self.files.join(", "));
        let scores = [record.scores.semantic, record.scores.pragmatic, record.scores.syntactic];
        if let [Some(semantic), Some(pragmatic), Some(syntactic)] = scores {
            let text = format!("semantic {semantic}, pragmatic {pragmatic}, syntactic {syntactic}");
            line("scores:", &text);
        }
        line("judge:", &judge(record));
        if let Some(decision) = &self.four_eyes {
            line("four eyes:", decision);
        }
        if record.inconsistent {
            line(
                "inconsistent:",
                "the judge's own verdict contradicts its scores; the stricter one counts",
            );
        }
        for caveat in &record.caveats {
            line("caveat:", caveat_text(*caveat));
        }
        out.push_str("  findings:\n");
        out.push_str(&escape::block(&record.findings, "  | ", WIDTH));
        for suggestion in &record.revision_suggestions {
            out.push_str("  suggestion:\n");
            out.push_str(&escape::block(suggestion, "  | ", WIDTH));
        }
        if let Some(answer) = &record.answer {
            out.push_str("  the answer began:\n");
            out.push_str(&escape::block(answer, "  | ", WIDTH));
        }
    }
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

/// A caveat in words.
pub(super) fn caveat_text(caveat: Caveat) -> &'static str {
    match caveat {
        Caveat::SameFamily => "author and judge are of the same family",
        Caveat::FamilyUnknown => "the family of the author or the judge is unknown",
        Caveat::Injection => "the content seems to address the judge",
        Caveat::HiddenCharacters => "the content has invisible characters",
        Caveat::Neutralised => "text that could pass for a delimiter was neutralised",
        Caveat::ContentCut => "the judge did not see all of the content",
        Caveat::SecretsMasked => "secrets were masked before the judge saw them",
        Caveat::NotUtf8 => "files with invalid UTF-8",
        Caveat::Scripted => "the answer came from a file of answers, not from a judge",
        Caveat::Links => "links or submodules next to the files were not judged",
        Caveat::SharedFamily => "judges of this run are of one family, or may be",
        Caveat::NoAcceptance => "no acceptance criteria were given",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("judge.schema.json", &schema);
    }
}
