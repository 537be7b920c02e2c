//! Whether a judge of memories is worth being on, as a document.

use crate::page::number::{percent, share_ends, short_percent};
use crate::relevance::{
    Candidate, Check, CheckId, Choice, Decision, Latency, Measured, Policy, Share, decide,
};
use crate::report::{PlainOrJson, counted};
use crate::text::escape::{self, truncate};
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Names the document.
const SCHEMA: &str = "foureyes/memories-readiness/1";

/// What must be known of the shares of candidates.
pub const NOTE: &str = "Intervals take candidates as independent, and those of one prompt are not: what decides is counted by prompts.";

/// What picks and their labels come to, and whether the judge is worth being on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measured,
    /// What was decided.
    #[serde(skip)]
    pub result: Decision,
}

/// A check as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRow {
    /// What is checked.
    pub title: &'static str,
    /// What came of it.
    pub result: Decision,
    /// What it was decided on.
    pub basis: String,
}

/// A share of the judge and the same of search alone, as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceRow {
    /// Which share.
    pub title: &'static str,
    /// That of the judge, with counts and interval.
    pub judge: String,
    /// That of search alone.
    pub search: String,
}

impl Document {
    /// Decides on what was measured.
    pub fn new(measured: Measured, policy: &Policy, is_lenient: bool) -> Self {
        let (result, checks) = decide(&measured, policy);
        Self {
            schema: SCHEMA,
            decision: match result {
                Decision::Ready => "ready",
                Decision::NotEnoughEvidence => "not_enough_evidence",
                Decision::NotReady => "not_ready",
            },
            mode: mode(is_lenient),
            checks,
            policy: *policy,
            measured,
            result,
        }
    }

    /// Picks by where their choice comes from, then the reasons of fallbacks, a line each.
    pub fn picks(&self) -> Vec<String> {
        let picks = &self.measured.picks;
        let since = self.policy.since.map(|day| format!(" since {}", day.day_text()));
        let mut lines = vec![format!(
            "Picks {}{}: judge {} ({} without a memory), search {}, fallbacks {}",
            picks.picks,
            since.unwrap_or_default(),
            picks.judged,
            picks.kept_none,
            picks.unjudged,
            picks.fallen_back()
        )];
        if picks.scripted > 0 {
            lines.push(format!("  scripted, so no evidence: {}", picks.scripted));
        }
        let reasons = picks.fallbacks.iter();
        lines.extend(reasons.map(|(why, count)| format!("  {}: {count}", line(why))));
        lines
    }

    /// How far the picks are labelled.
    pub fn labels(&self) -> String {
        let labels = &self.measured.labels;
        format!(
            "Labelled {}, incomplete {}, not drawn {}, not labelled {}, prompt not kept {}",
            labels.labelled, labels.incomplete, labels.not_drawn, labels.due, labels.without_text
        )
    }

    /// Each condition with its result and its basis.
    pub fn checks(&self) -> Vec<CheckRow> {
        let row = |check: &Check| CheckRow {
            title: title(check.id),
            result: check.decision,
            basis: self.basis(check.id),
        };
        self.checks.iter().map(row).collect()
    }

    /// Precision and recall of both choosers.
    pub fn choices(&self) -> [ChoiceRow; 2] {
        let share = |title, of: fn(&Choice) -> &Option<Share>| ChoiceRow {
            title,
            judge: shown(of(&self.measured.judge).as_ref()),
            search: shown(of(&self.measured.search).as_ref()),
        };
        [share("precision", |choice| &choice.precision), share("recall", |choice| &choice.recall)]
    }

    /// Judge and search compared, in a line.
    pub fn comparison(&self) -> String {
        let Measured { comparison, labels, judge, .. } = &self.measured;
        let labelled = counted(labels.labelled, "labelled pick", "labelled picks");
        match judge.precision {
            None if labels.labelled == 0 => "no labelled picks".to_owned(),
            precision => format!(
                "judge better for {}, worse for {}, of {labelled}; precision {}",
                comparison.better,
                comparison.worse,
                shown(precision.as_ref())
            ),
        }
    }

