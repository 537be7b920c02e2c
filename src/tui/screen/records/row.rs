//! A record as a line of a list.

use super::columns::{BEFORE, Columns, Place};
use crate::answers::list_cells;
use crate::domain::{Column, Record};
use crate::text::escape;
use crate::tui::model::{List, Model, ShownRecord};
use crate::tui::screen::{claims, label, overrides};
use crate::tui::theme::{Glyphs, Role, Sign};
use crate::tui::widget::Pen;
use ratatui::text::{Line, Span};

/// A record as a line of a list.
pub(super) fn line(
    columns: &Columns,
    pen: &Pen<'_>,
    model: &Model,
    (list, line): (&List, usize),
    shown: &ShownRecord,
) -> Line<'static> {
    let row = &shown.row;
    let mut before = vec![Span::raw(" "), mark(pen, list, line, row)];
    if columns.places.first().is_some_and(|place| place.x == BEFORE) {
        before.push(sign(pen, model, row));
        before.push(Span::raw(" "));
    }
    columns.line(pen, before, |place| cell(model, list, shown, place))
}

/// Columns that its path takes where nothing of it is cut.
pub(super) fn path_width(model: &Model, list: &List, row: &Record) -> usize {
    let (name, more) = subject(model, list, row);
    escape::width(&quoted(&name, model.glyphs)) + escape::width(&more)
}

