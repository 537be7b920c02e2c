//! Boxes, coverage, accounting, caveats.

use crate::domain::{BoxReport, BoxState, CoverageRow, Timestamp};
use crate::overview::What;
use crate::report::words;
use crate::tui::page::drill_down::{Documents, DrillDown};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::{cell, fit};

/// Boxes with the age of their data, and the gaps of coverage.
pub(super) fn boxes(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let triage = documents.triage;
    let mut block = Block::new(width, glyphs, "Boxes", "everything read from them");
    let names = triage.boxes.iter().map(|b| sanitize(&b.name).chars().count()).max().unwrap_or(0);
    let names = names.clamp(3, (width / 3).max(3)) + 1;
    for (at, report) in triage.boxes.iter().enumerate() {
        block.add(box_row(at, report, names, documents.now));
        if let Some(error) = report.error.as_deref().filter(|_| report.state != BoxState::Ok) {
            let text = fit(&sanitize(error), width.saturating_sub(2));
            block.add(Row::new().span(Role::Text, "  ").span(Role::Error, text));
        }
    }
    let mut blocks = vec![block];
    if !triage.coverage.is_empty() {
        blocks.push(coverage(&triage.coverage, width, glyphs));
    }
    blocks
}

fn box_row(at: usize, report: &BoxReport, names: usize, now: Timestamp) -> Row {
    let freshness = words::freshness_at(report, now);
    let row = Row::stop("boxes", &report.name);
    let row = row.cell(
        Role::Text,
        cell(&fit(&sanitize(&report.name), names - 1), names),
        DrillDown::Box(at),
    );
    row.span(state(report.state), freshness)
        .span(Role::Dim, format!("  {}", words::holdings(report)))
}

/// How the state of a box looks; its word is beside it.
pub(in crate::tui::screen) fn state(state: BoxState) -> Role {
    match state {
        BoxState::Ok => Role::Text,
        BoxState::Stale => Role::Stale,
        BoxState::Empty => Role::Warning,
    }
}

fn coverage(rows: &[CoverageRow], width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Coverage", "agent commits with a verdict");
    let is_gap = |r: &CoverageRow| r.gap() > 0;
    for (at, row) in rows.iter().enumerate().filter(|(_, r)| is_gap(r)) {
        let id = format!("{} {}", row.box_name, row.day);
        let line = Row::stop("coverage", id).span(Role::Text, format!("{} ", sanitize(&row.day)));
        let line = line.cell(
            Role::Warning,
            format!("GAP {} of {}", row.judged, row.commits),
            DrillDown::Gap(at),
        );
        let others: String =
            row.others().map(|(name, count)| format!(", {name} {count}")).collect();
        block.add(line.span(Role::Dim, format!("{others}, {}", sanitize(&row.box_name))));
    }
    if !rows.iter().any(is_gap) {
        block.add(Row::new().span(Role::Text, "no gap"));
    }
    block
}

/// Where every line went, and what a reader must know.
pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    vec![accounting(documents, width, glyphs), caveats(documents, width, glyphs)]
}

fn accounting(documents: &Documents<'_>, width: usize, glyphs: &'static Glyphs) -> Block {
    const NAME: &str = "accounting";
    let counts = &documents.triage.counts;
    let mut block =
        Block::new(width, glyphs, "Accounting", "everything read, regardless of the window");
    let whole = Row::stop(NAME, "window")
        .span(Role::Dim, "in the window: ")
        .cell(Role::Text, format!("bypassed {}", counts.bypassed), DrillDown::Whole(What::Bypassed))
        .span(Role::Text, "  ")
        .cell(Role::Text, format!("repeats {}", counts.repeats), DrillDown::Whole(What::Repeats));
    let earlier = format!("earlier rounds {}", counts.earlier_rounds);
    if whole.used() + earlier.len() + 2 <= width {
        block.add(whole.span(Role::Text, format!("  {earlier}")));
    } else {
        block.add(whole);
        block.add(Row::new().span(Role::Text, earlier));
    }
    let mut head = Row::stop(NAME, "equation");
    for part in words::equation(&counts.accounting) {
        block.text(std::mem::take(&mut head), Role::Text, &part);
    }
    block.add(Row::new().span(Role::Text, format!("undated records: {}", counts.undated)));
    block
}

fn caveats(documents: &Documents<'_>, width: usize, glyphs: &'static Glyphs) -> Block {
    let caveats = &documents.triage.caveats;
    let mut block = Block::new(width, glyphs, &format!("Caveats: {}", caveats.len()), "");
    for caveat in caveats {
        let text = sanitize(&caveat.text);
        let text = documents.command_line.complete(&text);
        block.text(Row::stop("caveats", &caveat.id), Role::Text, &text);
    }
    block
}
