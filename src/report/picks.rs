//! Whether a judge of memories is worth being on, as a document.

mod pick_text;
#[cfg(test)]
mod tests;

pub use pick_text::{beginning, candidate, text};

use crate::domain::Timestamp;
use crate::domain::review::PickJudge;
use crate::page::number::{percent, share_ends, short_percent};
use crate::relevance::{
    Assessment, Check, CheckId, Choice, Decision, Evidence, Latency, Mean, Measured, Note, Policy,
    Share, Step, WindowRow,
};
use crate::report::{PlainOrJson, counted};
use crate::text::escape;
use pick_text::line;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Names the document.
const SCHEMA: &str = "foureyes/memories-readiness/1";

/// What must be known of the shares of candidates.
pub const NOTE: &str = "Intervals treat candidates as independent, which those of one prompt are not: the decision counts prompts.";

/// What picks and their labels come to, and whether the judge is worth being on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Document {
    /// Names the document and its version.
    schema: &'static str,
    /// `ready`, `not_enough_evidence` or `not_ready`.
    decision: &'static str,
    /// `strict`: put into a context without being asked for; `lenient`: the answers of searches.
    mode: &'static str,
    /// Each condition of the policy, by all picks of the window.
    checks: Vec<Check>,
    /// The conditions that decide, and since when picks are displayed.
    policy: Policy,
    /// The window: all that decides.
    window: WindowRow,
    /// What is to be known before the decision is trusted.
    notes: Vec<Note>,
    /// What is missing, and what to do about it, in this order.
    steps: Vec<Step>,
    /// What the displayed picks come to: those since `policy.since`. They decide nothing.
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
    /// How much that proves, and where it is met; `None` where a limit decides.
    pub wealth: Option<String>,
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
    /// What was decided of picks of a mode.
    pub fn new(assessment: Assessment, is_lenient: bool) -> Self {
        let result = assessment.decision;
        Self {
            schema: SCHEMA,
            decision: match result {
                Decision::Ready => "ready",
                Decision::NotEnoughEvidence => "not_enough_evidence",
                Decision::NotReady => "not_ready",
            },
            mode: mode(is_lenient),
            checks: assessment.checks,
            policy: assessment.policy,
            window: assessment.window,
            notes: assessment.notes,
            steps: assessment.steps,
            measured: assessment.measured,
            result,
        }
    }

    /// What is to be known before the decision is trusted.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(|note| note.text.as_str())
    }

    /// What is missing and what to do, with the command that does it.
    pub fn steps(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.steps.iter().map(|step| (step.text.as_str(), step.command.as_deref()))
    }

    /// Which picks decide, in a line.
    pub fn window(&self) -> String {
        let WindowRow { begun, judge, number, first, last, measured, .. } = &self.window;
        let Some(judge) = judge else { return "no judge has chosen memories yet".to_owned() };
        let model = match judge.served_model.as_str() {
            PickJudge::UNKNOWN => judge.model.as_str(),
            served => served,
        };
        let begun = match begun {
            Some(at) => format!("window {number} of this judge, begun {}", at.day_text()),
            None => "no window yet".to_owned(),
        };
        let day = |at: &Option<Timestamp>| at.map_or("unknown".to_owned(), Timestamp::day_text);
        let calls = measured.picks.judged + measured.picks.fallen_back();
        let calls = counted(calls, "call", "calls");
        format!("{begun}: {calls} of {}, {} to {}", line(model), day(first), day(last))
    }

    /// The days that the numbers below the conditions are of.
    pub fn days(&self) -> String {
        match self.policy.since {
            Some(day) => format!("picks since {}; all of the window decide", day.day_text()),
            None => "all picks".to_owned(),
        }
    }

    /// Picks by where their choice comes from, then the reasons of fallbacks, a line each.
    pub fn picks(&self) -> Vec<String> {
        let picks = &self.measured.picks;
        let mut lines = vec![format!(
            "Picks {}: judge {} ({} without a memory), search {}, fallbacks {}",
            picks.picks,
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
            title: check.id.title(),
            result: check.decision,
            basis: self.basis(check),
            wealth: check.evidence.as_ref().map(wealth),
        };
        let mut checks: Vec<&Check> = self.checks.iter().collect();
        checks.sort_by_key(|check| check.id);
        checks.into_iter().map(row).collect()
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
        let Measured { comparison, labels, judge, .. } = &self.window.measured;
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
    fn basis(&self, check: &Check) -> String {
        match &check.evidence {
            Some(evidence) => self.proof(check.id, evidence),
            None if check.id == CheckId::Cost => self.cost(),
            None => {
                let picks = counted(self.window.measured.labels.labelled, "pick", "picks");
                format!("{picks}; at least {}", self.policy.labelled)
            }
        }
    }

    /// The number that evidence is of, with its denominator and its limit.
    fn proof(&self, id: CheckId, evidence: &Evidence) -> String {
        let (share, policy) = (shown(evidence.share.as_ref()), &self.policy);
        match id {
            CheckId::Recall => recall(evidence),
            CheckId::Precision => precision(evidence),
            CheckId::Keeps => {
                let most = short_percent(evidence.limit);
                format!("nothing kept though a memory helps: {share}; below {most}")
            }
            CheckId::BetterThanNone => {
                format!("more good than harm: {share}; above 50 %, ties left out")
            }
            CheckId::Better => format!("better than search: {share}; above 50 %, ties left out"),
            CheckId::Latency => {
                let most = seconds(policy.latency_ms as f64);
                format!("slower than {most} or no choice: {share}{}; below 50 %", self.median())
            }
            _ => format!("{share}; below {}", short_percent(policy.fallback_rate)),
        }
    }

    fn median(&self) -> String {
        match self.window.measured.latency_ms {
            Some(Latency { median, .. }) => format!(", median {}", seconds(median)),
            None => String::new(),
        }
    }

    fn cost(&self) -> String {
        let cost = &self.window.measured.cost;
        let unknown = match cost.unknown {
            0 => String::new(),
            n => format!(", {n} unknown"),
        };
        let most = match self.policy.cost_per_day {
            None => "no limit".to_owned(),
            Some(most) => format!("at most {most} per day"),
        };
        format!("{:.4} on the dearest day{unknown}; {most}", cost.dearest_day)
    }
}

fn seconds(ms: f64) -> String {
    format!("{:.2} s", ms / 1000.0)
}

/// A difference of shares in percentage points.
fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

fn recall(evidence: &Evidence) -> String {
    let prompts = counted(evidence.count, "prompt", "prompts");
    let limit = points(evidence.limit);
    match evidence.mean {
        None => format!("no data; more than {limit} points against search"),
        Some(Mean { estimate, lower, upper }) => format!(
            "{} points against search ({} to {}), {prompts} with a memory that helps; more than {limit}",
            points(estimate),
            points(lower),
            points(upper)
        ),
    }
}

fn precision(evidence: &Evidence) -> String {
    let (prompts, least) =
        (counted(evidence.count, "prompt", "prompts"), short_percent(evidence.limit));
    match evidence.mean {
        None => format!("no data; above {least} per prompt"),
        Some(Mean { estimate, lower, upper }) => {
            let ends = share_ends(Some(lower), Some(upper)).unwrap_or_default();
            let estimate = percent(estimate);
            format!("{estimate} per prompt, {ends}, {prompts} with a choice; above {least}")
        }
    }
}

/// The wealth of a condition and its bar; that of the opposite where it is the larger one.
fn wealth(evidence: &Evidence) -> String {
    let Evidence { wealth, bar, wealth_against, bar_against, .. } = evidence;
    // Both are 1 at first, but for the last digits.
    if *wealth_against > wealth * (1.0 + 1e-9) {
        let (is, bar) = (amount(*wealth_against), amount(*bar_against));
        return format!("wealth against it {is}; not met at {bar}");
    }
    format!("wealth {}; met at {}", amount(*wealth), amount(*bar))
}

/// A wealth or a bar: to the digits that tell anything.
fn amount(wealth: f64) -> String {
    match wealth {
        1e6.. => "over 1,000,000".to_owned(),
        100.0.. => format!("{wealth:.0}"),
        _ => {
            let text = format!("{wealth:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
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

impl PlainOrJson for Document {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Judge of memories ({}): {}", self.mode, heading(self.result))?;
        self.notes().try_for_each(|note| write!(out, "{}", block(note, "")))?;
        write!(out, "{}", block(&self.window(), ""))?;
        self.write_steps(out)?;
        writeln!(out)?;
        for CheckRow { title, result, basis, wealth } in self.checks() {
            writeln!(out, "{title:<19} {}", check(result))?;
            write!(out, "{}", block(&basis, "  "))?;
            wealth.iter().try_for_each(|wealth| writeln!(out, "  {wealth}"))?;
        }
        writeln!(out, "\nDisplayed: {}", self.days())?;
        self.picks().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "{}", self.labels())?;
        writeln!(out, "\n{:<10} {:<38} search alone", "", "judge")?;
        for ChoiceRow { title, judge, search } in self.choices() {
            writeln!(out, "{title:<10} {judge:<38} {search}")?;
        }
        writeln!(out, "\n{}", block(NOTE, "").trim_end())
    }
}

impl Document {
    fn write_steps(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, (text, command)) in (1..).zip(self.steps()) {
            write!(out, "  {number}. {}", block(text, "     ").trim_start())?;
            command.iter().try_for_each(|command| writeln!(out, "     {command}"))?;
        }
        Ok(())
    }
}

/// A text of ours, or one that was made harmless, in lines.
fn block(text: &str, indent: &str) -> String {
    escape::block(text, indent, 92)
}
