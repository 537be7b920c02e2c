//! What an assessment says, in words and numbers: the same on every screen.

use crate::calibration::{
    KpiResult, KpiRow, Measure, Readiness, ReadinessResult, Word, no_window, two_sided,
};
use crate::domain::Outcome;
use crate::report::number::{self, short_percent};
use crate::tui::page::drill_down::{DrillDown, LabelFilter, LabelledGroup};
use crate::tui::page::row::Row;
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role, Sign};

/// Whether the judge may block: a sign and words.
pub(in crate::tui::screen) fn answer(
    result: ReadinessResult,
    glyphs: &'static Glyphs,
) -> (Role, String) {
    let sign = match result {
        ReadinessResult::Ready => Sign::Go,
        ReadinessResult::NotReady => Sign::NoGo,
        ReadinessResult::NotEnoughEvidence => Sign::Undetermined,
    };
    (sign.role(), format!("{} {}", mark(sign, glyphs), result.title()))
}

/// The mark of a sign without its word.
pub(in crate::tui::screen) fn mark(sign: Sign, glyphs: &'static Glyphs) -> &'static str {
    glyphs.sign(sign).split(' ').next().unwrap_or_default()
}

/// Why the answer is what it is, in one line.
pub(in crate::tui::screen) fn explanation(readiness: &Readiness) -> String {
    let deciding = || readiness.kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    let names = |results: &[KpiResult]| {
        let of = deciding().filter(|k| results.contains(&k.result)).map(|k| k.id.title());
        of.collect::<Vec<_>>().join(", ")
    };
    let not_met = names(&[KpiResult::NotMet]);
    let open = names(&[KpiResult::NotEnoughEvidence, KpiResult::NotEstimable]);
    let blocks = readiness.blocks.iter().filter(|b| b.waived.is_none()).count();
    let mut parts = Vec::new();
    if !not_met.is_empty() {
        parts.push(format!("Not met: {not_met}."));
    }
    if !open.is_empty() {
        parts.push(format!("Undecided: {open}."));
    }
    if blocks > 0 {
        parts.push(format!(
            "{} READY.",
            crate::report::counted(blocks as u64, "rule blocks", "rules block")
        ));
    }
    if parts.is_empty() {
        return "Every KPI that decides is met, and nothing blocks READY.".to_owned();
    }
    parts.join(" ")
}

/// Over what the error rates and the answer are taken.
pub(in crate::tui::screen) fn span(readiness: &Readiness) -> String {
    let window = &readiness.window;
    let Some(from) = window.from else {
        return format!("Error rates and answer: {}.", no_window(readiness.family));
    };
    let days = crate::report::counted(window.days, "whole day", "whole days");
    format!(
        "Error rates and answer cover the calibration window: since {}, {days}, {} fully labelled.",
        from.day_text(),
        window.closed_days
    )
}

/// The estimate, or that there is none.
pub(in crate::tui::screen) fn estimate(row: &KpiRow) -> String {
    row.estimate.map_or_else(|| "no estimate".to_owned(), |e| number::value(row.id, e).into())
}

/// The bounds: `4.4 to 12.1 %`; `None` where there are none.
pub(in crate::tui::screen) fn bounds(row: &KpiRow) -> Option<String> {
    number::measured(row.id, row.lower, row.upper).map(String::from)
}

/// As many columns as [`counts`] takes.
pub(in crate::tui::screen) fn counts_width(kpi: &KpiRow) -> usize {
    let digits = |n: u64| n.to_string().len();
    match halves(kpi.id) {
        Some(_) => digits(kpi.numerator) + digits(kpi.denominator - kpi.numerator) + 8,
        None => digits(kpi.numerator) + digits(kpi.denominator) + 4,
    }
}

/// A count by its name, and which records it counts.
type Half = (&'static str, LabelledGroup);

/// The two counts of an estimate that weighs strata and so is not their quotient: errors, and what
/// is right.
fn halves(id: Measure) -> Option<[Half; 2]> {
    let group =
        |outcome, word| LabelledGroup { outcome: Some(outcome), label: LabelFilter::Word(word) };
    match id {
        Measure::FalsePositiveRate => Some([
            ("FP", group(Outcome::NoGo, Word::Acceptable)),
            ("TN", group(Outcome::Go, Word::Acceptable)),
        ]),
        Measure::FalseNegativeRate => {
            Some([("FN", group(Outcome::Go, Word::Poor)), ("TP", group(Outcome::NoGo, Word::Poor))])
        }
        Measure::FalseDiscoveryRate | Measure::FalseOmissionRate => None,
        Measure::GoRate
        | Measure::UndeterminedRate
        | Measure::Availability
        | Measure::MedianLatency => None,
    }
}

/// The counts an estimate is made of, each leading to its records.
pub(in crate::tui::screen) fn counts(row: Row, kpi: &KpiRow) -> Row {
    if let Some([wrong, right]) = halves(kpi.id) {
        let right_ones = kpi.denominator.saturating_sub(kpi.numerator);
        let row = row.cell(Role::Text, kpi.numerator.to_string(), DrillDown::Labelled(wrong.1));
        let row = row.span(Role::Dim, format!(" {}, ", wrong.0));
        let row = row.cell(Role::Text, right_ones.to_string(), DrillDown::Labelled(right.1));
        return row.span(Role::Dim, format!(" {}", right.0));
    }
    let (above, below) = (kpi.numerator.to_string(), kpi.denominator.to_string());
    let (one, all) = match kpi.id.needs_labels() {
        false => {
            let threshold = kpi.threshold();
            (DrillDown::Elsewhere(threshold, true), DrillDown::Elsewhere(threshold, false))
        }
        true => {
            let (one, all) = sides(kpi.id);
            (DrillDown::Labelled(one), DrillDown::Labelled(all))
        }
    };
    row.cell(Role::Text, above, one).span(Role::Dim, " of ").cell(Role::Text, below, all)
}

/// The errors among what was flagged, or among what passed, and all that is labelled of it.
fn sides(id: Measure) -> (LabelledGroup, LabelledGroup) {
    let group = |outcome, label| LabelledGroup { outcome: Some(outcome), label };
    match id {
        Measure::FalseOmissionRate => (
            group(Outcome::Go, LabelFilter::Word(Word::Poor)),
            group(Outcome::Go, LabelFilter::Any),
        ),
        _ => (
            group(Outcome::NoGo, LabelFilter::Word(Word::Acceptable)),
            group(Outcome::NoGo, LabelFilter::Any),
        ),
    }
}

/// All of a row in one line, for the bottom.
pub(in crate::tui::screen) fn note(row: &KpiRow) -> String {
    let title = row.id.title();
    let unit = if row.id.needs_labels() { " labels" } else { "" };
    let numbers = match (row.estimate, row.weighted()) {
        (Some(_), Some(parts)) => format!("{}, weighted; {parts}", estimate(row)),
        (Some(_), None) => {
            format!("{}, {} of {}{unit}", estimate(row), row.numerator, row.denominator)
        }
        (None, _) => reason(row),
    };
    let bounds = bounds(row).map_or_else(String::new, |e| format!("; {e}"));
    let result = row.result.title();
    let found = if numbers.contains(result) { String::new() } else { format!("; {result}") };
    format!("{title} {numbers}{bounds}{found}; threshold: {}", number::threshold(row.threshold()))
}

/// Why there is no estimate, or what it rests on.
pub(in crate::tui::screen) fn reason(row: &KpiRow) -> String {
    row.reason.as_deref().map_or_else(|| row.result.title().to_owned(), sanitize)
}
