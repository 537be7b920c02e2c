//! Overrides: kept by the writer, brought to boxes beside everything else.

mod all;

pub(super) use all::{Wishes, untold, write as write_all};

use super::archive::AGAIN;
use super::review::{self, fold};
use super::world::{Edition, World, lock};
use super::{Flag, Tell};
use crate::domain::review::{EntryId, OverrideWord, Reviews};
use crate::domain::{RecordId, RecordRow, Timestamp, Window, chain};
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::overrides::{self, Back, BackError, DecideError, Due, Outbox, Standing};
use crate::store::ledger::Ledger;
use crate::triage;
use crate::tui::message::{Message, Undecided};
use crate::tui::model::{Problem, Shown, Step, Way};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::mpsc::Sender;

/// The task that records name where they know none.
const NO_TASK: &str = "unknown";

/// How overrides stand; or, in a sentence, why that is not known.
pub(super) fn standings(world: &World, ledger: &Ledger) -> Result<Vec<Standing>, String> {
    let mut slot = lock(&world.book);
    let read = match slot.as_mut() {
        Some(book) => book.reload(),
        None => Outbox::load(&world.data).map(|book| *slot = Some(book)),
    };
    match (read, slot.as_ref()) {
        (Ok(()), Some(book)) => Ok(overrides::standings(ledger, book, (world.clock)())),
        (Err(error), _) => {
            Err(format!("{}: the delivery status of overrides is unknown", chain(&error)))
        }
        (Ok(()), None) => Ok(Vec::new()),
    }
}

/// The same by their records.
pub(super) fn by_record(standings: Vec<Standing>) -> BTreeMap<RecordId, Vec<Standing>> {
    let mut by: BTreeMap<RecordId, Vec<Standing>> = BTreeMap::new();
    for standing in standings {
        by.entry(standing.record).or_default().push(standing);
    }
    by
}

/// Tells filters which overrides boxes hold.
pub(super) fn mark(world: &World, reviews: &mut Reviews) {
    // What is wrong with the ledgers or the journal is told where the logs are opened.
    let read = review::with(world, |ledger| standings(world, ledger));
    if let Ok(Ok(standings)) = read {
        overrides::mark(reviews, &standings);
    }
}

/// Looks whether a record is still there, and for the newest verdict on its content after it.
pub(super) fn newer(world: &World, tell: &Tell, cancel: &Flag, edition: u64, of: &Shown) {
    let record = of.row.id;
    let Some(open) = world.edition(edition) else { return };
    let stop = || cancel.load(Ordering::Relaxed);
    let result = look(&open, record, &stop).map(|found| match found {
        Some((_, newest)) => (true, newest.map(|row| Arc::new(Shown::listed(&row)))),
        None => (false, None),
    });
    if !stop() {
        tell.tell(Message::Newer { record, edition, result });
    }
}

/// A record, and the newest evaluation of the same content where that came after it.
type Found = (RecordRow, Option<RecordRow>);

