//! The cells that plain text and Markdown share.

use crate::frame::trend::{Estimate, Rate, Trend, TrendRow};
use crate::report::visible;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns of a key that are shown.
const KEY: usize = 48;

/// The heads of the columns after the key.
pub(super) const HEADS: [&str; 13] = [
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
    "of them",
];

/// The cells of a row after its key.
pub(super) fn of(row: &TrendRow) -> [String; 13] {
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
        format!(
            "{} GO, {} NO-GO, {} UNDET, {} overrides, {} bypassed, {} repeats",
            all.go, all.no_go, all.undetermined, all.overrides, all.bypassed, all.repeats
        ),
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

/// What a row without a key is called.
pub(super) fn no_key(by: &str) -> &'static str {
    match by {
        "day" | "week" => "(undated)",
        "model" => "(no model)",
        "agent" => "(no author)",
        "path" => "(no such file)",
        _ => "(none)",
    }
}

/// The key made visible and cut to a length that leaves the table a table.
pub(super) fn key(trend: &Trend, row: &TrendRow) -> String {
    let Some(key) = &row.key else {
        return no_key(&trend.by).to_owned();
    };
    let shown = visible::line(key);
    if shown.width() <= KEY {
        return shown.into_owned();
    }
    let mut width = 1;
    let fits = |g: &&str| {
        width += g.width();
        width <= KEY
    };
    shown.graphemes(true).take_while(fits).chain(["…"]).collect()
}

/// What all numbers but those of all records are taken over.
pub(super) fn legend(trend: &Trend) -> String {
    format!(
        "Rates, latency and scores are over push evaluations: the last of a commit by a judge in \
         a box, without bypasses. Intervals are exact, two-sided, {} %.",
        trend.confidence * 100.0
    )
}
