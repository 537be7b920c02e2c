//! The record of one pick: which memories were put out for a prompt or a search, and why.

use super::Tokens;
use crate::domain::{Timestamp, Usage};
use crate::engine::relevance::{Fallback, Mode};
use crate::text::escape;
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longest text of a record, in characters.
const MOST_CHARACTERS: usize = 200;
/// Longest reason of a fallback, in characters.
const MOST_ERROR: usize = 500;

/// The format of the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PickFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/pick/1")]
    Pick1,
}

/// What came of a pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PickChoice {
    /// The judge kept some.
    Kept,
    /// The judge kept none.
    None,
    /// The judge was asked, or should have been, and its choice is not known.
    Fallback,
    /// Nobody was to be asked: the judge is off, there is no index, or there were no candidates.
    Unjudged,
}

/// One pick: one line of a log. Titles, categories and tags are masked for secrets, and the prompt is not in
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PickRecord {
    /// Name and version of this format.
    pub schema: PickFormat,
    /// Its id: 16 hexadecimal digits, drawn at random.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub pick: String,
    /// When it ended, in UTC, in whole seconds.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub timestamp: Timestamp,
    /// The same instant in microseconds since 1970: it orders picks of one second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_us: Option<i64>,
    /// What came of it.
    pub choice: PickChoice,
    /// For whom memories were chosen: `strict` for an agent, unasked; `lenient` for a search.
    pub mode: Mode,
    /// Most memories that the judge could keep, where it is not 3 before a prompt or 10 for a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<usize>,
    /// Whether relevance and usefulness were two questions.
    pub dual: bool,
    /// Version of the question: hash of the program's own words. The same for all prompts.
    pub prompt_sha: String,
    /// Hash of the agent's prompt, or of the words searched for, with secrets masked.
    pub content_sha: String,
    /// Hash of what else makes the judge the same: endpoint, model, temperature, most tokens; `null` where
    /// there is no judge.
    pub judge_sha: Option<String>,
    /// The model that was asked for; `null` where there is no judge.
    pub model: Option<String>,
    /// The model that answered, as the answer names it.
    pub served_model: Option<String>,
    /// What was found, by rank.
    pub candidates: Vec<PickCandidate>,
    /// Why the judge's choice is not what was put out.
    pub fallback: Option<Fallback>,
    /// The reason in words.
    pub error: Option<String>,
    /// Milliseconds of the judge, both questions included; `null` where it was not asked.
    pub latency_ms: Option<u64>,
    /// Tokens, as the answers count them.
    #[schemars(with = "Option<Tokens>")]
    pub usage: Option<Usage>,
    /// What the judge cost; `null` where tokens or prices are not known.
    pub cost: Option<f64>,
    /// What calls cost at most whose tokens nobody counted, beside `cost`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_at_most: Option<f64>,
    /// Whether a file of answers was asked in place of a judge: such a pick is no evidence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scripted: bool,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PickCandidate {
    /// Path of its file, relative to the directory of memories.
    pub memory: String,
    /// Its title.
    pub title: Option<String>,
    /// Its category.
    pub category: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its rank by BM25, from 1.
    #[schemars(range(min = 1))]
    pub rank: u32,
    /// BM25, the higher the better; without an index the number of words that match.
    pub score: f64,
    /// Its number in the list that the judge was shown, from 0.
    pub position: u32,
    /// Whether it was put out.
    pub kept: bool,
    /// Whether it was chosen and is only named in what was put out, which had no room for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_room: bool,
}

impl PickRecord {
    /// Notes that there was no room for some of the memories that were chosen, by their places among them.
    pub fn leave_out(&mut self, places: &[usize]) {
        let chosen = self.candidates.iter_mut().filter(|candidate| candidate.kept);
        for (place, candidate) in chosen.enumerate() {
            let no_room = places.contains(&place);
            (candidate.kept, candidate.no_room) = (!no_room, no_room);
        }
    }

    /// The record with secrets masked and texts cut.
    #[must_use]
    pub fn masked(&self) -> Self {
        let one = |text: &str| short(text, MOST_CHARACTERS);
        let candidate = |one_of: &PickCandidate| PickCandidate {
            title: one_of.title.as_deref().map(one),
            category: one_of.category.as_deref().map(one),
            tags: one_of.tags.iter().map(|tag| one(tag)).collect(),
            ..one_of.clone()
        };
        Self {
            candidates: self.candidates.iter().map(candidate).collect(),
            error: self.error.as_deref().map(|error| short(error, MOST_ERROR)),
            ..self.clone()
        }
    }

    /// The masked record as one line, without its end, with its time in whole seconds.
    ///
    /// # Errors
    /// None that is known; the serializer's, where it has one.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let mut record = self.masked();
        record.at_us = Some(record.timestamp.0);
        record.timestamp = record.timestamp.whole_second();
        serde_json::to_string(&record)
    }
}

fn short(text: &str, most: usize) -> String {
    let masked = mask(text).0;
    escape::line(&masked).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> PickRecord {
        PickRecord {
            schema: PickFormat::Pick1,
            pick: "0123456789abcdef".to_owned(),
            timestamp: Timestamp::parse("2026-11-24T10:00:00.5Z").unwrap(),
            at_us: None,
            choice: PickChoice::Kept,
            mode: Mode::Strict,
            keep: None,
            dual: false,
            prompt_sha: "ab".repeat(32),
            content_sha: "cd".repeat(32),
            judge_sha: Some("ef".repeat(32)),
            model: Some("small".to_owned()),
            served_model: None,
            candidates: vec![PickCandidate {
                memory: "a.md".to_owned(),
                title: Some(format!("token ghp_{} {}", "a1".repeat(18), "x".repeat(900))),
                category: None,
                tags: vec!["two\nlines".to_owned()],
                rank: 1,
                score: 7.25,
                position: 5,
                kept: true,
                no_room: false,
            }],
            fallback: None,
            error: None,
            latency_ms: Some(12),
            usage: Some(Usage { prompt_tokens: Some(600), completion_tokens: Some(30) }),
            cost: Some(0.001),
            cost_at_most: None,
            scripted: false,
        }
    }

    #[test]
    fn record_is_one_masked_bounded_line_valid_by_schema() {
        let line = record().line().unwrap();
        assert!(!line.contains('\n') && !line.contains("ghp_") && line.len() < 1_500, "{line}");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        let schema = jsonschema::validator_for(super::super::pick_schema().as_value()).unwrap();
        let wrong: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
        let begin = "{\"schema\":\"foureyes/pick/1\",\"pick\":\"0123456789abcdef\",\"timestamp\":\"2026-11-24T10:00:00Z\"";
        assert!(line.starts_with(begin), "{line}");
        let rest = "\"fallback\":null,\"error\":null,\"latency_ms\":12,\"usage\":{\"prompt_tokens\":600,\"completion_tokens\":30},\"cost\":0.001}";
        assert!(line.ends_with(rest), "{line}");
        let again: PickRecord = serde_json::from_str(&line).unwrap();
        assert_eq!(again.candidates[0].title.as_ref().unwrap().chars().count(), 200);
    }

    #[test]
    fn the_schema_in_the_assets_is_that_of_the_record() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/pick.schema.json");
        let text = serde_json::to_string_pretty(&super::super::pick_schema()).unwrap() + "\n";
        if std::env::var_os("UPDATE_ASSETS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "run once with UPDATE_ASSETS=1");
    }
}
