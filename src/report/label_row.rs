//! A label as it is exported and imported: one JSON object a line.

use crate::domain::review::{Given, GivenScores, Label, Requested, Selection, Word};
use crate::domain::{RecordId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in a line.
pub const SCHEMA: &str = "foureyes/label/1";

/// A label, as a line of `foureyes label --export --json`; `--import` reads the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRow {
    /// `foureyes/label/1`; may be left out of what is imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The record's id, or its beginning (at least 4 digits).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// In place of `record`: a commit that names one record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// `acceptable`, `poor` or `unsure`.
    pub label: String,
    /// `census`, `audit` or `picked`. `picked`, where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<String>,
    /// Probability to be drawn: of an audit it must be given, of a census it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pi: Option<f64>,
    /// Whose label it is. Whoever imports it, where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    /// When it was given, RFC 3339. The time of the import, where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The verdict was not seen before. Imported, it is a statement, and no label counts as blind by it.
    #[serde(default)]
    pub blind: bool,
    /// The reviewer's own scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<RowScores>,
    /// A code of the list of reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Version of that list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<u32>,
    /// What the reviewer adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Seconds spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// It settles a disagreement between reviewers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicates: bool,
    /// Why the program asked for it: `repeat`, `double`, `compare`, `confirm` or `second_look`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// What was on the screen when it was typed: the BLAKE3 hash of the content, or `none`. Of what is
    /// imported it is not read: such a label is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
}

/// Scores from 1 to 5; what was not scored is absent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowScores {
    /// Semantic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    semantic: Option<u8>,
    /// Pragmatic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pragmatic: Option<u8>,
    /// Syntactic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    syntactic: Option<u8>,
}

impl LabelRow {
    /// Reads a line that is imported.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        match serde_json::from_slice::<Self>(line) {
            Ok(row) if row.record.is_some() != row.commit.is_some() => Ok(row),
            Ok(_) => Err("it needs `record` or `commit`, not both".to_owned()),
            Err(error) => Err(json_error(&error)),
        }
    }

    /// The line of a label that counts.
    pub fn new(given: &Given) -> Self {
        let label = &given.label;
        let scores = |s: GivenScores| RowScores {
            semantic: s.semantic,
            pragmatic: s.pragmatic,
            syntactic: s.syntactic,
        };
        Self {
            schema: Some(SCHEMA.to_owned()),
            record: Some(label.record.to_string()),
            commit: None,
            label: label.label.as_str().to_owned(),
            selection: Some(label.selection.as_str().to_owned()),
            pi: label.pi,
            reviewer: Some(given.reviewer.clone()),
            time: Some(given.time.to_string()),
            blind: label.blind,
            scores: label.scores.map(scores),
            reason: label.reason.clone(),
            reasons: label.reasons,
            note: label.note.clone(),
            seconds: label.seconds,
            adjudicates: label.adjudicates,
            requested: label.requested.map(|requested| requested.as_str().to_owned()),
            shown: label.shown.filter(|_| given.import.is_none()).map(|shown| shown.to_string()),
        }
    }

    /// The label of a record.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    pub fn label(self, record: RecordId, now: Timestamp) -> Result<Label, String> {
        if self.schema.as_deref().is_some_and(|schema| schema != SCHEMA) {
            return Err(format!("its schema is not {SCHEMA}"));
        }
        let word = Word::from_name(&self.label)
            .ok_or_else(|| format!("`{}` is not a label: acceptable, poor, unsure", self.label))?;
        let selection = self.selection.as_deref().unwrap_or("picked");
        let selection = Selection::from_name(selection)
            .ok_or_else(|| format!("`{selection}` is not a selection: census, audit, picked"))?;
        let pi = selection.pi(self.pi).map_err(str::to_owned)?;
        let time = self.time.map(|text| {
            Timestamp::parse(&text).ok_or_else(|| format!("`{text}` is not an RFC 3339 time"))
        });
        let time = time.transpose()?;
        if time.is_some_and(|time| time > now) {
            return Err("it is dated in the future".to_owned());
        }
        if self.reviewer.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return Err("its reviewer has no name".to_owned());
        }
        let scores = self.scores.map(|s| GivenScores {
            semantic: s.semantic,
            pragmatic: s.pragmatic,
            syntactic: s.syntactic,
        });
        if scores.is_some_and(|scores| !scores.is_in_range()) {
            return Err("a score is from 1 to 5".to_owned());
        }
        let requested = self.requested.as_deref().map(|text| {
            Requested::from_name(text).ok_or_else(|| {
                let known = Requested::ALL.map(Requested::as_str).join(", ");
                format!("`{text}` is not a kind of requested label: {known}")
            })
        });
        Ok(Label {
            reviewer: self.reviewer,
            time,
            scores,
            reason: self.reason,
            reasons: self.reasons,
            note: self.note,
            blind: self.blind,
            selection,
            pi,
            seconds: self.seconds,
            adjudicates: self.adjudicates,
            requested: requested.transpose()?,
            ..Label::new(record, word)
        })
    }
}

/// An error of the parser without its line, which is always the first.
fn json_error(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_a_line() {
        let schema = schemars::schema_for!(LabelRow);
        crate::asset_tests::assert_asset("label.schema.json", &schema);
    }
}
