//! Numbers in sentences: rounded as far as they are known, with separators.

use crate::text::{counted, separated};

/// Days of a year; more of them are told in years.
pub(super) const YEAR: u64 = 365;

/// A count that is an estimate: whole below a thousand, else to three or four digits, `15,400`.
pub(super) fn about(count: u64) -> String {
    let unit = match count {
        0..1_000 => 1,
        1_000..10_000 => 10,
        10_000..1_000_000 => 100,
        _ => 10_000,
    };
    separated(count.saturating_add(unit / 2) / unit * unit)
}

/// A time that is an estimate: `1 day`, `40 days`, `about 7 years`.
pub(super) fn days(days: u64) -> String {
    match days {
        1 => "1 day".to_owned(),
        0..=YEAR => format!("{days} days"),
        _ => {
            let years = days as f64 / 365.25;
            match years {
                100.0.. => "more than 100 years".to_owned(),
                10.0.. => format!("about {years:.0} years"),
                _ => {
                    let text = format!("{years:.1}");
                    format!("about {} years", text.trim_end_matches(".0"))
                }
            }
        }
    }
}

/// Minutes for so many labels, at half a minute each.
pub(super) fn labelling_minutes(labels: u64) -> u64 {
    labels.div_ceil(2)
}

/// The same in words: `about 40 minutes`, `about 3 hours`.
pub(super) fn labelling_time(labels: u64) -> String {
    let time = match labelling_minutes(labels) {
        minutes @ 0..90 => counted(minutes.max(1), "minute", "minutes"),
        minutes => counted(minutes.div_ceil(60), "hour", "hours"),
    };
    format!("about {time}")
}

/// A share without digits that say nothing: `10 %`, `1.9 %`.
pub(super) fn share(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// At most ten names.
pub(super) fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(10);
    let shown = names.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// An estimate with its noun: `1 label`, `15,400 labels`.
pub(super) fn roughly(count: u64, (one, many): (&str, &str)) -> String {
    format!("{} {}", about(count), if count == 1 { one } else { many })
}

/// The same text with a capital in front.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().collect::<String>() + chars.as_str(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_rounded_and_grouped() {
        let shown = [0, 999, 1_644, 15_392, 130_560, 7_654_321].map(about);
        assert_eq!(shown, ["0", "999", "1,640", "15,400", "130,600", "7,650,000"]);
        assert_eq!(about(u64::MAX / 2).len(), 25);
    }

    #[test]
    fn durations_above_a_year_are_in_years() {
        let shown = [0, 1, 40, 365, 400, 730, 2_572, 9_000, u64::MAX].map(days);
        let years = ["about 1.1 years", "about 2 years", "about 7 years", "about 25 years"];
        assert_eq!(shown[..4], ["0 days", "1 day", "40 days", "365 days"]);
        assert_eq!(shown[4..8], years);
        assert_eq!(shown[8], "more than 100 years");
    }

    #[test]
    fn shares_end_without_zeros() {
        assert_eq!([0.1, 0.019, 0.0, 1.0].map(share), ["10 %", "1.9 %", "0 %", "100 %"]);
        assert_eq!(sentence("at the rate"), "At the rate");
    }
}