fn look(
    open: &Edition,
    record: RecordId,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Found>, Problem> {
    let archive = &open.archive;
    let failed = |error: &dyn std::error::Error| Problem::new(chain(error), AGAIN);
    let Some(row) = archive.find_row(record).map_err(|e| failed(&e))? else { return Ok(None) };
    let located = archive.records(&[row]).map_err(|e| failed(&e))?.pop();
    let Some(located) = located else { return Ok(None) };
    let whole = triage::row(located);
    let Some(same) = same_content(&whole) else { return Ok(Some((whole, None))) };
    let query = Query::of(same);
    // No query of ours is relative to the time.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let rows = archive.list(&query, &scope, Window::ALL, cancel).map_err(|e| failed(&e))?;
    let first = rows.and_then(|rows| rows.first().copied());
    let Some(first) = first else { return Ok(Some((whole, None))) };
    let newest = archive.records(&[first]).map_err(|e| failed(&e))?.pop().map(triage::row);
    let after = |row: &RecordRow| row.id != record && row.timestamp > whole.timestamp;
    let newest = newest.filter(after);
    Ok(Some((whole, newest)))
}

/// Evaluations of the same content: of a push its commit, of a task its rounds on the box.
fn same_content(row: &RecordRow) -> Option<Node> {
    let text = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    let evaluation = Node::Not(Box::new(Node::Term(Term::Outcome(None))));
    let same = match (&row.commit, row.task_id.as_deref().filter(|task| *task != NO_TASK)) {
        (Some(commit), _) => vec![text(TextField::Commit, commit)],
        (None, Some(task)) => {
            vec![text(TextField::Task, task), text(TextField::Box, &row.box_name)]
        }
        (None, None) => return None,
    };
    Some(Node::And([same, vec![evaluation]].concat()))
}

/// What is to be decided.
pub(super) struct Wish {
    pub(super) entry: EntryId,
    pub(super) record: RecordId,
    pub(super) word: OverrideWord,
    pub(super) reason: String,
    /// The newest verdict on the content that the person saw.
    pub(super) seen: Option<RecordId>,
}

/// Keeps a decision; answers once it is on the disk, or known not to be.
pub(super) fn write(world: &World, wish: &Wish) -> Message {
    let result = decide(world, wish);
    let said = review::said(world).ok();
    Message::Decided { record: wish.record, result, said }
}

fn decide(world: &World, wish: &Wish) -> Result<(EntryId, bool), Undecided> {
    let problem = |text: &str| Undecided::Failed(Problem::new(text, "nothing was saved"));
    let Some(who) = world.reviewer.as_ref().filter(|_| !world.read_only) else {
        return Err(problem("your name is unknown, so overrides cannot be saved"));
    };
    let open = world.newest().ok_or_else(|| problem("no logs are open"))?;
    let found = look(&open, wish.record, &|| false).map_err(Undecided::Failed)?;
    let gone = || problem("the record is no longer in the logs");
    let (row, newest) = found.ok_or_else(gone)?;
    if let Some(newest) = newest.filter(|newest| Some(newest.id) != wish.seen) {
        let [of, newest] = [row, newest].map(|row| Arc::new(Shown::listed(&row)));
        return Err(Undecided::Newer { of, newest });
    }
    let now = (world.clock)();
    let decided = review::with(world, |ledger| {
        let mut book = Outbox::load(&world.data)?;
        let (word, reason, entry) = (wish.word, wish.reason.as_str(), Some(wish.entry));
        let wish = overrides::Wish { row: &row, word, reason, box_name: None, entry };
        overrides::decide(ledger, &mut book, &world.config, who, &[wish], now)
    });
    let decided = decided.unwrap_or_else(|error| Err(error.into()));
    let decided = decided.map_err(|error| Undecided::Failed(refused(&error)))?;
    if let Some(one) = decided.refused.first() {
        return Err(Undecided::Failed(refused(&one.why)));
    }
    let kept = decided.kept.first().map(|one| (one.id, one.already));
    kept.ok_or_else(|| problem("nothing was decided"))
}

fn refused(error: &DecideError) -> Problem {
    match error {
        DecideError::Ledger(error) => review::problem(error),
        DecideError::Outbox(_) => {
            Problem::of(error, "nothing was saved; check that the disk has space")
        }
        _ => Problem::of(error, "nothing was saved; what you typed is kept"),
    }
}

/// Takes overrides back, or brings them back.
pub(super) fn take_back(world: &World, entries: &[EntryId], step: Step, way: Way) -> Message {
    let result = back(world, entries, &step, way);
    let said = review::said(world).ok();
    Message::TookBack { step, way, result, said }
}

fn back(
    world: &World,
    entries: &[EntryId],
    step: &Step,
    way: Way,
) -> Result<Vec<EntryId>, Problem> {
    let who = world.reviewer.as_ref().filter(|_| !world.read_only);
    let (Some(who), Step::Overridden(of)) = (who, step) else {
        return Err(Problem::new(
            "your name is unknown, so overrides cannot be saved",
            "nothing was saved",
        ));
    };
    let back = if way == Way::Undo { Back::Undo } else { Back::Redo };
    let now = (world.clock)();
    let done = review::with(world, |ledger| {
        let mut book = Outbox::load(&world.data)?;
        let wishes = standing_so(ledger, of, entries, back, now);
        overrides::take_back(ledger, &mut book, who, &wishes, back, now)
    });
    let done = done.unwrap_or_else(|error| Err(error.into()));
    match done {
        Ok(done) => Ok(done.iter().map(|one| one.id).collect()),
        Err(BackError::Ledger(error)) => Err(review::problem(&error)),
        Err(error @ BackError::Partly { .. }) => {
            Err(Problem::of(&error, "the first ones are saved; press the key again for the rest"))
        }
        Err(error) => Err(Problem::of(&error, "nothing was saved")),
    }
}

/// Of several overrides those that were not taken back, or brought back, elsewhere meanwhile; all of
/// them where none is left, so that the refusal says why.
fn standing_so(
    ledger: &Ledger,
    of: &[(EntryId, RecordId)],
    entries: &[EntryId],
    back: Back,
    now: Timestamp,
) -> Vec<(EntryId, Option<EntryId>)> {
    let present = ledger.present(now);
    let stands = |(of, record): &(EntryId, RecordId)| {
        let all = present.overrides.get(record).map_or(&[][..], Vec::as_slice);
        all.iter().any(|one| one.entry == *of) == (back == Back::Undo)
    };
    let any = of.iter().any(stands);
    let wished = of.iter().zip(entries).filter(|(one, _)| !any || stands(one));
    wished.map(|((of, _), name)| (*of, Some(*name))).collect()
}

/// Tells boxes of entries.
pub(super) async fn send(world: Arc<World>, messages: Sender<Message>, entries: Vec<EntryId>) {
    let message = match tell_boxes(&world, |due| entries.contains(&due.id)).await {
        Ok(Message::Sent { left, confirmed, problems, said, .. }) => {
            Message::Sent { asked: entries, left, confirmed, problems, said }
        }
        Ok(other) => other,
        Err(problem) => {
            let (left, problems) = (entries.clone(), vec![problem]);
            Message::Sent { asked: entries, left, confirmed: 0, problems, said: None }
        }
    };
    let _ = messages.send(message).await;
}

/// Tries once what waits for boxes that were reached; nothing is told where nothing waits.
pub(super) async fn retry(world: &World, is_alive: impl Fn(&str) -> bool) -> Option<Message> {
    match tell_boxes(world, |due| is_alive(&due.box_name)).await {
        Ok(Message::Sent { confirmed: 0, problems, .. }) if problems.is_empty() => None,
        Ok(message) => Some(message),
        Err(problem) => {
            let (asked, left, problems) = (Vec::new(), Vec::new(), vec![problem]);
            Some(Message::Sent { asked, left, confirmed: 0, problems, said: None })
        }
    }
}

async fn tell_boxes(world: &World, which: impl Fn(&Due) -> bool) -> Result<Message, Problem> {
    // What waits is looked up once the turn has come: an older word may wait no more.
    let _turn = world.sending.lock().await;
    let now = (world.clock)();
    let next = "the next pull retries what is unconfirmed";
    let mut book = Outbox::load(&world.data).map_err(|error| Problem::of(&error, next))?;
    let due = review::with(world, |ledger| overrides::pending(ledger, &book, now));
    let mut due = due.map_err(|error| review::problem(&error))?;
    due.retain(which);
    let (config, data) = (&world.config, &world.data);
    let sent = overrides::send(config, data, &mut book, &due, now).await;
    let sent = sent.map_err(|error| Problem::of(&error, next))?;
    let confirmed = sent.iter().filter(|one| one.outcome.is_ok()).count();
    let left = sent.iter().filter(|one| one.outcome.is_err()).map(|one| one.id).collect();
    let problems = all::unconfirmed(&sent);
    let said = review::with(world, |ledger| fold(world, ledger)).ok();
    let said = said.filter(|_| !sent.is_empty());
    Ok(Message::Sent { asked: Vec::new(), left, confirmed, problems, said })
}
