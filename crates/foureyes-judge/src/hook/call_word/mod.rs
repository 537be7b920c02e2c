//! Whether judges carry the call word: an answer without the random word of its request does not count, and a
//! small model may never carry it.
//!
//! What the log knows of it costs nothing; a question of a fixed text shows it at once.

mod ask;
mod log;
mod report;
mod roster;

pub use ask::CallWordQuestion;
pub use log::carried_by;
pub use report::{CallWordOutcome, CallWordReport, lacking};
pub use roster::{JudgeRole, Roster, RosterEntry};

use crate::config::Config;
use std::path::Path;

/// What the logs of this machine know of each judge; nobody is asked. Of a judge that cannot be asked from
/// here, `now` says so already.
pub fn from_logs(config: &Config, home: Option<&Path>, roster: &Roster) -> Vec<CallWordReport> {
    let of = |entry: &RosterEntry| {
        let counted = log::carried(config, home, entry);
        let why = entry.unasked();
        CallWordReport {
            judges: entry.roles.iter().map(|role| role.name().to_owned()).collect(),
            model: entry.judge.model.clone(),
            now: why.as_ref().map(|_| CallWordOutcome::NotAsked),
            why,
            answers: counted.answers,
            carried: counted.carried,
            last: counted.last,
        }
    };
    roster.0.iter().map(of).collect()
}
