//! Whether a judge of memories picks better than search alone, by what people say of its picks.
//!
//! A pick is of one prompt: the memories that search found, in its order, and which of them were put
//! into the agent's context. Reviewers say of each whether it helps. Picks are drawn, and of one that is
//! drawn all candidates are labelled, so precision and recall need no weights.
//!
//! Candidates of one prompt are not independent of each other. What decides is therefore counted by
//! prompts; the shares over candidates are shown with their exact intervals, as a description.

mod gate;
mod labelled;
mod measure;
mod pick;

pub use gate::{Check, CheckId, Decision, Policy, decide};
pub use labelled::Labelled;
pub use measure::{
    Choice, Comparison, Cost, LabelCounts, Latency, Measured, PickCounts, Share, measure,
};
pub use pick::{Candidate, Pick, Source};

#[cfg(test)]
mod tests;
