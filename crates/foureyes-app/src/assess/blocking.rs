//! What is said while pushes are blocked: on which box, what is to be watched, and what leads back.

use super::runbook::watch_hours;
use super::{BoxMode, Modes};
use crate::calibration::{KpiResult, KpiRow, Readiness, ReadinessResult};
use crate::domain::{Caveat, JudgementKind, Timestamp};

/// The caveat that READY is withdrawn.
pub const WITHDRAWN: &str = "ready_withdrawn";

/// One hour in microseconds.
const HOUR: i64 = 3_600_000_000;

/// What is said while some box blocks, on whatever verdicts: first that READY is withdrawn, from those of
/// each family that was assessed. Nothing where no box blocks. Names in it are raw text.
pub fn blocking_caveats<'a>(
    modes: &Modes,
    assessed: impl IntoIterator<Item = &'a Readiness>,
    now: Timestamp,
) -> Vec<Caveat> {
    let withdrawn = assessed.into_iter().filter_map(|readiness| withdrawal(modes, readiness));
    let withdrawn = withdrawn.map(Withdrawal::into_caveat);
    withdrawn.chain(modes.blocking().map(|of| blocking_caveat(of, now))).collect()
}

/// That a box blocks, and what is left of its watch.
pub fn blocking_caveat(of: &BoxMode, now: Timestamp) -> Caveat {
    let (id, text) = match watch(of, now) {
        Some(text) => ("watch", text),
        None => ("blocking", who(of)),
    };
    Caveat { id: id.to_owned(), text }
}

/// READY does not hold any more, and boxes block all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// For which KPIs, since when, and which boxes block. Names in it are raw text.
    pub text: String,
    /// The commands that lead back.
    pub back: String,
}

impl Withdrawal {
    /// The two in one sentence.
    pub fn into_caveat(self) -> Caveat {
        let text = format!("{}. To go back: {}", self.text, self.back);
        Caveat { id: WITHDRAWN.to_owned(), text }
    }
}

/// Who blocks, as a sentence begins or goes on.
fn who(of: &BoxMode) -> String {
    let name = of.name.as_ref().map_or("the judge".to_owned(), |name| format!("box {name}"));
    let waiver = of.waiver();
    let waiver =
        waiver.map_or(String::new(), |w| format!(" on the waiver of {} until {}", w.name, w.until));
    let what = of.family().suffix("on");
    format!("{name} has been blocking{what} since {}{waiver}", of.since)
}

fn watch(of: &BoxMode, now: Timestamp) -> Option<String> {
    if of.watched.is_some() {
        return None;
    }
    let (who, by, until, watch) = (who(of), &of.by, of.watch_until(), i64::from(watch_hours()));
    let again = match of.switched_at == of.since {
        true => String::new(),
        false => format!(", and again at {}", of.switched_at),
    };
    let left = until.0 - now.0;
    Some(if left > 0 {
        let hours = ((left + HOUR - 1) / HOUR).min(watch);
        let there = if of.name.is_some() { " there" } else { "" };
        format!(
            "{who}, set by {by}{again}; {hours} of the {watch} hours of the watch are left: check \
             who was blocked{there}, and whether it was right"
        )
    } else {
        format!(
            "{who}, set by {by}{again}; its watch ended at {until} and is not marked as done: \
             `foureyes runbook done enable watch`"
        )
    })
}

/// Whether READY does not hold any more for boxes that block on verdicts of a family; `None` where it does,
/// or no such box blocks.
pub fn withdrawal(modes: &Modes, readiness: &Readiness) -> Option<Withdrawal> {
    let family = readiness.family;
    let blocks: Vec<String> = modes.blocking_on(family).map(who).collect();
    if readiness.result != ReadinessResult::NotReady || blocks.is_empty() {
        return None;
    }
    // Where all of it is waived READY was never given.
    let given = modes.blocking_on(family).any(|of| of.waiver().is_none());
    let ready = if given { "READY is withdrawn" } else { "the judge is not READY" };
    let text = format!("{ready}: {}, while {}", not_met(readiness), blocks.join(", "));
    Some(Withdrawal { text, back: back(modes, family) })
}

