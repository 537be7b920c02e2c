//! The selected record: the verdict, what was judged, what the log holds.
//!
//! A tab is a sheet of lines, made once when what it shows changes; drawing takes those on the
//! screen. Text from the log, the model or the repository is behind a gutter, so that it
//! cannot pass for a line of ours.

mod content;
mod history;
pub(in crate::tui::screen) mod rounds;
mod verdict;

pub use history::query as history_query;

use crate::content::State;
use crate::text::escape;
use crate::tui::layout;
use crate::tui::link::Link;
use crate::tui::model::{List, Model, Pane, ShownRecord, Tab};
use crate::tui::page::sheet::{Sheet, SheetKey, SheetLine, Writer};
use crate::tui::screen::label;
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::ops::Range;
use std::sync::Arc;

/// Lines of the sheet.
pub fn height(model: &Model) -> usize {
    model.record.sheet.lines.len()
}

/// The judged text of the first file that has one, for the editor.
pub fn content_text(model: &Model) -> Option<Arc<str>> {
    let highlighted = model.record.content.value.as_ref()?;
    let content = highlighted.content.as_ref().ok()?;
    content.files.iter().find_map(|f| match &f.state {
        State::Text { text, .. } => Some(Arc::from(text.as_str())),
        _ => None,
    })
}

/// The difference of all files, for the editor; `None` where there is none.
pub fn diff_text(model: &Model) -> Option<Arc<str>> {
    let highlighted = model.record.content.value.as_ref()?;
    let content = highlighted.content.as_ref().ok()?;
    let text = content::unified(content);
    (!text.is_empty()).then(|| Arc::from(text))
}

/// Makes the sheet of the present tab.
pub(in crate::tui) fn sheet(model: &Model, key: SheetKey) -> Sheet {
    let Writer { lines, stops, links, .. } = written(model, key.tab, key.width);
    let (lines, stops, links) = (Arc::new(lines), Arc::new(stops), Arc::new(links));
    Sheet { key: Some(key), lines, stops, links }
}

/// The lines of any tab for so many columns.
pub(in crate::tui) fn side(model: &Model, tab: Tab, width: usize) -> Vec<SheetLine> {
    written(model, tab, width).lines
}

fn written(model: &Model, tab: Tab, width: usize) -> Writer {
    let mut writer = Writer::new(width, model.glyphs, rest(model));
    if let Some(shown) = model.selected().filter(|_| !matches!(tab, Tab::Content | Tab::Diff)) {
        label::warn_unseen(&mut writer, model, &shown.row, false);
    }
    write(&mut writer, model, tab);
    writer
}

/// What is to be known of a hidden record before its content: what the task was, and one's own draft.
pub(in crate::tui) fn before_content(model: &Model, width: usize) -> Vec<SheetLine> {
    let mut writer = Writer::new(width, model.glyphs, rest(model));
    if let Some(shown) = model.selected() {
        verdict::write_question(&mut writer, model, &shown.row);
    }
    writer.lines
}

fn write(writer: &mut Writer, model: &Model, tab: Tab) {
    let Some(shown) = model.selected() else {
        writer.paragraph(Role::Dim, "no record is selected");
        return;
    };
    let bare = model.record.details.value.as_ref().and_then(|d| d.bare.as_ref());
    let shown: &ShownRecord = bare.filter(|b| b.row.id == shown.row.id).unwrap_or(shown);
    let hidden = model.is_hidden(&shown.row);
    match tab {
        Tab::Verdict if hidden => verdict::write_hidden(writer, model, shown),
        Tab::History | Tab::Raw if hidden => {
            writer.paragraph(Role::Dim, "Hidden until you have labelled this record.");
        }
        Tab::Verdict => verdict::write(writer, model, shown),
        Tab::Content => content::write(writer, model, &shown.row),
        Tab::Diff => content::write_diff(writer, model, &shown.row),
        Tab::History => history::write(writer, model, &shown.row),
        Tab::Raw => raw(writer, model, shown),
    }
}

/// Where the whole of a text is that is too long for a sheet.
fn rest(model: &Model) -> String {
    let here = crate::tui::model::key_context(model);
    let key = model.keymap.hint(here, crate::tui::action::Action::Edit);
    let key = key.map_or("`edit`".to_owned(), |key| key.to_string());
    match model.record.tab {
        // The editor gets the first text of a record.
        Tab::Content => format!("{key} opens the first file in the editor"),
        Tab::Verdict | Tab::Raw => format!("{key} opens the whole record in the editor"),
        Tab::Diff => format!("{key} opens the diff in the editor"),
        Tab::History => "the list of records has the rest".to_owned(),
    }
}

/// The bytes in the log, and every place where they are.
fn raw(writer: &mut Writer, model: &Model, shown: &ShownRecord) {
    verdict::origins(writer, &shown.row);
    writer.gap();
    match (&model.record.details.value, &model.record.details.load) {
        (Some(details), _) => writer.block(Role::Text, &details.raw),
        (None, crate::tui::model::Load::Failed(problem)) => {
            writer.quote(Role::Error, &problem.text);
            writer.quote(Role::Text, &model.next_step(problem));
        }
        (None, _) => writer.paragraph(Role::Dim, "reading…"),
    }
}

