//! One evaluation or one override, of whichever family.

mod field;
mod improvement;

use super::scores::shortest;
use super::{
    Cause, Dimension, Family, JudgementKind, Origin, Outcome, RecordId, Scores, Timestamp,
};
use field::Content;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

pub use field::{Edit, Field, Section, Value};
pub use improvement::Improvement;

/// How `schema` begins in what this program writes of pushes, whatever the version.
pub const PUSH_SCHEMA: &str = "foureyes/push/";

/// The same of tasks.
pub const TASK_SCHEMA: &str = "foureyes/task/";

/// The same of picks.
pub const PICK_SCHEMA: &str = "foureyes/pick/";

/// The same of the texts of prompts that are kept.
pub const PROMPT_SCHEMA: &str = "foureyes/pick-text/";

/// A round of a task run as a later one lists it: its fields as written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PreviousRound(pub Map<String, Json>);

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
}

impl Usage {
    /// Whether both are known, so that a price makes a cost of them.
    pub fn is_whole(&self) -> bool {
        self.prompt_tokens.is_some() && self.completion_tokens.is_some()
    }

    /// The tokens of both, as far as they are known.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        Self {
            prompt_tokens: sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens: sum(self.completion_tokens, other.completion_tokens),
        }
    }
}

/// Declares [`Record`] and its table of fields in one list: name and type, then name in JSON, name
/// for people, and section. So no field can be left out of a document, or unmasked in one.
macro_rules! record {
    ($(
        $(#[$meta:meta])* $field:ident: $type:ty = $name:literal $label:literal $section:ident,
    )*) => {
        /// What one record of a log says, in one shape for every family.
        ///
        /// Every text in it may be hostile: escape it before it reaches a terminal or a document.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub struct Record {
            $($(#[$meta])* pub $field: $type,)*
        }

        impl Record {
            /// Its fields, in the order of CSV and, inside a section, of all documents.
            pub const FIELDS: &[Field] = &[$(Field {
                name: $name,
                label: $label,
                section: Section::$section,
                value: |record| record.$field.value(),
                texts: |record, edit| record.$field.edit_texts(edit),
            },)*];
        }
    };
}

record! {
    /// Content hash.
    id: RecordId = "id" "id" Identity,
    /// Box of its first origin; empty for a record that was read from no log of a box.
    #[serde(rename = "box")]
    box_name: String = "box" "box" Identity,
    /// When; `None` where the record carries no usable time.
    timestamp: Option<Timestamp> = "timestamp" "time" Identity,
    /// The time as written, where it could not be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    timestamp_text: Option<String> = "timestamp_text" "time" AsWritten,
    /// Whose format it has.
    family: Family = "family" "family" Identity,
    /// What it decided; `None` for what is no evaluation: overrides, picks and prompts.
    outcome: Option<Outcome> = "outcome" "outcome" Identity,
    /// The verdict as written, where it is text.
    verdict: Option<String> = "verdict" "verdict" AsWritten,
    /// The commit that was judged.
    commit: Option<String> = "commit" "commit" Subject,
    /// The task that was judged.
    task_id: Option<String> = "task_id" "task" Subject,
    /// Who wrote the content.
    author: Option<String> = "author" "author" Subject,
    /// The judge that was asked for (`judge_model`, or `model` of a task record).
    model: Option<String> = "model" "model" Subject,
    /// The judge that answered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    served_model: Option<String> = "served_model" "served by" Subject,
    /// Files that were judged.
    files: Vec<String> = "files" "file" Subject,
    /// Scores as written.
    scores: Scores = "scores" "scores" Scores,
    /// Whether a score lies outside 1 to 5.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    scores_out_of_range: bool = "scores_out_of_range" "a score lies outside 1 to 5: used in no mean" Scores,
    /// Average as written.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shortest", default)]
    average: Option<f32> = "average" "average" Details,
    /// Findings of a push judge, reasoning of a task judge.
    findings: Option<String> = "findings" "findings" Findings,
    /// Suggestions of a push judge, improvements of a task judge.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    improvements: Vec<Improvement> = "improvements" "suggestions" Findings,
    /// Why it is UNDETERMINED, or that no judge was to be asked; `None` for other outcomes.
    cause: Option<Cause> = "cause" "cause" Cause,
    /// The `error` field as written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    error: Option<String> = "error" "error" Cause,
    /// Duration of the whole call in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    latency_ms: Option<u64> = "latency_ms" "latency" Details,
    /// Hook mode or tier, as written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    mode: Option<String> = "mode" "mode" Details,
    /// Tier of a task judge.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    judge_tier: Option<String> = "judge_tier" "tier" Details,
    /// Round of a task run, 1 to 4; 0 for an override.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    round: Option<u64> = "round" "round" Details,
    /// Run of a task that it is a line of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    run: Option<String> = "run" "run" Details,
    /// How many judges the run was to ask: `sequential` or `panel`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    depth: Option<String> = "depth" "depth" Details,
    /// Earlier rounds of the run, as this line lists them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    previous_rounds: Vec<PreviousRound> = "previous_rounds" "earlier" Details,
    /// What the run came to, on its last line: `accept`, `reject` or `escalate`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    decision: Option<String> = "decision" "decision" Details,
    /// Agreement after a tiebreaker.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    consensus: Option<String> = "consensus" "consensus" Details,
    /// Which prompt template was used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    prompt_sha: Option<String> = "prompt_sha" "prompt" Details,
    /// Which content was judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    content_sha: Option<String> = "content_sha" "content" Details,
    /// Which description and acceptance criteria the content was judged by.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    task_sha: Option<String> = "task_sha" "task hash" Details,
    /// Which content, criteria, prompts and judges the run was of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    run_sha: Option<String> = "run_sha" "run hash" Details,
    /// Whether the model's own verdict differed from the rule's.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    inconsistent: bool = "inconsistent" "the model's own verdict differed from the rule's" Scores,
    /// Tokens used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    usage: Option<Usage> = "usage" "tokens" Details,
    /// Who decided, in an override.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reviewer: Option<String> = "reviewer" "reviewer" Details,
    /// Condition under which an accepted task may be used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    advice: Option<String> = "advice" "advice" Findings,
    /// Why, in an override; in a verdict on a task, why a person must decide.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason: Option<String> = "reason" "reason" Findings,
    /// The record an override answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    answers: Option<String> = "answers" "answers" Details,
    /// The commit with the NO-GO that it decides on: then it is no evaluation of its own commit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    part_of: Option<String> = "part_of" "judged for" Subject,
    /// Terms of quality in findings and improvements, by heading: `semantic: facts, wrong`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    terms: Vec<String> = "terms" "terms" Findings,
    /// Dimensions with a score of 2 or less of which findings and improvements name no term.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    unexplained: Vec<Dimension> = "unexplained" "marked down, no listed term found" Findings,
    /// What an answer that marks down a dimension has nothing of: elements of the checklist.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    missing: Vec<String> = "missing" "the answer lacks" Findings,
    /// Fields of no known name.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    extra: Map<String, Json> = "extra" "other field" Extra,
    /// Where it is in the logs; the first is the one counted, others are duplicates of it.
    origins: Vec<Origin> = "origins" "origin" Identity,
}

impl Record {
    /// A field of the log that has no place of its own; `None` where it is absent or of another type.
    pub fn extra<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        T::deserialize(self.extra.get(name)?).ok()
    }

    /// The fields of a section, each with its value; those that the record does not have are left out.
    pub fn section(&self, section: Section) -> impl Iterator<Item = (&'static Field, Value<'_>)> {
        let of_section = Self::FIELDS.iter().filter(move |field| field.section == section);
        let valued = of_section.map(|field| (field, field.value(self)));
        valued.filter(|(_, value)| !matches!(value, Value::Absent | Value::Flag(false)))
    }

    /// What it is an evaluation of, [`Family::evaluation`].
    pub fn evaluation(&self) -> Option<JudgementKind> {
        self.family.evaluation(self.cause, self.part_of.is_some() || self.leaves_run_open())
    }

    /// Whether it is a round that this program wrote and that did not end its run: the last line of a run
    /// says what it came to. If no line follows, the run was ended from outside, or goes on.
    pub fn leaves_run_open(&self) -> bool {
        let schema = || self.extra::<String>("schema").unwrap_or_default();
        self.decision.is_none() && self.family.has_rounds() && schema().starts_with(TASK_SCHEMA)
    }

    /// Whether a person should look at it: NO-GO or UNDETERMINED by a judge.
    ///
    /// Of a task run only the last round is looked at; which it is one record cannot tell.
    pub fn is_flagged(&self) -> bool {
        matches!(self.outcome, Some(Outcome::NoGo | Outcome::Undetermined)) && !self.has_no_judge()
    }

    /// Whether the hook stopped the push for it: a NO-GO of a box that blocks.
    pub fn is_stopped(&self) -> bool {
        self.outcome == Some(Outcome::NoGo) && self.mode.as_deref() == Some("blocking")
    }

    /// Whether no judge was to be asked: a bypass, history, a script, or an empty content.
    fn has_no_judge(&self) -> bool {
        self.cause.is_some_and(Cause::has_no_judge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Texts in a form in which each can be told apart, and values in all other fields.
    fn full() -> Record {
        let of_task = serde_json::json!({
            "run": "<run>", "depth": "<depth>", "decision": "<decision>", "advice": "<advice>",
            "previous_rounds": [{"<name>": "<earlier>", "round": 1}],
            "task_sha": "<task hash>", "run_sha": "<run hash>",
            "terms": ["<term>"], "unexplained": ["semantic"], "missing": ["<element>"],
        });
        let mut all = serde_json::json!({
            "id": "0".repeat(64), "box": "<box>", "timestamp": "2026-11-01T00:00:00Z",
            "timestamp_text": "<time>", "family": "push", "outcome": "undetermined",
            "verdict": "<verdict>", "commit": "<commit>", "task_id": "<task>", "author": "<author>",
            "model": "<model>", "served_model": "<served>", "files": ["<file>"],
            "scores": {"semantic": 9.0, "pragmatic": 1.0, "syntactic": 1.0},
            "scores_out_of_range": true, "average": 1.5, "findings": "<findings>",
            "improvements": [{"dimension": "<d>", "location": "<l>", "issue": "<i>", "suggestion": "<s>"}],
            "cause": "timeout", "error": "<error>", "latency_ms": 1, "mode": "<mode>",
            "judge_tier": "<tier>", "round": 1, "consensus": "<consensus>", "prompt_sha": "<prompt>",
            "content_sha": "<content>", "inconsistent": true,
            "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "reviewer": "<reviewer>",
            "reason": "<reason>", "answers": "<answers>", "part_of": "<part_of>",
            "extra": {"<key>": ["<item>", {"<inner>": "<deep>"}]},
            "origins": [{"box": "<origin>", "file": "<path>", "line": 1, "byte": 0, "len": 1}],
        });
        all.as_object_mut().unwrap().extend(of_task.as_object().unwrap().clone());
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn fields_are_those_of_json_and_fit_the_pane() {
        let json = serde_json::to_value(full()).unwrap();
        let written: BTreeSet<&str> =
            json.as_object().unwrap().keys().map(String::as_str).collect();
        let named: BTreeSet<&str> = Record::FIELDS.iter().map(|field| field.name).collect();
        assert_eq!(named, written);
        assert_eq!(named.len(), Record::FIELDS.len(), "each once");
        for section in [Section::Subject, Section::Details] {
            assert!(full().section(section).all(|(field, _)| field.label.len() <= 10));
        }
    }

    #[test]
    fn every_text_is_passed_to_edit() {
        let mut record = full();
        for field in Record::FIELDS {
            field.edit_texts(&mut record, &mut |text| *text = text.replace(['<', '>'], ""));
        }
        let json = serde_json::to_string(&record).unwrap();
        assert!(!json.contains(['<', '>']), "{json}");
    }

    #[test]
    fn fields_without_value_are_in_no_section() {
        let json = r#"{"id": "%", "box": "b", "timestamp": null, "family": "push", "outcome": "go",
            "verdict": "GO", "commit": null, "task_id": null, "author": null, "model": null,
            "files": [], "scores": {}, "findings": null, "cause": null, "origins": []}"#;
        let record: Record = serde_json::from_str(&json.replace('%', &"0".repeat(64))).unwrap();
        let names =
            |section| record.section(section).map(|(field, _)| field.name).collect::<Vec<_>>();
        assert_eq!(names(Section::AsWritten), ["verdict"]);
        for section in [Section::Cause, Section::Subject, Section::Findings, Section::Details] {
            assert!(names(section).is_empty(), "{section:?}: {:?}", names(section));
        }
    }
}
