//! One KPI: what was found, its numbers, and its place on a scale.

use crate::calibration::KpiRow;
use crate::report::number;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::screen::phrases;
use crate::tui::theme::Role;
use crate::tui::widget::Gauge;

/// Columns of the longest title.
const TITLE: usize = 21;
/// From so many columns on what was found is behind the counts, and from so many the scale
/// behind the numbers.
const FOUND: usize = 63;
const SCALE: usize = 74;
/// Columns of a gauge.
const GAUGE: usize = 44;

/// Adds a KPI to a block.
pub(super) fn add(block: &mut Block, kpi: &KpiRow, name: &'static str) {
    let (glyphs, width) = (block.glyphs, block.width);
    let row = Row::stop(name, kpi.id.as_str()).note(phrases::note(kpi));
    let row = row.span(Role::Text, kpi.id.title());
    let row = if width < TITLE + 20 { row.span(Role::Text, " ") } else { row.pad_to(TITLE) };
    let row = phrases::counts(row, kpi);
    let unit = match kpi.id.needs_labels() && kpi.weighted().is_none() {
        true if width >= TITLE + 20 => " labels",
        _ => "",
    };
    let row = row.span(Role::Dim, unit);
    let (role, found) = phrases::kpi_result(kpi, glyphs);
    if width < FOUND {
        block.add(row);
        block.add(Row::new().span(Role::Text, "  ").span(role, found));
    } else {
        block.add(row.pad_to(TITLE + 20).span(role, found));
    }
    numbers(block, kpi);
    below(block, kpi);
}

/// Estimate and bounds, and the scale behind or below them.
fn numbers(block: &mut Block, kpi: &KpiRow) {
    let (glyphs, width) = (block.glyphs, block.width);
    let threshold = number::threshold(kpi.threshold());
    let row = Row::new().span(Role::Text, "  ").span(Role::Figure, phrases::estimate(kpi));
    let row = match phrases::bounds(kpi) {
        Some(ends) => row.span(Role::Text, format!("  {ends}")),
        None => row,
    };
    let row = if width < SCALE {
        block.add(row);
        Row::new().span(Role::Text, "  ")
    } else {
        row.pad_to(36)
    };
    let room = width.saturating_sub(row.used() + threshold.len() + 1).min(GAUGE);
    let cells = gauge(kpi).cells(room, glyphs).into_iter();
    let row = cells.fold(row, |row, (role, text)| row.span(role, text));
    block.add(row.span(Role::Threshold, format!(" {threshold}")));
}

/// What a reader must know of it besides.
fn below(block: &mut Block, kpi: &KpiRow) {
    let mut add = |role, text: String| block.indented(role, &text);
    if kpi.id.needs_labels() {
        let meaning = kpi.id.definition().meaning;
        add(Role::Dim, format!("{}: {meaning}", kpi.definition));
    }
    if let Some(parts) = kpi.weighted().filter(|_| kpi.estimate.is_some()) {
        add(Role::Dim, format!("weighted by stratum size; {parts}"));
    }
    if !kpi.gated {
        add(Role::Dim, "informational: the policy does not use it".to_owned());
    }
    if let Some(reason) = &kpi.reason {
        add(Role::Warning, sanitize(reason));
    }
    if let Some(progress) = phrases::progress(kpi) {
        add(Role::Warning, progress);
    }
    for remark in &kpi.remarks {
        add(Role::Warning, sanitize(remark));
    }
    if let Some(range) = kpi.unsure {
        let (from, to) = (number::value(kpi.id, range.from), number::value(kpi.id, range.to));
        let text = format!("{from} if every unsure label counts for the judge, {to} if against it");
        add(Role::Dim, text);
    }
    if let Some(range) = kpi.undetermined {
        let (from, to) = (number::value(kpi.id, range.from), number::value(kpi.id, range.to));
        let text = format!("{from} if every UNDETERMINED had been right, {to} if wrong");
        add(Role::Dim, text);
    }
    if let Some(day) = &kpi.decided_on {
        add(Role::Dim, format!("decided on {}", sanitize(day)));
    }
    if let Some(name) = &kpi.waived_by {
        add(Role::Warning, format!("waived by {}: not used", sanitize(name)));
    }
}

/// The scale of a KPI, by the policy's thresholds.
fn gauge(kpi: &KpiRow) -> Gauge {
    Gauge {
        estimate: kpi.estimate,
        lower: kpi.lower,
        upper: kpi.upper,
        thresholds: kpi.threshold().values().collect(),
        ends: kpi.id.definition().scale,
    }
}
