//! What to do, step by step, and how far it is done: what enabling, a spike of false positives and
//! a judge that is down ask for.
//!
//! That a step is done is an entry of a ledger: by whom and when stays known. Whether something
//! blocks, and is watched, is what [`Modes`] says.

use super::{BoxMode, Modes};
use crate::domain::Timestamp;
use crate::domain::review::{Dated, Present, StepSaid};
use serde::Deserialize;
use std::sync::LazyLock;

/// The list that comes with the program.
const LIST: &str = include_str!("../../../../assets/runbooks.toml");

/// Something to be done step by step.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runbook {
    /// Its name on the command line and in ledgers.
    pub id: String,
    /// What it is for.
    pub title: String,
    /// When it is needed.
    pub when: String,
    /// The steps in order.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

impl Runbook {
    /// The name of the one that lets a box block.
    pub const ENABLE: &str = "enable";
    /// The name of the one for too many false alarms.
    pub const FALSE_POSITIVES: &str = "false-positives";
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name on the command line and in ledgers.
    pub id: String,
    /// What to do, one sentence.
    pub text: String,
    /// The command that helps, where there is one.
    #[serde(default)]
    pub command: Option<String>,
    /// Hours that must have passed since another step was done.
    #[serde(default)]
    pub hours_after: Option<u32>,
    /// That other step.
    #[serde(default)]
    pub after: Option<String>,
}

impl Step {
    /// The step of `enable` by which a box blocks.
    pub const SWITCH: &str = "switch";
    /// The step of `enable` that is done when who was blocked was read closely.
    pub const WATCH: &str = "watch";
    /// The step of `false-positives` by which no box blocks any more.
    pub const BACK: &str = "back";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    runbook: Vec<Runbook>,
}

/// A test reads the list: it is never empty.
static RUNBOOKS: LazyLock<List> =
    LazyLock::new(|| toml::from_str(LIST).unwrap_or(List { runbook: Vec::new() }));

/// All runbooks.
pub fn runbooks() -> &'static [Runbook] {
    &RUNBOOKS.runbook
}

/// Hours in which who was blocked is read closely, from the switch of a box on.
pub fn watch_hours() -> u32 {
    let enable = runbooks().iter().find(|runbook| runbook.id == Runbook::ENABLE);
    let watch = enable.and_then(|enable| enable.steps.iter().find(|step| step.id == Step::WATCH));
    // A test reads the list: the step is there, and has its hours.
    watch.and_then(|step| step.hours_after).unwrap_or_default()
}

/// How far a runbook is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Which.
    pub runbook: &'static Runbook,
    /// When it was begun: by that word, or by its first step.
    pub begun: Option<Timestamp>,
    /// Of each step by whom and when it was done; `None` where it is not.
    pub done: Vec<Option<Dated<StepSaid>>>,
    /// Which boxes block.
    pub modes: Modes,
}

impl Progress {
    /// How far each runbook is done at `now`, since it was begun last.
    pub fn all(present: &Present, now: Timestamp) -> Vec<Self> {
        let modes = Modes::new(present, now);
        runbooks().iter().map(|runbook| Self::new(runbook, present, &modes)).collect()
    }

    fn new(runbook: &'static Runbook, present: &Present, modes: &Modes) -> Self {
        let mut entry: &[Dated<StepSaid>] = &present.steps;
        let anew = |s: &Dated<StepSaid>| s.what.runbook == runbook.id && s.what.step.is_none();
        let mut begun = None;
        if let Some(at) = entry.iter().rposition(anew) {
            begun = entry.get(at).map(|entry| entry.time);
            entry = entry.get(at + 1..).unwrap_or_default();
        }
        let own: Vec<_> = entry.iter().filter(|entry| entry.what.runbook == runbook.id).collect();
        // Of a step that was said twice the first time counts: it was done by then.
        let of = |step: &Step| {
            let entry = own.iter().find(|entry| entry.what.step.as_ref() == Some(&step.id));
            match (runbook.id.as_str(), step.id.as_str()) {
                (Runbook::ENABLE, Step::SWITCH) => {
                    entry.filter(|_| modes.is_any_blocking()).map(|s| (*s).clone())
                }
                (Runbook::ENABLE, Step::WATCH) => watched(modes),
                _ => entry.map(|entry| (*entry).clone()),
            }
        };
        let begun = begun.or_else(|| own.first().map(|entry| entry.time));
        let done = runbook.steps.iter().map(of).collect();
        Self { runbook, begun, done, modes: modes.clone() }
    }

