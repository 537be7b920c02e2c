//! The cells that plain text and Markdown share.

use crate::frame::trend::{Estimate, Rate, Trend, TrendRow};
use crate::text::{escape, separated};

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
        separated(row.evaluations),
        separated(row.go),
        separated(row.no_go),
        separated(row.undetermined),
        rate(&row.go_rate),
        rate(&row.undetermined_rate),
        rate(&row.availability),
        estimate(&row.median_latency, " s"),
        estimate(&row.scores.semantic, ""),
        estimate(&row.scores.pragmatic, ""),
        estimate(&row.scores.syntactic, ""),
        separated(all.records),
        separated(all.go),
        separated(all.no_go),
        separated(all.undetermined),
        separated(all.overrides),
        separated(all.bypassed),
        separated(all.repeats),
        separated(all.earlier_rounds),
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
            separated(rate.numerator),
            separated(rate.denominator)
        ),
        _ => format!("none, {}/{}", separated(rate.numerator), separated(rate.denominator)),
    }
}

fn estimate(value: &Estimate, unit: &str) -> String {
    match value.estimate {
        Some(number) => format!("{number:.2}{unit}, n {}", separated(value.n)),
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
        "Rates, latency and scores count {unit}. The columns from \"all\" on count the records of every \
         family. Intervals are exact, two-sided, {} %.",
        trend.confidence * 100.0
    )
}
