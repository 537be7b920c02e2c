//! How much poor content arrives, as documents have it.

use super::number_text::about;
use super::policy::two_sided;
use crate::domain::RecordId;
use crate::stats::binomial;
use crate::text::counted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Poor content of the closed days that passes, or would pass where the hook blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arriving {
    /// As GO.
    pub go: PoorContent,
    /// As UNDETERMINED.
    pub undetermined: PoorContent,
    /// UNDETERMINED of the open days that are drawn and have no label, in order.
    #[serde(skip)]
    pub missing: Vec<RecordId>,
}

/// How many of some contents are poor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PoorContent {
    /// All of them.
    pub contents: u64,
    /// Labels that tell how many are poor; those of doubt are left out.
    pub labels: u64,
    /// How many are poor, about; `null` where no label tells.
    pub poor: Option<f64>,
    /// Lower end of the interval, two-sided, of sampling error alone.
    pub lower: Option<f64>,
    /// Upper end of it.
    pub upper: Option<f64>,
}

impl PoorContent {
    pub(super) fn new(contents: u64, labels: u64, shares: Option<[f64; 3]>) -> Self {
        let [poor, lower, upper] = match shares {
            Some(shares) => shares.map(|share| Some(share * contents as f64)),
            None => [None; 3],
        };
        Self { contents, labels, poor, lower, upper }
    }

    /// By labels on some of them, drawn evenly.
    pub(super) fn of_sample(contents: u64, (poor, labels): (u64, u64), confidence: f64) -> Self {
        let ends = binomial::two_sided(poor, labels, two_sided(confidence));
        let share = poor as f64 / labels.max(1) as f64;
        Self::new(contents, labels, ends.map(|ends| [share, ends.lower, ends.upper]))
    }

    fn text(&self, name: &str) -> String {
        let of = format!("{} {name}", about(self.contents));
        match (self.poor, self.lower, self.upper) {
            (Some(poor), Some(lower), Some(upper)) => format!(
                "about {poor:.0} of {of} ({:.0} to {:.0}, {})",
                lower.floor(),
                upper.ceil(),
                counted(self.labels, "label", "labels")
            ),
            _ => format!("an unknown part of {of} (no label tells)"),
        }
    }
}

impl Arriving {
    /// What faces show.
    pub fn sentence(&self) -> String {
        let [go, undetermined] = [self.go.text("GO"), self.undetermined.text("UNDETERMINED")];
        format!("Poor content that would arrive, on the closed days: {go}, {undetermined}.")
    }
}
