//! From entries to what holds at present.

use super::called_poor::called_poor;
use super::change::changes;
use super::given::{given, whose};
use super::order::{Order, Placed};
use super::{
    Act, Change, Dated, Entry, EntryId, Given, Known, Label, Moved, Present, Requested, Run,
    Sequence, Stack, places,
};
use crate::domain::{AHEAD, RecordId, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What ledgers say together. Their order does not matter.
///
/// Entries of one ledger stay in its order even where its clock went back; those of several are
/// in the order that they name, else joined by time. An entry that stands in several ledgers counts
/// once.
pub fn present(sequences: &[Sequence<'_>]) -> Present {
    let order = Order::new(sequences, false);
    let known = known(sequences, &order);
    let entries = order.entries;
    let by_id: HashMap<EntryId, &Entry> = entries.iter().map(|e| (e.entry.id, e.entry)).collect();
    let distrusted = Distrusted::new(sequences, &by_id);
    let mut present = Present { known, ..Present::default() };
    let mut undone = stacks(&entries, &by_id, &mut present.stacks);
    undone.extend(released(&by_id));
    let ended = ended(entries.iter().map(|placed| (placed.entry, placed.time)), &by_id);
    for Placed { entry, time, .. } in &entries {
        present.looks.add(&entry.reviewer, *time, &entry.act);
    }
    let counts: Vec<_> = entries.iter().filter(|e| !undone.contains(&e.entry.id)).collect();
    let replaced = replaced(&counts);
    for Placed { entry, time, by, .. } in counts {
        if let Some(family) = entry.act.family() {
            present.rules.get_mut(family).moved.extend(moved(entry, by));
            present.rules.get_mut(family).order.push(entry.id);
        }
        add(&mut present, entry, *time, &|label| {
            replaced.contains(&(entry.id, label.record, whose(entry, label)))
        });
    }
    for given in present.labels.values_mut() {
        // The sort is stable: of equal times the order of the entries holds.
        given.sort_by_key(|given| given.time);
    }
    for one in &mut present.assignments {
        one.what.until =
            ended.get(&one.entry).map_or(one.what.until, |end| one.what.until.min(*end));
    }
    present.places = places(&present.assignments);
    present.renew_outdated();
    distrusted.apply(&mut present);
    let believed = |change: &Change| {
        !present.doubted.contains(&(change.first.reviewer.clone(), change.record()))
    };
    present.changes = changes(&entries, &present.labels).into_iter().filter(believed).collect();
    present.called_poor = called_poor(&entries);
    present
}

/// All entries that can be trusted, each once, in the order in which they count.
pub fn in_order<'a>(sequences: &[Sequence<'a>]) -> Vec<&'a Entry> {
    Order::new(sequences, false).entries.into_iter().map(|placed| placed.entry).collect()
}

/// A rule that counts as said well behind its own time. Whether the clock of the other entry was
/// ahead or that of the rule was set back cannot be told.
fn moved(entry: &Entry, by: &Entry) -> Option<Moved> {
    let is_ahead = by.time.0.saturating_sub(entry.time.0) > AHEAD;
    is_ahead.then(|| Moved {
        rule: entry.id,
        reviewer: entry.reviewer.clone(),
        written: entry.time,
        counts_at: by.time,
        by: by.id,
    })
}

