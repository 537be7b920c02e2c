//! What a reviewer would have labelled of the made-up picks of memories.

use crate::cli::Failure;
use crate::cli::operator::{ledger, reading};
use crate::domain::Timestamp;
use crate::domain::review::{Act, Reviewer};
use crate::pick_labels::{self, Among, Picks, Question};
use crate::relevance::Policy;
use crate::store::cache::Archive;
use crate::store::ledger::{Ledger, fresh_id};
use serde::Deserialize;
use std::collections::HashMap;

/// Who labels them: a ledger of its own, so that each goes on in time.
const REVIEWER: &str = "demo memory reviewer";
/// So many are left for whoever tries it.
const LEFT: usize = 12;
/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

/// A line of the file that says what is true of the made-up picks.
#[derive(Deserialize)]
struct Truth {
    pick: String,
    relevant: Vec<String>,
}

/// Begins a window, and labels the first of the draw, as they were planted, an hour after the last of them
/// was made.
pub(super) fn plant(
    archive: &Archive,
    truth: &str,
    ledgers: &mut Ledger,
    now: Timestamp,
) -> Result<(), Failure> {
    let truths = truth.lines().filter_map(|line| serde_json::from_str::<Truth>(line).ok());
    let truths: HashMap<_, _> = truths.map(|one| (one.pick, one.relevant)).collect();
    let picks = Picks::find(archive).map_err(reading::row_failure)?;
    let reviewer = Reviewer { name: REVIEWER.to_owned(), machine: "demo".to_owned() };
    let due = picks.due(&ledgers.present(now), Some(REVIEWER), Among::mode(false)).picks;
    let labelled = due.len().saturating_sub(LEFT);
    let last = due.iter().take(labelled).filter_map(|pick| pick.at).max();
    let time = Timestamp(last.unwrap_or(Timestamp(0)).0 + HOUR);
    let question = Question { among: Among::mode(false), configured: Policy::default() };
    let window = picks.next_window(&question).map_err(|error| Failure::local(error.to_string()))?;
    if let Some(window) = window {
        let act = Act::PickWindow(window);
        ledgers.append(&reviewer, fresh_id(time), time, &act).map_err(ledger::failure)?;
    }
    for pick in due.into_iter().take(labelled) {
        let truth = pick.name.as_ref().and_then(|name| truths.get(name));
        let Some(truth) = truth else { continue };
        let all = pick.candidates.iter().enumerate();
        let helping = all.filter(|(_, one)| truth.contains(&one.memory)).map(|(at, _)| at);
        let helping: Vec<usize> = helping.collect();
        let act = Act::Relevance(pick_labels::labels(pick, &helping, true));
        ledgers.append(&reviewer, fresh_id(time), time, &act).map_err(ledger::failure)?;
    }
    Ok(())
}
