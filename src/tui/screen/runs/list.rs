//! The runs, and the items of one.

use super::status::{self, Figures};
use super::{is_hidden, title};
use crate::domain::Timestamp;
use crate::domain::review::{EntryId, Run, RunItem};
use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::{ItemState, Model, RunPhase};
use crate::tui::screen::label::HIDDEN;
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::{Pen, cell, counted, fit_end};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::borrow::Cow;

/// Columns below which the name of the file needs the room of the commit.
const NARROW: u16 = 60;

/// Columns from which there is room for a reason on the line of an item.
const WIDE: u16 = 100;
/// Items that stay on the screen below the texts about the run.
const ITEMS: usize = 4;
/// Columns of a verdict.
const VERDICT: usize = 12;
/// Columns of how far an item is, and of a reason, where there is less room.
const STAGE: usize = 16;
/// Columns of a reason, where there is room.
const REASON: usize = 36;

/// The run under the cursor.
pub fn selected(model: &Model) -> Option<EntryId> {
    let runs = model.all_runs();
    at(model, &runs).and_then(|at| runs.get(at).map(|run| run.id()))
}

fn at(model: &Model, runs: &[Cow<'_, Run>]) -> Option<usize> {
    let found = runs.iter().position(|run| Some(run.id()) == model.runs.selected);
    found.or((!runs.is_empty()).then_some(0))
}

pub(super) fn step(model: &mut Model, lines: isize) {
    let ids: Vec<EntryId> = model.all_runs().iter().map(|run| run.id()).collect();
    let selected = model.runs.selected;
    let at = ids.iter().position(|id| Some(*id) == selected).unwrap_or(0);
    let to = at.saturating_add_signed(lines).min(ids.len().saturating_sub(1));
    model.runs.selected = ids.get(to).copied();
}

pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let runs = model.all_runs();
    let heading = format!(" Runs {} ", runs.len());
    pen.heading(buffer, body, true, &pen.line([(Role::Title, heading.as_str())]));
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    if runs.is_empty() {
        return nothing(model, pen, buffer, inside);
    }
    let (cursor, top, room) = rows_in_view(model, &runs, inside);
    for (row, (index, run)) in runs.iter().enumerate().skip(top).take(room).enumerate() {
        let y = inside.y + 2 * row as u16;
        let height = inside.height.saturating_sub(2 * row as u16).min(2);
        let place = Rect { y, height, ..inside };
        two_lines(model, run, pen, buffer, place);
        if index == cursor {
            pen.put(buffer, place, 0, &pen.line([(Role::Mark, pen.glyphs.cursor)]));
            buffer.set_style(Rect { height: 1, ..place }, pen.style(Role::Selection));
        }
    }
}

