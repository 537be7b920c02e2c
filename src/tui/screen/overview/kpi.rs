//! The KPIs of each family, each on a scale with its interval and its thresholds. The error rates and the
//! answer come from the assessment, where there is one.

use crate::calibration::{KpiRow, Readiness};
use crate::domain::{JudgementKind, Kpi, Threshold};
use crate::report::{number, words};
use crate::text::CommandLine;
use crate::tui::page::drill_down::{Documents, DrillDown};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::screen::phrases;
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::{Gauge, fit};

/// The block of a family.
const fn name(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "kpis",
        JudgementKind::Task => "kpis of tasks",
    }
}

/// The family of which a block is; `None` of another block.
pub(in crate::tui::screen) fn family(block: &str) -> Option<JudgementKind> {
    JudgementKind::ALL.into_iter().find(|family| name(*family) == block)
}

/// The row of the block that says whether the judge may block.
pub(super) const ANSWER: &str = "readiness";

/// Columns of the longest title.
const TITLE: usize = 20;
/// From so many columns on a KPI has one row, and from so many its interval in figures.
const ONE_ROW: usize = 70;
const ENDS: usize = 96;
/// From so many columns on its parts are below each other.
const COLUMNS: usize = 50;
/// Columns of a gauge.
const GAUGE: usize = 44;

/// A KPI, and what the assessment says of it where it needs labels.
struct KpiView<'a> {
    family: JudgementKind,
    kpi: Kpi,
    row: Option<&'a KpiRow>,
    /// That of the window of calibration, where there is one.
    threshold: Threshold,
}

impl<'a> KpiView<'a> {
    fn new(kpi: &Kpi, family: JudgementKind, readiness: Option<&'a Readiness>) -> Self {
        let mut rows = readiness.iter().flat_map(|r| r.kpis.iter().chain(&r.beside));
        let row = rows.find(|r| r.id == kpi.id);
        let threshold = row.map_or(kpi.threshold(), KpiRow::threshold);
        let row = row.filter(|r| r.id.needs_labels());
        let kpi = row.map_or_else(|| kpi.clone(), |row| assessed(kpi, row));
        Self { family, kpi, row, threshold }
    }
}

/// A KPI with the numbers of an assessment.
fn assessed(kpi: &Kpi, row: &KpiRow) -> Kpi {
    Kpi {
        numerator: row.numerator,
        denominator: row.denominator,
        estimate: row.estimate,
        lower: row.lower,
        upper: row.upper,
        reason: row.reason.clone(),
        ..kpi.clone()
    }
}

/// The block of pushes, first on the page.
pub(super) fn of_pushes(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    vec![block(documents, JudgementKind::Push, width, glyphs)]
}

/// A block of each other family that has evaluations in the window.
pub(super) fn of_others(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let has_any = |of: &JudgementKind| !of.is_push() && !documents.kpis(*of).is_empty();
    let families = JudgementKind::ALL.into_iter().filter(has_any);
    families.map(|family| block(documents, family, width, glyphs)).collect()
}

fn block(
    documents: &Documents<'_>,
    family: JudgementKind,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let (title, unit) = (words::kpi_heading(family), lower(words::kpi_unit(family)));
    let mut block = Block::new(width, glyphs, title, &unit);
    let readiness = *documents.readiness.get(family);
    let kpis = documents.kpis(family);
    let kpis: Vec<KpiView<'_>> = kpis.iter().map(|k| KpiView::new(k, family, readiness)).collect();
    let fraction = kpis
        .iter()
        .map(|k| match k.row {
            Some(row) => phrases::counts_width(row),
            None => format!("{} of {}", k.kpi.numerator, k.kpi.denominator).len(),
        })
        .chain([10])
        .max()
        .unwrap_or(0);
    for kpi in &kpis {
        add_kpi(&mut block, kpi, fraction);
    }
    match readiness {
        None => block.text(Row::new(), Role::Dim, words::NO_DECISION),
        Some(readiness) => answer(&mut block, readiness, documents.command_line),
    }
    block
}

/// Whether the judge may block, and over what the error rates are taken.
fn answer(block: &mut Block, readiness: &Readiness, command_line: CommandLine) {
    let (role, text) = phrases::answer(readiness.result, block.glyphs);
    let note = format!("{text}; {}", phrases::explanation(readiness));
    let row = Row::stop(name(readiness.family), ANSWER).in_family(readiness.family);
    block.add(row.note(note).span(role, text));
    for text in &readiness.qualifiers {
        block.text(Row::new(), Role::Warning, &sanitize(text));
    }
    block.text(Row::new(), Role::Dim, &command_line.complete(&phrases::span(readiness)));
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().chain(chars).collect())
}

