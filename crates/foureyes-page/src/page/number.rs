//! Numbers as people read them, from the same values that JSON carries.
//!
//! Shares are given as percentages with one decimal, seconds with two, ages in whole units that
//! have passed. Counts have a comma between thousands.

use super::{Ours, date};
use foureyes_core::domain::{Kpi, Measure, Side, Threshold, Timestamp, Unit};
use foureyes_core::text::separated;

/// A place in a file as programs take it, without commas: `73019`.
pub fn bare(place: u64) -> Ours {
    Ours::made(place.to_string())
}

/// A share as a percentage: `82.4 %`.
pub fn percent(share: f64) -> Ours {
    Ours::made(format!("{} %", bare_percent(share)))
}

/// A share with no more digits than it needs: `90 %`, `97.5 %`.
pub fn short_percent(share: f64) -> Ours {
    let text = format!("{:.2}", share * 100.0);
    Ours::made(format!("{} %", text.trim_end_matches('0').trim_end_matches('.')))
}

fn bare_percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A p-value: `0.0213`.
pub fn p_value(p: f64) -> Ours {
    if p < 0.0001 { "below 0.0001".into() } else { decimal(p, 4) }
}

/// A value of a measure with its unit: `82.4 %`, `6.09 s`.
pub fn value(measure: Measure, value: f64) -> Ours {
    match measure.definition().unit {
        Unit::Share => percent(value),
        Unit::Seconds => Ours::made(format!("{value:.2} s")),
    }
}

/// The estimate with its unit; `None` where there is none.
pub fn estimate(kpi: &Kpi) -> Option<Ours> {
    kpi.estimate.map(|estimate| value(kpi.id, estimate))
}

/// Numerator and denominator: `70 of 85`, and what they are where that is not plain.
pub fn fraction(kpi: &Kpi) -> Ours {
    if made_of(kpi).is_some() {
        return "adjusted for the sample".into();
    }
    let fraction = format!("{} of {}", separated(kpi.numerator), separated(kpi.denominator));
    match kpi.id.definition().unit {
        Unit::Share => Ours::made(fraction),
        Unit::Seconds => Ours::made(format!("{fraction} {}", threshold(kpi.threshold()))),
    }
}

/// What an estimate is made of that is no plain share of two counts.
pub fn made_of(kpi: &Kpi) -> Option<&str> {
    kpi.reason.as_deref().filter(|_| kpi.estimate.is_some())
}

/// The interval with its confidence, or that there is none.
pub fn interval(kpi: &Kpi) -> Ours {
    match ends(kpi) {
        Some(ends) => Ours::made(format!("{ends} ({:.0} % confidence)", kpi.confidence * 100.0)),
        None => "no interval".into(),
    }
}

/// The interval alone: `75.1 to 88.3 %`; `None` where there is none.
pub fn ends(kpi: &Kpi) -> Option<Ours> {
    measured(kpi.id, kpi.lower, kpi.upper)
}

/// The interval of a measure: `75.1 to 88.3 %`, `1.00 to 2.00 s`.
pub fn measured(measure: Measure, lower: Option<f64>, upper: Option<f64>) -> Option<Ours> {
    match measure.definition().unit {
        Unit::Share => share_ends(lower, upper),
        Unit::Seconds => between(lower, upper, "s", |v| format!("{v:.2}")),
    }
}

/// The interval of a share: `75.1 to 88.3 %`.
pub fn share_ends(lower: Option<f64>, upper: Option<f64>) -> Option<Ours> {
    between(lower, upper, "%", bare_percent)
}

/// A difference of two values of a measure with its unit, `−2.6 points`, `−1.10 s`; `minus` is the sign.
pub fn difference(measure: Measure, value: f64, minus: &'static str) -> Ours {
    let unit = match measure.definition().unit {
        Unit::Share => "points",
        Unit::Seconds => "s",
    };
    Ours::made(format!("{} {unit}", bare_difference(measure, value, minus)))
}

/// The interval of a difference without its unit: `−6.0 to 0.8`.
pub fn difference_ends(measure: Measure, ends: [f64; 2], minus: &'static str) -> Ours {
    let [lower, upper] = ends.map(|value| bare_difference(measure, value, minus));
    Ours::made(format!("{lower} to {upper}"))
}

fn bare_difference(measure: Measure, value: f64, minus: &str) -> String {
    let text = match measure.definition().unit {
        Unit::Share => bare_percent(value),
        Unit::Seconds => format!("{value:.2}"),
    };
    let digits = text.trim_start_matches('-');
    // What is rounded to 0 has no sign.
    let is_negative =
        digits.len() < text.len() && digits.contains(|c: char| matches!(c, '1'..='9'));
    format!("{}{digits}", if is_negative { minus } else { "" })
}

fn between(
    lower: Option<f64>,
    upper: Option<f64>,
    unit: &str,
    show: fn(f64) -> String,
) -> Option<Ours> {
    Some(Ours::made(match (lower.map(show), upper.map(show)) {
        (Some(lower), Some(upper)) => format!("{lower} to {upper} {unit}"),
        (Some(lower), None) => format!("{lower} {unit} and more"),
        (None, Some(upper)) => format!("up to {upper} {unit}"),
        (None, None) => return None,
    }))
}