    /// The boxes that block and are still to be watched, with the time at which that is over.
    pub fn watching(&self, step: &Step) -> Vec<(&BoxMode, Timestamp)> {
        if !self.is_enable(step, Step::WATCH) {
            return Vec::new();
        }
        let open = self.modes.blocking().filter(|of| of.watched.is_none());
        open.map(|of| (of, of.watch_until())).collect()
    }

    fn is_enable(&self, step: &Step, id: &str) -> bool {
        self.runbook.id == Runbook::ENABLE && step.id == id
    }

    /// The first step that is not done.
    pub fn next(&self) -> Option<&'static Step> {
        let open = self.runbook.steps.iter().zip(&self.done).find(|(_, done)| done.is_none());
        open.map(|(step, _)| step)
    }

    /// Why a step cannot be said to be done, in a sentence; `None` where it can.
    pub fn refusal(&self, step: &str, now: Timestamp) -> Option<String> {
        let at = self.runbook.steps.iter().position(|s| s.id == step);
        let Some(step) = at.and_then(|at| self.runbook.steps.get(at)) else {
            return Some(format!("`{}` has no step `{}`", self.runbook.id, step.escape_debug()));
        };
        if self.is_enable(step, Step::SWITCH) && self.modes.name_boxes() {
            return Some(format!(
                "`{}` is recorded by `foureyes box enable NAME`, because ledgers \
                 name the boxes that block",
                Step::SWITCH
            ));
        }
        let after = step.after.as_deref().unwrap_or_default();
        match self.due(step) {
            Some(None) => Some(format!("`{after}` comes first and is not done")),
            Some(Some(due)) if due > now => Some(format!(
                "it can be done from {due} on: {} hours after `{after}`",
                step.hours_after.unwrap_or_default()
            )),
            _ => None,
        }
    }

    /// From when a step may be done: `None` where that does not depend on another one.
    ///
    /// `Some(None)` where the other one is not done. The watch of several boxes may be said to be
    /// done from the end of the first on: it then counts for those whose hours are over.
    pub fn due(&self, step: &Step) -> Option<Option<Timestamp>> {
        let (hours, after) = (step.hours_after?, step.after.as_ref()?);
        if self.is_enable(step, Step::WATCH) {
            let open = self.watching(step).into_iter().map(|(_, until)| until).min();
            return Some(open.or_else(|| self.modes.blocking().map(BoxMode::watch_until).max()));
        }
        let at = self.runbook.steps.iter().position(|other| other.id == *after)?;
        let done = self.done.get(at)?.as_ref();
        Some(done.map(|entry| Timestamp(entry.time.0 + i64::from(hours) * 3_600_000_000)))
    }
}

