//! A step towards READY, as the document names it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing to do, or to wait for, until the answer can be READY.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Stable name: `block`, `audit`, `label`, `second_look`, `conflicts`, `confirm`, `not_met`, `kpi`,
    /// `too_close`, `hopeless`, `audit_rate`, `thresholds`, `look`, `wait`, `switch` or `keep`.
    pub kind: String,
    /// The block or the KPI it is about, by its id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub about: Option<String>,
    /// What to do, in a few words of ours.
    pub title: String,
    /// What is the matter, in whole sentences; of a block it may hold names from logs.
    pub text: String,
    /// Ways to do it, the quickest first; one of them is enough.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ways: Vec<Way>,
    /// Labels it takes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub labels: Option<u64>,
    /// Days it takes at the present traffic.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub days: Option<u64>,
    /// First UTC day on which READY is possible if this step is done today and all else ends as soon as it can,
    /// `YYYY-MM-DD`; `null` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ready_from: Option<String>,
    /// What helps to do it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opens: Option<Opens>,
}

/// One way to take a step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// What to do, in one sentence of ours.
    pub text: String,
    /// Commands, or lines of the policy's file, as the text says.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<String>,
    /// The same this way.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ready_from: Option<String>,
}

/// What a step leads to in the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Opens {
    /// The records that a filter lets through.
    Records(String),
    /// A queue: `calibration`, `conflicts` or `second look`.
    Queue(String),
    /// The form for the rate of the audit sample.
    AuditRate,
    /// The form for the start of a window, with its first day, `YYYY-MM-DD`.
    Window(String),
}

impl Step {
    /// A step of a kind with a title and a text.
    pub(super) fn new(kind: &str, title: impl Into<String>, text: impl Into<String>) -> Self {
        let (title, text) = (title.into(), text.into());
        Self { kind: kind.to_owned(), title, text, ..Self::default() }
    }

    /// Whether no number of labels or evaluations decides what it is about.
    pub(super) fn is_dead_end(&self) -> bool {
        ["too_close", "hopeless"].contains(&self.kind.as_str())
    }

    /// Whether it is about a rule that can be waived.
    pub fn is_waivable(&self) -> bool {
        self.about.as_deref().is_some_and(|about| super::Policy::WAIVABLE.contains(&about))
    }

    /// Whether nobody can wait for it: it takes more than a year.
    pub fn takes_years(&self) -> bool {
        self.days.is_some_and(|days| days > super::number_text::YEAR)
    }
}

impl Way {
    /// A way with the lines to type.
    pub(super) fn new(text: impl Into<String>, lines: &[&str]) -> Self {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Self { text: text.into(), lines, ready_from: None }
    }
}
