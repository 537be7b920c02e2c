//! Overrides: kept by the writer, brought to boxes beside everything else.

mod newer;

pub(super) use newer::newer;

use super::deliveries::delivery_states;
use super::review::{self, fold};
use super::services::Services;
use crate::domain::review::{EntryId, Reviews};
use crate::domain::{RecordId, Timestamp};
use crate::overrides::{self, Back, BackError, DecideError, Decisions, Due, Outbox, Wish};
use crate::store::ledger::Ledger;
use crate::tui::effect::Decision;
use crate::tui::message::{DeliveryReport, Message, OverrideRefusal, OverrideResult};
use crate::tui::model::{Change, Problem, ShownRecord, UndoStep};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

/// Tells filters which overrides boxes hold.
pub(super) fn mark(services: &Services, reviews: &mut Reviews) {
    // What is wrong with the ledgers or the journal is reported where the logs are opened.
    let read = review::with(services, |ledger| delivery_states(services, ledger));
    if let Ok(Ok(delivery_states)) = read {
        overrides::mark(reviews, &delivery_states);
    }
}

/// Keeps decisions; answers once they are on the disk, or known not to be.
pub(super) fn write(services: &Services, decision: &Decision) -> Message {
    let result = decide(services, decision);
    let ledger = review::snapshot(services).ok();
    Message::Decided { name: decision.name, result, ledger }
}

fn decide(services: &Services, decision: &Decision) -> Result<Vec<OverrideResult>, Problem> {
    let problem = |text: &str| Problem::new(text, "nothing was saved");
    let who = services.reviewer.as_ref().filter(|_| !services.read_only);
    let who = who.ok_or_else(|| problem("your name is unknown, so overrides cannot be saved"))?;
    let open = services.newest().ok_or_else(|| problem("no logs are open"))?;
    let records: Vec<RecordId> = decision.entries.iter().map(|(_, record)| *record).collect();
    let found = newer::find_newest(&open, &records, &|| false)?;
    let mut refusals: HashMap<RecordId, OverrideRefusal> = HashMap::new();
    let mut accepted = Vec::new();
    for (entry, record) in &decision.entries {
        match found.get(record) {
            None => drop(refusals.insert(*record, refusal("no longer in the logs"))),
            Some((Some(newest), _)) if Some(newest.id) != decision.seen => {
                let why = "there is a newer verdict on the same content; override that one";
                let newest = Some(Arc::new(ShownRecord::listed(newest)));
                refusals.insert(*record, OverrideRefusal { newest, ..refusal(why) });
            }
            Some((_, row)) => {
                let (word, reason) = (decision.word, decision.reason.as_str());
                accepted.push(Wish { row, word, reason, box_name: None, entry: Some(*entry) });
            }
        }
    }
    let now = (services.clock)();
    let decided = review::with(services, |ledger| {
        let mut book = Outbox::load(&services.data)?;
        overrides::decide(ledger, &mut book, &services.config, who, &accepted, now)
    });
    let decided = decided.unwrap_or_else(|error| Err(error.into()));
    let decided = decided.map_err(|error| refused(&error))?;
    refusals.extend(decided.refused.iter().map(|one| (one.record, refusal(&one.reason()))));
    Ok(collect_results(&accepted, &decided, refusals, &records))
}

fn refusal(why: &str) -> OverrideRefusal {
    OverrideRefusal { why: why.to_owned(), newest: None }
}

