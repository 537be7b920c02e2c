//! What stands on the screen, as text that a test compares.

use foureyes::text::escape;
use foureyes::tui::layout::{Areas, areas};
use foureyes::tui::{Model, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::fmt::Write;
use std::ops::Range;

/// What the model looks like on a terminal of its own size.
pub(super) fn drawn(model: &Model) -> Buffer {
    drawn_on(model, model.size)
}

/// What it looks like on a terminal of another size.
pub(super) fn drawn_on(model: &Model, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The cells of a row, without those that a wide one before them covers.
fn cells(buffer: &Buffer, y: u16) -> Vec<(u16, &Cell)> {
    let (mut x, mut row) = (buffer.area.x, Vec::new());
    while x < buffer.area.right() {
        let cell = &buffer[(x, y)];
        row.push((x, cell));
        x += (escape::width(cell.symbol()) as u16).max(1);
    }
    row
}

/// The lines of the screen, without spaces at their ends.
pub(super) fn lines(buffer: &Buffer) -> Vec<String> {
    let line = |y| cells(buffer, y).iter().map(|(_, c)| c.symbol()).collect::<String>();
    let rows = buffer.area.y..buffer.area.bottom();
    rows.map(|y| line(y).trim_end().to_owned()).collect()
}

/// The screen as text.
pub(super) fn text(buffer: &Buffer) -> String {
    lines(buffer).join("\n")
}

/// The lines of a part of the screen.
fn part(buffer: &Buffer, rows: Range<u16>) -> String {
    let lines = lines(buffer);
    lines[usize::from(rows.start)..usize::from(rows.end)].join("\n")
}

/// The line at the top.
pub(super) fn header(model: &Model, buffer: &Buffer) -> String {
    areas(model).map_or(String::new(), |areas| part(buffer, rows(areas.header)))
}

/// The keys at the bottom, or the line that is typed.
pub(super) fn footer(model: &Model, buffer: &Buffer) -> String {
    areas(model).map_or(String::new(), |areas| part(buffer, rows(areas.footer)))
}

/// What is between header and footer. Where something lies above the screen, the footer is a part of that.
pub(super) fn body(model: &Model, buffer: &Buffer) -> String {
    part(buffer, body_rows(model, buffer))
}

/// The rows of [`body`].
pub(super) fn body_rows(model: &Model, buffer: &Buffer) -> Range<u16> {
    let whole = buffer.area.y..buffer.area.bottom();
    let Some(Areas { body, footer, .. }) = areas(model) else { return whole };
    body.y..if model.overlay.is_some() { whole.end } else { footer.y }
}

fn rows(area: Rect) -> Range<u16> {
    area.y..area.bottom()
}

/// A letter a cell for its style, and what each letter stands for; `.` is the text's own style.
pub(super) fn styles(buffer: &Buffer, rows: Range<u16>, plain: Style) -> String {
    let of_text = Cell::default().set_style(plain).clone();
    let mut seen: Vec<Style> = vec![meant(&of_text)];
    let mut out = String::new();
    for y in rows {
        let mut line = String::new();
        for x in buffer.area.x..buffer.area.right() {
            let style = meant(&buffer[(x, y)]);
            let at = seen.iter().position(|s| *s == style).unwrap_or_else(|| {
                seen.push(style);
                seen.len() - 1
            });
            line.push(char::from(b".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[at]));
        }
        let _ = writeln!(out, "{}", line.trim_end_matches('.'));
    }
    for (at, style) in seen.iter().enumerate().skip(1) {
        let letter = b".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[at];
        let _ = writeln!(out, "{}: {}", char::from(letter), told(style));
    }
    out
}

fn meant(cell: &Cell) -> Style {
    Style::new().fg(cell.fg).bg(cell.bg).add_modifier(cell.modifier)
}

fn told(style: &Style) -> String {
    let colour = |c: Option<ratatui::style::Color>| c.map_or("-".to_owned(), |c| c.to_string());
    let how = format!("{:?}", style.add_modifier);
    format!("{} on {} {how}", colour(style.fg), colour(style.bg))
}

/// Fails where a cell holds what steers a terminal or cannot be seen, and where a row is not as
/// wide as the screen.
pub(super) fn harmless(buffer: &Buffer, what: &str) {
    for y in buffer.area.y..buffer.area.bottom() {
        let mut end = buffer.area.x;
        for (x, cell) in cells(buffer, y) {
            let symbol = cell.symbol();
            let wrong = symbol.chars().find(|c| c.is_control() || joined(symbol, *c));
            assert_eq!(wrong, None, "{what}: {symbol:?} at {x},{y}\n{}", text(buffer));
            assert!(symbol.len() <= 64, "{what}: {} bytes in one cell", symbol.len());
            end = x + (escape::width(symbol) as u16).max(1);
            for covered in x + 1..end.min(buffer.area.right()) {
                let behind = buffer[(covered, y)].symbol();
                assert!(behind.trim().is_empty(), "{what}: {behind:?} behind {symbol:?}");
            }
        }
        assert_eq!(end, buffer.area.right(), "{what}: row {y} has another width\n{}", text(buffer));
    }
}

/// A hidden character; those that join the parts of one picture are part of it.
fn joined(symbol: &str, c: char) -> bool {
    let picture = symbol.chars().count() > 1 && !symbol.is_ascii();
    crate::hostile::hides(c) && !(picture && matches!(c, '\u{200d}' | '\u{fe0f}'))
}
