//! Whether a judge of memories picks better than search alone, by what people say of its picks.
//!
//! A pick is of one prompt: the memories that search found, in its order, and which of them were put
//! into the agent's context. Reviewers say of each whether it helps. Picks are drawn, and of one that is
//! drawn all candidates are labelled, so precision and recall need no weights.
//!
//! Candidates of one prompt are not independent of each other. What decides is therefore counted by
//! prompts; the shares over candidates are shown with their exact intervals, as a description.

mod assessment;
mod draw;
mod evidence;
mod gate;
mod judges;
mod labelled;
mod measure;
mod pick;
mod policy;
mod steps;
mod tally;
mod window;

pub use assessment::{Assessment, Inputs, Item, Note, NoteId, WindowRow, assess};
pub use draw::{Drawn, passed_over};
pub use evidence::{Evidence, Mean};
pub use gate::{Check, CheckId, Decision, bars, check, decide};
pub use judges::Judges;
pub use labelled::Labelled;
pub use measure::{
    Choice, Comparison, Cost, LabelCounts, Latency, Measured, PickCounts, Share, measure,
};
pub use pick::{Candidate, JudgeNames, Pick, Source};
pub use policy::Policy;
pub use steps::{Step, StepId};
pub use window::{GateWindow, next_number};

#[cfg(test)]
mod tests;
