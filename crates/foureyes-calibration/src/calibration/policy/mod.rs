//! What must hold before the judge may block: thresholds, how they are tested, and what is waived.

mod check;
mod choices;
mod demands;
mod parse;
mod weaker;

pub use choices::{
    Cluster, Confirm, FalseNegative, FalsePositive, Method, OnWithdrawn, Undetermined,
};
pub use demands::{ASSUMED_POOR, Demand};
pub use parse::PolicyError;

use super::{Measure, WindowRules};
use crate::domain::{JudgementKind, Threshold, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule that somebody answers for not holding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// What is waived: one of [`Policy::WAIVABLE`].
    pub what: String,
    /// Who answers for it.
    pub name: String,
    /// Why.
    pub reason: String,
    /// First day on which it no longer holds, `YYYY-MM-DD`.
    pub until: String,
}

/// The rules of the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Which wrong blocks are held to `false_positive_below`.
    pub false_positive: FalsePositive,
    /// Which misses are held to `false_negative_below`.
    pub false_negative: FalseNegative,
    /// Wrong blocks stay below this share.
    pub false_positive_below: f64,
    /// Misses stay below this share.
    pub false_negative_below: f64,
    /// GO lies between these shares, both included.
    pub go_rate: [f64; 2],
    /// UNDETERMINED stays below this share.
    pub undetermined_below: f64,
    /// The judge can be asked in more than this share.
    pub availability_above: f64,
    /// Half of the calls are quicker than this, seconds.
    pub median_latency_below_s: f64,
    /// Confidence of every decision on a KPI, in [0.5, 1).
    pub confidence: f64,
    /// When a decision may be read.
    pub method: Method,
    /// Days on which a decision is read where the method is `fixed`, `YYYY-MM-DD`.
    pub looks: Vec<String>,
    /// Which evaluations may err together. Where it is not none, an error rate is decided only where
    /// whole clusters say the same as single records.
    #[serde(skip_serializing_if = "Cluster::is_none")]
    pub cluster: Cluster,
    /// Days of the window at least, those without data not counted.
    pub days: u32,
    /// The hook's own timeout, seconds: an upper bound for calls that carry no latency.
    pub hook_timeout_s: Option<f64>,
    /// Weekdays on which no data are expected, in English.
    pub quiet_weekdays: Vec<String>,
    /// Hours after which data are too old to decide by.
    pub stale_after_hours: u32,
    /// Share of the sample, from 0 to 1, that is drawn for a double label before anybody labels it.
    #[serde(skip_serializing_if = "is_default_share")]
    pub double_labels: f64,
    /// Which labels count only with a second word; where it is not named, as the rules under which the
    /// window was begun say: [`Policy::confirm_under`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// Mean number of days of evidence between two wrong withdrawals of READY, at least, of a judge
    /// that is just at a threshold. At least 100.
    #[serde(skip_serializing_if = "is_default_false_alarm_days")]
    pub false_alarm_days: u32,
    /// Whole days with data that may pass since the last closed day before READY lapses.
    #[serde(skip_serializing_if = "is_default_fresh_days")]
    pub fresh_days: u32,
    /// With `cluster`: how many times as large as the others the largest day may be, at least 1.
    #[serde(skip_serializing_if = "is_default_largest_day")]
    pub largest_day: f64,
    /// Days within which a GO on a path that was NO-GO for the same author counts as a retry.
    #[serde(skip_serializing_if = "is_default_retry_days")]
    pub retry_days: u32,
    /// What UNDETERMINED verdicts count as in the rates of wrong blocks and of misses.
    #[serde(skip_serializing_if = "is_default")]
    pub undetermined: Undetermined,
    /// What happens to boxes that block when READY is withdrawn.
    #[serde(skip_serializing_if = "is_default")]
    pub on_withdrawn: OnWithdrawn,
    /// Measures that are shown and decide nothing, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<String>,
    /// What is waived, by whom, why and until when.
    pub waivers: Vec<Waiver>,
}

/// The share of double labels where a policy names none.
const DOUBLE_LABELS: f64 = 0.10;

/// What was written before there was such a key reads and hashes as it did.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Tells whether a key has the value that it has where a policy does not name it.
macro_rules! is_default_value {
    ($($name:ident: $type:ty = $default:expr;)*) => {$(
        fn $name(value: &$type) -> bool {
            *value == $default
        }
    )*};
}

