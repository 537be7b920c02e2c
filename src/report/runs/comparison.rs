//! A run beside what was said before, for programs; its words are those of the console.

use super::document::OneRun;
use crate::calibration::comparison::{Differs, Reading, RunComparison, differs};
use crate::domain::review::Run;
use crate::report::run_comparison;
use crate::stats::Interval;
use schemars::JsonSchema;
use serde::Serialize;

/// A run beside what was said before of the same contents. Flagged is NO-GO; UNDETERMINED stands
/// in no pair.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ComparisonRow {
    /// `records`: the verdicts that were judged again; `run`: those of the run that is repeated.
    with: &'static str,
    /// Id of that run.
    run: Option<String>,
    /// In what the judges of both runs differ: `question`, `model`, `served_model`, `settings`.
    /// Nothing where one judge was asked twice, as far as is known; `null` beside records.
    judges_differ: Option<Vec<&'static str>>,
    /// Contents of the run.
    items: u64,
    /// Those with GO or NO-GO both times: the pairs, of which all that follows is.
    pairs: u64,
    /// Pairs that are NO-GO now and were GO.
    flagged_only_now: u64,
    /// Pairs that were NO-GO and are GO now.
    flagged_only_before: u64,
    /// Pairs that are NO-GO both times.
    flagged_both: u64,
    /// The share of pairs whose verdicts differ; `null` without a pair.
    differing: Option<Estimated>,
    /// The share that is flagged now less the share that was; `null` without a pair.
    flagged_difference: Option<Estimated>,
    /// Mid-p of McNemar: how often a split at least as uneven comes about where a pair that differs
    /// is as likely to go either way. It is no chance that the judges are alike; `null` where no
    /// pair differs.
    mid_p: Option<f64>,
    /// `more_no_go`, `fewer_no_go`, `not_enough` to tell, or `nothing` to compare.
    reading: &'static str,
    /// Contents beside the pairs: UNDETERMINED before and decided now.
    undetermined_before: u64,
    /// Decided before and UNDETERMINED now.
    undetermined_now: u64,
    /// UNDETERMINED both times.
    undetermined_both: u64,
    /// Without a verdict before.
    no_verdict_before: u64,
    /// Not judged now.
    no_verdict_now: u64,
    /// Known to be of another content than before.
    other_content: u64,
    /// The same, to be said in words.
    #[serde(skip)]
    again: RunComparison,
    #[serde(skip)]
    judges: Option<Vec<Differs>>,
}

/// A value with its interval of 95 %.
#[derive(Debug, Serialize, JsonSchema)]
struct Estimated {
    /// The value.
    estimate: f64,
    /// Lower end.
    lower: f64,
    /// Upper end.
    upper: f64,
}

impl Estimated {
    fn new((estimate, Interval { lower, upper }): (f64, Interval)) -> Self {
        Self { estimate, lower, upper }
    }
}

/// All comparisons that a run allows.
pub(super) fn all(run: &Run, before: Option<&Run>) -> Vec<ComparisonRow> {
    // One task is no sample.
    if run.begun.what.task.is_some() {
        return Vec::new();
    }
    let answers = run.begun.what.items.iter().any(|item| item.was.is_some());
    let records =
        answers.then(|| ComparisonRow::new("records", None, RunComparison::of_records(run), None));
    let earlier = before.map(|before| {
        let id = Some(before.id().to_string());
        ComparisonRow::new(
            "run",
            id,
            RunComparison::of_run(run, before),
            Some(differs(run, before)),
        )
    });
    records.into_iter().chain(earlier).collect()
}

impl ComparisonRow {
    fn new(
        with: &'static str,
        run: Option<String>,
        again: RunComparison,
        judges: Option<Vec<Differs>>,
    ) -> Self {
        let named = |all: &Vec<Differs>| all.iter().copied().map(name).collect();
        Self {
            with,
            run,
            judges_differ: judges.as_ref().map(named),
            items: again.items,
            pairs: again.pairs.items,
            flagged_only_now: again.pairs.second_only,
            flagged_only_before: again.pairs.first_only,
            flagged_both: again.both_flagged,
            differing: again.differing_share().map(Estimated::new),
            flagged_difference: again.difference().map(Estimated::new),
            mid_p: again.mid_p(),
            reading: reading(again.reading()),
            undetermined_before: again.undetermined_before,
            undetermined_now: again.undetermined_now,
            undetermined_both: again.undetermined_both,
            no_verdict_before: again.no_verdict_before,
            no_verdict_now: again.no_verdict_now,
            other_content: again.other_content,
            again,
            judges,
        }
    }

    /// With what it is compared.
    pub(super) fn title(&self) -> String {
        match &self.run {
            None => "compared with the records:".to_owned(),
            Some(run) => format!("compared with run {}:", crate::text::short_hash(run)),
        }
    }

    /// What came of it, a sentence each.
    pub(super) fn words(&self) -> Vec<String> {
        let judges = self.judges.as_deref().map(run_comparison::judges);
        run_comparison::compared(&self.again).into_iter().chain(judges).collect()
    }
}

impl OneRun {
    /// Tells whether the run that it repeats is there.
    pub(super) fn knows_before(&self) -> bool {
        self.comparisons.iter().any(|row| row.run.is_some())
    }
}

fn name(what: Differs) -> &'static str {
    match what {
        Differs::Question => "question",
        Differs::Model => "model",
        Differs::Served => "served_model",
        Differs::Settings => "settings",
    }
}

fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::Nothing => "nothing",
        Reading::NoneDiffers | Reading::Few | Reading::Open => "not_enough",
        Reading::MoreFlagged => "more_no_go",
        Reading::FewerFlagged => "fewer_no_go",
    }
}
