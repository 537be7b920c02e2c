//! Which boxes block pushes at a time, as all ledgers together say: the one fold of it.
//!
//! A box says itself what holds there; this is what people were told. A waiver ends by the clock,
//! and nobody writes that down: so the clock is a part of it.

use super::runbook::{Runbook, Step, watch_hours};
use crate::domain::review::{Dated, EntryId, ModeSet, ModeWaiver, Present, StepSaid};
use crate::domain::{ByKind, HookMode, JudgementKind, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// One hour in microseconds.
const HOUR: i64 = 3_600_000_000;

/// What ledgers say of the hook of a box, at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxMode {
    /// Name of the box. Raw text. `None` where a runbook says that pushes are blocked, and no
    /// ledger ever named a box.
    pub name: Option<String>,
    /// Whether it blocks.
    pub blocks: bool,
    /// Since when that is so without a break: of a waiver that is over, its end.
    pub since: Timestamp,
    /// Who said so. Raw text.
    pub by: String,
    /// When it was last told to block: the watch runs from then on. Of one that never was, the
    /// time of the last word.
    pub switched_at: Timestamp,
    /// The last word on it; `None` where that is a step of a runbook.
    pub set: Option<ModeSet>,
    /// Who said that the watch is done, and when.
    pub watched: Option<Dated<StepSaid>>,
}

impl BoxMode {
    /// When the watch ends.
    pub fn watch_until(&self) -> Timestamp {
        Timestamp(self.switched_at.0 + i64::from(watch_hours()) * HOUR)
    }

    /// Whose verdicts its hook goes by, as the last word says.
    pub fn family(&self) -> JudgementKind {
        self.set.as_ref().map(|set| set.family).unwrap_or_default()
    }

    /// The waiver on which it was last told to block.
    pub fn waiver(&self) -> Option<&ModeWaiver> {
        self.set.as_ref().filter(|set| blocks(set))?.waiver.as_ref()
    }
}

/// What ledgers say of the hooks of all boxes, at a time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Modes {
    boxes: BTreeMap<Option<String>, BoxMode>,
    /// Since when some box blocks on a family without a break, and who began it.
    since: ByKind<Option<(Timestamp, String)>>,
    /// Whether ledgers ever named a box, but for one that was only tried.
    names_boxes: bool,
    /// Whether the runbook was begun anew since the switch was said.
    anew: bool,
}

impl Modes {
    /// What holds at `now`.
    ///
    /// A word that a box did not follow, and that was taken back, does not count, and what only says
    /// again what stood before it neither: all is as if nobody had tried.
    ///
    /// Only where no ledger ever named a box does the step `switch` of the runbook count: the
    /// program says both, and a person may say neither. The step `back` always counts, as a person's
    /// word that no box blocks any more: one that is gone cannot be asked.
    pub fn new(present: &Present, now: Timestamp) -> Self {
        let words = words(present, now);
        let names_boxes = words.iter().any(|(_, word)| word.names_a_box());
        let mut modes = Self { names_boxes, ..Self::default() };
        for (at, word) in words {
            modes.pass(at);
            match word {
                ModeEvent::Mode(set) => modes.mode(at, set),
                ModeEvent::Step(step) => modes.step(at, step, present),
            }
        }
        modes.pass(now);
        modes
    }

    /// What is said of a box; `None` where nothing was.
    pub fn of_box(&self, name: &str) -> Option<&BoxMode> {
        self.boxes.values().find(|of| of.name.as_deref() == Some(name))
    }

    /// Whether some box blocks, on whatever verdicts.
    pub fn is_any_blocking(&self) -> bool {
        self.blocking().next().is_some()
    }

    /// The boxes that block, in the order of their names.
    pub fn blocking(&self) -> impl Iterator<Item = &BoxMode> {
        self.boxes.values().filter(|of| of.blocks)
    }