is_default_value! {
    is_default_share: f64 = DOUBLE_LABELS;
    is_default_false_alarm_days: u32 = FALSE_ALARM_DAYS;
    is_default_fresh_days: u32 = FRESH_DAYS;
    is_default_largest_day: f64 = LARGEST_DAY;
    is_default_retry_days: u32 = RETRY_DAYS;
}

const FALSE_ALARM_DAYS: u32 = 1000;
const FRESH_DAYS: u32 = 14;
const LARGEST_DAY: f64 = 3.0;
const RETRY_DAYS: u32 = 2;

impl Default for Policy {
    fn default() -> Self {
        Self {
            false_positive: FalsePositive::Fpr,
            false_negative: FalseNegative::Fnr,
            false_positive_below: 0.10,
            false_negative_below: 0.05,
            go_rate: [0.70, 0.90],
            undetermined_below: 0.15,
            availability_above: 0.95,
            median_latency_below_s: 30.0,
            confidence: 0.95,
            method: Method::Anytime,
            looks: Vec::new(),
            cluster: Cluster::None,
            days: 14,
            hook_timeout_s: None,
            quiet_weekdays: Vec::new(),
            stale_after_hours: 48,
            double_labels: DOUBLE_LABELS,
            confirm: None,
            false_alarm_days: FALSE_ALARM_DAYS,
            fresh_days: FRESH_DAYS,
            largest_day: LARGEST_DAY,
            retry_days: RETRY_DAYS,
            undetermined: Undetermined::default(),
            on_withdrawn: OnWithdrawn::default(),
            reported: Vec::new(),
            waivers: Vec::new(),
        }
    }
}

impl Policy {
    /// What a waiver may name. Error rates, a window that is missing or too short, and stale data
    /// are no matter of consent.
    pub const WAIVABLE: [&'static str; 22] = [
        "fingerprint",
        "missing_days",
        "incomplete_tail",
        "window_after_labels",
        "misses_cluster",
        "labels_changed",
        "blind_share",
        "stated_fraction",
        "stated_alone",
        "labels_elsewhere",
        "ledger_gone",
        "logs_shrunk",
        "logs_earlier",
        "boxes_changed",
        "contradicted",
        "stale_evidence",
        "double_labels_missing",
        "reviewers_disagree",
        "go_rate",
        "undetermined_rate",
        "availability",
        "median_latency",
    ];

    /// The policy of a family where none was set.
    pub fn for_family(family: JudgementKind) -> Self {
        let reported = family.instrument().reported.iter().map(|m| m.as_str().to_owned());
        Self { reported: reported.collect(), ..Self::default() }
    }

    /// Which labels count only with a second word in a window begun under some rules.
    pub fn confirm_under(&self, rules: WindowRules) -> Confirm {
        self.confirm.unwrap_or_else(|| Confirm::default_under(rules))
    }

    /// Whether a measure decides.
    pub fn gates(&self, measure: Measure) -> bool {
        if self.reported.iter().any(|name| name == measure.as_str()) {
            return false;
        }
        match measure {
            Measure::FalsePositiveRate => self.false_positive != FalsePositive::Fdr,
            Measure::FalseDiscoveryRate => self.false_positive != FalsePositive::Fpr,
            Measure::FalseNegativeRate => self.false_negative != FalseNegative::For,
            Measure::FalseOmissionRate => self.false_negative != FalseNegative::Fnr,
            Measure::GoRate
            | Measure::UndeterminedRate
            | Measure::Availability
            | Measure::MedianLatency => true,
        }
    }

    /// How many tests could each find something not met: two for the GO rate, one for the rest.
    pub fn tests(&self) -> usize {
        let gated = Measure::ALL.into_iter().filter(|m| self.gates(*m)).count();
        gated + usize::from(self.gates(Measure::GoRate))
    }

    /// Confidence of the interval between two bounds of the policy's confidence, one-sided each.
    pub fn interval_confidence(&self) -> f64 {
        two_sided(self.confidence)
    }

    /// The chance of a wrong decision that is allowed to each KPI.
    pub fn alpha(&self) -> f64 {
        1.0 - self.confidence
    }

