//! What the gate would say of a judge whose error rates are known: `readiness --simulate`.

use super::{Failure, output};
use crate::calibration::simulation::{Characteristic, MeasureRow, Spread, Truth, simulate};
use crate::calibration::{Cluster, Measure, Method, Policy};
use crate::stats::{CONFIDENCE, binomial};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

/// Names the document.
const SCHEMA: &str = "foureyes/simulation/1";

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

/// The document.
#[derive(Debug, Serialize, JsonSchema)]
struct Document<'a> {
    /// Names the document and its version.
    schema: &'static str,
    /// What was planted.
    truth: Truth,
    /// Where the random numbers begin.
    seed: u64,
    /// The rules.
    policy: &'a Policy,
    /// What came of it.
    characteristic: Characteristic,
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
    if json {
        let document = Document { schema: SCHEMA, truth, seed: args.seed, policy, characteristic };
        let text = serde_json::to_string_pretty(&document).map_err(Failure::local)?;
        output::print(text + "\n")?;
    } else {
        output::print(text(&truth, policy, &characteristic))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn percent(part: f64) -> String {
    let text = format!("{:.1}", part * 100.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

fn text(truth: &Truth, policy: &Policy, c: &Characteristic) -> String {
    let mut out = format!(
        "A judge that flags {} of acceptable content and lets {} of poor content pass,\n\
         where {} of the content is poor and {} of the evaluations say nothing;\n\
         {} evaluations per day, {} of what passes is audited, looked at on each of\n\
         the days {} to {}, in {} runs.\n",
        percent(truth.false_positive),
        percent(truth.false_negative),
        percent(truth.poor),
        percent(truth.undetermined),
        truth.per_day,
        percent(truth.pi),
        policy.days,
        c.days,
        c.runs,
    );
    conditions(&mut out, truth, policy);
    let _ = writeln!(out, "\never READY            {}", of_runs(c.ready, c.runs));
    if let (Some(day), Some(labels)) = (c.ready_day, c.ready_labels) {
        let _ = writeln!(out, "  half of these by day {day}, with {labels} labels");
    }
    let _ = writeln!(out, "  of all runs, 5 %, 50 % and 95 % are READY");
    let _ = writeln!(out, "    by day            {}", spread(&c.days_until_ready));
    let _ = writeln!(out, "    with labels       {}", spread(&c.labels_until_ready));
    let _ = writeln!(out, "ever NOT READY        {}", of_runs(c.not_ready, c.runs));
    let _ = writeln!(out, "by point estimates    {}", of_runs(c.literal_ready, c.runs));
    out.push_str("  what gating on them would ever have let through; this gate does not\n");
    for row in &c.measures {
        measure(&mut out, row, policy, c.runs);
    }
    let _ = write!(
        out,
        "\nIntervals are exact, two-sided, {} %: the chance of the runs alone.\n",
        CONFIDENCE * 100.0
    );
    out
}

/// What else is planted, a line each.
fn conditions(out: &mut String, truth: &Truth, policy: &Policy) {
    let mut line = |holds: bool, text: String| {
        if holds {
            let _ = writeln!(out, "{text}");
        }
    };
    let Truth { correlation, bursts, size_by_rate, windows, .. } = *truth;
    line(correlation > 0.0, format!("Errors of a day are correlated by {correlation}."));
    let bad = percent(bursts);
    line(bursts > 0.0, format!("All misses, or as many as can be, are on {bad} of the days."));
    let sized = format!("Days with more misses than usual are larger by {}", percent(size_by_rate));
    line(size_by_rate != 0.0, format!("{sized}, others smaller."));
    let [poor, acceptable, unsure] =
        [truth.poor_as_acceptable, truth.acceptable_as_poor, truth.unsure].map(percent);
    let err = truth.poor_as_acceptable > 0.0 || truth.acceptable_as_poor > 0.0;
    line(
        err,
        format!("Reviewers call {poor} of poor content acceptable, {acceptable} of the rest poor."),
    );
    line(truth.unsure > 0.0, format!("They are unsure of {unsure}."));
    line(windows > 1, format!("Up to {windows} windows are started, one after another."));
    let cluster = policy.cluster.as_str();
    line(
        !policy.cluster.is_none(),
        format!(
            "Whole days of the one planted agent must show it too (`cluster = \"{cluster}\"`)."
        ),
    );
}

/// The three numbers, `never` where fewer runs get there.
fn spread(s: &Spread) -> String {
    let shown = |n: Option<u64>| n.map_or("never".to_owned(), |n| n.to_string());
    format!("{}, {}, {}", shown(s.p5), shown(s.p50), shown(s.p95))
}

fn measure(out: &mut String, row: &MeasureRow, policy: &Policy, runs: u32) {
    let threshold = policy.threshold(row.id).value;
    let _ = writeln!(out, "\n{}, threshold {}", name(row.id), percent(threshold));
    let _ = writeln!(out, "  ever met            {}", of_runs(row.met, runs));
    if let Some(after) = row.met_after {
        let _ = writeln!(out, "    half of these after {after} evaluations");
    }
    let _ = writeln!(out, "  ever not met        {}", of_runs(row.not_met, runs));
    let _ = writeln!(out, "  point estimate      {}", of_runs(row.literal, runs));
    let _ = writeln!(out, "    at the first look {}", of_runs(row.literal_first, runs));
    let _ = writeln!(out, "  one-look bound      {}", of_runs(row.one_look, runs));
}

fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::FalsePositiveRate => "false positive rate",
        Measure::FalseDiscoveryRate => "false discovery rate",
        Measure::FalseNegativeRate => "false negative rate",
        Measure::FalseOmissionRate => "false omission rate",
        other => other.as_str(),
    }
}

/// A share of the runs with its interval.
fn of_runs(share: f64, runs: u32) -> String {
    // A share is a count over the runs; rounding gives the count back.
    let count = (share * f64::from(runs)).round() as u64;
    match binomial::share(count, u64::from(runs)) {
        Some((share, i)) => format!(
            "{:>5.1} % ({:.1}–{:.1}), {count} of {runs}",
            share * 100.0,
            i.lower * 100.0,
            i.upper * 100.0
        ),
        None => "no runs".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_share_has_count_and_interval() {
        assert_eq!(
            of_runs(0.15, 20),
            "15.0 % (3.2–37.9), 3 of 20".to_owned().replace("15.0", " 15.0")
        );
    }

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document<'_>);
        crate::cli::output::assert_asset("simulation.schema.json", &schema);
    }

    #[test]
    fn only_shares_are_taken() {
        assert_eq!(share("0.05"), Ok(0.05));
        for bad in ["", "5", "-0.1", "NaN", "1.01", "5%"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_number_of_the_text_is_that_of_the_runs() {
        let truth = Truth { per_day: 5, ..Truth::default() };
        let policy = Policy { days: 2, ..Policy::default() };
        let c = simulate(&truth, &policy, 4, 10, 1);
        let text = text(&truth, &policy, &c);
        assert!(text.contains("in 10 runs") && text.contains("the days 2 to 4"), "{text}");
        assert_eq!(text.matches("\n  ever met ").count(), c.measures.len(), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
}
