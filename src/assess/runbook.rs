//! What to do, step by step, and how far it is done: what enabling, a spike of false positives and
//! a judge that is down ask for.
//!
//! That a step is done is an entry of a ledger: by whom and when stays known.

use crate::domain::Timestamp;
use crate::domain::review::{Dated, Present, StepSaid};
use serde::Deserialize;
use std::sync::LazyLock;

/// The list that comes with the program.
const LIST: &str = include_str!("../../assets/runbooks.toml");

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

/// How far a runbook is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Which.
    pub runbook: &'static Runbook,
    /// When it was begun: by that word, or by its first step.
    pub begun: Option<Timestamp>,
    /// Of each step by whom and when it was done; `None` where it is not.
    pub done: Vec<Option<Dated<StepSaid>>>,
}

impl Progress {
    /// How far each runbook is done, since it was begun last.
    pub fn all(present: &Present) -> Vec<Self> {
        runbooks().iter().map(|runbook| Self::of(runbook, present)).collect()
    }

    fn of(runbook: &'static Runbook, present: &Present) -> Self {
        let mut said: &[Dated<StepSaid>] = &present.steps;
        let anew = |s: &Dated<StepSaid>| s.what.runbook == runbook.id && s.what.step.is_none();
        let mut begun = None;
        if let Some(at) = said.iter().rposition(anew) {
            begun = said.get(at).map(|said| said.time);
            said = said.get(at + 1..).unwrap_or_default();
        }
        let own: Vec<_> = said.iter().filter(|said| said.what.runbook == runbook.id).collect();
        // Of a step that was said twice the first time counts: it was done by then.
        let of = |step: &Step| {
            own.iter().find(|said| said.what.step.as_ref() == Some(&step.id)).map(|s| (*s).clone())
        };
        let begun = begun.or_else(|| own.first().map(|said| said.time));
        Self { runbook, begun, done: runbook.steps.iter().map(of).collect() }
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
        let after = step.after.as_deref().unwrap_or_default();
        match self.due(step) {
            Some(None) => Some(format!("`{after}` comes first, and is not done")),
            Some(Some(due)) if due > now => Some(format!(
                "it can be done from {due} on: {} hours after `{after}`",
                step.hours_after.unwrap_or_default()
            )),
            _ => None,
        }
    }

    /// From when a step may be done: `None` where that does not depend on another one.
    ///
    /// `Some(None)` where the other one is not done.
    pub fn due(&self, step: &Step) -> Option<Option<Timestamp>> {
        let (hours, after) = (step.hours_after?, step.after.as_ref()?);
        let at = self.runbook.steps.iter().position(|other| other.id == *after)?;
        let done = self.done.get(at)?.as_ref();
        Some(done.map(|said| Timestamp(said.time.0 + i64::from(hours) * 3_600_000_000)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::EntryId;

    fn said(runbook: &str, step: Option<&str>, hour: i64) -> Dated<StepSaid> {
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
        Progress::all(&present).into_iter().find(|p| p.runbook.id == "enable").unwrap()
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
    }

    #[test]
    fn what_is_done_counts_until_the_runbook_is_begun_anew() {
        let nothing = progress(vec![]);
        assert_eq!((nothing.begun, nothing.next().unwrap().id.as_str()), (None, "calibrate"));
        let some = vec![
            said("enable", Some("calibrate"), 1),
            said("judge-down", Some("pass"), 2),
            said("enable", Some("ready"), 3),
            said("enable", Some("ready"), 9),
        ];
        let p = progress(some.clone());
        assert_eq!(
            (p.begun, p.next().unwrap().id.as_str()),
            (Some(Timestamp(3_600_000_000)), "switch")
        );
        assert_eq!(p.done[1].as_ref().unwrap().time, Timestamp(3 * 3_600_000_000));
        let anew = progress([some, vec![said("enable", None, 12)]].concat());
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
        let after = progress(vec![said("enable", Some("switch"), 10)]);
        assert_eq!(after.due(step(&after)), Some(Some(Timestamp(58 * 3_600_000_000))));
        assert_eq!(after.due(&after.runbook.steps[0]), None);
    }
}