/// Whether it is marked, or put off: the letter of the key that does so.
fn mark(pen: &Pen<'_>, list: &List, line: usize, row: &Record) -> Span<'static> {
    let in_range = list.span().is_some_and(|span| span.contains(&line));
    if in_range || list.marks.contains(&row.id) {
        pen.span(Role::Mark, pen.glyphs.marked)
    } else {
        pen.span(Role::Dim, if list.is_later(line) { "z" } else { " " })
    }
}

/// The outcome, or that it is hidden.
fn sign(pen: &Pen<'_>, model: &Model, row: &Record) -> Span<'static> {
    if model.is_hidden(row) {
        return pen.span(Role::Dim, pen.glyphs.hidden);
    }
    let sign = Sign::of(row);
    pen.span(sign.role(), pen.glyphs.mark(sign))
}

/// What a column has of a record. Of a hidden one nothing hints at the verdict.
fn cell(model: &Model, list: &List, shown: &ShownRecord, place: &Place) -> (Role, String) {
    let row = &shown.row;
    let hidden = model.is_hidden(row);
    let text = |column| list_cells::text(column, row, model.now);
    match place.column {
        Column::Path => (Role::Text, path(model, list, row, place.width)),
        Column::State => state(model, row, place.width),
        Column::Age => (Role::Dim, age(model, shown)),
        Column::Finding if hidden => (Role::Dim, list_cells::HIDDEN.to_owned()),
        Column::Scores | Column::Author | Column::Model | Column::Latency if hidden => {
            (Role::Dim, String::new())
        }
        column @ (Column::Finding | Column::Scores) => (Role::Text, text(column)),
        column => (Role::Dim, text(column)),
    }
}

/// What was judged; in a list whose lines stand for runs with their rounds, and of a hidden one without any.
fn subject(model: &Model, list: &List, row: &Record) -> (String, String) {
    match rounds(row).filter(|_| list.folded() > 0) {
        _ if model.is_hidden(row) => list_cells::bare_subject(row),
        Some(rounds) => list_cells::subject_of_run(row, rounds),
        None => list_cells::subject(row),
    }
}

/// How many rounds a run had that this line ends; `None` of one, and of what is no run.
fn rounds(row: &Record) -> Option<u64> {
    let is_person = row.mode.as_deref() == Some("escalation");
    let asked = row.round?.saturating_sub(u64::from(is_person));
    (asked > 1).then_some(asked)
}

/// The path, cut where it tells least; how many more files there are stays.
fn path(model: &Model, list: &List, row: &Record, width: usize) -> String {
    let (name, more) = subject(model, list, row);
    let name = quoted(&name, model.glyphs);
    let room = width.saturating_sub(escape::width(&more));
    format!("{}{more}", escape::truncate_path(&name, room))
}

/// A name from outside, harmless; in quotes where it begins as a sign of ours does.
fn quoted(name: &str, glyphs: &Glyphs) -> String {
    let shown = escape::line(name);
    let mut characters = shown.chars();
    let (first, next) = (characters.next(), characters.next());
    match first.is_some_and(|first| begins_as_ours(first, next, glyphs)) {
        true => format!("\"{shown}\""),
        false => shown.into_owned(),
    }
}

/// Whether a name that begins with these two characters could pass for a sign of ours and a word.
fn begins_as_ours(first: char, next: Option<char>, glyphs: &Glyphs) -> bool {
    let signs = Sign::ALL.map(|sign| glyphs.mark(sign));
    let others = [
        glyphs.stopped,
        glyphs.hidden,
        glyphs.new,
        glyphs.marked,
        glyphs.cursor,
        "=",
        "!",
        "~",
        "@",
        "[",
    ];
    let is_sign = signs.iter().chain(&others).any(|sign| sign.starts_with(first));
    // In ASCII letters are signs too: alone, never as the beginning of a word.
    first == ' '
        || (is_sign && (!first.is_ascii() || next.is_none_or(|next| next == ' ') || first == '['))
}

/// What people did with a record, or that it stopped a push; of what is no push its family. In one column its mark.
fn state(model: &Model, row: &Record, width: usize) -> (Role, String) {
    let (role, mark, word) = whole_state(model, row);
    match (width, mark) {
        (1, mark) => (role, mark.to_owned()),
        (_, "") => (role, word),
        (_, mark) => (role, format!("{mark} {word}")),
    }
}

fn whole_state(model: &Model, row: &Record) -> (Role, &'static str, String) {
    let owned = |(role, mark, word): (Role, &'static str, &str)| (role, mark, word.to_owned());
    let hidden = model.is_hidden(row);
    let own = label::in_list(model, row);
    let is_saving = own.is_some_and(|(role, ..)| role == Role::Dim);
    if is_saving || hidden {
        return own.map_or((Role::Dim, "", String::new()), owned);
    }
    let stopped = || row.is_stopped().then_some((Role::NoGo, model.glyphs.stopped, "stopped"));
    if let Some(state) = overrides::in_list(model, row).or_else(stopped).or(own) {
        return owned(state);
    }
    if let Some(holder) = claims::holder(model, row) {
        return (Role::Notice, "@", holder.to_owned());
    }
    (Role::Dim, "", list_cells::state(row).to_owned())
}

/// How long ago it was judged, and whether it is new.
fn age(model: &Model, shown: &ShownRecord) -> String {
    let row = &shown.row;
    if model.gate.keeps(row.id) {
        return String::new();
    }
    let age = list_cells::text(Column::Age, row, model.now);
    match shown.is_new && row.timestamp.is_some() {
        true => format!("{} {age}", model.glyphs.new),
        false => age,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_as_a_sign_is_quoted() {
        let quotes = |name| quoted(name, &Glyphs::UNICODE).starts_with('"');
        for name in [" a.md", "✔ GO.md", "■stopped", "= agree", "[= poor] a.md", "! b.md", "░"]
        {
            assert!(quotes(name), "{name}");
        }
        for name in ["a.md", "!important.md", "~draft.md", "-x.md", "@team/a.md", "research/✔.md"]
        {
            assert!(!quotes(name), "{name}");
        }
        let ascii = |name| quoted(name, &Glyphs::ASCII).starts_with('"');
        assert!(ascii("x NO-GO.md") && ascii("n") && !ascii("notes.md") && !ascii("x.md"));
        assert_eq!(quoted("✔\u{1b}", &Glyphs::UNICODE), "\"✔␛\"");
    }
}
