//! The nouns of the product: pure values, no input or output.

mod accounting;
mod calls;
mod cause;
mod chain;
mod column;
mod evaluation_tally;
mod family;
mod hook_mode;
mod id;
mod judgement;
pub mod log_name;
mod measure;
mod numbering;
mod origin;
mod outcome;
mod record;
pub mod review;
mod scores;
pub mod team;
mod time;
mod triage;

/// Every variant of an enum, in the order of its declaration.
///
/// # Panics
///
/// When the enum has not `N` variants: in a constant, it does not compile.
pub const fn variants<T: strum::VariantArray + Copy, const N: usize>() -> [T; N] {
    match T::VARIANTS.as_array() {
        Some(all) => *all,
        None => panic!("the enum has another number of variants"),
    }
}

pub use accounting::{Accounting, Reject};
pub use calls::{CallKey, CallSums, Calls};
pub use cause::Cause;
pub use chain::chain;
pub use column::{Column, Sort};
pub use evaluation_tally::EvaluationTally;
pub use family::Family;
pub use hook_mode::HookMode;
pub use id::{IdHasher, IdMap, ParseIdError, RecordId};
pub use judgement::{ByKind, JudgementKind};
pub use measure::{Definition, Measure, Side, Threshold, Unit};
pub use numbering::{Distinct, Groups, Numbering};
pub use origin::Origin;
pub use outcome::Outcome;
pub use record::{
    Edit, Field, Improvement, PICK_SCHEMA, PROMPT_SCHEMA, PUSH_SCHEMA, PreviousRound, Record,
    Section, TASK_SCHEMA, Usage, Value,
};
pub use scores::{Dimension, Scores};
pub use time::{AHEAD, Timestamp, Window, sort_by_writing};
pub use triage::{
    BoxReport, BoxState, Caveat, Counts, CoverageRow, FamilyKpis, FileCounts, ForeignLog, Kpi,
    NewSince, PeerKpi, RejectRow, TRIAGE_SCHEMA, Triage,
};