/// Draws the tabs and as much of the sheet as fits.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, is_alone: bool) {
    let inside = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let lines = &model.record.sheet.lines;
    let room = usize::from(inside.height);
    let scroll = model.record.scroll.min(lines.len().saturating_sub(room));
    let heading = heading(model, pen, area, is_alone);
    pen.title(buffer, area, model.pane == Pane::Record, &heading);
    for (row, (at, line)) in lines.iter().enumerate().skip(scroll).take(room).enumerate() {
        let matched = model.record.search.as_ref().map(|search| search.in_line(at));
        let spans = spans(pen, line, &matched.unwrap_or_default());
        pen.put(buffer, inside, row as u16, &Line::from(spans));
    }
    // Where `)` led to.
    let part = model.record.part.and_then(|at| model.record.sheet.stops.get(at));
    if let Some(row) = part.and_then(|line| line.checked_sub(scroll)).filter(|row| *row < room) {
        let cursor = pen.line([(Role::Mark, pen.glyphs.cursor)]);
        pen.put(buffer, inside, row as u16, &cursor);
    }
}

/// The pieces of a line; what matches a search stands out, most of all the match that is gone to.
fn spans<'l>(
    pen: &Pen<'_>,
    line: &'l SheetLine,
    matched: &[(Range<usize>, bool)],
) -> Vec<Span<'l>> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (role, text) in line {
        let (end, style) = (start + text.len(), pen.style(*role));
        let mut add = |from: usize, to: usize, style| {
            let piece = text.get(from - start..to - start).unwrap_or_default();
            spans.extend((!piece.is_empty()).then(|| Span::styled(piece, style)));
        };
        let mut at = start;
        for (bytes, is_current) in matched.iter().filter(|(b, _)| b.start < end && b.end > start) {
            let (from, to) = (bytes.start.max(at), bytes.end.min(end));
            let other = if *is_current { Role::Selection } else { Role::Match };
            add(at, from, style);
            add(from, to, style.patch(pen.style(other)));
            at = to;
        }
        add(at, end, style);
        start = end;
    }
    spans
}

/// Where pieces of the sheet that are on the screen lead, each with its place.
pub(in crate::tui) fn links(model: &Model, area: Rect) -> Vec<Link> {
    let inside = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let (lines, room) = (&model.record.sheet.lines, usize::from(inside.height));
    let scroll = model.record.scroll.min(lines.len().saturating_sub(room));
    let placed = model.record.sheet.links.iter().filter_map(|link| {
        let row = link.line.checked_sub(scroll).filter(|row| *row < room)?;
        let pieces = lines.get(link.line)?;
        let before: usize = pieces.iter().take(link.piece).map(|(_, t)| escape::width(t)).sum();
        let width = escape::width(&pieces.get(link.piece)?.1);
        let place = Rect {
            x: inside.x.saturating_add(u16::try_from(before).ok()?),
            y: inside.y + row as u16,
            width: u16::try_from(width).ok()?,
            height: 1,
        };
        Some(Link { place: place.intersection(inside), address: Arc::clone(&link.address) })
    });
    placed.collect()
}

/// The tabs, and behind them which lines are shown; alone on the screen also where in the list the record is, and what
/// is marked there.
fn heading(model: &Model, pen: &Pen<'_>, area: Rect, is_alone: bool) -> Line<'static> {
    let lines = model.record.sheet.lines.len();
    let room = usize::from(area.height.saturating_sub(1));
    let scroll = model.record.scroll.min(lines.saturating_sub(room));
    let list = model.list().filter(|_| is_alone);
    let mut place = list.map(|list| in_list(list, pen)).unwrap_or_default();
    if lines > room && room > 0 {
        place += &format!("{}–{} of {lines}", scroll + 1, scroll + room);
    }
    let left = usize::from(area.width).saturating_sub(escape::width(&place) + 3);
    let mut heading = tabs(model, pen, left);
    heading.push_span(pen.span(Role::Dim, &format!("   {}", place.trim_end())));
    heading
}

fn in_list(list: &List, pen: &Pen<'_>) -> String {
    let marks = super::records::heading::marks(list, pen.glyphs).unwrap_or_default();
    let gap = if marks.is_empty() { "" } else { " " };
    format!("{} of {}{gap}{marks}  ", list.cursor + 1, list.len())
}

/// The tab whose name is at a place of the heading.
pub(in crate::tui) fn tab_at(model: &Model, area: Rect, at: Position) -> Option<Tab> {
    let pen = Pen::new(model);
    let is_alone = area == layout::areas(model)?.body;
    let mut end = area.x;
    let names = heading(model, &pen, area, is_alone).spans;
    let is_here = |name: &&(Span<'_>, Tab)| {
        end += name.0.width() as u16;
        at.x < end
    };
    let named: Vec<(Span<'_>, Tab)> = names.into_iter().zip(Tab::ALL).collect();
    named.iter().find(is_here).filter(|_| at.y == area.y).map(|(_, tab)| *tab)
}

/// The names of the tabs; where they do not fit, those that are not open are a letter each, or left out.
fn tabs(model: &Model, pen: &Pen<'_>, room: usize) -> Line<'static> {
    let one = |tab: Tab, letters: usize| match tab == model.record.tab {
        true => pen.span(Role::Title, &format!("[{}]", tab.title())),
        false if letters == 0 => pen.span(Role::Dim, ""),
        false => {
            let short: String = tab.title().chars().take(letters).collect();
            pen.span(Role::Dim, &format!(" {short} "))
        }
    };
    let all =
        [usize::MAX, 1, 0].map(|letters| Line::from_iter(Tab::ALL.map(|tab| one(tab, letters))));
    let fits = all.iter().find(|line| line.width() <= room);
    fits.or(all.last()).cloned().unwrap_or_default()
}