/// The word by which the watch of the last box was done; `None` where one is to be watched still,
/// or no box blocks.
fn watched(modes: &Modes) -> Option<Dated<StepSaid>> {
    let words: Option<Vec<_>> = modes.blocking().map(|of| of.watched.clone()).collect();
    words?.into_iter().max_by_key(|entry| entry.time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::{EntryId, ModeSet};

    fn entry(runbook: &str, step: Option<&str>, hour: i64) -> Dated<StepSaid> {
        Dated {
            entry: EntryId([0; 16]),
            time: Timestamp(hour * 3_600_000_000),
            reviewer: "anna".to_owned(),
            what: StepSaid {
                runbook: runbook.to_owned(),
                step: step.map(str::to_owned),
                note: None,
            },
        }
    }

    fn progress(steps: Vec<Dated<StepSaid>>) -> Progress {
        let present = Present { steps, ..Present::default() };
        Progress::all(&present, Timestamp(i64::MAX))
            .into_iter()
            .find(|p| p.runbook.id == "enable")
            .unwrap()
    }

    #[test]
    fn the_list_is_read_and_every_name_is_there_once() {
        let ids: Vec<&str> = runbooks().iter().map(|r| r.id.as_str()).collect();
        assert_eq!(ids, ["enable", "false-positives", "judge-down"]);
        for runbook in runbooks() {
            let mut steps: Vec<&str> = runbook.steps.iter().map(|s| s.id.as_str()).collect();
            steps.sort_unstable();
            steps.dedup();
            assert_eq!(steps.len(), runbook.steps.len(), "{}", runbook.id);
            let known = |step: &Step| step.after.as_deref().is_none_or(|a| steps.contains(&a));
            assert!(runbook.steps.iter().all(known), "{}", runbook.id);
        }
        let has = |id: &str, step: &str| {
            let runbook = runbooks().iter().find(|runbook| runbook.id == id);
            runbook.is_some_and(|runbook| runbook.steps.iter().any(|s| s.id == step))
        };
        assert!([Step::SWITCH, Step::WATCH].iter().all(|step| has(Runbook::ENABLE, step)));
        assert!(has(Runbook::FALSE_POSITIVES, Step::BACK));
    }

    #[test]
    fn completed_steps_count_until_runbook_restarts() {
        let nothing = progress(vec![]);
        assert_eq!((nothing.begun, nothing.next().unwrap().id.as_str()), (None, "calibrate"));
        let some = vec![
            entry("enable", Some("calibrate"), 1),
            entry("judge-down", Some("pass"), 2),
            entry("enable", Some("ready"), 3),
            entry("enable", Some("ready"), 9),
        ];
        let p = progress(some.clone());
        assert_eq!(
            (p.begun, p.next().unwrap().id.as_str()),
            (Some(Timestamp(3_600_000_000)), "switch")
        );
        assert_eq!(p.done[1].as_ref().unwrap().time, Timestamp(3 * 3_600_000_000));
        let anew = progress([some, vec![entry("enable", None, 12)]].concat());
        assert_eq!(
            (anew.begun, anew.next().unwrap().id.as_str()),
            (Some(Timestamp(12 * 3_600_000_000)), "calibrate")
        );
    }

    #[test]
    fn the_watch_lasts_48_hours_from_the_switch() {
        let step = |p: &Progress| p.runbook.steps.iter().find(|s| s.id == "watch").unwrap();
        let before = progress(vec![]);
        assert_eq!(before.due(step(&before)), Some(None));
        let after = progress(vec![entry("enable", Some("switch"), 10)]);
        assert_eq!(after.due(step(&after)), Some(Some(Timestamp(58 * 3_600_000_000))));
        assert_eq!(after.due(&after.runbook.steps[0]), None);
        assert_eq!(watch_hours(), 48);
        assert!(step(&before).text.contains("48 hours"), "what it says is what it waits for");
    }

    fn blocking(hour: i64, name: &str, mode: &str) -> Dated<ModeSet> {
        let what = ModeSet::new(name, crate::domain::HookMode::from_word(mode).unwrap());
        let time = Timestamp(hour * 3_600_000_000);
        Dated { entry: EntryId([0; 16]), time, reviewer: "anna".to_owned(), what }
    }

    #[test]
    fn of_several_boxes_each_is_watched_for_itself() {
        let hour = |h: i64| Timestamp(h * 3_600_000_000);
        let of = |mut modes: Vec<Dated<ModeSet>>, steps: Vec<Dated<StepSaid>>, now| {
            modes.sort_by_key(|set| set.time);
            let present = Present { modes, steps, ..Present::default() };
            Progress::all(&present, hour(now)).into_iter().next().unwrap()
        };
        let both = vec![blocking(0, "a", "blocking"), blocking(40, "b", "blocking")];
        let switched = vec![
            entry("enable", Some("switch"), 0),
            entry("enable", None, 40),
            entry("enable", Some("switch"), 40),
        ];
        let p = of(both.clone(), switched.clone(), 50);
        let watch = p.runbook.steps.iter().find(|s| s.id == "watch").unwrap();
        let ends: Vec<_> =
            p.watching(watch).iter().map(|(of, at)| (of.name.clone(), *at)).collect();
        assert_eq!(ends, [(Some("a".to_owned()), hour(48)), (Some("b".to_owned()), hour(88))]);
        assert_eq!(
            (p.refusal("watch", hour(47)).is_some(), p.refusal("watch", hour(48))),
            (true, None)
        );
        let one = [switched.clone(), vec![entry("enable", Some("watch"), 50)]].concat();
        let p = of(both.clone(), one.clone(), 60);
        assert_eq!((p.watching(watch).len(), p.due(watch)), (1, Some(Some(hour(88)))));
        assert!(p.done.last().unwrap().is_none(), "b is watched still");
        let p = of(both.clone(), [one, vec![entry("enable", Some("watch"), 90)]].concat(), 99);
        assert_eq!(p.done.last().unwrap().as_ref().map(|s| s.time), Some(hour(90)));
        // A box set back is watched no more, and without one that blocks nothing is switched.
        let back = vec![blocking(60, "a", "advisory"), blocking(61, "b", "advisory")];
        let p = of([both, back].concat(), switched, 99);
        assert_eq!((p.due(watch), p.done[2].clone()), (Some(None), None));
        assert!(p.refusal("switch", hour(99)).unwrap().contains("box enable"));
    }
}
