//! What the gate would say of a judge whose error rates are known: `readiness --simulate`.

use super::{Failure, output};
use crate::calibration::simulation::{Truth, simulate};
use crate::calibration::{Cluster, Method, Policy};
use crate::report::simulation::Document;
use std::process::ExitCode;

/// A planted judge.
#[derive(Debug, clap::Args)]
pub(super) struct Planted {
    /// True false positive rate: share of acceptable content that the judge flags, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.04, value_parser = share)]
    true_fpr: f64,
    /// True false negative rate: share of poor content that the judge passes, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    true_fnr: f64,
    /// Share of content that is poor, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.15, value_parser = share)]
    true_poor: f64,
    /// Share of evaluations that are UNDETERMINED, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    true_undetermined: f64,
    /// Evaluations per day
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    per_day: u32,
    /// Audit rate for passed content, 0 to 1
    #[arg(long, requires = "simulate", value_name = "RATE", default_value_t = 1.0, value_parser = share)]
    audit: f64,
    /// Correlation of errors within a day, 0 to 0.99: each day has error rates of its own
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = correlation)]
    correlation: f64,
    /// Share of days on which the misses are concentrated, 0 to 0.99
    #[arg(long, requires = "simulate", conflicts_with = "correlation", value_name = "SHARE", default_value_t = 0.0, value_parser = correlation)]
    bursts: f64,
    /// How much larger days with more misses are, -0.9 to 0.9
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = size, allow_negative_numbers = true)]
    size_by_rate: f64,
    /// Share of poor content that reviewers label acceptable, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    poor_as_acceptable: f64,
    /// Share of acceptable content that reviewers label poor, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    acceptable_as_poor: f64,
    /// Share of labels that are unsure, 0 to 1
    #[arg(long, requires = "simulate", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    unsure: f64,
    /// Windows per run; the next starts when one ends without READY
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    windows: u32,
    /// Override the policy's `cluster`
    #[arg(long, requires = "simulate", value_name = "CLUSTER", value_parser = cluster)]
    cluster: Option<Cluster>,
    /// Days per window, with a look on each day after the policy's minimum
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    run_days: u32,
    /// Number of runs
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    /// Random seed
    #[arg(long, requires = "simulate", value_name = "N", default_value_t = 1)]
    seed: u64,
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

/// Runs it, and prints what came of it.
pub(super) fn run(policy: &Policy, args: &Planted, json: bool) -> Result<ExitCode, Failure> {
    let truth = Truth {
        poor: args.true_poor,
        false_positive: args.true_fpr,
        false_negative: args.true_fnr,
        undetermined: args.true_undetermined,
        per_day: args.per_day,
        pi: args.audit,
        correlation: args.correlation,
        bursts: args.bursts,
        size_by_rate: args.size_by_rate,
        poor_as_acceptable: args.poor_as_acceptable,
        acceptable_as_poor: args.acceptable_as_poor,
        unsure: args.unsure,
        windows: args.windows,
    };
    let policy = &Policy { cluster: args.cluster.unwrap_or(policy.cluster), ..policy.clone() };
    if !policy.cluster.is_none() && policy.method == Method::Fixed {
        return Err(Failure::usage("the method `fixed` knows no clusters: use `anytime`"));
    }
    let characteristic = simulate(&truth, policy, args.run_days, args.runs, args.seed);
    let document = Document::new(truth, args.seed, policy, characteristic);
    output::print(if json { document.json().map_err(Failure::local)? } else { document.plain() })?;
    Ok(ExitCode::SUCCESS)
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
