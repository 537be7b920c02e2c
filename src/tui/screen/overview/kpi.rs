//! The six KPIs, each on a scale with its interval and its thresholds. Nothing is decided here,
//! so nothing is green.

use super::aim::{Aim, Documents};
use super::row::{Block, Row, outside};
use crate::calibration::kpi::SLOW_MS;
use crate::domain::{Kpi, KpiId};
use crate::report::{number, words};
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::fit;

pub(super) const NAME: &str = "kpis";

/// Columns of the longest title.
const TITLE: usize = 20;
/// From so many columns on a KPI has one row, and from so many its interval in figures.
const ONE_ROW: usize = 70;
const ENDS: usize = 96;
/// From so many columns on its parts stand below each other.
const COLUMNS: usize = 50;
/// Columns of a gauge.
const GAUGE: usize = 44;

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let mut block = Block::new(width, glyphs, "KPIs", &lower(words::KPI_UNIT));
    let kpis = &documents.triage.kpis;
    let fraction = kpis
        .iter()
        .map(|k| format!("{} of {}", k.numerator, k.denominator).len())
        .chain([10])
        .max()
        .unwrap_or(0);
    for kpi in kpis {
        one(&mut block, kpi, fraction);
    }
    block.text(Row::new(), Role::Dim, words::NO_DECISION);
    vec![block]
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().chain(chars).collect())
}

/// A KPI: one row where there is room, two where there is not.
fn one(block: &mut Block, kpi: &Kpi, fraction: usize) {
    let (glyphs, width) = (block.glyphs, block.width);
    let threshold = number::threshold(kpi.id);
    let row = Row::stop(NAME, kpi.id.as_str()).note(note(kpi)).say(Role::Text, kpi.id.title());
    // On the narrowest screens the columns give way.
    let (title, value) = if width < COLUMNS { (row.used() + 1, 0) } else { (TITLE, TITLE + 9) };
    let row = row.to(title);
    let row = match number::estimate(kpi) {
        Some(estimate) => {
            counts(row.say(Role::Figure, estimate).say(Role::Text, "  ").to(value), kpi)
        }
        None => row.say(Role::Dim, fit(&reason(kpi), width.saturating_sub(TITLE + 12))),
    };
    if width < ONE_ROW {
        block.add(row);
        let room = width.saturating_sub(threshold.len() + 3).min(GAUGE);
        let row = gauge(Row::new().say(Role::Text, "  "), kpi, room, glyphs);
        block.add(row.say(Role::Threshold, format!(" {threshold}")));
        return;
    }
    let at = TITLE + 9 + fraction + 2;
    let wide = if width >= ENDS { 22 } else { 0 };
    let ends = number::ends(kpi).filter(|_| wide > 0).unwrap_or_default();
    let room = width.saturating_sub(at + wide + 12).min(GAUGE);
    // A long reason takes the place of the gauge as well.
    let fits = row.used() < at + wide;
    let row = row.to(at).say(Role::Text, ends).to(at + wide);
    let row = if fits { gauge(row, kpi, room, glyphs) } else { row };
    block.add(row.to(at + wide + room + 1).say(Role::Threshold, threshold));
}

/// Why there is no estimate.
fn reason(kpi: &Kpi) -> String {
    kpi.reason.as_deref().map_or_else(|| "not enough evidence".to_owned(), outside)
}

/// Numerator and denominator, each leading to its records.
fn counts(row: Row, kpi: &Kpi) -> Row {
    let (above, below) = (kpi.numerator.to_string(), kpi.denominator.to_string());
    if crate::overview::kpi_filters(kpi.id).is_none() {
        return row.say(Role::Dim, format!("{above} of {below}"));
    }
    let row = row.cell(Role::Text, above, Aim::Numerator(kpi.id)).say(Role::Dim, " of ");
    row.cell(Role::Text, below, Aim::Denominator(kpi.id))
}

/// What the row has no room for, for the line at the bottom.
fn note(kpi: &Kpi) -> String {
    let (title, threshold) = (kpi.id.title(), number::threshold(kpi.id));
    match number::estimate(kpi) {
        None => format!("{title}: {}; threshold: {threshold}", reason(kpi)),
        Some(estimate) => {
            let (fraction, interval) = (number::fraction(kpi), number::interval(kpi));
            format!("{title} {estimate}, {fraction}; {interval}; threshold: {threshold}")
        }
    }
}