/// The KPIs that keep the answer from READY for good, each with the day from which on it had become worse
/// than its threshold, where it was met before.
pub(super) fn not_met(readiness: &Readiness) -> String {
    let decides = |k: &&KpiRow| k.gated && k.waived_by.is_none();
    let one = |k: &KpiRow| match &k.withdrawn {
        Some(day) => Some(format!("{} worse than its threshold since {day}", k.id.title())),
        None if k.result == KpiResult::NotMet => Some(format!("{} not met", k.id.title())),
        None => None,
    };
    let all: Vec<String> = readiness.kpis.iter().filter(decides).filter_map(one).collect();
    all.join(", ")
}

/// What leads back.
fn back(modes: &Modes, family: JudgementKind) -> String {
    let rollback = |of: &BoxMode| {
        let name = of.name.as_deref()?;
        // A name that a shell would read otherwise is in no command.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name = if name.chars().all(plain) { name } else { "NAME" };
        Some(format!("`foureyes box rollback {name}`"))
    };
    let all: Vec<String> = modes.blocking_on(family).filter_map(rollback).collect();
    match all.is_empty() {
        true => "set the hook to advisory (phase A), then `foureyes runbook done false-positives \
                 back`"
            .to_owned(),
        false => all.join(", "),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{Dated, EntryId, ModeSet, ModeWaiver, Present, StepSaid};

    fn at(hour: i64) -> Timestamp {
        Timestamp(hour * HOUR)
    }

    fn dated<T>(hour: i64, what: T) -> Dated<T> {
        Dated { entry: EntryId([0; 16]), time: at(hour), reviewer: "anna".to_owned(), what }
    }

    fn step(hour: i64, step: &str) -> Dated<StepSaid> {
        let step = Some(step.to_owned());
        dated(hour, StepSaid { runbook: "enable".to_owned(), step, note: None })
    }

    fn blocking(hour: i64, name: &str, until: Option<i64>) -> Dated<ModeSet> {
        let waiver = until.map(|until| ModeWaiver {
            name: "Ada".to_owned(),
            reason: "a trial".to_owned(),
            until: at(until),
        });
        let set = ModeSet { waiver, ..ModeSet::new(name, crate::domain::HookMode::Blocking) };
        dated(hour, set)
    }

    /// What is said of the watch at an hour.
    fn watched(present: &Present, hour: i64) -> Vec<String> {
        let modes = Modes::new(present, at(hour));
        modes.blocking().filter_map(|of| watch(of, at(hour))).collect()
    }

    #[test]
    fn watch_is_shown_for_48_hours_and_then_until_done() {
        let steps = vec![step(10, "switch")];
        let on = Present { steps, ..Present::default() };
        let text = |hour| watched(&on, hour).join(" ");
        assert!(
            text(10).starts_with("the judge has been blocking")
                && text(10).contains("48 of the 48")
        );
        assert!(text(57).contains(" 1 of the 48 hours"), "{}", text(57));
        assert!(text(58).contains("done enable watch"), "{}", text(58));
        let steps = vec![step(10, "switch"), step(60, "watch")];
        assert!(watched(&Present { steps, ..Present::default() }, 61).is_empty());
        // A clock that is set back makes the watch no longer than it is.
        let before = watched(&on, 11).join(" ");
        assert!(before.contains("47 of the 48"), "{before}");
        let modes = Modes::new(&on, at(10));
        let behind = modes.blocking().filter_map(|of| watch(of, at(-300))).collect::<String>();
        assert!(behind.contains("48 of the 48"), "{behind}");
    }

    #[test]
    fn each_box_has_its_own_hours() {
        let modes = vec![blocking(0, "a", None), blocking(40, "b", Some(200))];
        let both = Present { modes, ..Present::default() };
        let [a, b] = &watched(&both, 50)[..] else { panic!("two boxes") };
        let since = "box a has been blocking since 1970-01-01T00";
        assert!(a.starts_with(since) && a.contains("done enable"), "{a}");
        assert!(
            b.contains("box b") && b.contains("waiver of Ada") && b.contains("38 of the"),
            "{b}"
        );
        let modes = Modes::new(&both, at(50));
        assert_eq!(
            back(&modes, JudgementKind::Push),
            "`foureyes box rollback a`, `foureyes box rollback b`"
        );
        let hostile = vec![blocking(0, "a; rm -r /", None)];
        let hostile = Modes::new(&Present { modes: hostile, ..Present::default() }, at(1));
        assert_eq!(back(&hostile, JudgementKind::Push), "`foureyes box rollback NAME`");
        assert!(watched(&both, 200).len() == 1, "the waiver is over");
    }
}