/// A number with the digits that it was written with.
pub fn written(value: f32) -> Ours {
    Ours::made(value.to_string())
}

/// A mean score: `3.82`.
pub fn mean(value: f64) -> Ours {
    decimal(value, 2)
}

/// A score with one decimal at least: `3.0`, `3.25`.
pub fn score(value: f32) -> Ours {
    let text = value.to_string();
    Ours::made(if text.contains('.') { text } else { format!("{text}.0") })
}

/// A number with so many decimals: `0.412`.
pub fn decimal(value: f64, digits: usize) -> Ours {
    Ours::made(format!("{value:.digits$}"))
}

/// A threshold: `70 to 90 %`, `below 2.5 %`, `above 95 %`, `below 30 s`.
pub fn threshold(threshold: Threshold) -> Ours {
    let definition = threshold.measure.definition();
    let (unit, scale) = match definition.unit {
        Unit::Share => ("%", 100.0),
        Unit::Seconds => ("s", 1.0),
    };
    let shown = |v: f64| {
        let text = format!("{:.2}", v * scale);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let value = shown(threshold.value);
    Ours::made(match (definition.side, threshold.upper) {
        (Side::Between, Some(upper)) => format!("{value} to {} {unit}", shown(upper)),
        (Side::Below, _) => format!("below {value} {unit}"),
        (Side::Above | Side::Between, _) => format!("above {value} {unit}"),
    })
}

/// How old data are: `2 h ago`, in the largest unit of which at least two have passed.
pub fn age(seconds: i64) -> Ours {
    match seconds {
        ..0 => Ours::made(format!("{} s in the future (clocks differ)", seconds.unsigned_abs())),
        0.. => Ours::made(format!("{} ago", span(seconds))),
    }
}

/// A span of time: `2 h`, in the largest unit of which at least two are whole; none where it is negative.
pub fn span(seconds: i64) -> Ours {
    Ours::made(match seconds {
        ..0 => "0 s".to_owned(),
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    })
}

/// The same in a cell of a list, `38 min`, `6 d`; from 15 days on the day. Of what lies ahead `0 s`: clocks differ.
pub fn cell_age(at: Timestamp, now: Timestamp) -> Ours {
    let seconds = now.seconds_since(at).max(0);
    Ours::made(match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        86_400..1_296_000 => format!("{} d", seconds / 86_400),
        _ => return date(at, now),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_rounded_down_to_units_that_have_passed() {
        let ages = [0, 119, 120, 7_199, 7_200, 172_799, 172_800, 1_000_000].map(age);
        let expected = ["0 s", "119 s", "2 min", "119 min", "2 h", "47 h", "2 d", "11 d"];
        assert_eq!(ages.map(String::from), expected.map(|e| format!("{e} ago")));
        assert_eq!(&*age(-30), "30 s in the future (clocks differ)");
        assert!(age(i64::MIN).starts_with("9223372036854775808 s in"));
    }

    #[test]
    fn ages_in_lists_are_short_and_become_days() {
        let now = Timestamp::parse("2026-11-29T12:00:00Z").unwrap();
        let of = |text: &str| String::from(cell_age(Timestamp::parse(text).unwrap(), now));
        let ages = ["2026-11-29T11:59:38Z", "2026-11-29T11:22:00Z", "2026-11-29T10:30:00Z"].map(of);
        assert_eq!(ages, ["22 s", "38 min", "1 h"]);
        let ages = ["2026-11-23T12:00:00Z", "2026-11-14T12:00:01Z", "2026-11-14T12:00:00Z"].map(of);
        assert_eq!(ages, ["6 d", "14 d", "14 Nov"]);
        let ages = ["2026-11-05T00:00:00Z", "2025-11-05T00:00:00Z", "2027-01-01T00:00:00Z"].map(of);
        assert_eq!(ages, ["5 Nov", "5 Nov 2025", "0 s"]);
    }

    #[test]
    fn differences_have_a_sign_and_zero_has_none() {
        let of = |value| String::from(difference(Measure::GoRate, value, "−"));
        assert_eq!(
            [-0.026, 0.0, -0.0001, 0.1].map(of),
            ["−2.6 points", "0.0 points", "0.0 points", "10.0 points"]
        );
        let ends = difference_ends(Measure::MedianLatency, [-1.6, 0.25], "-");
        assert_eq!(&*ends, "-1.60 to 0.25");
    }

    #[test]
    fn open_ended_median_interval_is_shown() {
        let kpi = |lower, upper| Kpi {
            id: Measure::MedianLatency,
            numerator: 3,
            denominator: 4,
            estimate: Some(1.5),
            lower,
            upper,
            confidence: 0.95,
            unit: "seconds".to_owned(),
            threshold: 30.0,
            threshold_upper: None,
            reason: None,
        };
        assert_eq!(&*interval(&kpi(Some(1.0), Some(2.0))), "1.00 to 2.00 s (95 % confidence)");
        assert_eq!(&*interval(&kpi(Some(1.0), None)), "1.00 s and more (95 % confidence)");
        assert_eq!(&*interval(&kpi(None, None)), "no interval");
        assert_eq!(&*fraction(&kpi(None, None)), "3 of 4 below 30 s");
    }
}
