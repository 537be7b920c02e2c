//! The table as comma-separated values.

use crate::frame::trend::{Estimate, Rate, Trend, TrendRow};
use crate::text::escape;

/// The heads, named as in the JSON document.
const HEADS: &str = "key,evaluations,go,no_go,undetermined,\
    go_rate,go_rate_lower,go_rate_upper,\
    undetermined_rate,undetermined_rate_lower,undetermined_rate_upper,\
    available,availability,availability_lower,availability_upper,\
    median_latency_s,median_latency_n,semantic,semantic_n,pragmatic,pragmatic_n,\
    syntactic,syntactic_n,all_records,all_go,all_no_go,all_undetermined,overrides,bypassed,repeats,\
    earlier_rounds";

/// A line of heads, a line a row; no value is an empty field.
pub fn text(trend: &Trend) -> String {
    let mut out = format!("{HEADS}\n");
    for row in &trend.rows {
        out.push_str(&fields(row).join(","));
        out.push('\n');
    }
    out
}

fn fields(row: &TrendRow) -> Vec<String> {
    let key = row.key.as_deref().map(quoted).unwrap_or_default();
    let counts = [row.evaluations, row.go, row.no_go, row.undetermined].map(|n| n.to_string());
    let mut fields = vec![key];
    fields.extend(counts);
    fields.extend(rate(&row.go_rate));
    fields.extend(rate(&row.undetermined_rate));
    fields.push(row.availability.numerator.to_string());
    fields.extend(rate(&row.availability));
    let scores = &row.scores;
    for value in [&row.median_latency, &scores.semantic, &scores.pragmatic, &scores.syntactic] {
        fields.extend(estimate(value));
    }
    let all = &row.all;
    let counts = [
        all.records,
        all.go,
        all.no_go,
        all.undetermined,
        all.overrides,
        all.bypassed,
        all.repeats,
        all.earlier_rounds,
    ];
    fields.extend(counts.map(|n| n.to_string()));
    fields
}

fn rate(rate: &Rate) -> [String; 3] {
    [rate.estimate, rate.lower, rate.upper].map(number)
}

fn estimate(value: &Estimate) -> [String; 2] {
    [number(value.estimate), value.n.to_string()]
}

fn number(value: Option<f64>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

/// Always in quotes. A spreadsheet runs a text that begins like a formula even in quotes: those
/// get an apostrophe before them.
fn quoted(text: &str) -> String {
    let shown = escape::line(text).replace('"', "\"\"");
    let formula = shown.trim_start().starts_with(['=', '+', '-', '@']);
    format!("\"{}{shown}\"", if formula { "'" } else { "" })
}