/// What had been labelled when something was said; words that are not believed were said too.
fn known(sequences: &[Sequence<'_>], trusted: &Order<'_>) -> Known {
    if sequences.iter().all(|sequence| sequence.doubted.is_empty()) {
        return Known::new(trusted);
    }
    Known::new(&Order::new(sequences, true))
}

/// Works out what was taken back and not brought back; only one's own can be.
fn stacks(
    entries: &[Placed<'_>],
    by_id: &HashMap<EntryId, &Entry>,
    stacks: &mut BTreeMap<String, Stack>,
) -> HashSet<EntryId> {
    let mut undone = HashSet::new();
    for Placed { entry, .. } in entries {
        let own = |of: &EntryId| by_id.get(of).is_some_and(|e| e.reviewer == entry.reviewer);
        let stack = stacks.entry(entry.reviewer.clone()).or_default();
        match &entry.act {
            Act::Undo(of) if own(of) && stack.done.contains(of) => {
                stack.done.retain(|id| id != of);
                stack.undone.push(*of);
                undone.insert(*of);
            }
            Act::Redo(of) if own(of) && undone.remove(of) => {
                stack.undone.retain(|id| id != of);
                stack.done.push(*of);
            }
            act if act.is_undoable() => {
                stack.done.push(entry.id);
                // What was taken back before a new word is brought back only by its name.
                stack.undone.clear();
            }
            _ => {}
        }
    }
    undone
}

/// What corrections replace: in an entry the label of a record by the same reviewer.
fn replaced<'a>(counts: &[&Placed<'a>]) -> HashSet<(EntryId, RecordId, &'a str)> {
    let mut replaced = HashSet::new();
    for Placed { entry, .. } in counts {
        for label in entry.act.labels() {
            if let Some(id) = label.replaces {
                replaced.insert((id, label.record, whose(entry, label)));
            }
        }
    }
    replaced
}

fn add(
    present: &mut Present,
    entry: &Entry,
    time: Timestamp,
    is_replaced: &dyn Fn(&Label) -> bool,
) {
    // A clock that was set back makes no rule older than the labels that it follows.
    fn rule<T: Clone>(entry: &Entry, time: Timestamp, what: &T) -> Dated<T> {
        Dated { time, ..dated(entry, what) }
    }
    match &entry.act {
        Act::Label(_) | Act::Labels { .. } => {
            for label in entry.act.labels().iter().filter(|label| !is_replaced(label)) {
                add_label(present, given(entry, time, label));
            }
        }
        Act::Override(word) => {
            present.overrides.entry(word.record).or_default().push(dated(entry, word));
        }
        Act::Claim(claim) => {
            present.claims.entry(claim.record).or_default().push(dated(entry, claim));
        }
        Act::Assignment(assignment) => present.assignments.push(rule(entry, time, assignment)),
        Act::Relevance(labels) => {
            present.relevance.entry(labels.pick).or_default().push(dated(entry, labels));
        }
        Act::PickWindow(window) => present.pick_windows.push(rule(entry, time, window)),
        Act::Window(start) => {
            present.rules.get_mut(start.family).windows.push(rule(entry, time, start));
        }
        Act::WindowUndo(of, family) => {
            let rules = present.rules.get_mut(*family);
            // Only what was said before can be taken back, and once.
            if rules.windows.iter().any(|window| window.entry == *of) {
                rules.taken_back.entry(*of).or_insert_with(|| rule(entry, time, of));
            }
        }
        Act::WindowAddition(added) => {
            present.rules.get_mut(added.family).additions.push(rule(entry, time, added));
        }
        Act::Policy(change) => {
            present.rules.get_mut(change.family).policies.push(rule(entry, time, change));
        }
        Act::Rate(rate) => present.rules.get_mut(rate.family).rates.push(rule(entry, time, rate)),
        Act::Step(step) => present.steps.push(dated(entry, step)),
        Act::Mode(set) => present.modes.push(dated(entry, set)),
        Act::Run(begun) => present.runs.push(Run::new(dated(entry, &**begun))),
        Act::Evaluation(_) | Act::RunEnd(_) => add_to_run(present, entry),
        Act::Exposure(exposure) => {
            let exposed = present.exposed.entry(entry.reviewer.clone()).or_default();
            exposed.extend(&exposure.records);
        }
        Act::Undo(_) | Act::Redo(_) | Act::Look(_) | Act::Release(_) => {}
        Act::Other { .. } => present.unknown += 1,
    }
}

/// A label on a record whose verdict its reviewer was shown before is not blind, whatever it says.
fn add_label(present: &mut Present, mut given: Given) {
    // What was shown since the first word spoils no repeat.
    let repeats = given.label.requested == Some(Requested::Repeat);
    let exposed = present.is_exposed(&given.reviewer, given.label.record);
    given.label.blind &= repeats || !exposed;
    present.labels.entry(given.label.record).or_default().push(given);
}

