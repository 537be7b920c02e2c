//! Which records had a label when a rule was said.

use super::order::{Order, Place, Placed};
use super::{Act, EntryId, Label, WindowStart, Word};
use crate::domain::{HookMode, JudgementKind, RecordId, Timestamp};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Which records had a label when a window, a policy or a rate of the sample was said.
///
/// What was corrected or taken back since, and what is not believed, is in it all the same: who
/// labelled knows what was said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Records that anybody ever labelled, in the order of their first labels.
    records: Vec<RecordId>,
    /// When each of them got it.
    times: Vec<Timestamp>,
    /// What was ever said of each of them.
    words: Vec<EverLabelled>,
    /// How many of them had a label when a rule was said.
    before: HashMap<EntryId, usize>,
    /// Each label of the ledgers, in the order of the entries.
    labels: Vec<(RecordId, Place)>,
    /// Where windows were begun.
    starts: HashMap<EntryId, Start>,
    /// Entries that rules name as written before them and that are in no ledger here.
    gone: usize,
    /// Windows that began with a box that was let block, and with its day.
    switches: HashSet<EntryId>,
    /// Rules that the one who said them tried to take back: they hold all the same.
    refused: HashMap<EntryId, JudgementKind>,
    /// The earliest time that labels state themselves, where it is before that of their entry.
    stated: BTreeMap<RecordId, Timestamp>,
    /// Rules in the form of an earlier version that follow an entry of a later one.
    outdated: HashSet<EntryId>,
}

/// What was ever said of a record, taken back or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EverLabelled {
    /// The first word that is not unsure; unsure where nobody was sure.
    pub first: Word,
    /// When a word was last given.
    pub last: Timestamp,
}

impl EverLabelled {
    fn add(&mut self, label: &Label, time: Timestamp) {
        self.last = self.last.max(time);
        if self.first == Word::Unsure {
            self.first = label.label;
        }
    }
}

/// Where a window was begun.
#[derive(Debug, Clone, PartialEq)]
struct Start {
    /// How many labels came before it.
    labels: usize,
    place: Place,
    /// From which entry on each ledger is known to follow it.
    knowing: Vec<Option<usize>>,
}

impl Known {
    /// What some entries say, given in the order in which they count.
    pub(super) fn new(order: &Order<'_>) -> Self {
        let (mut known, mut seen) =
            (Self { gone: order.gone.len(), ..Self::default() }, HashMap::new());
        let mut newest = 0;
        let (mut moments, mut rules) = (HashSet::new(), HashMap::new());
        for Placed { entry, time, place, .. } in &order.entries {
            if is_older(&entry.act, newest) {
                known.outdated.insert(entry.id);
            }
            newest = newest.max(form(&entry.act));
            if matches!(entry.act, Act::Window(_)) {
                let (labels, knowing) = (known.labels.len(), order.knowing(*place));
                known.starts.insert(entry.id, Start { labels, place: *place, knowing });
            }
            if let Some(family) = entry.act.family() {
                known.before.insert(entry.id, known.records.len());
                rules.insert(entry.id, (entry.reviewer.as_str(), family));
            }
            // Nobody can take back what another said, and never could.
            let own = |of: &EntryId| rules.get(of).filter(|(by, _)| *by == entry.reviewer.as_str());
            let moment =
                |family| (entry.reviewer.as_str(), entry.machine.as_str(), entry.time, family);
            match &entry.act {
                Act::Mode(set) if set.mode == HookMode::Blocking.as_str() => {
                    moments.insert(moment(set.family));
                }
                Act::Window(start)
                    if start.may_be_of_switch()
                        && moments.contains(&moment(start.family))
                        && is_day_of(start, entry.time) =>
                {
                    known.switches.insert(entry.id);
                }
                Act::Undo(of) => {
                    known.refused.extend(own(of).map(|(_, family)| (*of, *family)));
                }
                Act::Redo(of) if own(of).is_some() => {
                    known.refused.remove(of);
                }
                _ => {}
            }
            for label in entry.act.labels() {
                known.labels.push((label.record, *place));
                let at = *seen.entry(label.record).or_insert(known.records.len());
                if at == known.records.len() {
                    known.records.push(label.record);
                    known.times.push(*time);
                    known.words.push(EverLabelled { first: Word::Unsure, last: *time });
                }
                known.words.iter_mut().skip(at).take(1).for_each(|word| word.add(label, *time));
                if let Some(own) = label.time.filter(|own| *own < *time) {
                    let stated = known.stated.entry(label.record).or_insert(own);
                    *stated = own.min(*stated);
                }
            }
        }
        known
    }

