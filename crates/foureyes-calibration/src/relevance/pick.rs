//! A pick as its log has it.

use crate::domain::{Family, Record, RecordId, Timestamp};
use crate::engine::relevance::Mode;
use serde::Deserialize;

/// Where the choice of a pick comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A judge.
    Judge,
    /// Search: a judge was to be asked, and gave no answer that could be used.
    Fallback,
    /// Search: no judge was to be asked, or there was nothing to choose from.
    Search,
    /// A file of answers in place of a judge: no evidence.
    Script,
}

/// A memory that was found for a prompt.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Candidate {
    /// Path of the memory in its directory. Raw text.
    pub memory: String,
    /// Title. Raw text.
    #[serde(default)]
    pub title: Option<String>,
    /// Category. Raw text.
    #[serde(default)]
    pub category: Option<String>,
    /// Tags. Raw texts.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Place in the order of search, from 1.
    pub rank: usize,
    /// Place in the order in which the judge was shown it, from 0.
    #[serde(default)]
    pub position: Option<usize>,
    /// Whether it was put into the context.
    pub kept: bool,
    /// Whether it was chosen, and there was no room for it.
    #[serde(default)]
    pub no_room: bool,
}

impl Candidate {
    /// Whether it was chosen: what the choice is measured by, whatever there was room for.
    pub fn is_chosen(&self) -> bool {
        self.kept || self.no_room
    }
}

/// What a record names of its judge. Raw texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgeNames {
    /// The model that was asked for.
    pub model: Option<String>,
    /// The model that answered.
    pub served_model: Option<String>,
    /// The version of the question.
    pub prompt_sha: Option<String>,
}

/// The memories that were found and chosen for one prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// Its record.
    pub record: RecordId,
    /// Its name in the store of prompts. Raw text.
    pub name: Option<String>,
    /// When it was made.
    pub at: Option<Timestamp>,
    /// Where the choice comes from.
    pub source: Source,
    /// Why no judge chose, as written. Raw text.
    pub fallback: Option<String>,
    /// Whether it answers an explicit search, so that more is kept.
    pub is_lenient: bool,
    /// Most that the judge could keep, where the record says it.
    pub keep: Option<usize>,
    /// What was found.
    pub candidates: Vec<Candidate>,
    /// Time of the judge's call in milliseconds.
    pub latency_ms: Option<u64>,
    /// What the judge cost.
    pub cost: Option<f64>,
    /// The judge. Raw text.
    pub model: Option<String>,
    /// What the record names of the judge.
    pub judge: JudgeNames,
}

impl Pick {
    /// The pick of a record; `None` of a record that is none, or that does not name its candidates.
    pub fn of(record: &Record) -> Option<Self> {
        if record.family != Family::Pick {
            return None;
        }
        let source = match record.extra::<String>("choice")?.as_str() {
            _ if record.extra("scripted") == Some(true) => Source::Script,
            "kept" | "none" => Source::Judge,
            "fallback" => Source::Fallback,
            "unjudged" => Source::Search,
            _ => return None,
        };
        Some(Self {
            record: record.id,
            name: record.extra("pick"),
            at: record.timestamp,
            source,
            fallback: record.extra("fallback"),
            is_lenient: record.mode.as_deref() == Some("lenient"),
            keep: record.extra("keep"),
            candidates: record.extra("candidates")?,
            latency_ms: record.latency_ms,
            cost: record.extra("cost"),
            model: record.served_model.clone().or_else(|| record.model.clone()),
            judge: JudgeNames {
                model: record.model.clone(),
                served_model: record.served_model.clone(),
                prompt_sha: record.prompt_sha.clone(),
            },
        })
    }

    /// Whether its labels are evidence: a judge chose among candidates.
    pub fn is_due(&self) -> bool {
        self.source == Source::Judge && !self.candidates.is_empty()
    }

    /// How many of the first that search found are compared with the judge's choice: as many as it could keep.
    pub fn most(&self) -> usize {
        let mode = if self.is_lenient { Mode::Lenient } else { Mode::Strict };
        self.keep.unwrap_or(mode.most())
    }
}