/// How each fared, in the order in which they were asked for.
fn collect_results(
    accepted: &[Wish<'_>],
    decided: &Decisions,
    mut refusals: HashMap<RecordId, OverrideRefusal>,
    records: &[RecordId],
) -> Vec<OverrideResult> {
    // What is kept is in the order of the wishes that were not refused.
    let wished = accepted.iter().map(|wish| wish.row.id).filter(|id| !refusals.contains_key(id));
    let kept: HashMap<RecordId, (EntryId, bool)> =
        wished.zip(decided.kept.iter().map(|one| (one.id, one.already))).collect();
    let one = |record: &RecordId| {
        let missing = || refusals.remove(record).unwrap_or_else(|| refusal("not decided"));
        (*record, kept.get(record).copied().ok_or_else(missing))
    };
    records.iter().map(one).collect()
}

fn refused(error: &DecideError) -> Problem {
    match error {
        DecideError::Ledger(error) => review::problem(error),
        DecideError::Outbox(_) => {
            Problem::from_error(error, "nothing was saved; check that the disk has space")
        }
        _ => Problem::from_error(error, "nothing was saved; what you typed is kept"),
    }
}

/// Takes overrides back, or brings them back.
pub(super) fn take_back(
    services: &Services,
    entries: &[EntryId],
    step: UndoStep,
    change: Change,
) -> Message {
    let result = append_take_back(services, entries, &step, change);
    let ledger = review::snapshot(services).ok();
    Message::TakenBack { step, change, result, ledger }
}

fn append_take_back(
    services: &Services,
    entries: &[EntryId],
    step: &UndoStep,
    change: Change,
) -> Result<Vec<EntryId>, Problem> {
    let who = services.reviewer.as_ref().filter(|_| !services.read_only);
    let (Some(who), UndoStep::Overridden(of)) = (who, step) else {
        return Err(Problem::new(
            "your name is unknown, so overrides cannot be saved",
            "nothing was saved",
        ));
    };
    let back = if change == Change::Undo { Back::Undo } else { Back::Redo };
    let now = (services.clock)();
    let done = review::with(services, |ledger| {
        let mut book = Outbox::load(&services.data)?;
        let wishes = with_state(ledger, of, entries, back, now);
        overrides::take_back(ledger, &mut book, who, &wishes, back, now)
    });
    let done = done.unwrap_or_else(|error| Err(error.into()));
    match done {
        Ok(done) => Ok(done.iter().map(|one| one.id).collect()),
        Err(BackError::Ledger(error)) => Err(review::problem(&error)),
        Err(error @ BackError::Partly { .. }) => Err(Problem::from_error(
            &error,
            "the first ones are saved; press the key again for the rest",
        )),
        Err(error) => Err(Problem::from_error(&error, "nothing was saved")),
    }
}

/// Of several overrides those that were not taken back, or brought back, elsewhere meanwhile; all of
/// them where none is left, so that the refusal says why.
fn with_state(
    ledger: &Ledger,
    of: &[(EntryId, RecordId)],
    entries: &[EntryId],
    back: Back,
    now: Timestamp,
) -> Vec<(EntryId, Option<EntryId>)> {
    let present = ledger.present(now);
    let applies = |(of, record): &(EntryId, RecordId)| {
        let all = present.overrides.get(record).map_or(&[][..], Vec::as_slice);
        all.iter().any(|one| one.entry == *of) == (back == Back::Undo)
    };
    let any = of.iter().any(applies);
    let wished = of.iter().zip(entries).filter(|(one, _)| !any || applies(one));
    wished.map(|((of, _), name)| (*of, Some(*name))).collect()
}

/// Sends entries to boxes.
pub(super) async fn send(
    services: Arc<Services>,
    messages: Sender<Message>,
    entries: Vec<EntryId>,
) {
    let sent = match deliver(&services, |due| entries.contains(&due.id)).await {
        Ok(sent) => DeliveryReport { asked: entries, ..sent },
        Err(problem) => DeliveryReport { left: entries.clone(), asked: entries, ..failed(problem) },
    };
    let _ = messages.send(Message::Sent(sent)).await;
}

/// Tries once what waits for boxes that were reached; nothing is reported where nothing waits.
pub(super) async fn retry(services: &Services, is_alive: impl Fn(&str) -> bool) -> Option<Message> {
    let sent = deliver(services, |due| is_alive(&due.box_name)).await.unwrap_or_else(failed);
    (!sent.confirmed.is_empty() || !sent.problems.is_empty()).then_some(Message::Sent(sent))
}

fn failed(problem: Problem) -> DeliveryReport {
    DeliveryReport { problems: vec![problem], ..DeliveryReport::default() }
}

async fn deliver(
    services: &Services,
    which: impl Fn(&Due) -> bool,
) -> Result<DeliveryReport, Problem> {
    // What waits is looked up once the turn has come: an older word may wait no more.
    let _turn = services.sending.lock().await;
    let now = (services.clock)();
    let next = "the next pull retries what is unconfirmed";
    let mut book =
        Outbox::load(&services.data).map_err(|error| Problem::from_error(&error, next))?;
    let due = review::with(services, |ledger| overrides::pending(ledger, &book, now));
    let mut due = due.map_err(|error| review::problem(&error))?;
    due.retain(which);
    let (config, data) = (&services.config, &services.data);
    let sent = overrides::send(config, data, &mut book, &due, now).await;
    let sent = sent.map_err(|error| Problem::from_error(&error, next))?;
    let confirmed = sent.iter().filter(|one| one.outcome.is_ok());
    let confirmed = confirmed.map(|one| (one.id, one.record, one.box_name.clone())).collect();
    let left = sent.iter().filter(|one| one.outcome.is_err()).map(|one| one.id).collect();
    let problems = unconfirmed(&sent);
    let ledger = review::with(services, |ledger| fold(services, ledger)).ok();
    let ledger = ledger.filter(|_| !sent.is_empty());
    Ok(DeliveryReport { asked: Vec::new(), left, confirmed, problems, ledger })
}

/// What is reported of decisions that are not kept, where nobody listens any more.
pub(super) fn unreported(results: &[OverrideResult]) -> Option<Problem> {
    let left = results.iter().filter(|(_, result)| result.is_err());
    let left: Vec<String> = left.map(|(record, _)| record.short()).collect();
    let text =
        format!("{} of {} overrides not saved: {}", left.len(), results.len(), left.join(", "));
    let all = left.len() == results.len();
    let next = if all { "nothing was saved" } else { "the others are saved" };
    (!left.is_empty()).then(|| Problem::new(text, next))
}

/// What no box confirmed: a problem for each box and reason, with the names of all records.
fn unconfirmed(sent: &[overrides::Sent]) -> Vec<Problem> {
    let mut failed: Vec<(&str, &str, Vec<&overrides::Sent>)> = Vec::new();
    for one in sent {
        let Err(error) = &one.outcome else { continue };
        let same = |(name, why, _): &&mut (&str, &str, Vec<&overrides::Sent>)| {
            (*name, *why) == (one.box_name.as_str(), error.as_str())
        };
        match failed.iter_mut().find(same) {
            Some((.., all)) => all.push(one),
            None => failed.push((&one.box_name, error, vec![one])),
        }
    }
    failed.into_iter().map(|(name, why, all)| problem(name, why, &all)).collect()
}

fn problem(box_name: &str, why: &str, all: &[&overrides::Sent]) -> Problem {
    let text = match all {
        [one] => {
            let id = one.id.to_string();
            let id = crate::text::short_hash(&id);
            let record = one.record.short();
            format!("{box_name}: override {id} of {record} is unconfirmed: {why}")
        }
        _ => {
            let records: Vec<String> = all.iter().map(|one| one.record.short()).collect();
            let (count, records) = (all.len(), records.join(", "));
            format!("{box_name}: {count} overrides are unconfirmed ({why}): {records}")
        }
    };
    Problem::new(text, "saved here; every pull retries it, R pulls now")
}
