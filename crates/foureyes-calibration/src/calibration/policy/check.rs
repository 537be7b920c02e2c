//! Whether the values of a policy make sense.

use super::{Method, Policy};
use crate::domain::{Measure, Timestamp};

/// Names of the weekdays, Monday first.
pub(super) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl Policy {
    /// The first value that makes no sense: its key, and what is wrong in one sentence.
    pub(super) fn fault(&self) -> Option<(&'static str, String)> {
        self.bad_share()
            .or_else(|| self.bad_go_rate())
            .or_else(|| self.bad_looks())
            .or_else(|| self.bad_time())
            .or_else(|| self.bad_report())
            .or_else(|| self.bad_waiver())
    }

    fn bad_share(&self) -> Option<(&'static str, String)> {
        let shares = [
            ("false_positive_below", self.false_positive_below),
            ("false_negative_below", self.false_negative_below),
            ("undetermined_below", self.undetermined_below),
            ("availability_above", self.availability_above),
        ];
        let inside = |v: f64| v > 0.0 && v < 1.0;
        if let Some((key, value)) = shares.into_iter().find(|(_, v)| !inside(*v)) {
            return Some((key, format!("{value} is not between 0 and 1")));
        }
        if !(0.0..=1.0).contains(&self.double_labels) {
            let text = format!("{} is not a share from 0 to 1", self.double_labels);
            return Some(("double_labels", text));
        }
        let sound = self.confidence >= 0.5 && self.confidence < 1.0;
        (!sound).then(|| ("confidence", format!("{} is not from 0.5 to below 1", self.confidence)))
    }

    fn bad_go_rate(&self) -> Option<(&'static str, String)> {
        let [low, high] = self.go_rate;
        let sound = low > 0.0 && low < high && high < 1.0;
        (!sound).then(|| ("go_rate", format!("{low} to {high} is not a range between 0 and 1")))
    }

    fn bad_looks(&self) -> Option<(&'static str, String)> {
        if let Some(day) = self.looks.iter().find(|d| Timestamp::parse_day(d).is_none()) {
            return Some(("looks", format!("{day:?} is not a day in the form YYYY-MM-DD")));
        }
        match self.method {
            Method::Fixed if self.looks.is_empty() => {
                Some(("looks", "the method `fixed` needs at least one day".to_owned()))
            }
            Method::Fixed if !self.cluster.is_none() => Some((
                "cluster",
                "the method `fixed` cannot take clusters into account: use `anytime`".to_owned(),
            )),
            Method::Anytime if !self.looks.is_empty() => {
                Some(("looks", "the method `anytime` takes no declared days".to_owned()))
            }
            _ => None,
        }
    }

    fn bad_time(&self) -> Option<(&'static str, String)> {
        let positive = |v: f64| v.is_finite() && v > 0.0;
        if !positive(self.median_latency_below_s) {
            return Some(("median_latency_below_s", "it must be above 0".to_owned()));
        }
        if !self.hook_timeout_s.is_none_or(positive) {
            return Some(("hook_timeout_s", "it must be above 0".to_owned()));
        }
        if self.days == 0 {
            return Some(("days", "a window needs at least one day".to_owned()));
        }
        if self.false_alarm_days < 100 {
            return Some(("false_alarm_days", "it must be at least 100".to_owned()));
        }
        if self.fresh_days == 0 {
            return Some(("fresh_days", "evidence must hold for at least one day".to_owned()));
        }
        if !(self.largest_day.is_finite() && self.largest_day >= 1.0) {
            return Some(("largest_day", "it must be at least 1".to_owned()));
        }
        let known = |w: &&String| !WEEKDAYS.contains(&w.to_ascii_lowercase().as_str());
        let odd = self.quiet_weekdays.iter().find(known)?;
        Some(("quiet_weekdays", format!("{odd:?} is not a weekday")))
    }

    fn bad_report(&self) -> Option<(&'static str, String)> {
        let known = |name: &&String| !Measure::ALL.iter().any(|m| m.as_str() == name.as_str());
        if let Some(name) = self.reported.iter().find(known) {
            let all = Measure::ALL.map(Measure::as_str).join(", ");
            return Some(("reported", format!("{name:?} is not a measure; these are: {all}")));
        }
        let none = !Measure::ALL.into_iter().any(|m| m.needs_labels() && self.gates(m));
        none.then(|| ("reported", "at least one error rate must decide".to_owned()))
    }

    fn bad_waiver(&self) -> Option<(&'static str, String)> {
        let wrong = self.waivers.iter().find_map(|w| {
            if !Self::WAIVABLE.contains(&w.what.as_str()) {
                let can = Self::WAIVABLE.join(", ");
                return Some(format!("{:?} cannot be waived; these can: {can}", w.what));
            }
            if w.name.trim().is_empty() || w.reason.trim().is_empty() {
                return Some(format!("the waiver of {} needs a name and a reason", w.what));
            }
            let day = Timestamp::parse_day(&w.until);
            day.is_none().then(|| format!("{:?} is not a day in the form YYYY-MM-DD", w.until))
        })?;
        Some(("waivers", wrong))
    }
}
