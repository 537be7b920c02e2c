//! Labels and overrides of records: reading the ledgers, and appending to the reviewer's own.

use super::services::{Services, lock};
use super::{MessageSender, deliveries};
use crate::assess::keyed;
use crate::domain::review::{Act, EntryId, Present, Stack};
use crate::domain::{JudgementKind, RecordId, Timestamp, chain};
use crate::overrides::{Delivery, State};
use crate::store::disposition::Past;
use crate::store::ledger::{Ledger, LedgerError};
use crate::tui::message::Message;
use crate::tui::model::{LedgerSnapshot, Problem, UndoStep, UndoSteps};
use crate::tui::session::{StoredDraft, put_draft};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Reads what came since, and works with the ledgers.
pub(super) fn with<T>(
    services: &Services,
    work: impl FnOnce(&mut Ledger) -> T,
) -> Result<T, LedgerError> {
    let mut slot = lock(&services.ledger);
    let mut ledger = match slot.take() {
        Some(mut known) => {
            // What cannot be read anew is reported where it is written to or opened anew.
            if let Err(error) = known.reload() {
                *slot = Some(known);
                return Err(error);
            }
            known
        }
        None => {
            let mut read = Ledger::load(&services.data)?;
            read.count_published(lock(&services.published).clone());
            read
        }
    };
    let done = work(&mut ledger);
    *slot = Some(ledger);
    Ok(done)
}

/// What to do where the ledgers cannot be read or written.
pub(super) fn problem(error: &LedgerError) -> Problem {
    let next = match error {
        LedgerError::Read { .. } => "check that the ledgers are readable; they are never changed",
        LedgerError::Broken { .. } => {
            "nothing was saved; `foureyes ledger verify` shows the damage, `foureyes ledger verify --renew` starts a new file"
        }
        LedgerError::Write { .. }
        | LedgerError::NotThere { .. }
        | LedgerError::NoRandomness { .. } => {
            "nothing was saved or changed; check that the data directory is writable and the disk has space"
        }
        LedgerError::NotBroken { .. } | LedgerError::TooLong { .. } | LedgerError::Empty { .. } => {
            "nothing was saved; change the text or the reviewer's name"
        }
    };
    Problem::from_error(error, next)
}

/// What holds at present.
pub(super) fn present(services: &Services) -> Result<Present, Problem> {
    let now = (services.clock)();
    let read = with(services, |ledger| ledger.present(now));
    // Where what others wrote cannot be read, what is known does: opening anew reports it.
    let known = |error| match &*lock(&services.ledger) {
        Some(ledger) => Ok(ledger.present(now)),
        None => Err(problem(&error)),
    };
    read.or_else(known)
}

/// What holds at present, and what the reviewer did so far.
pub(super) fn snapshot(services: &Services) -> Result<Arc<LedgerSnapshot>, Problem> {
    with(services, |ledger| fold(services, ledger)).map_err(|error| problem(&error))
}

pub(super) fn fold(services: &Services, ledger: &Ledger) -> Arc<LedgerSnapshot> {
    let now = (services.clock)();
    let present = ledger.present(now);
    let own = services.reviewer.as_ref().and_then(|who| present.stacks.get(&who.name));
    let mut unsound = unsound(ledger, now);
    let overrides = deliveries::delivery_states(services, ledger).unwrap_or_else(|problem| {
        unsound.push(problem);
        Vec::new()
    });
    // The model has it from the first content on: all of it is looked through for nothing else.
    let is_first = !services.has_earlier_steps.swap(true, Ordering::Relaxed);
    let earlier = is_first.then(|| {
        let past = lock(&services.dispositions).past().clone();
        steps(ledger, own, &past, &overrides)
    });
    Arc::new(LedgerSnapshot {
        present,
        earlier,
        unsound,
        overrides: deliveries::by_record(overrides),
    })
}

