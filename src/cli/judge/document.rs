//! What was judged, for people and programs.

use crate::cli::{Failure, output};
use crate::engine::cost::Spend;
use crate::engine::record::PushRecord;
use crate::judging::{Evaluation, Item};
use schemars::JsonSchema;
use serde::Serialize;

/// What came of `foureyes judge`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// Name and version of this format.
    schema: &'static str,
    /// A content judged, or not; in the order of the files.
    pub(super) contents: Vec<Entry>,
    /// What it cost, in the currency of the prices, as far as that is known.
    pub(super) spent: f64,
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
    pub(super) record: Option<PushRecord>,
    /// What was decided about author and judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) four_eyes: Option<String>,
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
        self.record = Some(record.logged());
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
}

/// Prints what came of it, as JSON or as text.
pub(super) fn print<D: Serialize>(
    document: &D,
    is_json: bool,
    text: impl FnOnce(&D) -> String,
) -> Result<(), Failure> {
    match is_json {
        true => output::print(crate::text::json::pretty(document)?),
        false => output::print(text(document)),
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
