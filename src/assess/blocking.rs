//! Whether pushes are blocked, as the runbooks say, and what must be watched while they are.

use super::Assessment;
use crate::calibration::{KpiResult, ReadinessResult};
use crate::domain::review::{Present, StepSaid};
use crate::domain::{Caveat, Timestamp};

/// Hours in which who was blocked is read closely, from the switch on.
const WATCH: i64 = 48;

/// One hour in microseconds.
const HOUR: i64 = 3_600_000_000;

/// Pushes are blocked: somebody said so, and nobody said since that they are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocking {
    /// Since when.
    pub since: Timestamp,
    /// Who said so. Raw text.
    pub by: String,
    /// Whether the watch was said to be done.
    pub watched: bool,
}

impl Blocking {
    /// What the steps of the runbooks say together; `None` in advisory mode.
    pub fn of(present: &Present) -> Option<Self> {
        let mut blocking: Option<Self> = None;
        for said in &present.steps {
            let StepSaid { runbook, step, .. } = &said.what;
            match (runbook.as_str(), step.as_deref()) {
                ("enable", Some("switch")) => {
                    let (since, by) = (said.time, said.reviewer.clone());
                    blocking.get_or_insert(Self { since, by, watched: false });
                }
                ("enable", Some("watch")) => {
                    blocking.iter_mut().for_each(|b| b.watched = true);
                }
                ("false-positives", Some("back")) => blocking = None,
                _ => {}
            }
        }
        blocking
    }

    /// When the watch ends.
    pub fn watch_until(&self) -> Timestamp {
        Timestamp(self.since.0 + WATCH * HOUR)
    }

    /// What a triage says while pushes are blocked. Names in it are raw text.
    pub fn caveats(&self, assessment: &Assessment, now: Timestamp) -> Vec<Caveat> {
        let texts = [
            ("watch", self.watch(now)),
            ("window_before_switch", self.window(assessment)),
            ("ready_withdrawn", self.withdrawn(assessment)),
        ];
        let caveat =
            |(id, text): (&str, Option<String>)| Some(Caveat { id: id.to_owned(), text: text? });
        texts.into_iter().filter_map(caveat).collect()
    }

    fn watch(&self, now: Timestamp) -> Option<String> {
        if self.watched {
            return None;
        }
        let (since, by, until) = (self.since, &self.by, self.watch_until());
        let left = until.0 - now.0;
        Some(if left > 0 {
            let hours = (left + HOUR - 1) / HOUR;
            format!(
                "the judge blocks since {since}, said by {by}; {hours} of the {WATCH} hours of the \
                 watch are left: read who was blocked, and whether it was right"
            )
        } else {
            format!(
                "the watch after the switch of {since} ended at {until}, and nobody said that it was \
                 done: `foureyes runbook done enable watch`"
            )
        })
    }

    fn window(&self, assessment: &Assessment) -> Option<String> {
        let started = assessment.rules.window_start;
        let before = started.is_none_or(|start| start.day() < self.since.day());
        before.then(|| {
            format!(
                "the judge blocks since {} and no window was started with that day: `foureyes window \
                 start {}` lets what it says since then count for itself",
                self.since,
                self.since.day_text()
            )
        })
    }

    fn withdrawn(&self, assessment: &Assessment) -> Option<String> {
        let readiness = &assessment.readiness;
        if readiness.result != ReadinessResult::NotReady {
            return None;
        }
        let wrong = readiness.kpis.iter().filter(|k| k.gated && k.result == KpiResult::NotMet);
        let names: Vec<&str> = wrong.map(|k| k.id.title()).collect();
        Some(format!(
            "READY is withdrawn: {} not met, while the judge blocks since {}. The way back: set the \
             hook to advisory (phase A), then `foureyes runbook done false-positives back`",
            names.join(", "),
            self.since
        ))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{Dated, EntryId};

    fn blocking(steps: &[(&str, &str, i64)]) -> Option<Blocking> {
        let said = |(runbook, step, hour): &(&str, &str, i64)| Dated {
            entry: EntryId([0; 16]),
            time: Timestamp(hour * HOUR),
            reviewer: "anna".to_owned(),
            what: StepSaid {
                runbook: (*runbook).to_owned(),
                step: Some((*step).to_owned()),
                note: None,
            },
        };
        let steps = steps.iter().map(said).collect();
        Blocking::of(&Present { steps, ..Present::default() })
    }

    const ON: (&str, &str, i64) = ("enable", "switch", 10);

    #[test]
    fn pushes_are_blocked_from_the_switch_until_somebody_goes_back() {
        assert_eq!(blocking(&[("enable", "ready", 1), ("judge-down", "pass", 2)]), None);
        let on = blocking(&[ON, ("enable", "switch", 20)]);
        assert_eq!(on.map(|b| b.since), Some(Timestamp(10 * HOUR)));
        assert_eq!(blocking(&[ON, ("false-positives", "back", 30)]), None);
        let again = blocking(&[ON, ("false-positives", "back", 30), ("enable", "switch", 40)]);
        assert_eq!(again.map(|b| (b.since, b.watched)), Some((Timestamp(40 * HOUR), false)));
    }

    #[test]
    fn the_watch_is_said_for_48_hours_and_after_them_until_it_is_done() {
        let on = blocking(&[ON]).unwrap();
        let at = |hour| on.watch(Timestamp(hour * HOUR)).unwrap_or_default();
        assert!(at(10).contains("48 of the 48 hours"), "{}", at(10));
        assert!(at(57).contains(" 1 of the 48 hours"), "{}", at(57));
        assert!(at(58).contains("done enable watch"), "{}", at(58));
        let done = blocking(&[ON, ("enable", "watch", 60)]).unwrap();
        assert_eq!(done.watch(Timestamp(61 * HOUR)), None);
    }
}
