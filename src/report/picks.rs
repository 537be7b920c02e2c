//! Whether a judge of memories is worth being on, as a document.

use crate::relevance::{Check, CheckId, Choice, Comparison, Decision, Measured, Policy, decide};
use crate::report::number::{percent, share_ends, short_percent};
use crate::report::{PlainOrJson, counted};
use crate::stats::Interval;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Names the document.
const SCHEMA: &str = "foureyes/memories-readiness/1";

/// What picks and their labels come to, and whether the judge is worth being on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    /// Names the document and its version.
    schema: &'static str,
    /// `ready`, `not_enough_evidence` or `not_ready`.
    decision: &'static str,
    /// `strict`: put into a context without being asked for; `lenient`: the answers of searches.
    mode: &'static str,
    /// Each condition of the policy.
    checks: Vec<Check>,
    /// The conditions.
    policy: Policy,
    /// Picks, by where their choice comes from.
    picks: PickCounts,
    /// Picks by how far they are labelled.
    labels: LabelCounts,
    /// What the judge chose, of labelled picks.
    judge: ChoiceRow,
    /// What search alone would have chosen for the same prompts.
    search: ChoiceRow,
    /// Both, prompt by prompt.
    comparison: Comparison,
    /// Median time of the judge's calls in milliseconds, with its interval.
    latency_ms: Option<LatencyRow>,
    /// What the calls cost.
    cost: CostRow,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PickCounts {
    /// All.
    picks: u64,
    /// By a judge.
    judged: u64,
    /// Of these, picks without any memory.
    kept_none: u64,
    /// By search, since no judge was to be asked.
    unjudged: u64,
    /// By a file of answers in place of a judge: no evidence.
    scripted: u64,
    /// By search, since the judge did not choose: number of picks by the reason.
    fallbacks: BTreeMap<String, u64>,
    /// Share of calls without a choice.
    fallback_rate: Option<ShareRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LabelCounts {
    /// Drawn, and labelled as a whole: the evidence.
    labelled: u64,
    /// Some candidates have no label, or reviewers differ.
    incomplete: u64,
    /// Chosen by a reviewer, so no evidence.
    not_drawn: u64,
    /// Candidates on which reviewers differ.
    conflicts: u64,
    /// Picks that can be labelled.
    due: u64,
    /// Picks that cannot, since their prompt was not kept.
    without_text: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ShareRow {
    /// The share, in [0, 1].
    estimate: f64,
    /// Lower end of its exact interval of 95 % confidence (Clopper-Pearson).
    lower: f64,
    /// Upper end.
    upper: f64,
    /// Numerator.
    n: u64,
    /// Denominator.
    of: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChoiceRow {
    /// Memories that help, of those kept.
    precision: Option<ShareRow>,
    /// Memories kept, of those that help.
    recall: Option<ShareRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LatencyRow {
    median: f64,
    lower: Option<u64>,
    upper: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CostRow {
    /// All picks together, as far as it is known.
    total: f64,
    /// The dearest UTC day.
    dearest_day: f64,
    /// Picks by a judge whose cost is not known.
    unknown: u64,
}

impl ShareRow {
    fn new((n, of): (u64, u64), share: Option<(f64, Interval)>) -> Option<Self> {
        let (estimate, Interval { lower, upper }) = share?;
        Some(Self { estimate, lower, upper, n, of })
    }
}

impl ChoiceRow {
    fn new(choice: &Choice) -> Self {
        Self {
            precision: ShareRow::new((choice.hits, choice.kept), choice.precision()),
            recall: ShareRow::new((choice.hits, choice.relevant), choice.recall()),
        }
    }
}

impl Document {
    /// What was measured, beside how many picks can be labelled and how many cannot.
    pub fn new(
        measured: &Measured,
        policy: &Policy,
        is_lenient: bool,
        (due, without_text): (u64, u64),
    ) -> Self {
        let (decision, checks) = decide(measured, policy);
        let asked = measured.judged + measured.fallen_back();
        Self {
            schema: SCHEMA,
            decision: word(decision),
            mode: if is_lenient { "lenient" } else { "strict" },
            checks,
            policy: *policy,
            picks: PickCounts {
                picks: measured.picks,
                judged: measured.judged,
                kept_none: measured.kept_none,
                unjudged: measured.unjudged,
                scripted: measured.scripted,
                fallbacks: measured.fallbacks.clone(),
                fallback_rate: ShareRow::new(
                    (measured.fallen_back(), asked),
                    measured.fallback_rate(),
                ),
            },
            labels: LabelCounts {
                labelled: measured.labelled,
                incomplete: measured.incomplete,
                not_drawn: measured.not_drawn,
                conflicts: measured.conflicts,
                due,
                without_text,
            },
            judge: ChoiceRow::new(&measured.judge),
            search: ChoiceRow::new(&measured.search),
            comparison: measured.comparison,
            latency_ms: measured.latency.map(|median| LatencyRow {
                median: median.estimate,
                lower: median.interval.map(|(lower, _)| lower),
                upper: median.interval.map(|(_, upper)| upper),
            }),
            cost: CostRow {
                total: measured.cost,
                dearest_day: measured.dearest_day,
                unknown: measured.without_cost,
            },
        }
    }

    /// What a check was decided on.
    fn basis(&self, id: CheckId) -> String {
        let policy = &self.policy;
        match id {
            CheckId::Labelled => {
                let picks = counted(self.labels.labelled, "pick", "picks");
                format!("{picks}; at least {}", policy.labelled)
            }
            CheckId::Better => format!(
                "better for {}, worse for {}, the same for {}",
                counted(self.comparison.better, "prompt", "prompts"),
                self.comparison.worse,
                self.comparison.same
            ),
            CheckId::Precision => format!(
                "{}; at least {} per prompt",
                shown(self.judge.precision.as_ref()),
                short_percent(policy.precision)
            ),
            CheckId::Latency => {
                let seconds = |ms: f64| format!("{:.2} s", ms / 1000.0);
                let most = seconds(policy.latency_ms as f64);
                match &self.latency_ms {
                    None => format!("no calls; at most {most}"),
                    Some(LatencyRow { median, lower: Some(lower), upper: Some(upper) }) => format!(
                        "median {}, {:.2} to {}; at most {most}",
                        seconds(*median),
                        *lower as f64 / 1000.0,
                        seconds(*upper as f64)
                    ),
                    Some(row) => {
                        format!("median {}, no interval; at most {most}", seconds(row.median))
                    }
                }
            }
            CheckId::FallbackRate => format!(
                "{}; at most {}",
                shown(self.picks.fallback_rate.as_ref()),
                short_percent(policy.fallback_rate)
            ),
            CheckId::Cost => {
                let unknown = match self.cost.unknown {
                    0 => String::new(),
                    n => format!(", {n} unknown"),
                };
                let most = match policy.cost_per_day {
                    None => "no limit".to_owned(),
                    Some(most) => format!("at most {most} per day"),
                };
                format!("{:.4} on the dearest day{unknown}; {most}", self.cost.dearest_day)
            }
        }
    }
}

/// A share with its counts and interval, or that there is none.
fn shown(share: Option<&ShareRow>) -> String {
    let Some(share) = share else { return "no data".to_owned() };
    let ends = share_ends(Some(share.lower), Some(share.upper)).unwrap_or_default();
    format!("{} ({} of {}), {ends}", percent(share.estimate), share.n, share.of)
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Ready => "ready",
        Decision::NotEnoughEvidence => "not_enough_evidence",
        Decision::NotReady => "not_ready",
    }
}

fn heading(decision: &str) -> &'static str {
    match decision {
        "ready" => "READY",
        "not_ready" => "NOT READY",
        _ => "NOT ENOUGH EVIDENCE",
    }
}

/// What a check is about.
fn title(id: CheckId) -> &'static str {
    match id {
        CheckId::Labelled => "labelled",
        CheckId::Better => "better than search",
        CheckId::Precision => "precision",
        CheckId::Latency => "latency",
        CheckId::FallbackRate => "fallbacks",
        CheckId::Cost => "cost",
    }
}

impl PlainOrJson for Document {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Judge of memories ({}): {}\n", self.mode, heading(self.decision))?;
        let picks = &self.picks;
        writeln!(
            out,
            "Picks {}: judge {} ({} without a memory), search {}, fallbacks {}",
            picks.picks,
            picks.judged,
            picks.kept_none,
            picks.unjudged,
            picks.fallbacks.values().sum::<u64>()
        )?;
        if picks.scripted > 0 {
            writeln!(out, "  scripted, so no evidence: {}", picks.scripted)?;
        }
        for (why, count) in &picks.fallbacks {
            writeln!(out, "  {}: {count}", visible(why))?;
        }
        let labels = &self.labels;
        writeln!(
            out,
            "Labelled {}, incomplete {}, not drawn {}, to label {}, prompt not kept {}\n",
            labels.labelled, labels.incomplete, labels.not_drawn, labels.due, labels.without_text
        )?;
        for check in &self.checks {
            let result = heading(word(check.decision));
            let (title, basis) = (title(check.id), self.basis(check.id));
            writeln!(out, "{title:<19} {result:<20} {basis}")?;
        }
        writeln!(out, "\n{:<10} {:<38} search alone", "", "judge")?;
        let judge = [&self.judge.precision, &self.judge.recall];
        let search = [&self.search.precision, &self.search.recall];
        for ((name, judge), search) in ["precision", "recall"].into_iter().zip(judge).zip(search) {
            let (judge, search) = (shown(judge.as_ref()), shown(search.as_ref()));
            writeln!(out, "{name:<10} {judge:<38} {search}")?;
        }
        writeln!(
            out,
            "\nIntervals take candidates as independent, and those of one prompt are not: what\n\
             decides is counted by prompts."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relevance::measure;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("memories-readiness.schema.json", &schema);
    }

    #[test]
    fn without_picks_there_is_no_evidence_and_no_rate() {
        let policy = Policy::default();
        let measured = measure(std::iter::empty(), policy.precision);
        let document = Document::new(&measured, &policy, false, (0, 0));
        let mut text = Vec::new();
        document.write_plain(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("Judge of memories (strict): NOT ENOUGH EVIDENCE\n"), "{text}");
        assert!(
            text.contains("no data; at most 10 %") && text.contains("no calls; at most 3.00 s")
        );
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
}