/// A KPI: one row where there is room, two where there is not.
fn add_kpi(block: &mut Block, view: &KpiView<'_>, fraction: usize) {
    let (glyphs, width, kpi) = (block.glyphs, block.width, &view.kpi);
    let threshold = number::threshold(view.threshold);
    let row = Row::stop(name(view.family), kpi.id.as_str()).in_family(view.family).note(note(view));
    let row = row.span(Role::Text, kpi.id.title());
    // On the narrowest screens the columns give way.
    let (title, value) = if width < COLUMNS { (row.used() + 1, 0) } else { (TITLE, TITLE + 9) };
    let row = row.pad_to(title);
    let row = match number::estimate(kpi) {
        Some(estimate) => {
            counts(row.span(Role::Figure, estimate).span(Role::Text, "  ").pad_to(value), view)
        }
        None => row.span(Role::Dim, fit(&reason(kpi), width.saturating_sub(TITLE + 12))),
    };
    if width < ONE_ROW {
        block.add(row);
        let room = width.saturating_sub(threshold.len() + 3).min(GAUGE);
        let row = gauge(Row::new().span(Role::Text, "  "), view, room, glyphs);
        block.add(row.span(Role::Threshold, format!(" {threshold}")));
        return;
    }
    let at = TITLE + 9 + fraction + 2;
    let wide = if width >= ENDS { 22 } else { 0 };
    let ends = number::ends(kpi).filter(|_| wide > 0 && kpi.estimate.is_some());
    let room = width.saturating_sub(at + wide + 12).min(GAUGE);
    // A long reason takes the place of the gauge as well.
    let fits = row.used() < at + wide;
    let row = row.pad_to(at).span(Role::Text, ends.unwrap_or_default()).pad_to(at + wide);
    let row = if fits { gauge(row, view, room, glyphs) } else { row };
    block.add(row.pad_to(at + wide + room + 1).span(Role::Threshold, threshold));
}

/// Why there is no estimate.
fn reason(kpi: &Kpi) -> String {
    kpi.reason.as_deref().map_or_else(|| "not enough evidence".to_owned(), sanitize)
}

/// Numerator and denominator, each leading to its records.
fn counts(row: Row, view: &KpiView<'_>) -> Row {
    if let Some(assessed) = view.row {
        return phrases::counts(row, assessed);
    }
    let kpi = &view.kpi;
    let (above, below) = (kpi.numerator.to_string(), kpi.denominator.to_string());
    if crate::overview::kpi_filters(view.family, kpi.threshold()).is_none() {
        return row.span(Role::Dim, format!("{above} of {below}"));
    }
    let row = row.cell(Role::Text, above, DrillDown::Numerator(kpi.id)).span(Role::Dim, " of ");
    row.cell(Role::Text, below, DrillDown::Denominator(kpi.id))
}

/// What the row has no room for, for the line at the bottom.
fn note(view: &KpiView<'_>) -> String {
    if let Some(row) = view.row {
        return phrases::note(row);
    }
    let kpi = &view.kpi;
    let (title, threshold) = (kpi.id.title(), number::threshold(view.threshold));
    match number::estimate(kpi) {
        None => format!("{title}: {}; threshold: {threshold}", reason(kpi)),
        Some(estimate) => {
            let (fraction, interval) = (number::fraction(kpi), number::interval(kpi));
            format!("{title} {estimate}, {fraction}; {interval}; threshold: {threshold}")
        }
    }
}

/// The scale with interval, thresholds and estimate; without an estimate with thresholds only.
fn gauge(row: Row, view: &KpiView<'_>, width: usize, glyphs: &'static Glyphs) -> Row {
    let kpi = &view.kpi;
    let gauge = Gauge {
        estimate: kpi.estimate,
        lower: kpi.lower.filter(|_| kpi.estimate.is_some()),
        upper: kpi.upper.filter(|_| kpi.estimate.is_some()),
        thresholds: view.threshold.values().collect(),
        ends: kpi.id.definition().scale,
    };
    gauge.cells(width, glyphs).into_iter().fold(row, |row, (role, text)| row.span(role, text))
}