    /// Those of them that block on verdicts of a family.
    pub fn blocking_on(&self, family: JudgementKind) -> impl Iterator<Item = &BoxMode> {
        self.blocking().filter(move |of| of.family() == family)
    }

    /// What was said of the mode of a box since a time, the earliest first. Times are those by which
    /// words count, as in [`BoxMode::since`]: a clock may have said others.
    pub fn said_since<'a>(
        present: &'a Present,
        name: &str,
        since: Timestamp,
        now: Timestamp,
    ) -> Vec<&'a Dated<ModeSet>> {
        let of_box =
            |(at, set): &(Timestamp, &Dated<ModeSet>)| *at >= since && set.what.box_name == name;
        counting(present, now).filter(of_box).map(|(_, set)| set).collect()
    }

    /// Since when some box blocks on verdicts of a family without a break, and who began it; `None` where
    /// none does.
    pub fn since(&self, family: JudgementKind) -> Option<(Timestamp, &str)> {
        self.since.get(family).as_ref().map(|(at, by)| (*at, by.as_str()))
    }

    /// Tells whether a ledger ever said which mode a box was set to.
    pub fn name_boxes(&self) -> bool {
        self.names_boxes
    }

    /// Waivers that ended by a time.
    fn pass(&mut self, at: Timestamp) {
        for of in self.boxes.values_mut().filter(|of| of.blocks) {
            if let Some(until) = of.waiver().map(|w| w.until).filter(|until| *until <= at) {
                (of.blocks, of.since) = (false, until);
            }
        }
        self.settle();
    }

    fn settle(&mut self) {
        for family in JudgementKind::ALL {
            if self.blocking_on(family).next().is_none() {
                *self.since.get_mut(family) = None;
            }
        }
    }

    fn mode(&mut self, at: Timestamp, set: &Dated<ModeSet>) {
        let name = Some(set.what.box_name.clone());
        self.set(name, blocks(&set.what), at, &set.reviewer, Some(&set.what));
    }

    fn set(
        &mut self,
        name: Option<String>,
        blocks: bool,
        at: Timestamp,
        by: &str,
        set: Option<&ModeSet>,
    ) {
        let family = set.map(|set| set.family).unwrap_or_default();
        let same = |of: &&BoxMode| of.blocks == blocks && (!blocks || of.family() == family);
        let before = self.boxes.get(&name).filter(same);
        let (since, by) = before.map_or((at, by.to_owned()), |of| (of.since, of.by.clone()));
        if blocks {
            self.since.get_mut(family).get_or_insert_with(|| (at, by.clone()));
        }
        let (set, watched) = (set.cloned(), None);
        let of = BoxMode { name: name.clone(), blocks, since, by, switched_at: at, set, watched };
        self.boxes.insert(name, of);
        self.settle();
    }

    fn step(&mut self, at: Timestamp, step: &Dated<StepSaid>, present: &Present) {
        match (step.what.runbook.as_str(), step.what.step.as_deref()) {
            (Runbook::ENABLE, None) => self.anew = true,
            (Runbook::ENABLE, Some(Step::SWITCH)) if !self.names_boxes => self.by_runbook(at, step),
            (Runbook::ENABLE, Some(Step::WATCH)) => {
                let over = |of: &&mut BoxMode| of.blocks && of.watch_until() <= at;
                let open = self.boxes.values_mut().filter(over).filter(|of| of.watched.is_none());
                open.for_each(|of| of.watched = Some(Dated { time: at, ..step.clone() }));
            }
            (Runbook::FALSE_POSITIVES, Some(Step::BACK)) if !is_of_rollback(step, present) => {
                let names: Vec<_> = self.blocking().map(|of| of.name.clone()).collect();
                for name in names {
                    self.set(name, false, at, &step.reviewer, None);
                }
            }
            _ => {}
        }
    }

    /// Somebody says that pushes are blocked, and no ledger names a box. ModeEvent twice it counts once,
    /// but for a runbook that was begun anew.
    fn by_runbook(&mut self, at: Timestamp, step: &Dated<StepSaid>) {
        if std::mem::take(&mut self.anew) || !self.is_any_blocking() {
            self.set(None, true, at, &step.reviewer, None);
        }
    }
}

