//! Boxes by days: where something was flagged, where nothing was, and where nothing is known.

use crate::overview::{Part, Step, What};
use crate::text::escape;
use crate::tui::page::drill_down::{Documents, DrillDown};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::cell;

const NAME: &str = "heat";

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let Some(all) = documents.breakdowns else { return Vec::new() };
    let rows = &all.heat.rows;
    let mut block = Block::new(width, glyphs, "Flagged by box", "all kinds of verdict");
    let parts = || rows.iter().flat_map(|r| &r.cells);
    let most = parts().map(|p| p.count(What::Flagged)).max().unwrap_or(0);
    let digits = parts().map(|p| p.count(What::Flagged).to_string().len()).max().unwrap_or(1);
    let names = rows.iter().map(|r| escape::width(&sanitize(&r.name))).max().unwrap_or(1);
    let label = names.min(width / 3).max(3) + 1;
    let bars = all.days.bars.len();
    let room = width.saturating_sub(label);
    let each = (room / bars.max(1)).clamp(1, 7);
    // Where there is room, the number is beside its sign.
    let numbers = each > digits + 1;
    let skip = bars.saturating_sub(room / each);
    block.add(legend(glyphs));
    if numbers && all.days.step != Step::Month && each > 3 {
        block.add(heads(documents, label, each, skip));
    }
    for (at, heat) in rows.iter().enumerate() {
        let mut row =
            Row::stop(NAME, &heat.name).span(Role::Text, cell(&sanitize(&heat.name), label));
        for (bar, part) in heat.cells.iter().enumerate().skip(skip) {
            let (role, sign) = sign(part, most, glyphs);
            let flagged = part.count(What::Flagged);
            let text = match numbers && flagged > 0 {
                true => format!("{flagged}{sign}"),
                false => sign.to_owned(),
            };
            let before = if numbers { each.saturating_sub(escape::width(&text)) } else { 0 };
            row = row.span(Role::Text, " ".repeat(before));
            row = row.cell(role, text, DrillDown::Heat(at, bar, What::Flagged));
        }
        let last = heat.cells.len().saturating_sub(skip + 1);
        block.add(row.first(last));
    }
    vec![block]
}

fn legend(glyphs: &'static Glyphs) -> Row {
    Row::new()
        .span(Role::Stale, glyphs.nothing)
        .span(Role::Dim, " silent  ")
        .span(Role::Dim, "0 none flagged  ")
        .span(Role::NoGo, [0.3, 0.5, 0.7, 1.0].map(|s| glyphs.heat(Some(s))).concat())
        .span(Role::Dim, " more")
}

/// The day of the month above each column.
fn heads(documents: &Documents<'_>, label: usize, each: usize, skip: usize) -> Row {
    let mut row = Row::new().pad_to(label);
    let bars = documents.breakdowns.map_or(0, |b| b.days.bars.len());
    for at in skip..bars {
        let day: String = documents.span(at).unwrap_or_default().chars().skip(8).take(2).collect();
        row = row.span(Role::Dim, format!("{day:>0$} ", each - 1));
    }
    row
}

/// How a cell looks: silent, none flagged, or the darker the more.
pub(super) fn sign(part: &Part, most: u64, glyphs: &'static Glyphs) -> (Role, &'static str) {
    let flagged = part.count(What::Flagged);
    if part.is_silent() {
        return (Role::Stale, glyphs.nothing);
    }
    if flagged == 0 {
        return (Role::Dim, "0");
    }
    (Role::NoGo, glyphs.heat(Some(flagged as f64 / most.max(1) as f64)))
}