    /// The records that had a label in the ledgers when a rule was said, by the rule's entry.
    ///
    /// The order of entries tells it, and no time that a label states of itself.
    pub fn before(&self, rule: EntryId) -> &[RecordId] {
        let count = self.before.get(&rule).copied().unwrap_or_default();
        self.records.get(..count).unwrap_or_default()
    }

    /// The records with a label that counts as given after a window was begun, and of which nothing
    /// but clocks tells that: neither of the two ledgers knew the other's entry.
    pub fn after_by_clock(&self, window: EntryId) -> HashSet<RecordId> {
        let Some(start) = self.starts.get(&window) else { return HashSet::new() };
        let open = |(_, place): &&(RecordId, Place)| {
            let knows = start.knowing.get(place.ledger).copied().flatten();
            knows.is_none_or(|from| place.at < from)
        };
        let later = self.labels.iter().skip(start.labels).filter(open);
        let mut records: HashSet<RecordId> = later.map(|(record, _)| *record).collect();
        self.before(window).iter().for_each(|record| {
            records.remove(record);
        });
        records
    }

    /// How many entries rules name as written before them that are in no ledger here.
    pub fn gone(&self) -> usize {
        self.gone
    }

    /// The records that anybody ever labelled, in the order of their first labels. Those of
    /// [`Known::before`] are the first ones.
    pub fn records(&self) -> &[RecordId] {
        &self.records
    }

    /// When the record at a place of [`Known::records`] got its first label.
    pub fn first_time(&self, place: usize) -> Option<Timestamp> {
        self.times.get(place).copied()
    }

    /// What was ever said of each record, taken back or not, in the order of [`Known::records`].
    pub fn ever_labelled(&self) -> impl Iterator<Item = (RecordId, EverLabelled)> {
        self.records.iter().copied().zip(self.words.iter().copied())
    }

    /// Whether a window or a rate is in the form of an earlier version although an entry of a later one
    /// came before it: then it is read under the rules of now, since no rule is younger than its words.
    pub fn is_outdated(&self, rule: EntryId) -> bool {
        self.outdated.contains(&rule)
    }

    /// How many such rules there are.
    pub fn outdated(&self) -> usize {
        self.outdated.len()
    }

    /// Whether a window is the one that a switch of a box to blocking began: it was written
    /// with the switch, and begins with its day.
    pub fn is_of_switch(&self, window: EntryId) -> bool {
        self.switches.contains(&window)
    }

    /// How many rules of a family the one who said them tried to take back, which counts for nothing.
    pub fn refused(&self, family: JudgementKind) -> usize {
        self.refused.values().filter(|of| **of == family).count()
    }

    /// The records of which a label states itself that it was given before a time.
    pub fn stated_before(&self, time: Timestamp) -> impl Iterator<Item = RecordId> {
        let before = self.stated.iter().filter(move |(_, stated)| **stated < time);
        before.map(|(record, _)| *record)
    }
}

/// The rules of the version that an entry shows it was written by, as in [`WindowStart::rules`]; 0 where
/// nothing tells.
fn form(act: &Act) -> u32 {
    let of_label = |label: &Label| match label.shown {
        Some(_) => WindowStart::RULES,
        None => u32::from(label.requested.is_some()),
    };
    match act {
        Act::Window(start) => start.rules,
        Act::Rate(rate) => u32::from(rate.forward),
        Act::Look(_) => 1,
        act => act.labels().iter().map(of_label).max().unwrap_or(0),
    }
}

/// Whether a rule is in the form of a version before the one that another entry was written by.
fn is_older(act: &Act, newest: u32) -> bool {
    match act {
        Act::Window(start) => start.rules < newest,
        Act::Rate(rate) => !rate.forward && newest > 0,
        _ => false,
    }
}

fn is_day_of(start: &WindowStart, time: Timestamp) -> bool {
    start.from == Timestamp::of_day(time.day())
}

impl Act {
    /// Whether it is a rule of the assessment: a window or its end, a policy, or a rate of the
    /// sample.
    pub fn is_rule(&self) -> bool {
        self.family().is_some() || matches!(self, Self::PickWindow(_))
    }

    /// Whether the clock of the store that operators share decides when it counts, where that has it.
    pub fn is_timed_by_store(&self) -> bool {
        matches!(self, Self::Assignment(_) | Self::Release(_))
    }
}