/// The selected run, the first one on the screen, and how many there is room for: each has two lines, what it is and
/// what it came to.
fn rows_in_view(model: &Model, runs: &[Cow<'_, Run>], inside: Rect) -> (usize, usize, usize) {
    let room = usize::from(inside.height / 2).max(1);
    let cursor = at(model, runs).unwrap_or(0);
    (cursor, (cursor + 1).saturating_sub(room), room)
}

/// Selects the run at a line of the screen; tells whether it was selected already.
pub(super) fn press(model: &mut Model, body: Rect, y: u16) -> bool {
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    let runs = model.all_runs();
    let (cursor, top, room) = rows_in_view(model, &runs, inside);
    let row = y.checked_sub(inside.y).map(|row| usize::from(row / 2)).filter(|row| *row < room);
    let found = row.and_then(|row| Some((top + row, runs.get(top + row)?.id())));
    drop(runs);
    let Some((line, run)) = found else { return false };
    model.runs.selected = Some(run);
    line == cursor
}

/// The same of an item of a run.
pub(super) fn press_item(model: &mut Model, run: EntryId, body: Rect, y: u16) -> bool {
    let pen = Pen::new(model);
    let place = model.run(run).map(|run| {
        let items = Items::new(model, run, &Figures::count(model, run), &pen, body);
        (items.area.y, items.cursor, items.top, run.begun.what.items.len())
    });
    let Some((first, cursor, top, count)) = place else { return false };
    let line = y.checked_sub(first).map(|row| top + usize::from(row));
    let Some(line) = line.filter(|line| *line < count) else { return false };
    model.runs.item = line;
    line == cursor
}

/// Where the items of a run are, below what is known of it as a whole.
struct Items {
    head: Vec<Line<'static>>,
    area: Rect,
    cursor: usize,
    /// The first on the screen.
    top: usize,
}

impl Items {
    fn new(model: &Model, run: &Run, figures: &Figures, pen: &Pen<'_>, body: Rect) -> Self {
        let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
        let width = usize::from(inside.width);
        let mut head = head(model, run, figures, pen, width);
        // Some items stay on the screen however much is written about all.
        let least = figures.items.min(ITEMS);
        let room = usize::from(inside.height).saturating_sub(head.len() + least);
        head.extend(super::comparison::lines(model, run, figures, pen, (width, room)));
        let taken = (head.len() as u16).min(inside.height.saturating_sub(1));
        let area = Rect { y: inside.y + taken, height: inside.height - taken, ..inside };
        let cursor = model.runs.item.min(figures.items.saturating_sub(1));
        let top = (cursor + 1).saturating_sub(usize::from(area.height).max(1));
        Self { head, area, cursor, top }
    }
}

fn two_lines(model: &Model, run: &Run, pen: &Pen<'_>, buffer: &mut Buffer, place: Rect) {
    let figures = Figures::count(model, run);
    let (role, state) = status::state(model, run, &figures);
    let first = pen.line([
        (Role::Text, "  "),
        (Role::Dim, minute(run.begun.time).as_str()),
        (Role::Text, "  "),
        (role, state.as_str()),
        (Role::Text, "  "),
        (Role::Text, changes(run, &figures).as_str()),
    ]);
    pen.put(buffer, place, 0, &first);
    let second = pen.line([
        (Role::Text, "    "),
        (Role::Dim, figures.spent().as_str()),
        (Role::Dim, "; "),
        (Role::Dim, title(run).as_str()),
        (Role::Dim, "; by "),
        (Role::Dim, run.begun.reviewer.as_str()),
    ]);
    pen.put(buffer, place, 1, &second);
}

/// What changed, and what has no verdict.
fn changes(run: &Run, figures: &Figures) -> String {
    let compared = run.begun.what.items.iter().any(|item| item.was.is_some());
    let is_task = run.begun.what.task.is_some();
    let mut text = match figures.changed {
        // Nothing is changed by a task that is not decided.
        Some(_) if is_task && figures.judged == 0 => "not compared".to_owned(),
        _ if !compared => "nothing to compare with".to_owned(),
        None => "changes hidden".to_owned(),
        Some(changed) => counted(changed, "verdict changed", "verdicts changed"),
    };
    // Of a task a round may have failed that was made up for.
    let rounds = figures.errors.saturating_sub(figures.failed());
    if is_task && rounds > 0 {
        text.push_str(&format!(", {}", counted(rounds, "error", "errors")));
    }
    match figures.failures() {
        Some(failures) => format!("{failures}, {text}"),
        None => text,
    }
}

/// `2026-02-20 12:34`.
fn minute(time: Timestamp) -> String {
    time.to_string().get(..16).unwrap_or_default().replace('T', " ")
}

/// What to do where nothing was judged again.
fn nothing(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let key = |place, action| {
        let key = model.keymap.hint(place, action);
        key.map_or_else(|| action.name().to_owned(), |key| key.to_string())
    };
    let again = key(Context::List, Action::JudgeAgain);
    let file = key(Context::Everywhere, Action::JudgeFile);
    let text = match model.facts.read_only {
        true => "Nothing has been re-judged. With `--read-only`, no judge is asked.".to_owned(),
        false => format!(
            "Nothing has been re-judged. `{again}` in the queue or on a record asks a judge again; \
             `{file}` judges a file on this machine. Answers go to your ledger: logs, labels and rates \
             stay as they are."
        ),
    };
    let block = escape::block(&text, "  ", usize::from(area.width));
    for (row, line) in block.lines().enumerate() {
        pen.put(buffer, area, row as u16, &pen.line([(Role::Text, line)]));
    }
}

/// The items of a run, below what is known of it as a whole.
pub(super) fn draw_items(model: &Model, run: &Run, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let figures = Figures::count(model, run);
    let heading = format!(" Run of {} ", minute(run.begun.time));
    pen.heading(buffer, body, true, &pen.line([(Role::Title, heading.as_str())]));
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    let Items { head, area: list, cursor, top } = Items::new(model, run, &figures, pen, body);
    for (row, line) in head.iter().enumerate() {
        pen.put(buffer, inside, row as u16, line);
    }
    let room = usize::from(list.height).max(1);
    let items = run.begun.what.items.iter().enumerate().skip(top).take(room);
    // A reason for there being no verdict is longer than one.
    let most = if list.width >= WIDE { REASON } else { STAGE };
    let wide = items.clone().map(|(at, _)| escape::width(&now(model, run, at, pen).1)).max();
    let room = wide.unwrap_or(0).clamp(VERDICT, most);
    for (row, (at, item)) in items.enumerate() {
        let place = Rect { y: list.y + row as u16, height: 1, ..list };
        let columns = (list.width, room);
        pen.put(buffer, place, 0, &item_line(model, run, (at, item), at == cursor, pen, columns));
        if at == cursor {
            buffer.set_style(place, pen.style(Role::Selection));
        }
    }
}

/// What is known of a run as a whole.
fn head(
    model: &Model,
    run: &Run,
    figures: &Figures,
    pen: &Pen<'_>,
    width: usize,
) -> Vec<Line<'static>> {
    let (role, state) = status::state(model, run, figures);
    let mut texts = vec![(role, format!("{state}; {}", changes(run, figures)))];
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    let cap = run.begun.what.cap.map(|cap| {
        // What is not known is counted as it may have been.
        let counted = live.map(|live| format!("; {} counts", status::money(live.spent)));
        format!("{} of at most {}", counted.unwrap_or_default(), status::money(cap))
    });
    let spent = format!("{}{}", figures.spent(), cap.unwrap_or_default());
    texts.push((Role::Dim, format!("{spent}{}", took(model, run))));
    texts.push((Role::Dim, format!("asked: {}", title(run))));
    if let Some(problem) = live.and_then(|live| live.problem.as_ref()) {
        texts.push((Role::Error, problem.text.clone()));
        texts.push((Role::Text, model.next_step(problem).into_owned()));
    }
    if let Some(next) = figures.remedy() {
        let next = model.facts.command_line.complete(next);
        texts.push((Role::Text, next.into_owned()));
    }
    if run.ended.is_none() && live.is_none() {
        let lost = figures.missing();
        let text = format!(
            "Its end was not recorded: another console is running it, or one was killed. {} of it {} not \
             here: an answer that had not arrived is lost, and may be charged.",
            counted(lost, "answer", "answers"),
            if lost == 1 { "is" } else { "are" }
        );
        texts.push((Role::Warning, text));
    }
    let mut lines = Vec::new();
    for (role, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
        let text = escape::line(text);
        let block = escape::block(&text, " ", width);
        lines.extend(block.lines().take(4).map(|line| pen.line([(*role, line)])));
    }
    lines.push(Line::default());
    lines
}

