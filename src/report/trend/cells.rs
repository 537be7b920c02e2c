//! The cells that plain text and Markdown share.

use crate::frame::trend::{Estimate, Rate, Trend, TrendRow};
use crate::text::escape;

/// The heads of the columns after the key.
pub(super) const HEADS: [&str; 19] = [
    "evaluations",
    "GO",
    "NO-GO",
    "UNDET",
    "GO rate",
    "UNDET rate",
    "availability",
    "median latency",
    "semantic",
    "pragmatic",
    "syntactic",
    "all records",
    "all GO",
    "all NO-GO",
    "all UNDET",
    "overrides",
    "bypassed",
    "repeats",
    "earlier rounds",
];

/// The cells of a row after its key.
pub(super) fn row_cells(row: &TrendRow) -> [String; 19] {
    let all = &row.all;
    [
        row.evaluations.to_string(),
        row.go.to_string(),
        row.no_go.to_string(),
        row.undetermined.to_string(),
        rate(&row.go_rate),
        rate(&row.undetermined_rate),
        rate(&row.availability),
        estimate(&row.median_latency, " s"),
        estimate(&row.scores.semantic, ""),
        estimate(&row.scores.pragmatic, ""),
        estimate(&row.scores.syntactic, ""),
        all.records.to_string(),
        all.go.to_string(),
        all.no_go.to_string(),
        all.undetermined.to_string(),
        all.overrides.to_string(),
        all.bypassed.to_string(),
        all.repeats.to_string(),
        all.earlier_rounds.to_string(),
    ]
}

/// A share, its interval and what it is taken over.
fn rate(rate: &Rate) -> String {
    match (rate.estimate, rate.lower, rate.upper) {
        (Some(share), Some(lower), Some(upper)) => format!(
            "{:.1} % ({:.1}–{:.1}), {}/{}",
            share * 100.0,
            lower * 100.0,
            upper * 100.0,
            rate.numerator,
            rate.denominator
        ),
        _ => format!("none, {}/{}", rate.numerator, rate.denominator),
    }
}

fn estimate(value: &Estimate, unit: &str) -> String {
    match value.estimate {
        Some(number) => format!("{number:.2}{unit}, n {}", value.n),
        None => "none, n 0".to_owned(),
    }
}

/// The key made visible and cut to a length that leaves the table a table.
pub(super) fn key(row: &TrendRow, nameless: &str, columns: usize) -> String {
    match &row.key {
        Some(key) => escape::truncate(&escape::line(key), columns).into_owned(),
        None => nameless.to_owned(),
    }
}

/// What all numbers but those of all records are taken over.
pub(super) fn legend(trend: &Trend) -> String {
    let unit = trend.family.instrument().wording.trend_unit;
    format!(
        "Evaluations, and what is over them (rates, latency, scores), are {unit}. \"all\" and what \
         follows it counts the records of every family. Intervals are exact, two-sided, {} %.",
        trend.confidence * 100.0
    )
}
