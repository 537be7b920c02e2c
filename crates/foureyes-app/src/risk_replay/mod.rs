//! What rules of risk would have cost and caught, and what is known of authors: from logs and ledgers.
//!
//! Past records say little of a change, and nothing of verdicts that nobody asked for. What they leave open
//! is open here too: counts have a least and a most, and a figure without evidence has bounds alone.

mod document;
mod estimate;
mod explain;
mod facts;
mod labels;
mod past;
mod rates;
mod replay;

pub use document::{
    DepthCount, Evidence, ExplainDocument, Explained, Figure, REPLAY_SCHEMA, ReplayDocument,
    RuleCount, Share,
};
pub use estimate::{Evidences, FEW};
pub use explain::{Subject, explain, of_records, of_revision};
pub use facts::{Facts, facts_of};
pub use labels::{Labels, labels_of};
pub use past::{Decided, Past, PastChange, PastRun, Spent, past};
pub use rates::author_rates;
pub use replay::{Planned, replay};

#[cfg(test)]
mod tests;
