//! What a list is: its name, where the person is in it, what narrows it, and by what it is ordered.

use super::columns::direction;
use crate::answers::list_cells::HIDDEN;
use crate::assess::Turn;
use crate::domain::{Sort, Timestamp};
use crate::page::date;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::{BlindMode, List, ListId, Load, Model, QueueKind};
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::{counted, fit};

/// Spaces before the order.
const GAP: &str = "   ";

/// All that says what the list is. What matters most stands first: where there is little room the rest is left out.
pub(in crate::tui) fn parts(
    model: &Model,
    list: &List,
    glyphs: &'static Glyphs,
) -> Vec<(Role, String)> {
    let mut parts = vec![(Role::Title, name(model, list))];
    if list.rows.value.is_some() {
        let at = if list.is_empty() { 0 } else { list.cursor + 1 };
        let gap =
            if is_in_name(model, list) { format!(" {} ", glyphs.separator) } else { " ".into() };
        parts.push((Role::Figure, format!("{gap}{at} of {}", list.len())));
    }
    let between = |(role, text): (Role, String)| (role, format!(" {} {text}", glyphs.separator));
    parts.extend(state(model, list, glyphs).into_iter().map(between));
    // What narrows the list goes before what is the same on most days.
    if !list.filter.is_all() {
        parts.push(between((Role::Key, "filter ".to_owned())));
        parts.push((Role::Match, fit(&list.filter.text, 60)));
    }
    parts.extend(contents(model, list).into_iter().map(between));
    if let Some(text) = order(model, list, glyphs) {
        parts.push((Role::Dim, format!("{GAP}{text}")));
    }
    parts
}

/// What the next key acts on, what is shown of it, and what is on its way: it goes before what the list is.
fn state(model: &Model, list: &List, glyphs: &Glyphs) -> Vec<(Role, String)> {
    let sight = sight(model, list);
    let warning = sight.filter(|(role, _)| *role == Role::Warning);
    let notice = sight.filter(|(role, _)| *role == Role::Notice && !is_in_name(model, list));
    let saving = model.labels.pending.len();
    let is_kept = matches!(list.rows.load, Load::Failed(_)) && !list.is_empty();
    let owned = |(role, text): (Role, &str)| (role, text.to_owned());
    let all = [
        bound(list).map(|text| (Role::Notice, text)),
        marks(list, glyphs).map(|text| (Role::Mark, text)),
        warning.map(owned),
        lacks(model, list).map(|text| (Role::Warning, text.to_owned())),
        list.rows.is_busy().then(|| (Role::Dim, "…".to_owned())),
        (list.above > 0).then(|| (Role::Notice, format!("{} {} new above", glyphs.up, list.above))),
        (saving > 0).then(|| (Role::Notice, format!("saving {saving}"))),
        notice.map(owned),
        is_kept.then(|| (Role::Error, "not made anew".to_owned())),
    ];
    all.into_iter().flatten().collect()
}

/// What the list is made of, and how it comes.
fn contents(model: &Model, list: &List) -> Vec<(Role, String)> {
    let rounds = || format!("+ {}", counted(list.folded(), "earlier round", "earlier rounds"));
    let all = [
        waiting(model, list).map(|text| (Role::Notice, text)),
        (list.id == ListId::Records).then(|| (Role::Dim, model.days.title())),
        (list.later > 0).then(|| (Role::Dim, format!("{} put off", list.later))),
        (list.folded() > 0).then(|| (Role::Dim, rounds())),
        turn(model, list),
    ];
    all.into_iter().flatten().collect()
}

/// The name of the list.
fn name(model: &Model, list: &List) -> String {
    let kind = model.calibrate.selection.kind;
    match (list.id, kind) {
        (ListId::Records, _) => "Records".to_owned(),
        (ListId::Queue, QueueKind::Triage) => "Triage".to_owned(),
        (ListId::Queue, QueueKind::Conflicts) => "Conflicts".to_owned(),
        (ListId::Queue, QueueKind::SecondLook) => "Second look".to_owned(),
        (ListId::Queue, QueueKind::Calibration) => {
            let blind = if is_in_name(model, list) { ", blind" } else { "" };
            format!("Label{}{blind}", model.family.suffix("of"))
        }
    }
}

/// Whether the name says that verdicts are hidden.
fn is_in_name(model: &Model, list: &List) -> bool {
    let calibrates = model.calibrate.selection.kind == QueueKind::Calibration;
    list.id == ListId::Queue && calibrates && matches!(sight(model, list), Some((Role::Notice, _)))
}

