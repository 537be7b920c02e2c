//! What happened in the days of a trend and may explain it.

use super::Counting;
use crate::assess::Modes;
use crate::assess::replay::judge_name;
use crate::calibration::is_another;
use crate::domain::{HookMode, Timestamp};
use std::collections::HashSet;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// A window started.
    Window,
    /// A judge answered that had not answered before.
    Judge,
    /// A box was told to block.
    Blocks,
    /// A box was told to advise only.
    Advises,
}

/// Something that happened on a day.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrendEvent {
    /// Days since 1970, UTC.
    pub day: i32,
    /// What.
    pub kind: EventKind,
    /// The judge or the box; hostile, and empty for a window.
    pub name: String,
}

/// The events of the span, each once a day.
pub(super) fn events(counting: &Counting<'_>, boxes: &[String]) -> Vec<TrendEvent> {
    let mut events = windows(counting);
    events.extend(judges(counting));
    events.extend(boxes.iter().flat_map(|name| switched(counting, name)));
    let span = counting.first..=counting.now.day();
    events.retain(|event| span.contains(&event.day));
    events.sort();
    events.dedup();
    events
}

fn windows(counting: &Counting<'_>) -> Vec<TrendEvent> {
    let windows = &counting.present.of(counting.all.kind()).windows;
    let begun = windows.iter().filter(|window| window.time <= counting.now);
    let event = |from: Timestamp| TrendEvent {
        day: from.day(),
        kind: EventKind::Window,
        name: String::new(),
    };
    begun.map(|window| event(window.what.from)).collect()
}

/// Judges that answered for the first time, but for the very first one.
fn judges(counting: &Counting<'_>) -> Vec<TrendEvent> {
    let table = counting.all.fingerprints();
    let (mut seen, mut known, mut new) = (HashSet::new(), Vec::new(), Vec::new());
    for evaluation in counting.all.all() {
        let number = evaluation.fingerprint;
        let Some(judge) = table.get(number as usize).filter(|_| seen.insert(number)) else {
            continue;
        };
        if is_another(judge, known.iter().copied()) {
            new.push((evaluation.at, number));
        }
        known.push(judge);
    }
    let event = |(at, judge): (Timestamp, u32)| TrendEvent {
        day: at.day(),
        kind: EventKind::Judge,
        name: judge_name(counting.all, Some(judge)).unwrap_or_default(),
    };
    new.into_iter().map(event).collect()
}

fn switched(counting: &Counting<'_>, name: &str) -> Vec<TrendEvent> {
    let family = counting.all.kind();
    let since = Timestamp::of_day(counting.first);
    let switches = Modes::said_since(counting.present, name, since, counting.now);
    let event = |set: &crate::domain::review::Dated<crate::domain::review::ModeSet>| TrendEvent {
        day: set.time.min(counting.now).day(),
        kind: match set.what.mode == HookMode::Blocking.as_str() {
            true => EventKind::Blocks,
            false => EventKind::Advises,
        },
        name: name.to_owned(),
    };
    switches.into_iter().filter(|set| set.what.family == family).map(event).collect()
}
