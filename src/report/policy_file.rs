//! A policy as the file that `gate set` reads.

use crate::calibration::{Confirm, Policy};
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
    #[serde(flatten)]
    policy: &'a Policy,
}

impl<'a> Whole<'a> {
    fn new(policy: &'a Policy) -> Self {
        let default = Policy::default();
        let same = policy.double_labels == default.double_labels;
        Self {
            double_labels: same.then_some(default.double_labels),
            confirm: (policy.confirm == default.confirm).then_some(default.confirm),
            policy,
        }
    }
}