/// Of how many the list has only the newest; `None` where it has all.
fn bound(list: &List) -> Option<String> {
    let all = list.len() + list.beyond;
    (list.beyond > 0).then(|| format!("the newest of {all}"))
}

/// How many verdicts of its span are kept back, and what is to be done about that.
fn waiting(model: &Model, list: &List) -> Option<String> {
    let count = Some(list.hidden).filter(|count| *count > 0)?;
    let key = |action| {
        let key = model.keymap.hint(Context::List, action);
        key.map(|key| format!(" ({key})")).unwrap_or_default()
    };
    match (list.id, model.calibrate.selection.kind) {
        (ListId::Records, _) => Some(format!("{count} {HIDDEN}{}", key(Action::Blind))),
        (ListId::Queue, QueueKind::Triage) => {
            let key = key(Action::OtherQueue);
            Some(format!("{count} of open days wait to be labelled first{key}"))
        }
        (ListId::Queue, _) => None,
    }
}

/// By which column a list is ordered, where it is by one.
pub(in crate::tui) fn sort(model: &Model, list: &List) -> Option<Sort> {
    match (list.id, model.calibrate.selection.kind) {
        (ListId::Records, _) | (ListId::Queue, QueueKind::Triage) => Some(list.sort),
        (ListId::Queue, QueueKind::Conflicts | QueueKind::SecondLook) => Some(Sort::default()),
        (ListId::Queue, QueueKind::Calibration) => None,
    }
}

/// The order, by the name of its column: `age ▾`.
fn order(model: &Model, list: &List, glyphs: &Glyphs) -> Option<String> {
    let sort = sort(model, list)?;
    let is_triage = list.id == ListId::Queue && model.calibrate.selection.kind == QueueKind::Triage;
    let name = match is_triage && sort == Sort::default() {
        true => "stopped, then newest",
        false => sort.column.head(),
    };
    Some(format!("{name} {}", direction(sort, glyphs)).trim_end().to_owned())
}

/// How the queue that is labelled comes: the first open day, or what decides soonest.
fn turn(model: &Model, list: &List) -> Option<(Role, String)> {
    let selection = model.calibrate.selection;
    if list.id != ListId::Queue || selection.kind != QueueKind::Calibration {
        return None;
    }
    if selection.turn == Turn::Decides {
        return Some((Role::Notice, "what decides first".to_owned()));
    }
    let first = model.calibrate.state.as_ref().and_then(|state| state.open.first());
    let day = first.and_then(|day| Timestamp::parse_day(&day.day));
    let day = day.map(|day| format!("{}, ", date(day, model.now)));
    Some((Role::Dim, format!("{}mixed", day.unwrap_or_default())))
}

/// Whether verdicts are hidden and, in the calibration queue, what a label of the selected item
/// would count as.
fn sight(model: &Model, list: &List) -> Option<(Role, &'static str)> {
    let mixed = model.in_calibration() && lacks(model, list).is_none();
    let counts = list.selected.is_none_or(|record| model.counts_blind(record));
    match model.sight() {
        BlindMode::Blind if mixed && !counts => Some((Role::Warning, "not blind")),
        BlindMode::Blind => Some((Role::Notice, "blind")),
        BlindMode::Open if mixed => Some((Role::Warning, "not blind")),
        BlindMode::Open => None,
    }
}

/// Why being in the calibration queue reveals the verdict, or what its labels do not count for.
fn lacks(model: &Model, list: &List) -> Option<&'static str> {
    let state = model.calibrate.state.as_ref();
    let state = state.filter(|_| list.id == ListId::Queue && model.in_calibration())?;
    match (state.window, state.audited) {
        (None, _) => Some("no window"),
        (_, false) => Some("no sample"),
        _ => None,
    }
}

/// How many are marked, and how many of those the list does not hold.
pub(in crate::tui::screen) fn marks(list: &List, glyphs: &Glyphs) -> Option<String> {
    if let Some(span) = list.span() {
        let beside = match list.marks.len() {
            0 => String::new(),
            marks => format!(" ({marks} marked)"),
        };
        return Some(format!("range of {}{beside}", span.count()));
    }
    let away = match list.away.len() {
        0 => String::new(),
        away => format!(" (+{away} not in it)"),
    };
    let any = !list.marks.is_empty() || !list.away.is_empty();
    any.then(|| format!("{} {} marked{away}", glyphs.marked, list.marks.len()))
}
