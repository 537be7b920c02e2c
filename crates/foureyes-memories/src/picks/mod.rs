//! Which memories a coding agent is given: the prompt, the judge, the choice, and the log of picks.

mod compare;
mod hook;
mod input;
mod log;
mod pick;
mod transcript;

pub use compare::{LabelledQuery, MOST_QUERIES, queries, sample};
pub use hook::{HookSetup, answer};
pub use input::HookInput;
pub use log::{LogError, PickLog, PickText};
pub use pick::{Picked, Setup, Wanted, failed, pick};
pub use transcript::{Context, context};

#[cfg(test)]
mod tests;