/// The scale with interval, thresholds and estimate; without an estimate with thresholds only.
fn gauge(row: Row, kpi: &Kpi, width: usize, glyphs: &'static Glyphs) -> Row {
    let mut cells: Vec<(Role, &str)> = vec![(Role::Dim, glyphs.track); width];
    let scale = Scale::of(kpi, width);
    let (from, to) = (kpi.lower.unwrap_or(scale.low), kpi.upper.unwrap_or(scale.high));
    let end = if kpi.estimate.is_some() { scale.cell(to) + 1 } else { 0 };
    for cell in cells.iter_mut().take(end).skip(scale.cell(from)) {
        *cell = (Role::GaugeInterval, glyphs.interval);
    }
    let mut at = kpi.estimate.map(|e| scale.cell(e));
    for tick in thresholds(kpi.id) {
        let place = scale.cell(*tick);
        if let Some(cell) = cells.get_mut(place) {
            *cell = (Role::Threshold, glyphs.threshold);
        }
        // Beside the threshold, on the side where it is.
        if at == Some(place) {
            let below = kpi.estimate.is_some_and(|e| e < *tick);
            at = Some(if below { place.saturating_sub(1) } else { place + 1 });
        }
    }
    if let Some(cell) = at.and_then(|at| cells.get_mut(at.min(width.saturating_sub(1)))) {
        *cell = (Role::Gauge, glyphs.marked);
    }
    cells.into_iter().fold(row, |row, (role, text)| row.say(role, text))
}

/// The thresholds before phase B, in the KPI's own unit.
fn thresholds(id: KpiId) -> &'static [f64] {
    match id {
        KpiId::GoRate => &[0.7, 0.9],
        KpiId::UndeterminedRate => &[0.15],
        KpiId::Availability => &[0.95],
        KpiId::MedianLatency => &[SLOW_MS as f64 / 1000.0],
        KpiId::FalsePositiveRate => &[0.1],
        KpiId::FalseNegativeRate => &[0.05],
    }
}

/// What the ends of a gauge stand for.
struct Scale {
    low: f64,
    high: f64,
    width: usize,
}

impl Scale {
    /// Wide enough for the thresholds, and for the estimate with its interval.
    fn of(kpi: &Kpi, width: usize) -> Self {
        let (low, high): (f64, f64) = match kpi.id {
            KpiId::GoRate => (0.4, 1.0),
            KpiId::UndeterminedRate => (0.0, 0.3),
            KpiId::Availability => (0.9, 1.0),
            KpiId::MedianLatency => (0.0, 60.0),
            KpiId::FalsePositiveRate => (0.0, 0.2),
            KpiId::FalseNegativeRate => (0.0, 0.1),
        };
        let seen = [kpi.estimate, kpi.lower, kpi.upper].into_iter().flatten();
        let (low, high) = seen.fold((low, high), |(low, high), v| (low.min(v), high.max(v)));
        Self { low, high, width }
    }

    fn cell(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
        // A float becomes the nearest whole number inside the bounds.
        let last = self.width.saturating_sub(1);
        ((share * last as f64).round() as usize).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(estimate: f64, lower: f64, upper: f64) -> String {
        let kpi = Kpi {
            id: KpiId::UndeterminedRate,
            numerator: 1,
            denominator: 10,
            estimate: Some(estimate),
            lower: Some(lower),
            upper: Some(upper),
            confidence: 0.95,
            unit: "share".to_owned(),
            reason: None,
        };
        let row = gauge(Row::new(), &kpi, 31, &Glyphs::ASCII);
        row.parts.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_gauge_shows_interval_threshold_and_estimate_in_their_order() {
        assert_eq!(drawn(0.10, 0.05, 0.20), ".....-----*----|-----..........");
        assert_eq!(drawn(0.20, 0.16, 0.25), "...............|----*-----.....");
    }

    #[test]
    fn an_estimate_at_its_threshold_stands_on_its_side() {
        assert!(drawn(0.149, 0.10, 0.20).contains("*|"));
        assert!(drawn(0.151, 0.10, 0.20).contains("|*"));
    }

    #[test]
    fn a_gauge_reaches_as_far_as_its_interval() {
        assert!(drawn(0.9, 0.5, 1.0).ends_with('-'));
    }
}
