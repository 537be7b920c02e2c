//! Ways out of what keeps the answer from READY, and from which day on READY is possible by them.

use super::facts::Facts;
use super::{dates, day_text, remedies};
use crate::calibration::{DayState, Readiness, Way};
use How::{Do, Label, Natural, Start, Wait, Waive};

/// How a block is ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    /// Somebody answers for it, in the policy.
    Waive,
    /// A window over all that the judge in use has judged.
    Natural,
    /// A window that starts where no record has a label yet.
    Start,
    /// Days that have to pass.
    Wait,
    /// What has to be done by hand, with its commands.
    Do(&'static str, &'static [&'static str]),
    /// Labels: of the days that wait for some or, where none does, of those to come.
    Label(&'static str, &'static str),
}

/// The first day on which a block can have ended: days since 1970.
pub(super) fn earliest(id: &str, r: &Readiness, facts: &Facts<'_>) -> i32 {
    remedies::ways(id).map(|how| ends(how, r, facts)).min().unwrap_or_else(|| r.generated.day())
}

/// The first day on which a way can have ended something; of a new window, that on which it can be READY.
fn ends(how: How, r: &Readiness, facts: &Facts<'_>) -> i32 {
    let today = r.generated.day();
    let whole = r.window.days_needed.max(facts.anew);
    let lacking = |days: u64| days.saturating_sub(r.window.days_with_data);
    match how {
        Waive | Do(..) | Label(..) => today,
        Natural => dates::after(dates::next_day(r), lacking(whole), facts.policy),
        Wait => dates::after(dates::next_day(r), lacking(r.window.days_needed), facts.policy),
        Start => dates::after(facts.unlabelled_from, whole, facts.policy),
    }
}

/// A window that starts where no record has a label yet.
pub(super) fn start(r: &Readiness, facts: &Facts<'_>) -> Way {
    way(Start, "", r, facts)
}

pub(super) fn way(how: How, id: &str, r: &Readiness, facts: &Facts<'_>) -> Way {
    let option = facts.family.option();
    let ready = || dates::ready_from(id, ends(how, r, facts), r, facts).map(day_text);
    // Of a window that begins only now nothing else is in the way.
    let anew = || {
        let day = ends(how, r, facts);
        (day <= r.generated.day().saturating_add(dates::FAR)).then(|| day_text(day))
    };
    match how {
        Waive => {
            let until = r.generated.plus_days(30).day_text();
            let command = format!("foureyes gate waive {id} --reason \"\" --until {until}{option}");
            let text = "Waive it in your name, with a reason";
            promised(text, r, ready(), &[&command])
        }
        Natural => {
            let command = format!("foureyes gate window{option}");
            let text = "Start it with the first record of the judge in use: what was judged before counts, and \
                        so do labels that were given before.";
            Way { ready_from: anew(), ..Way::new(text, &[&command]) }
        }
        Start => {
            let from = day_text(facts.unlabelled_from);
            let command = format!("foureyes gate window {from}{option}");
            let text = format!("Start a new window on {from}, the first day without labels");
            promised(&text, r, anew(), &[&command])
        }
        Wait => {
            let until = day_text(ends(how, r, facts));
            let ready = ready();
            let text = match ready == Some(until.clone()) {
                true => format!("READY is possible from {until} on."),
                false => format!("It is long enough from {until} on."),
            };
            Way { ready_from: ready, ..Way::new(text, &[]) }
        }
        Do(text, commands) => Way::new(text, commands),
        Label(open, coming) => {
            let waits = r.days.iter().any(|day| day.state == DayState::Open);
            Way::new(if waits { open } else { coming }, &[])
        }
    }
}

/// A way with the first day on which READY is possible by it, where there is one.
fn promised(text: &str, r: &Readiness, ready: Option<String>, lines: &[&str]) -> Way {
    let text = match &ready {
        None => format!("{text}."),
        Some(day) if *day == r.generated.day_text() => {
            format!("{text}: READY is possible from today on.")
        }
        Some(day) => format!("{text}: READY is possible from {day} on."),
    };
    Way { ready_from: ready, ..Way::new(text, lines) }
}

pub(super) fn days_from(today: i32, until: i32) -> u64 {
    u64::try_from(i64::from(until) - i64::from(today)).unwrap_or(0)
}
