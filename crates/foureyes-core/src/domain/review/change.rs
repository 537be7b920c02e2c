//! First words: what reviewers said before they changed it unasked.

use super::given::{given, whose};
use super::order::Placed;
use super::{Act, EntryId, Given, Label, Word};
use crate::domain::{RecordId, Timestamp};
use std::collections::{BTreeMap, HashMap};

/// For so long after a reviewer's first word on a record, in microseconds, a later one takes its
/// place where nobody looked in between: ten minutes.
pub const CORRECTION: i64 = 10 * 60_000_000;

/// A word that its reviewer changed without being asked to, or a difference that a party to it
/// settled.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The label that was given first, whether or not it still counts.
    pub first: Given,
    /// The reviewer's word at present; `None` where it was taken back.
    pub now: Option<Word>,
    /// When it was changed last.
    pub at: Timestamp,
    /// Whether the reviewer settled a difference that they are a party to.
    pub adjudicated: bool,
    /// Who had said nothing of the record before the change and said since what is true of it,
    /// where all of those say the same.
    pub settled_by: Option<String>,
}

impl Change {
    /// Of which record.
    pub fn record(&self) -> RecordId {
        self.first.label.record
    }

    /// What counts of the record's labels where the word is still the first one; `present` are the
    /// labels that count at present.
    fn put_back(&self, present: &mut Vec<Given>) {
        let own = |given: &Given| given.reviewer == self.first.reviewer;
        present.retain(|given| !own(given) || is_asked(given));
        if !present.iter().any(|given| own(given) && given.entry == self.first.entry) {
            present.push(self.first.clone());
        }
        present.sort_by_key(|given| given.time);
    }
}

/// The labels of each changed record as they would count with the words first given.
pub fn first_words<'a>(
    changes: impl Iterator<Item = &'a Change>,
    present: &BTreeMap<RecordId, Vec<Given>>,
) -> BTreeMap<RecordId, Vec<Given>> {
    let mut firsts: BTreeMap<RecordId, Vec<Given>> = BTreeMap::new();
    for change in changes {
        let record = change.record();
        let counting = || present.get(&record).cloned().unwrap_or_default();
        change.put_back(firsts.entry(record).or_insert_with(counting));
    }
    firsts
}

/// A label with its place among all entries.
struct Spoken<'a> {
    placed: &'a Placed<'a>,
    label: &'a Label,
    /// Its place.
    at: usize,
    /// So many looks came before it.
    looks: usize,
}

impl Spoken<'_> {
    /// Whether the program asked for it. What a file states of that proves nothing.
    fn is_asked(&self) -> bool {
        let imported = matches!(self.placed.entry.act, Act::Labels { import: Some(_), .. });
        self.label.requested.is_some() && !imported
    }
}

/// The same of a label that counts.
fn is_asked(given: &Given) -> bool {
    given.label.requested.is_some() && given.import.is_none()
}

/// All words that were given on a record, by reviewer.
type Histories<'a> = BTreeMap<RecordId, BTreeMap<&'a str, Vec<Spoken<'a>>>>;

/// The words that were changed, in the order of records and reviewers. Entries come in the order in
/// which they count; `present` are the labels that count at present.
pub(super) fn changes(
    entries: &[Placed<'_>],
    present: &BTreeMap<RecordId, Vec<Given>>,
) -> Vec<Change> {
    let (mut histories, mut looks) = (Histories::new(), 0);
    let mut undone: HashMap<EntryId, (usize, Timestamp)> = HashMap::new();
    for (at, placed) in entries.iter().enumerate() {
        match &placed.entry.act {
            Act::Look(_) => looks += 1,
            Act::Undo(of) => {
                undone.insert(*of, (at, placed.time));
            }
            act => {
                for label in act.labels() {
                    let of_record = histories.entry(label.record).or_default();
                    let spoken = Spoken { placed, label, at, looks };
                    of_record.entry(whose(placed.entry, label)).or_default().push(spoken);
                }
            }
        }
    }
    let none = Vec::new();
    let of_record = |(record, words): (&RecordId, &BTreeMap<&str, Vec<Spoken<'_>>>)| {
        let counting = present.get(record).unwrap_or(&none);
        let mut found: Vec<(usize, Change)> =
            words.values().filter_map(|spoken| change(spoken, counting, &undone)).collect();
        let last = found.iter().map(|(at, _)| *at).max();
        let settled_by = last.and_then(|last| settled_by(words, counting, last));
        for (_, change) in &mut found {
            change.settled_by.clone_from(&settled_by);
        }
        found.into_iter().map(|(_, change)| change)
    };
    histories.iter().flat_map(of_record).collect()
}

/// The change that the words of one reviewer on one record are, with its place; `None` where the
/// first word still counts.
fn change(
    spoken: &[Spoken<'_>],
    counting: &[Given],
    undone: &HashMap<EntryId, (usize, Timestamp)>,
) -> Option<(usize, Change)> {
    // Who said something before is a party to the difference.
    let is_party = |at: usize, s: &Spoken<'_>| at > 0 && s.label.adjudicates;
    let unasked = || spoken.iter().enumerate().filter(|(_, s)| !s.is_asked());
    let last = unasked().next_back()?.1;
    let mut own = unasked().filter(|(at, s)| !is_party(*at, s)).map(|(_, s)| s);
    let first = match own.next() {
        Some(start) => {
            let corrects = |s: &&Spoken<'_>| {
                s.looks == start.looks && s.placed.time.0 - start.placed.time.0 <= CORRECTION
            };
            own.take_while(corrects).last().unwrap_or(start)
        }
        None => spoken.first()?,
    };
    let reviewer = whose(first.placed.entry, first.label);
    let own = |given: &&Given| given.reviewer == reviewer && !is_asked(given);
    let now = counting.iter().rfind(own);
    let entry_of = |at: usize| spoken.get(at).map(|s| s.placed.entry.id);
    let adjudicated = counting.iter().filter(own).any(|given| {
        given.label.adjudicates && entry_of(0).is_some_and(|first| first != given.entry)
    });
    if !adjudicated && now.map(|given| given.label.label) == Some(first.label.label) {
        return None;
    }
    let (at, time) = match now {
        Some(_) => (last.at, last.placed.time),
        None => undone.get(&last.placed.entry.id).copied().unwrap_or((last.at, last.placed.time)),
    };
    let change = Change {
        first: given(first.placed.entry, first.placed.time, first.label),
        now: now.map(|given| given.label.label),
        at: time,
        adjudicated,
        settled_by: None,
    };
    Some((at, change))
}

/// Who settles a change that was made at a place: of those who said nothing before it, all that say
/// something now say the same.
fn settled_by(
    words: &BTreeMap<&str, Vec<Spoken<'_>>>,
    counting: &[Given],
    changed: usize,
) -> Option<String> {
    let later = words.iter().filter(|(_, spoken)| spoken.iter().all(|s| s.at > changed));
    let word = |who: &str| counting.iter().rfind(|given| given.reviewer == who);
    let decided = later.filter_map(|(who, _)| {
        Some((*who, word(who)?.label.label)).filter(|(_, word)| *word != Word::Unsure)
    });
    let decided: Vec<(&str, Word)> = decided.collect();
    let (who, first) = decided.first()?;
    decided.iter().all(|(_, word)| word == first).then(|| (*who).to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
