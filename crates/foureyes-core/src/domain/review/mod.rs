//! What people say of records: labels (what is true) and overrides (what to do all the same).
//!
//! Every word is an [`Entry`] of a ledger. Nothing is taken back by changing an entry: an undo, a
//! redo or a correction is a further entry that points at what it replaces. What holds at present
//! is a fold of all entries, [`Present`].

mod act;
mod assigned;
mod assignment;
mod called_poor;
mod change;
mod claim;
mod dated;
mod entry;
mod exposure;
mod figures;
mod fold;
mod given;
mod ids;
mod known;
mod label;
mod label_content;
mod look;
mod looks;
mod natural;
mod order;
mod pick_window;
mod present;
mod relevance;
mod review_state;
mod reviewer;
mod rule;
mod run;
mod settle;
mod two_of_three;

pub use act::{Act, Import, ModeSet, ModeWaiver, Override, OverrideWord, StepSaid};
pub use assignment::{Assignment, Place, Places, places};
pub use change::{CORRECTION, Change, first_words};
pub use claim::{Claim, Claims, Release};
pub use dated::Dated;
pub use entry::Entry;
pub use exposure::Exposure;
pub use figures::{RunFigures, outcome_of};
pub use fold::{in_order, present};
pub use given::Given;
pub use ids::{ContentHash, EntryId, LineHash, ParseHexError, Seed};
pub use known::{EverLabelled, Known};
pub use label::{Drawn, GivenScores, Label, Requested, ScoresError, Selection, Word};
pub use label_content::Shown;
pub use look::Look;
pub use looks::{Looks, SITTING};
pub use natural::{Draw, JudgeVersion, NaturalStart, WindowAddition, folded};
pub use order::Sequence;
pub use pick_window::{PickJudge, PickWindow};
pub use present::{FamilyRules, Moved, Present, Stack};
pub use relevance::Relevance;
pub use review_state::{Review, Reviews};
pub use reviewer::Reviewer;
pub use rule::{AuditRate, PolicyChange, WindowStart};
pub use run::{
    Evaluated, ItemLeft, PeerDraw, PeerOpinion, PromptSource, PromptUsed, Run, RunBegun, RunEnded,
    RunItem, RunTask,
};
pub use settle::{LabelVote, Settled, settle};
pub use two_of_three::{Ballot, Majority, OTHERS, two_of_three};
