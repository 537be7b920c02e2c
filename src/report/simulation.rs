//! What the gate would decide about a judge whose error rates are known, as a document.

use crate::calibration::simulation::{Characteristic, MeasureRow, Spread, Truth};
use crate::calibration::{Measure, Policy, Undetermined};
use crate::stats::{CONFIDENCE, binomial};
use crate::text::counted;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// Names the document.
const SCHEMA: &str = "foureyes/simulation/1";

/// What the gate decides about a planted judge, in many runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document<'a> {
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

impl<'a> Document<'a> {
    /// What came of a simulation under a policy.
    pub fn new(
        truth: Truth,
        seed: u64,
        policy: &'a Policy,
        characteristic: Characteristic,
    ) -> Self {
        Self { schema: SCHEMA, truth, seed, policy, characteristic }
    }

    /// Indented JSON.
    ///
    /// # Errors
    /// A value that JSON cannot hold.
    pub fn json(&self) -> std::io::Result<String> {
        crate::text::json::pretty(self)
    }

    /// Plain text of at most 80 columns.
    pub fn plain(&self) -> String {
        text(&self.truth, self.policy, &self.characteristic)
    }
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
        let labels = counted(labels, "label", "labels");
        let _ = writeln!(out, "  half of these by day {day}, with {labels}");
    }
    let _ = writeln!(out, "  of all runs, 5 %, 50 % and 95 % are READY");
    let _ = writeln!(out, "    by day            {}", spread(&c.days_until_ready));
    let _ = writeln!(out, "    with labels       {}", spread(&c.labels_until_ready));
    let _ = writeln!(out, "ever NOT READY        {}", of_runs(c.not_ready, c.runs));
    withdrawal(&mut out, truth, c);
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

/// Whether READY lasts.
fn withdrawal(out: &mut String, truth: &Truth, c: &Characteristic) {
    let w = &c.withdrawal;
    let _ = writeln!(out, "ever withdrawn        {}", of_runs(w.ever, c.runs));
    let _ = writeln!(out, "  after READY         {}", of_runs(w.from_ready, c.runs));
    if truth.changes_on.is_some() {
        let _ = writeln!(out, "  before the change   {}", of_runs(w.before_change, c.runs));
        let _ = writeln!(out, "  of all runs, 5 %, 50 % and 95 % are withdrawn");
        let _ = writeln!(out, "    within days       {}", spread(&w.days));
    }
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
    labelled(out, truth);
    traffic(out, truth, policy);
}

/// What is labelled of NO-GOs and of a backlog, where that is not all.
fn labelled(out: &mut String, truth: &Truth) {
    if truth.no_go_rate < 1.0 {
        let _ = writeln!(out, "NO-GOs are audited at {}.", percent(truth.no_go_rate));
    }
    if truth.backlog_days > 0 {
        let days = counted(u64::from(truth.backlog_days), "day", "days");
        let rate = match truth.backlog_rate {
            None => "at the thin rate of the plan".to_owned(),
            Some(rate) => format!("at {}", percent(rate)),
        };
        let _ = writeln!(out, "The first {days} are from before the window, drawn {rate}.");
    }
}

/// What else comes: retries, UNDETERMINED, and another judge.
fn traffic(out: &mut String, truth: &Truth, policy: &Policy) {
    if let Some(day) = truth.changes_on {
        let later = percent(truth.later_false_negative);
        let _ = writeln!(out, "From day {day} on, the judge lets {later} of poor content pass.");
    }
    if truth.retried > 0.0 {
        let [again, rate] = [truth.retried, truth.retried_rate].map(percent);
        let _ =
            writeln!(out, "Of NO-GOs, {again} are submitted again and get GO, audited at {rate}.");
    }
    if truth.poor_undetermined > 0.0 {
        let share = percent(truth.poor_undetermined);
        let _ = writeln!(out, "Of poor content, {share} gets UNDETERMINED.");
    }
    let counts_as = match policy.undetermined {
        Undetermined::Apart => None,
        Undetermined::Passes => Some("passing"),
        Undetermined::Blocks => Some("blocked"),
    };
    if let Some(counts_as) = counts_as {
        let _ = writeln!(out, "UNDETERMINED counts as {counts_as}.");
    }
    if truth.retried > 0.0 || counts_as.is_some() {
        let [misses, wrong] = truth.tested_rates(policy.undetermined).map(percent);
        let _ = writeln!(out, "So the tested FNR is {misses}, the tested FPR {wrong}.");
    }
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
    let _ = writeln!(out, "  hopeless by day 21  {}", of_runs(row.hopeless, runs));
    if let Some(day) = row.hopeless_day {
        let _ = writeln!(out, "    half of all runs by day {day}");
    }
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
    use crate::calibration::simulation::simulate;

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
        crate::asset_tests::assert_asset("simulation.schema.json", &schema);
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

    #[test]
    fn every_condition_has_its_line() {
        let truth = Truth {
            per_day: 5,
            no_go_rate: 0.3,
            backlog_days: 3,
            retried: 0.02,
            retried_rate: 0.5,
            poor_undetermined: 0.1,
            changes_on: Some(3),
            later_false_negative: 0.25,
            ..Truth::default()
        };
        let policy = Policy { days: 2, undetermined: Undetermined::Passes, ..Policy::default() };
        let text = text(&truth, &policy, &simulate(&truth, &policy, 4, 10, 1));
        for line in [
            "NO-GOs are audited at 30 %.",
            "The first 3 days are from before the window, drawn at the thin rate of the plan.",
            "From day 3 on, the judge lets 25 % of poor content pass.",
            "Of NO-GOs, 2 % are submitted again and get GO, audited at 50 %.",
            "Of poor content, 10 % gets UNDETERMINED.",
            "UNDETERMINED counts as passing.",
            "  before the change ",
        ] {
            assert!(text.lines().any(|l| l.starts_with(line)), "{line}: {text}");
        }
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
}
