//! What can be planted.

use crate::calibration::simulation::Truth;
use crate::calibration::{Cluster, Undetermined};
use crate::cli::operator::draw::draws;
use crate::domain::review::Draw;

/// A planted judge.
#[derive(Debug, clap::Args)]
pub(in crate::cli::operator) struct Planted {
    /// True false positive rate: share of acceptable content that the judge flags, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.04, value_parser = share)]
    pub(super) true_fpr: f64,
    /// True false negative rate: share of poor content that the judge passes, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    pub(super) true_fnr: f64,
    /// Share of content that is poor, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.15, value_parser = share)]
    pub(super) true_poor: f64,
    /// Share of evaluations that are UNDETERMINED, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) true_undetermined: f64,
    /// Evaluations per day
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) per_day: u32,
    /// Share of poor content that gets UNDETERMINED instead of a verdict, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) poor_undetermined: f64,
    /// Override the policy's `undetermined`
    #[arg(long, requires = "simulate", value_name = "AS", value_parser = undetermined)]
    pub(super) undetermined: Option<Undetermined>,
    /// Audit rate for passed content, 0 to 1
    #[arg(long, requires = "simulate", value_name = "RATE", default_value_t = 1.0, value_parser = share)]
    pub(super) audit: f64,
    /// Audit rate for NO-GOs, 0 to 1
    #[arg(long, requires = "simulate", value_name = "RATE", default_value_t = 1.0, value_parser = share)]
    pub(super) audit_no_go: f64,
    /// Share of NO-GOs that are submitted again unchanged and get GO, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) retried: f64,
    /// Audit rate for GOs after such a retry, 0 to 1
    #[arg(long, requires = "simulate", value_name = "RATE", default_value_t = 1.0, value_parser = share)]
    pub(super) audit_retried: f64,
    /// Days of logs from before the first window that count in it
    #[arg(long, requires = "simulate", value_name = "DAYS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=3_650))]
    pub(super) backlog: u32,
    /// How much of these days to label
    #[arg(long, requires = "simulate", value_name = "PLAN", default_value = "thin", value_parser = draws())]
    pub(super) draw: Draw,
    /// Take evaluations per day, share of poor content, backlog and audit rates from the logs
    #[arg(long, requires = "simulate")]
    pub(super) from_logs: bool,
    /// Day of the window on which the judge's false negative rate changes
    #[arg(long, requires_all = ["simulate", "later_fnr"], value_name = "DAY", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) changes_on: Option<u32>,
    /// False negative rate from that day on, 0 to 1
    #[arg(long, requires_all = ["simulate", "changes_on"], value_name = "SHARE", value_parser = share)]
    pub(super) later_fnr: Option<f64>,
    /// Correlation of errors within a day, 0 to 0.99: each day has error rates of its own
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = correlation)]
    pub(super) correlation: f64,
    /// Share of days on which the misses are concentrated, 0 to 0.99
    #[arg(long, requires = "simulate", conflicts_with = "correlation", value_name = "SHARE", default_value_t = 0.0, value_parser = correlation)]
    pub(super) bursts: f64,
    /// How much larger days with more misses are, -0.9 to 0.9
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = size, allow_negative_numbers = true)]
    pub(super) size_by_rate: f64,
    /// Share of poor content that reviewers label acceptable, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) poor_as_acceptable: f64,
    /// Share of acceptable content that reviewers label poor, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) acceptable_as_poor: f64,
    /// Share of labels that are unsure, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) unsure: f64,
    /// Windows per run; the next starts when one ends without READY
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub(super) windows: u32,
    /// Override the policy's `cluster`
    #[arg(long, requires = "simulate", value_name = "CLUSTER", value_parser = cluster)]
    pub(super) cluster: Option<Cluster>,
    /// Days per window, backlog included, with a look on each day after the policy's minimum
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    pub(super) run_days: u32,
    /// Number of runs
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) runs: u32,
    /// Random seed
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

impl Planted {
    /// The planted judge, its traffic and what is labelled of it.
    pub(super) fn truth(&self) -> Truth {
        let default = Truth::default();
        Truth {
            poor: self.true_poor,
            false_positive: self.true_fpr,
            false_negative: self.true_fnr,
            undetermined: self.true_undetermined,
            per_day: self.per_day,
            pi: self.audit,
            correlation: self.correlation,
            bursts: self.bursts,
            size_by_rate: self.size_by_rate,
            poor_as_acceptable: self.poor_as_acceptable,
            acceptable_as_poor: self.acceptable_as_poor,
            unsure: self.unsure,
            windows: self.windows,
            no_go_rate: self.audit_no_go,
            poor_undetermined: self.poor_undetermined,
            retried: self.retried,
            retried_rate: self.audit_retried,
            backlog_days: self.backlog,
            backlog_rate: (self.draw == Draw::All).then_some(1.0),
            changes_on: self.changes_on,
            later_false_negative: self.later_fnr.unwrap_or(default.later_false_negative),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

fn correlation(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=0.99).contains(n));
    number.ok_or_else(|| "it is a number from 0 to 0.99".to_owned())
}

fn size(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (-0.9..=0.9).contains(n));
    number.ok_or_else(|| "it is a number from -0.9 to 0.9".to_owned())
}

fn cluster(text: &str) -> Result<Cluster, String> {
    serde_json::from_value(text.into()).map_err(|_| "it is `none`, `day` or `agent_day`".to_owned())
}

fn undetermined(text: &str) -> Result<Undetermined, String> {
    serde_json::from_value(text.into())
        .map_err(|_| "it is `apart`, `passes` or `blocks`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shares_are_taken() {
        assert_eq!(share("0.05"), Ok(0.05));
        for bad in ["", "5", "-0.1", "NaN", "1.01", "5%"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }
}