fn dated<T: Clone>(entry: &Entry, what: &T) -> Dated<T> {
    let (id, time, reviewer) = (entry.id, entry.time, entry.reviewer.clone());
    Dated { entry: id, time, reviewer, what: what.clone() }
}

/// What is said of a run follows it in the same ledger: another's is nobody's.
fn add_to_run(present: &mut Present, entry: &Entry) {
    match &entry.act {
        Act::Evaluation(evaluated) => {
            if let Some(run) = run_of(present, evaluated.run, &entry.reviewer) {
                run.evaluations.push(dated(entry, &**evaluated));
            }
        }
        Act::RunEnd(ended) => {
            if let Some(run) = run_of(present, ended.run, &entry.reviewer) {
                run.ended = Some(dated(entry, ended));
            }
        }
        _ => {}
    }
}

/// A reviewer's own run; the last ones are asked for most.
fn run_of<'a>(present: &'a mut Present, id: EntryId, reviewer: &str) -> Option<&'a mut Run> {
    let mut last = present.runs.iter_mut().rev();
    last.find(|run| run.id() == id && run.begun.reviewer == reviewer)
}

/// Of which records whose words are not believed.
struct Distrusted<'a>(BTreeSet<(&'a str, RecordId)>);

impl<'a> Distrusted<'a> {
    fn new(sequences: &[Sequence<'a>], by_id: &HashMap<EntryId, &'a Entry>) -> Self {
        let mut all = BTreeSet::new();
        for entry in sequences.iter().flat_map(|sequence| &sequence.doubted) {
            Self::add(&mut all, entry);
            if let Act::Undo(of) | Act::Redo(of) = &entry.act
                && let Some(target) = by_id.get(of)
            {
                Self::add(&mut all, target);
            }
        }
        Self(all)
    }

    fn add(all: &mut BTreeSet<(&'a str, RecordId)>, entry: &'a Entry) {
        for label in entry.act.labels() {
            all.insert((whose(entry, label), label.record));
        }
        if let Act::Override(word) = &entry.act {
            all.insert((&entry.reviewer, word.record));
        }
    }

    fn apply(&self, present: &mut Present) {
        let believed = |reviewer: &str, record: RecordId| !self.0.contains(&(reviewer, record));
        present.labels.retain(|record, given| {
            given.retain(|given| believed(&given.reviewer, *record));
            !given.is_empty()
        });
        present.overrides.retain(|record, words| {
            words.retain(|word| believed(&word.reviewer, *record));
            !words.is_empty()
        });
        present.distrusted = self.0.len();
        let owned = self.0.iter().map(|(reviewer, record)| ((*reviewer).to_owned(), *record));
        present.doubted = owned.collect();
    }
}

/// The claims that were released; of an entry that is no claim nothing is. A claim has its own name, so
/// the order of entries does not matter.
fn released(by_id: &HashMap<EntryId, &Entry>) -> HashSet<EntryId> {
    let is_claim = |id: &EntryId| matches!(by_id.get(id).map(|e| &e.act), Some(Act::Claim(_)));
    let of = |entry: &&Entry| match &entry.act {
        Act::Release(release) => Some(release.claim),
        _ => None,
    };
    by_id.values().filter_map(of).filter(is_claim).collect()
}

/// When assignments were released, the earliest time of each; of an entry that is none nothing is.
fn ended<'a>(
    entries: impl Iterator<Item = (&'a Entry, Timestamp)>,
    by_id: &HashMap<EntryId, &Entry>,
) -> HashMap<EntryId, Timestamp> {
    let mut ended: HashMap<EntryId, Timestamp> = HashMap::new();
    for (entry, time) in entries {
        let Act::Release(release) = &entry.act else { continue };
        let of = by_id.get(&release.claim).map(|entry| &entry.act);
        if matches!(of, Some(Act::Assignment(_))) {
            let first = ended.entry(release.claim).or_insert(time);
            *first = time.min(*first);
        }
    }
    ended
}