    /// What a check was decided on.
    fn basis(&self, id: CheckId) -> String {
        let (policy, measured) = (&self.policy, &self.measured);
        match id {
            CheckId::Labelled => {
                let picks = counted(measured.labels.labelled, "pick", "picks");
                format!("{picks}; at least {}", policy.labelled)
            }
            CheckId::Better => format!(
                "better for {}, worse for {}, the same for {}",
                counted(measured.comparison.better, "prompt", "prompts"),
                measured.comparison.worse,
                measured.comparison.same
            ),
            CheckId::Precision => format!(
                "{}; at least {} per prompt",
                shown(measured.judge.precision.as_ref()),
                short_percent(policy.precision)
            ),
            CheckId::Latency => {
                let seconds = |ms: f64| format!("{:.2} s", ms / 1000.0);
                let most = seconds(policy.latency_ms as f64);
                match measured.latency_ms {
                    None => format!("no calls; at most {most}"),
                    Some(Latency { median, lower: Some(lower), upper: Some(upper) }) => format!(
                        "median {}, {:.2} to {}; at most {most}",
                        seconds(median),
                        lower as f64 / 1000.0,
                        seconds(upper as f64)
                    ),
                    Some(row) => {
                        format!("median {}, no interval; at most {most}", seconds(row.median))
                    }
                }
            }
            CheckId::FallbackRate => format!(
                "{}; at most {}",
                shown(measured.picks.fallback_rate.as_ref()),
                short_percent(policy.fallback_rate)
            ),
            CheckId::Cost => {
                let unknown = match measured.cost.unknown {
                    0 => String::new(),
                    n => format!(", {n} unknown"),
                };
                let most = match policy.cost_per_day {
                    None => "no limit".to_owned(),
                    Some(most) => format!("at most {most} per day"),
                };
                format!("{:.4} on the dearest day{unknown}; {most}", measured.cost.dearest_day)
            }
        }
    }
}

/// A share with its counts and interval, or that there is none.
pub(super) fn shown(share: Option<&Share>) -> String {
    let Some(share) = share else { return "no data".to_owned() };
    let ends = share_ends(Some(share.lower), Some(share.upper)).unwrap_or_default();
    format!("{} ({} of {}), {ends}", percent(share.estimate), share.n, share.of)
}

/// What picks of a mode are called.
pub fn mode(is_lenient: bool) -> &'static str {
    if is_lenient { "lenient" } else { "strict" }
}

/// What came of a check, as it is shown.
pub fn check(result: Decision) -> &'static str {
    match result {
        Decision::Ready => "met",
        Decision::NotReady => "not met",
        Decision::NotEnoughEvidence => "not enough evidence",
    }
}

/// The decision on all checks, as it is shown.
pub fn heading(decision: Decision) -> &'static str {
    match decision {
        Decision::Ready => "READY",
        Decision::NotReady => "NOT READY",
        Decision::NotEnoughEvidence => "NOT ENOUGH EVIDENCE",
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
        writeln!(out, "Judge of memories ({}): {}\n", self.mode, heading(self.result))?;
        self.picks().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "{}\n", self.labels())?;
        for CheckRow { title, result, basis } in self.checks() {
            writeln!(out, "{title:<19} {:<20} {basis}", check(result))?;
        }
        writeln!(out, "\n{:<10} {:<38} search alone", "", "judge")?;
        for ChoiceRow { title, judge, search } in self.choices() {
            writeln!(out, "{title:<10} {judge:<38} {search}")?;
        }
        writeln!(out, "\n{}", escape::block(NOTE, "", 92).trim_end())
    }
}

/// Most columns of the beginning of a memory.
const BODY: usize = 300;
/// Most characters of any other text of a pick.
const TEXT: usize = 10_000;

/// A candidate as a reviewer is shown it, in one line, without secrets and harmless.
pub fn candidate(one: &Candidate) -> String {
    let title = one.title.as_deref().unwrap_or("untitled");
    let category = one.category.as_deref().unwrap_or("unknown");
    line(&format!("[{category}] {title} (tags: {})", one.tags.join(", ")))
}

/// How a memory begins, in one line; `None` where its text is not kept or empty.
pub fn beginning(body: Option<&str>) -> Option<String> {
    let words: Vec<&str> = body?.split_whitespace().collect();
    (!words.is_empty()).then(|| truncate(&line(&words.join(" ")), BODY).into_owned())
}

/// A prompt, or what was said before it, with its lines, without secrets and harmless.
pub fn text(text: &str) -> String {
    escape::text(&cut(&mask(text).0)).into_owned()
}

/// A text of a pick in one line, without secrets and harmless.
fn line(text: &str) -> String {
    escape::line(&cut(&mask(text).0)).into_owned()
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(TEXT).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
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
        let document = Document::new(measured, &policy, false);
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
