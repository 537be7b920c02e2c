//! What the first start says, on the screen and line by line. Texts from outside are escaped where they are
//! written.

use crate::assess::NaturalOffer;
use crate::calibration::PlanPrice;
use crate::domain::Timestamp;
use crate::domain::review::Draw;
use crate::first_start::{
    CountedFrom, FORECAST_DAYS, Missing, Reached, Sampled, Traffic, WindowChoice, assumed_per_day,
};
use crate::page::date;
use crate::text::{counted, separated};

/// The line above everything.
pub(super) const HEAD: &str = "foureyes · first start · nothing is written before ctrl-s";
/// The first question.
pub(super) const STILL_TYPED: &str = "enter adds what is typed, esc clears it";
pub(super) const STILL_COUNTING: &str = "wait for the counts, or unmark what does not answer";
pub(super) const LOGS: &str = "Where are the logs?";
/// The second one.
pub(super) const DAYS: &str = "Which days count?";
/// What counts costs.
pub(super) const HIDDEN: &str = "verdicts are hidden until they are labelled";
/// The third one.
pub(super) const EACH_DAY: &str = "How much a day from now on?";
/// The fourth one.
pub(super) const BLOCKING: &str = "Which boxes may block, once READY?";
/// What the fourth one does not do.
pub(super) const NOTHING_ON: &str = "none blocks today";
/// What is typed where another place is named.
pub(super) const ANOTHER: &str = "another host or path: ";
/// Why a typed place is not taken.
pub(super) const KNOWN: &str = "a box of that name is in the list";
/// Why nothing can be written.
pub(super) const NONE_CHOSEN: &str =
    "no box is chosen: mark one with space, or type a host or a path";
/// Why the first question is asked again.
pub(super) const NO_PLACE: &str = "name a host or a path with logs";
/// From today on.
pub(super) const TODAY: &str = "from today: counts as a second try, READY takes more labels";

/// The keys, a line each.
pub(super) const KEYS: [(&str, &str); 8] = [
    ("up, down", "move"),
    ("tab", "next question"),
    ("space", "choose"),
    ("enter", "why a box was refused; add what is typed"),
    ("v", "the file that would be written"),
    ("ctrl-s", "write it, and start"),
    ("esc", "only look: nothing is written"),
    ("ctrl-c", "leave"),
];

/// What a box answered, without its mark.
pub(super) fn answer(reached: &Reached, now: Timestamp) -> String {
    match reached {
        Reached::Asking => "…".to_owned(),
        Reached::Found { records: 0, .. } => "no records yet".to_owned(),
        Reached::Found { records, span } => {
            let records = counted(*records, "record", "records");
            match span {
                Some((first, last)) => {
                    format!("{records}, {} to {}", date(*first, now), date(*last, now))
                }
                None => records,
            }
        }
        Reached::Refused { why, .. } => format!("refused: {why}"),
    }
}

/// From the first record on.
pub(super) fn from_first(first: Timestamp, now: Timestamp) -> String {
    format!("from the first record of this judge, {}", date(first, now))
}

/// A plan by its share.
pub(super) fn plan(draw: Draw, rate: f64) -> String {
    match draw {
        Draw::All => "all".to_owned(),
        Draw::Thin if rate == 0.5 => "half, drawn by hash".to_owned(),
        Draw::Thin => format!("{} in 10, drawn by hash", (rate * 10.0).round()),
    }
}

/// What a plan costs and is worth: labels, time, chances of READY for two good judges.
pub(super) fn price(price: &PlanPrice) -> [String; 4] {
    let time = match price.minutes {
        minutes @ 0..90 => format!("{minutes} min"),
        minutes => format!("{} h", separated(minutes.div_ceil(60))),
    };
    let chance = |at: usize| {
        let ready = price.chances.get(at).map(|chance| chance.ready);
        ready.map_or_else(String::new, |ready| format!("{:.0} %", ready * 100.0))
    };
    [separated(price.labels), time, chance(0), chance(1)]
}

/// A rate of the sample.
pub(super) fn sampled(sampled: Sampled) -> &'static str {
    match sampled {
        Sampled::All => "all",
        Sampled::Half => "1 in 2",
        Sampled::Quarter => "1 in 4",
        Sampled::Nothing => "none",
    }
}

/// The day of a forecast; nothing without a sample.
pub(super) fn ready_by(sampled: Sampled, day: Option<u64>) -> String {
    match (sampled, day) {
        (Sampled::Nothing, _) => "never".to_owned(),
        (_, Some(day)) => format!("day {day}"),
        (_, None) => format!("over {FORECAST_DAYS} days"),
    }
}

/// What the last days had.
pub(super) fn traffic(traffic: Traffic) -> String {
    let pushes = counted(traffic.per_day(), "push", "pushes");
    let days = counted(u64::from(traffic.days), "day", "days");
    format!("{pushes} a day in the last {days}")
}

/// What forecasts rest on.
pub(super) fn assumed() -> String {
    format!("a good judge, at {} pushes a day", assumed_per_day())
}

/// Why no window can be begun.
pub fn missing(missing: &Missing) -> String {
    match missing {
        Missing::Refused(names) => format!(
            "no window: {} refused, and older logs would block it later",
            match names.as_slice() {
                [one] => format!("{one} was"),
                more => format!("{} were", more.join(", ")),
            }
        ),
        Missing::Answer => "no window yet: the logs are still being counted".to_owned(),
        Missing::Reviewer => "no window: your name is unknown".to_owned(),
        Missing::Running => "no new window: one runs already, and runs on".to_owned(),
        Missing::Uncounted => "no window: the logs could not be counted".to_owned(),
    }
}

/// The window that would be begun.
pub(super) fn window(
    window: &WindowChoice,
    offer: Option<&NaturalOffer>,
    now: Timestamp,
) -> String {
    let begins = match (window.counted, offer) {
        (CountedFrom::FirstRecord(draw), Some(offer)) => {
            let rate = offer.rate_of(draw);
            let draw = if rate < 1.0 { draw } else { Draw::All };
            format!("from {}, {}", date(offer.start.from, now), plan(draw, rate))
        }
        _ => "from today".to_owned(),
    };
    let noun = if window.boxes.len() == 1 { "box" } else { "boxes" };
    let boxes = match window.boxes.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    };
    format!("a window {begins}, {noun} {boxes}, by {}", window.reviewer)
}

/// That a file was written, and the window or why there is none.
pub fn outcome(path: &str, window: Result<(), String>) -> (String, bool) {
    match window {
        Ok(()) => (format!("{path} is written, and the window runs"), true),
        Err(why) => (format!("{path} is written; {why}"), false),
    }
}