/// What is wrong with ledgers, a sentence each.
fn unsound(ledger: &Ledger, now: Timestamp) -> Vec<String> {
    let checks = ledger.check(now);
    let unsound = checks.iter().filter(|check| !check.is_sound()).map(|check| {
        let what = match check.broken {
            Some(broken) => format!("it was changed from line {} on", broken.line),
            None => "it has entries dated in the future".to_owned(),
        };
        format!("{}: {what}; what depends on it counts as unlabelled", check.file)
    });
    unsound.collect()
}

/// What was done and taken back: labels, overrides and items in one order.
fn steps(ledger: &Ledger, own: Option<&Stack>, past: &Past, overrides: &[Delivery]) -> UndoSteps {
    // What was decided on another machine is taken back there.
    let here = |id: EntryId| overrides.iter().any(|o| o.id == id && o.state != State::Elsewhere);
    let labelled = |id: &EntryId| {
        let entry = ledger.entry(*id)?;
        if let Act::Override(decision) = &entry.act {
            let step = UndoStep::Overridden(vec![(entry.id, decision.record)]);
            return here(entry.id).then_some((entry.time, step));
        }
        let records: Vec<RecordId> = match &entry.act {
            Act::Relevance(labels) => vec![labels.pick],
            act => act.labels().iter().map(|label| label.record).collect(),
        };
        let step = UndoStep::Labelled { entry: entry.id, records };
        (!step.is_empty()).then_some((entry.time, step))
    };
    let disposition_step = |step: &crate::store::disposition::Step| {
        (step.at, UndoStep::Dispositions(step.items.clone()))
    };
    let none = Stack::default();
    let own = own.unwrap_or(&none);
    let mut done: Vec<(Timestamp, UndoStep)> = past.done.iter().map(disposition_step).collect();
    done.extend(own.done.iter().filter_map(labelled));
    done.sort_by_key(|(at, _)| *at);
    // What was taken back before the last new thing stays so.
    let last = done.last().map_or(Timestamp(i64::MIN), |(at, _)| *at);
    let undos = ledger.entries().filter_map(|entry| match entry.act {
        Act::Undo(of) => Some((of, entry.time)),
        _ => None,
    });
    let undos: std::collections::HashMap<EntryId, Timestamp> = undos.collect();
    let fresh = |id: &&EntryId| undos.get(id).is_some_and(|at| *at >= last);
    let mut undone: Vec<(Timestamp, UndoStep)> = past
        .undone
        .iter()
        .filter(|(_, at)| *at >= last)
        .map(|(step, _)| disposition_step(step))
        .collect();
    undone.extend(own.undone.iter().filter(fresh).filter_map(labelled));
    // The last thing taken back was the first one done.
    undone.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let bare = |steps: Vec<(Timestamp, UndoStep)>| joined(ledger, steps);
    UndoSteps { done: bare(done), undone: bare(undone) }
}

/// Overrides that were decided at once are one step, as long as they are neighbours in the history.
fn joined(ledger: &Ledger, steps: Vec<(Timestamp, UndoStep)>) -> Vec<UndoStep> {
    let together = |step: &UndoStep| match &ledger.entry(step.entry()?)?.act {
        Act::Override(decision) => decision.together,
        _ => None,
    };
    let mut joined: Vec<UndoStep> = Vec::new();
    let mut last = None;
    for (_, step) in steps {
        let with = together(&step);
        match (joined.last_mut(), step) {
            (Some(UndoStep::Overridden(all)), UndoStep::Overridden(more))
                if with.is_some() && with == last =>
            {
                all.extend(more);
            }
            (_, step) => joined.push(step),
        }
        last = with;
    }
    joined
}

