//! Claims of escalations: entries of the reviewer's ledger, of which no box learns.

use super::next_step::next_step;
use super::review;
use super::services::{Edition, Services};
use crate::domain::RecordId;
use crate::domain::review::Reviewer;
use crate::overrides::{self, Claimed};
use crate::report::claims;
use crate::store::cache::CacheError;
use crate::tui::effect::ClaimChange;
use crate::tui::message::Message;
use crate::tui::model::Problem;

/// Claims a record or ends the claims of its task; answers once that is on the disk, or known not to be.
pub(super) fn write(
    services: &Services,
    record: RecordId,
    of: (&str, &str),
    change: ClaimChange,
) -> Message {
    let result = change_claim(services, record, of, change);
    Message::Claimed { result, ledger: review::snapshot(services).ok() }
}

fn change_claim(
    services: &Services,
    record: RecordId,
    (task, box_name): (&str, &str),
    change: ClaimChange,
) -> Result<String, Problem> {
    let problem = |text: &str| Problem::new(text, "nothing was saved");
    let who = services.reviewer.as_ref().filter(|_| !services.read_only);
    let who = who.ok_or_else(|| problem("your name is unknown, so nothing can be claimed"))?;
    let open = services.newest().ok_or_else(|| problem("no logs are open"))?;
    match change {
        ClaimChange::Claim => claim(services, &open, who, record),
        ClaimChange::Release => {
            let records =
                overrides::of_task(&open.archive, task, Some(box_name)).map_err(unread)?;
            let now = (services.clock)();
            let done =
                review::with(services, |ledger| overrides::release(ledger, who, &records, now));
            answer(done.flatten().map_err(|error| review::problem(&error))?, who)
        }
    }
}

fn claim(
    services: &Services,
    open: &Edition,
    who: &Reviewer,
    record: RecordId,
) -> Result<String, Problem> {
    let now = (services.clock)();
    let reviews = review::present(services)?.reviews();
    if !overrides::waits(&open.archive, record, &reviews, now).map_err(unread)? {
        let next = "`is:escalation` finds those that wait";
        return Err(Problem::new("this record is not an escalation that waits for a person", next));
    }
    let done = review::with(services, |ledger| overrides::claim(ledger, who, record, now));
    answer(done.flatten().map_err(|error| review::problem(&error))?, who)
}

fn unread(error: CacheError) -> Problem {
    Problem::from_error(&error, next_step(&error))
}

/// What happened, as the command line has it; that somebody else holds it is a conflict.
fn answer(done: Claimed, who: &Reviewer) -> Result<String, Problem> {
    if let Claimed::Taken(held) = &done {
        let next =
            "nothing was saved; `release-claim` ends the claim, and a decision needs no claim";
        return Err(Problem::new(format!("already {}", claims::text(held)), next));
    }
    let mut text = Vec::new();
    // A vector takes everything.
    let _ = claims::write(&mut text, &done, &who.name);
    Ok(String::from_utf8_lossy(&text).trim_end().replace('\n', "; "))
}
