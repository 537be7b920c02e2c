//! A policy as the file that `gate set` reads.

use crate::calibration::{Confirm, OnWithdrawn, Policy, Undetermined, WindowRules};
use serde::Serialize;

/// The file, as TOML.
///
/// # Errors
/// A value that TOML cannot hold.
pub fn text(policy: &Policy) -> Result<String, toml::ser::Error> {
    toml::to_string(&Section { policy: Whole::new(policy) })
}

/// The file's only section.
#[derive(Serialize)]
struct Section<'a> {
    policy: Whole<'a>,
}

/// A policy with what it leaves out when it is written, since older ones did not have it.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    double_labels: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirm: Option<Confirm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    false_alarm_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_day: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undetermined: Option<Undetermined>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_withdrawn: Option<OnWithdrawn>,
    #[serde(flatten)]
    policy: &'a Policy,
}

impl<'a> Whole<'a> {
    fn new(policy: &'a Policy) -> Self {
        let default = Policy::default();
        /// The default of a key that the policy has, and so leaves out.
        fn left_out<T: PartialEq>(is: &T, default: T) -> Option<T> {
            (*is == default).then_some(default)
        }
        let confirm = Confirm::default_under(WindowRules::Current);
        Self {
            double_labels: left_out(&policy.double_labels, default.double_labels),
            confirm: policy.confirm.is_none().then_some(confirm),
            false_alarm_days: left_out(&policy.false_alarm_days, default.false_alarm_days),
            fresh_days: left_out(&policy.fresh_days, default.fresh_days),
            largest_day: left_out(&policy.largest_day, default.largest_day),
            retry_days: left_out(&policy.retry_days, default.retry_days),
            undetermined: left_out(&policy.undetermined, default.undetermined),
            on_withdrawn: left_out(&policy.on_withdrawn, default.on_withdrawn),
            policy,
        }
    }
}
