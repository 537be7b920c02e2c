//! What the numbers say about the judge.
//!
//! **Positive means that the judge flags the content (NO-GO)**: a false positive is acceptable
//! content that was flagged, a false negative is poor content that passed. Published guides often
//! take a pass as positive; here it never is.
//!
//! Two inputs meet here, [`Evaluation`] from the logs and [`Labelled`] from the ledger, and
//! [`readiness()`] says whether the judge may block. Everything is a pure function of what is given:
//! the clock, the key of the audit sample and every random number come from the caller.

pub mod agents;
mod agreement;
mod allowance;
mod arriving;
mod audit;
mod backlog;
mod breakdown;
pub mod comparison;
mod contents;
mod damage;
mod days;
mod differences;
mod document;
mod evaluation;
mod evidence;
mod folded;
mod folding;
mod gate;
mod history;
mod input;
mod kept;
pub mod kpi;
mod label;
mod label_quality;
mod later_words;
mod natural;
mod needed;
mod number_text;
pub mod peer;
mod point_estimate;
mod policy;
mod prevalence;
mod price;
mod range;
mod reader;
mod readiness;
mod reading;
mod reviewer_error;
mod second_words;
pub mod simulation;
mod step;
mod tally;
mod unrecorded;
mod versions;
mod weights;
mod what_if;
mod window_rules;

pub use crate::domain::Measure;
pub use crate::domain::review::{Drawn, Word};
pub use agreement::{Agreement, Pair, ScorePair, reviewer_pairs};
pub use allowance::Allowance;
pub use arriving::{Arriving, PoorContent};
pub use audit::{Draws, Parts, Plan, Rate, Stratum, is_repeat, no_go_key};
pub use backlog::{Purpose, backlog_key, backlog_rate};
pub use breakdown::{FlagRate, Part, PartRate, breakdown, error_rates};
pub use contents::{Content, Contents, contents};
pub use days::{Day, DayState};
pub use differences::{ALPHA, Compared, Comparison};
pub use document::{
    Block, KpiResult, KpiRow, LabelRange, Literal, LiteralRow, Needed, Outlook, Price,
    READINESS_RULES, READINESS_SCHEMA, Readiness, ReadinessResult, Retried, ShareRow, StratumRow,
    WindowRow,
};
pub use evaluation::{Compact, Evaluation, Fingerprint, mark_first};
pub use evidence::Inputs;
pub use folded::Folded;
pub use folding::{Folding, Place};
pub use history::{DayHistory, RateAt};
pub use input::{Absent, DamagedLog, Input};
pub use label::{Labelled, Ruling, rulings};
pub use label_quality::{
    BLIND_GO, BLIND_NO_GO, BlindShare, COMPANIONS, ChangedWord, ChangedWords, LabelQuality,
    ReviewerLabels,
};
pub use later_words::{LaterKind, LaterWord, LaterWords};
pub use natural::{NaturalWindow, Versions};
pub use policy::{
    ASSUMED_POOR, Cluster, Confirm, Demand, FalseNegative, FalsePositive, Method, OnWithdrawn,
    Policy, PolicyError, Undetermined, Waiver, two_sided,
};
pub use prevalence::{Accuracy, Prevalence};
pub use price::{BacklogDay, PlanPrice, ReadyChance, prices};
pub use range::Range;
pub use readiness::{decided, no_window, overdue_labels, readiness};
pub use reviewer_error::{ReviewerError, ReviewerRow, ReviewersRow, TippingPoint, TippingReason};
pub use second_words::{Confirmed, SecondWord, SecondWords, Seconds, TwoOfThree, added_labels};
pub use step::{Opens, Step, Way};
pub use versions::{Began, WindowOf, is_another};
pub use what_if::{Candidate, Replay, Replayed, ReplayedRate, what_if};
pub use window_rules::{Release, WindowRules};