    /// The threshold of a measure.
    pub fn threshold(&self, measure: Measure) -> Threshold {
        let (value, upper) = match measure {
            Measure::GoRate => (self.go_rate[0], Some(self.go_rate[1])),
            Measure::UndeterminedRate => (self.undetermined_below, None),
            Measure::Availability => (self.availability_above, None),
            Measure::MedianLatency => (self.median_latency_below_s, None),
            Measure::FalsePositiveRate | Measure::FalseDiscoveryRate => {
                (self.false_positive_below, None)
            }
            Measure::FalseNegativeRate | Measure::FalseOmissionRate => {
                (self.false_negative_below, None)
            }
        };
        Threshold { measure, value, upper }
    }

    /// The same with a waiver, which replaces one of the same rule.
    pub fn with(mut self, waiver: Waiver) -> Self {
        self.waivers.retain(|other| other.what != waiver.what);
        self.waivers.push(waiver);
        self
    }

    /// The waiver that holds for something at an instant.
    pub fn waiver(&self, what: &str, now: Timestamp) -> Option<&Waiver> {
        let holds = |w: &&Waiver| {
            w.what == what && Timestamp::parse_day(&w.until).is_some_and(|until| now < until)
        };
        self.waivers.iter().find(holds)
    }

    /// The declared days of a decision, as days since 1970, in order.
    pub fn look_days(&self) -> Vec<i32> {
        let mut days: Vec<i32> =
            self.looks.iter().filter_map(|d| Timestamp::parse_day(d)).map(Timestamp::day).collect();
        days.sort_unstable();
        days.dedup();
        days
    }

    /// Whether no data are expected on a day, given as days since 1970.
    pub fn is_quiet(&self, day: i32) -> bool {
        // The first of January 1970 was a Thursday.
        let name = check::WEEKDAYS.get((day + 3).rem_euclid(7) as usize).copied();
        self.quiet_weekdays.iter().any(|w| Some(w.to_ascii_lowercase().as_str()) == name)
    }
}

/// Confidence of the interval between two bounds that each hold, one-sided, with some confidence:
/// what the two leave out adds up.
pub fn two_sided(confidence: f64) -> f64 {
    (1.0 - 2.0 * (1.0 - confidence)).max(0.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn wrong_blocks_and_misses_are_gated_once_by_default() {
        let gated = |p: &Policy| Measure::ALL.into_iter().filter(|m| p.gates(*m)).count();
        let one = Policy::default();
        assert_eq!((gated(&one), one.tests()), (6, 7));
        assert!(one.gates(Measure::FalsePositiveRate) && one.gates(Measure::FalseNegativeRate));
        assert!(!one.gates(Measure::FalseDiscoveryRate) && !one.gates(Measure::FalseOmissionRate));
        let both = Policy { false_positive: FalsePositive::Both, ..one };
        assert_eq!((gated(&both), both.tests()), (7, 8));
    }

    #[test]
    fn accept_of_tasks_is_gated_on_misses_and_wrong_blocks_are_reported() {
        let task = Policy::for_family(JudgementKind::Task);
        let gated: Vec<_> = Measure::ALL.into_iter().filter(|m| task.gates(*m)).collect();
        let expected =
            [Measure::UndeterminedRate, Measure::Availability, Measure::FalseNegativeRate];
        assert_eq!((gated.as_slice(), task.tests()), (&expected[..], 3));
        assert_eq!(task.threshold(Measure::FalseNegativeRate).value, 0.05);
        assert_eq!(Policy::for_family(JudgementKind::Push), Policy::default());
    }

    #[test]
    fn a_waiver_ends_on_its_day() {
        let waiver = Waiver {
            what: "fingerprint".to_owned(),
            name: "Ada".to_owned(),
            reason: "a patch release".to_owned(),
            until: "2026-03-02".to_owned(),
        };
        let policy = Policy { waivers: vec![waiver], ..Policy::default() };
        let at = |text| Timestamp::parse(text).unwrap();
        assert!(policy.waiver("fingerprint", at("2026-03-01T23:59:59Z")).is_some());
        assert!(policy.waiver("fingerprint", at("2026-03-02T00:00:00Z")).is_none());
        assert!(policy.waiver("missing_days", at("2026-03-01T00:00:00Z")).is_none());
    }

    #[test]
    fn weekdays_are_those_of_the_calendar() {
        let policy = Policy { quiet_weekdays: vec!["Sunday".to_owned()], ..Policy::default() };
        let day = |text| Timestamp::parse_day(text).unwrap().day();
        assert!(policy.is_quiet(day("2026-03-01")) && !policy.is_quiet(day("2026-03-02")));
        assert!(policy.is_quiet(day("1969-12-28")));
    }
}