/// Tells whether pushes are stopped, as ledgers say it.
fn blocks(set: &ModeSet) -> bool {
    set.mode == HookMode::Blocking.as_str()
}

/// Tells whether the program said a step `back`, with the mode of the last box that blocked: then
/// it says no more than that, and of boxes whose ledgers came later it says nothing.
fn is_of_rollback(step: &Dated<StepSaid>, present: &Present) -> bool {
    let same = |set: &&Dated<ModeSet>| (set.time, &set.reviewer) == (step.time, &step.reviewer);
    present.modes.iter().filter(same).any(|set| !blocks(&set.what))
}

enum ModeEvent<'a> {
    Mode(&'a Dated<ModeSet>),
    Step(&'a Dated<StepSaid>),
}

impl ModeEvent<'_> {
    /// Whether it is a word on a box that holds by itself: that one was tried and did not follow
    /// says nothing of the others.
    fn names_a_box(&self) -> bool {
        matches!(self, Self::Mode(set) if set.what.takes_back.is_none())
    }
}

/// The words on boxes that count, as [`placed`] places them.
fn counting(
    present: &Present,
    now: Timestamp,
) -> impl Iterator<Item = (Timestamp, &Dated<ModeSet>)> {
    let without = taken_back(&present.modes);
    placed(&present.modes, now).filter(move |(_, set)| !without.contains(&set.entry))
}

/// The words that were taken back, each by whoever said it, and of those that take back the ones
/// that say no more than what stood before.
fn taken_back(all: &[Dated<ModeSet>]) -> BTreeSet<EntryId> {
    let mut without = BTreeSet::new();
    for (at, back) in all.iter().enumerate() {
        let Some(of) = back.what.takes_back else { continue };
        let own = |word: &&Dated<ModeSet>| {
            word.what.box_name == back.what.box_name && word.reviewer == back.reviewer
        };
        if !all.iter().filter(own).any(|word| word.entry == of && word.entry != back.entry) {
            continue;
        }
        without.insert(of);
        let before = all.iter().take(at).rev();
        let mut before = before.filter(|word| word.what.box_name == back.what.box_name);
        let stood = before.find(|word| !without.contains(&word.entry));
        if stood.is_some_and(|stood| is_again(&stood.what, &back.what)) {
            without.insert(back.entry);
        }
    }
    without
}

/// Tells whether a word says of a box what was said of it before.
fn is_again(before: &ModeSet, now: &ModeSet) -> bool {
    (before.family, &before.mode, &before.report, &before.waiver)
        == (now.family, &now.mode, &now.report, &now.waiver)
}

/// What was said at its times, each with the time by which it counts: a clock that went back, or far
/// ahead, puts no word before the one that it follows, and none into the future.
fn placed<T>(all: &[Dated<T>], now: Timestamp) -> impl Iterator<Item = (Timestamp, &Dated<T>)> {
    let latest = move |latest: &mut Timestamp, entry: &'_ Dated<T>| {
        *latest = entry.time.max(*latest).min(now);
        Some(*latest)
    };
    let times: Vec<Timestamp> = all.iter().scan(Timestamp(i64::MIN), latest).collect();
    times.into_iter().zip(all)
}

/// All words in their order, each with the time by which it counts.
fn words(present: &Present, now: Timestamp) -> Vec<(Timestamp, ModeEvent<'_>)> {
    let modes = counting(present, now).map(|(at, set)| (at, ModeEvent::Mode(set)));
    let steps = placed(&present.steps, now).map(|(at, step)| (at, ModeEvent::Step(step)));
    let mut words: Vec<_> = modes.chain(steps).collect();
    // The sort is stable: of equal times modes come first, as the program says them.
    words.sort_by_key(|(at, _)| *at);
    words
}

#[cfg(test)]
mod tests;