/// How long it took, or takes so far.
pub(super) fn took(model: &Model, run: &Run) -> String {
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    let end = match live {
        Some(live) if live.phase != RunPhase::Ended => Some(model.now),
        Some(live) => live.ended,
        None => run.ended.as_ref().map(|ended| ended.time),
    };
    let Some(end) = end else { return String::new() };
    let seconds = end.seconds_since(run.begun.time).max(0);
    match seconds {
        0..60 => format!(", {seconds} s"),
        _ => format!(", {} min {} s", seconds / 60, seconds % 60),
    }
}

/// A line of an item: what was, what is, what it is about.
fn item_line(
    model: &Model,
    run: &Run,
    (at, item): (usize, &RunItem),
    here: bool,
    pen: &Pen<'_>,
    (width, room): (u16, usize),
) -> Line<'static> {
    let cursor = if here { pen.glyphs.cursor } else { " " };
    let mut parts = vec![pen.span(Role::Mark, cursor), pen.span(Role::Text, " ")];
    if is_hidden(model, item) {
        parts.push(pen.span(Role::Dim, &cell(HIDDEN, 24)));
    } else {
        let was = item.was.map(|was| Sign::from_outcome(Some(was)));
        match was {
            Some(sign) => parts.push(pen.sign(sign, 8)),
            None => parts.push(pen.span(Role::Dim, &cell("-", 8))),
        }
        parts.push(pen.span(Role::Dim, &format!(" {} ", pen.glyphs.arrow)));
        if let Some(before) =
            super::comparison::repeated_run(model, run).filter(|_| width >= NARROW)
        {
            match before.outcome(at) {
                Some(then) => parts.push(pen.sign(Sign::from_outcome(Some(then)), 8)),
                None => parts.push(pen.span(Role::Dim, &cell("-", 8))),
            }
            parts.push(pen.span(Role::Dim, &format!(" {} ", pen.glyphs.arrow)));
        }
        let (role, text) = now(model, run, at, pen);
        parts.push(pen.span(role, &format!("{} ", cell(&text, room))));
    }
    if width >= NARROW {
        let commit: String = item.commit.as_deref().unwrap_or("-").chars().take(8).collect();
        parts.push(pen.span(Role::Dim, &format!("{commit:<8} ")));
    }
    let file = item.files.first().map_or("", String::as_str);
    let more = match item.files.len() {
        0 | 1 => String::new(),
        n => format!(" +{}", n - 1),
    };
    let used = Line::from(parts.clone()).width();
    let room = usize::from(width).saturating_sub(used + more.len() + 1);
    parts.push(pen.span(Role::Text, &fit_end(file, room.max(4))));
    parts.push(pen.span(Role::Dim, &more));
    Line::from(parts)
}

/// State of an item now: its new verdict with whether it changed, or why there is none.
fn now(model: &Model, run: &Run, at: usize, pen: &Pen<'_>) -> (Role, String) {
    if let Some(outcome) = run.outcome(at) {
        let sign = Sign::from_outcome(Some(outcome));
        let was = run.begun.what.items.get(at).and_then(|item| item.was);
        let changed = was.is_some_and(|was| was != outcome);
        let mark = if changed { " !" } else { "" };
        return (sign.role(), format!("{}{mark}", pen.glyphs.sign(sign)));
    }
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    match live.and_then(|live| live.items.get(at)) {
        Some(ItemState::Asked) => {
            (Role::Notice, live.map_or_else(String::new, |live| live.asked(at, "asked")))
        }
        Some(ItemState::Waiting) => (Role::Dim, "waits".to_owned()),
        Some(ItemState::Skipped(why)) => (Role::Warning, why.clone().into_owned()),
        _ => match run.failure(at).or(run.left(at)) {
            Some(why) => (Role::Warning, why.replace('_', " ")),
            None => (Role::Warning, "no answer".to_owned()),
        },
    }
}
