//! Days and weeks, those without records among them.

use super::row::TrendRow;
use crate::domain::Timestamp;
use jiff::civil;
use std::collections::BTreeMap;

/// Most rows without records between two with some. A clock that is decades off must not make a
/// table of thousands of empty rows.
const GAP: i64 = 366;

/// A step of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Day,
    Week,
}

impl Step {
    /// Of a day since 1970 the day itself, or the week, as weeks since the one that 1970 began in.
    pub(super) fn index(self, day: i32) -> i64 {
        let day = i64::from(day);
        match self {
            Self::Day => day,
            // 1970-01-01 was a Thursday: its week began three days before.
            Self::Week => (day + 3).div_euclid(7),
        }
    }

    /// The name of the day or week of that index.
    fn name(self, index: i64) -> String {
        let day = match self {
            Self::Day => index,
            Self::Week => index * 7 - 3,
        };
        let start = Timestamp::of_day(i32::try_from(day).unwrap_or(i32::MAX)).day_text();
        match (self, start.parse::<civil::Date>()) {
            (Self::Week, Ok(date)) => {
                let week = date.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            _ => start,
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Day => "days",
            Self::Week => "weeks",
        }
    }
}

/// Rows in the order of time, with a row of zeros for each step between; the undated last.
pub(super) fn fill(
    step: Step,
    mut found: BTreeMap<Option<i64>, TrendRow>,
) -> (Vec<TrendRow>, Vec<String>) {
    let undated = found.remove(&None);
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let mut last: Option<i64> = None;
    for (index, row) in found {
        let Some(index) = index else { continue };
        let missing = last.map_or(0, |last| index - last - 1);
        if missing > GAP {
            let (from, to) = (step.name(index - missing), step.name(index - 1));
            let plural = step.plural();
            notes.push(format!(
                "{missing} {plural} without records, {from} to {to}, are not listed."
            ));
        } else {
            rows.extend((index - missing..index).map(|i| TrendRow::empty(Some(step.name(i)))));
        }
        rows.push(TrendRow { key: Some(step.name(index)), ..row });
        last = Some(index);
    }
    rows.extend(undated);
    (rows, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_those_of_iso_8601() {
        for (day, week) in [
            ("1970-01-01", "1970-W01"),
            ("2020-12-31", "2020-W53"),
            ("2021-01-03", "2020-W53"),
            ("2021-01-04", "2021-W01"),
            ("2026-02-15", "2026-W07"),
            ("1969-12-28", "1969-W52"),
        ] {
            let index = Timestamp::parse_day(day).map_or(i32::MIN, Timestamp::day);
            assert_eq!(Step::Week.name(Step::Week.index(index)), week, "{day}");
            assert_eq!(Step::Day.name(Step::Day.index(index)), day);
        }
    }

    #[test]
    fn long_gap_is_summarised() {
        let found = [0, 1, 3, 20_000].map(|i| (Some(i), TrendRow::empty(None)));
        let (rows, notes) = fill(Step::Day, found.into_iter().collect());
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[2].key.as_deref(), Some("1970-01-03"));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].starts_with("19996 days without records, 1970-01-05 to"), "{notes:?}");
    }
}
