//! The keys that matter here, or the line that is typed.

use crate::instruments::Capability;
use crate::page::number;
use crate::text::separated;
use crate::tui::action::{Action, Danger};
use crate::tui::key::Key;
use crate::tui::keymap::Bound;
use crate::tui::model::{Model, Overlay, Pane, Question, Screen, TextSearch, key_context};
use crate::tui::theme::Role;
use crate::tui::update::{fits, next_subject};
use crate::tui::widget::{Pen, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

pub(super) fn draw(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    match &model.overlay {
        Some(Overlay::Prompt(_)) => super::overlay::prompt_line(model, pen, buffer, area),
        Some(Overlay::Form(form)) => super::overlay::form_line(form, pen, buffer, area),
        Some(Overlay::Confirm(question)) => {
            let asked = asked(model, question, area.width);
            let mut parts = vec![pen.span(Role::Warning, &format!(" {asked} "))];
            parts.extend(hint(pen, "ctrl-s", "yes"));
            parts.extend(hint(pen, "esc", "no"));
            pen.put(buffer, area, 0, &Line::from(parts));
            None
        }
        Some(_) => {
            let keys = super::overlay::keys(model);
            let parts = keys.iter().flat_map(|(k, w)| hint(pen, k, w)).collect::<Vec<_>>();
            pen.put(buffer, area, 0, &Line::from(parts));
            None
        }
        None => {
            let line = match (model.first_key, search(model)) {
                (Some(first), _) => seconds(model, pen, first, area.width),
                (None, Some(search)) => searched(model, pen, search),
                (None, None) => hints(model, pen, area.width),
            };
            pen.put(buffer, area, 0, &line);
            None
        }
    }
}

/// From so many columns on a price says what it does to the share that is blind.
const SHARE: u16 = 110;

/// What the share that is blind becomes, by the limit that the state line shows, where so many items of the
/// window's open days are seen.
fn share_left(model: &Model, price: usize) -> Option<String> {
    let blind = model.operation.as_ref()?.blind.filter(|_| model.gate.is_on() && price > 0)?;
    let (kept, before) = (separated(blind.blind), separated(blind.of));
    let after = separated(blind.of + price as u64);
    let needed = number::short_percent(blind.needed);
    Some(format!(": {kept} of {before} becomes {kept} of {after}, {needed} needed"))
}

/// What is asked, with its price. A narrow terminal has the keys in any case.
pub(in crate::tui) fn asked(model: &Model, question: &Question, width: u16) -> String {
    match question {
        Question::Label { words } => {
            let first = words.first().map(|(_, word)| *word);
            let same = first.filter(|first| words.iter().all(|(_, word)| word == first));
            let word = same.map(|word| format!(" {}", word.as_str())).unwrap_or_default();
            let records = match width {
                ..50 => separated(words.len()),
                _ => counted(words.len(), "record", "records"),
            };
            match width {
                ..50 => format!("{records}{word}?"),
                _ => format!("Label {records}{word}?"),
            }
        }
        Question::NoneHelps { candidates, .. } => match width {
            ..50 => format!("none of {candidates}?"),
            _ => format!("Does none of {candidates} candidates help?"),
        },
        Question::Open => {
            let price = model.price();
            let items = price.map_or_else(|| "unlabelled items".to_owned(), separated);
            match width {
                ..50 => format!("{items} not blind?"),
                50..78 => format!("Show verdicts? {items} will not be blind"),
                _ => {
                    let share = price.and_then(|price| share_left(model, price));
                    let share = share.filter(|_| width >= SHARE).unwrap_or_default();
                    format!("Show verdicts? {items} will no longer count as blind{share}")
                }
            }
        }
    }
}

/// The search whose matches the keys go to.
fn search(model: &Model) -> Option<&TextSearch> {
    let is_here = model.pane == Pane::Record && model.list().is_some();
    model.record.search.as_ref().filter(|_| is_here)
}

/// What was found, and how to go on.
fn searched(model: &Model, pen: &Pen<'_>, search: &TextSearch) -> Line<'static> {
    let role = if search.matches.is_empty() { Role::Warning } else { Role::Title };
    let mut parts = vec![pen.span(role, &format!(" {}, esc ends ", search.place()))];
    let keys = [
        (Action::NextItem, "next match"),
        (Action::PreviousItem, "previous match"),
        (Action::Search, "search"),
        (Action::Help, "help"),
    ];
    parts
        .extend(keys.into_iter().flat_map(|(action, words)| hint_spans(model, pen, action, words)));
    Line::from(parts)
}

/// What the second key of two may be, as many as fit; how to wait no longer, always.
fn seconds(model: &Model, pen: &Pen<'_>, first: Key, width: u16) -> Line<'static> {
    let found = model.keymap.find(key_context(model), first);
    let Some(Bound::First(seconds)) = found else { return Line::default() };
    let last = hint(pen, "esc", "cancels");
    let mut parts = vec![pen.span(Role::Title, &format!(" {first} then "))];
    let used = Line::from([parts.clone(), last.clone()].concat()).width();
    let mut room = usize::from(width).saturating_sub(used);
    let mut known = Vec::new();
    for (key, action) in seconds {
        if known.contains(&action) || !helps(model, action) {
            continue;
        }
        known.push(action);
        let hint = hint(pen, &key.to_string(), super::hints::second(action));
        let wide = Line::from(hint.clone()).width();
        if wide > room {
            break;
        }
        room -= wide;
        parts.extend(hint);
    }
    parts.extend(last);
    Line::from(parts)
}

/// Actions worth a hint, with their words; as many as fit, help last and always.
fn hints(model: &Model, pen: &Pen<'_>, width: u16) -> Line<'static> {
    let last = hint_spans(model, pen, Action::Help, "help");
    let mut room = usize::from(width).saturating_sub(Line::from(last.clone()).width());
    let mut parts = Vec::new();
    for (action, words) in worth_a_hint(model) {
        let hint = hint_spans(model, pen, action, &words);
        let wide = Line::from(hint.clone()).width();
        if wide > room {
            break;
        }
        room -= wide;
        parts.extend(hint);
    }
    parts.extend(last);
    Line::from(parts)
}

/// Actions that do something here, with a word or two each, those first that matter most.
pub(in crate::tui) fn worth_a_hint(model: &Model) -> impl Iterator<Item = (Action, String)> + '_ {
    let all = super::hints::footer(model).iter();
    all.filter(move |(action, _)| helps(model, *action)).map(move |(action, words)| {
        let words = match action {
            Action::OtherQueue => model.calibrate.selection.kind.other().title().to_owned(),
            Action::OtherFamily => next_subject(model).title(),
            Action::Pull if model.facts.fleet => "read again".to_owned(),
            _ => (*words).to_owned(),
        };
        (*action, words)
    })
}

/// Whether an action does now what its hint says.
fn helps(model: &Model, action: Action) -> bool {
    let settled = model.calibrate.selection.kind.is_settled();
    match action {
        _ if model.facts.read_only && action.danger() == Danger::Writes => false,
        Action::Open if model.screen == Screen::Overview => {
            crate::tui::screen::overview::target(model).is_some()
        }
        // With no run on, the one does nothing and the other leaves the console.
        Action::StopRun | Action::Cancel => model.runs.is_on(),
        Action::RepeatRun | Action::OpenReport => fits(model, action),
        Action::CheckBox | Action::EnableBox | Action::RollBackBox => !model.facts.fleet,
        Action::Mark | Action::SavePick | Action::Later | Action::Down | Action::NextItem
            if model.screen == Screen::Calibration && model.picks.mode.is_some() =>
        {
            model.labelled_pick().is_some()
        }
        Action::Later => !settled,
        Action::Order => !settled || model.screen == Screen::Records,
        Action::StepDone => model.family.has(Capability::Runbooks),
        _ => true,
    }
}

fn hint_spans(model: &Model, pen: &Pen<'_>, action: Action, words: &str) -> Vec<Span<'static>> {
    match model.keymap.hint(key_context(model), action) {
        Some(key) => hint(pen, &key.to_string(), words),
        None => Vec::new(),
    }
}

fn hint(pen: &Pen<'_>, key: &str, words: &str) -> Vec<Span<'static>> {
    vec![
        pen.span(Role::Text, " "),
        pen.span(Role::Key, key),
        pen.span(Role::Dim, &format!(" {words} ")),
    ]
}
