//! Which boxes block, and on whose word.

use super::{Piece, Short, StateFrame, bracketed, day, name, withdrawn_mark};
use foureyes_app::assess::{BlockReason, BlockingBox, Operation, Watch};
use foureyes_core::text::{escape, mask};
use foureyes_page::page::{Ours, Role, date};

/// The first part of the line: the mark, which boxes block, and why they may.
pub(super) fn part(operation: &Operation, frame: &StateFrame<'_>, short: Short) -> Vec<Piece> {
    let Some(worst) = operation.blocking.first() else {
        let mark = format!("{} ", frame.glyphs.advisory);
        return vec![Piece::new(Role::Text, format!("{mark}nothing blocks"))];
    };
    let (role, mark) = match worst.reason {
        BlockReason::Withdrawn(_) => (Role::Error, withdrawn_mark(frame.glyphs)),
        BlockReason::Lapsed { .. } | BlockReason::Undecided => (Role::Warning, "!"),
        _ => (Role::Warning, frame.glyphs.blocks),
    };
    let subject = subject(operation, short);
    let why = why(operation, worst, frame, short);
    vec![Piece::new(role, format!("{mark} {subject}{why}"))]
}

/// The same without a mark, as short as it is anywhere; `None` where nothing blocks.
pub(super) fn short(operation: &Operation) -> Option<String> {
    let worst = operation.blocking.first()?;
    let doubt = match worst.reason {
        BlockReason::Withdrawn(_) => ", READY withdrawn",
        BlockReason::Lapsed { .. } => ", READY lapsed",
        _ => "",
    };
    Some(format!("{}{doubt}", subject(operation, Short::Boxes)))
}

/// `small blocks`, `attic, small block`, `attic +1 block`, `3 of 5 block`.
fn subject(operation: &Operation, short: Short) -> String {
    let named = |of: &BlockingBox| match &of.name {
        Some(raw) => name(raw, short),
        None => "the judge".to_owned(),
    };
    match operation.blocking.as_slice() {
        [] => String::new(),
        [one] => format!("{} blocks", named(one)),
        all if short < Short::Boxes => {
            format!("{} block", all.iter().map(named).collect::<Vec<_>>().join(", "))
        }
        [first, _] => format!("{} +1 block", named(first)),
        all => format!("{} of {} block", all.len(), operation.boxes),
    }
}

/// Why the most doubtful of them may block, from the comma on.
fn why(operation: &Operation, worst: &BlockingBox, frame: &StateFrame<'_>, short: Short) -> String {
    let (keys, is_short) = (frame.keys, short >= Short::Waiver);
    let colon = |key: &str| if key.is_empty() { String::new() } else { format!(": {key}") };
    match &worst.reason {
        BlockReason::Counting => String::new(),
        BlockReason::Ready => format!(", READY{}", watch(worst.watch, is_short, ", ")),
        BlockReason::Undecided if is_short => ", not READY".to_owned(),
        BlockReason::Undecided => ", but not READY now".to_owned(),
        BlockReason::Withdrawn(_) if is_short => format!(", READY withdrawn{}", colon(&keys.boxes)),
        BlockReason::Withdrawn(since) => {
            let since = day(*since, operation).map_or(String::new(), |day| format!(" {day}"));
            let key = bracketed(&keys.boxes, short);
            format!(", but READY was withdrawn{since}: roll back{key}")
        }
        BlockReason::Lapsed { labels, .. } if is_short => {
            let key = bracketed(&keys.queue, Short::Nothing);
            format!(", READY lapsed: label {}{key}", Ours::from(*labels))
        }
        BlockReason::Lapsed { since, labels } => {
            let since = day(*since, operation).map_or(String::new(), |day| format!(" since {day}"));
            let (labels, key) = (Ours::from(*labels), bracketed(&keys.queue, short));
            format!(", but READY lapsed: no day closed{since}, label {labels}{key}")
        }
        BlockReason::Waiver { .. } if is_short => {
            let between = if operation.blocking.len() > 1 { " " } else { ", " };
            format!(", waiver{}", watch(worst.watch, is_short, between))
        }
        BlockReason::Waiver { until, name, .. } => {
            let (until, name) = (date(*until, operation.now), mask::mask(name).0);
            let name = escape::line(&name);
            format!(", waiver by {name} to {until}{}", watch(worst.watch, is_short, ", "))
        }
    }
}

/// How the watch stands, behind what is before it; nothing where it is done.
fn watch(watch: Watch, is_short: bool, between: &str) -> String {
    match (watch, is_short) {
        (Watch::Done, _) => String::new(),
        (Watch::Left(hours), true) => format!("{between}{hours} h left"),
        (Watch::Left(hours), false) => format!("{between}watch {hours} h left"),
        (Watch::Over, true) => format!("{between}watch over"),
        (Watch::Over, false) => format!("{between}watch over, not confirmed"),
    }
}