/// Writes down that the reviewer is shown what the labels of a family's window say, once per sitting;
/// reports once where that cannot be written. A read-only console writes nothing.
pub(super) fn look(
    services: &Services,
    sender: &MessageSender,
    present: &Present,
    family: JudgementKind,
    shown: &str,
) {
    let Some(who) = services.reviewer.as_ref().filter(|_| !services.read_only) else { return };
    let now = (services.clock)();
    let recorded = with(services, |ledger| {
        crate::assess::record_look(ledger, present, family, who, shown, now)
    });
    if let Err(error) = recorded.flatten()
        && !services.look_failed.swap(true, Ordering::Relaxed)
    {
        let text = "failed to record in your ledger that you looked at the rates";
        let text = format!("{text}: {}", chain(&error));
        let next =
            "check that the data directory is writable; `foureyes ledger verify` checks the ledger";
        sender.send(Message::Failed(Problem::new(text, next)));
    }
}

/// Writes down that verdicts were shown to the reviewer who had not labelled their records.
pub(super) fn expose(services: &Services, records: Vec<RecordId>) -> Option<Message> {
    let who = services.reviewer.as_ref().filter(|_| !services.read_only)?;
    let now = (services.clock)();
    let written = with(services, |ledger| {
        let present = ledger.present(now);
        crate::assess::record_exposure(ledger, &present, who, "console", records, now)?;
        Ok(fold(services, ledger))
    });
    Some(match written.flatten() {
        Ok(ledger) => Message::Ledger(Ok(ledger)),
        Err(error) => {
            let text = "failed to record in your ledger which verdicts you saw";
            let text = format!("{text}: {}", chain(&error));
            let next =
                "labels of these items may not count: `foureyes ledger verify` checks the ledger";
            Message::Failed(Problem::new(text, next))
        }
    })
}

/// Appends an entry; answers once it is on the disk, or known not to be. Of the records of
/// `further` the earlier label stays beside the new one.
pub(super) fn write(
    services: &Services,
    entry: EntryId,
    act: Act,
    further: &[RecordId],
) -> Message {
    let now = (services.clock)();
    let Some(who) = services.reviewer.as_ref().filter(|_| !services.read_only) else {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        let result = Err(Problem::new("your name is unknown, so labels cannot be saved", next));
        return Message::Saved { entry, result, ledger: None };
    };
    let written = with(services, |ledger| {
        // What nobody labelled before has no earlier word, and all else need not be gone through.
        let present = match is_first_word(services, ledger, &act) {
            true => Present::default(),
            false => ledger.present(now),
        };
        let act = keyed(pointed(act, &present, &who.name, further), &present);
        let saved = act.and_then(|act| ledger.append(who, entry, now, &act).map(drop));
        // What failed may be there all the same.
        let read = if saved.is_err() { ledger.reload() } else { Ok(()) };
        (saved, read.ok().map(|()| fold(services, ledger)))
    });
    let (saved, snapshot) = written.unwrap_or_else(|error| (Err(error), None));
    Message::Saved { entry, result: saved.map_err(|error| problem(&error)), ledger: snapshot }
}

/// Whether an act labels one record, of which no ledger has a label, whoever's it is.
fn is_first_word(services: &Services, ledger: &Ledger, act: &Act) -> bool {
    let Act::Label(label) = act else { return false };
    let published = lock(&services.published);
    let mut all = ledger.entries().chain(published.values().flatten());
    !all.any(|entry| entry.act.labels().iter().any(|other| other.record == label.record))
}

/// Labels that correct the reviewer's earlier ones point at those.
fn pointed(mut act: Act, present: &Present, reviewer: &str, further: &[RecordId]) -> Act {
    let labels = match &mut act {
        Act::Label(label) => std::slice::from_mut(label),
        Act::Labels { labels, .. } => labels.as_mut_slice(),
        _ => return act,
    };
    for label in labels.iter_mut().filter(|label| !further.contains(&label.record)) {
        label.replaces = present.word_of(label.record, reviewer).map(|given| given.entry);
    }
    act
}

/// Keeps a note that is typed, or no longer keeps it.
pub(super) fn draft<D: StoredDraft>(
    services: &Services,
    record: RecordId,
    draft: Option<D>,
) -> Option<Message> {
    let error = put_draft(&services.data.session(), record, draft).err()?;
    let next = "what you typed is kept until you quit; check that file";
    Some(Message::Failed(Problem::from_error(&error, next)))
}
