//! What is missing, and what to do about it.

use super::{Check, CheckId, Decision, Pick, Policy, WindowRow};
use crate::domain::Timestamp;
use crate::text::counted;
use schemars::JsonSchema;
use serde::Serialize;

/// One thing to do, or to wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    /// What it is about.
    pub id: StepId,
    /// What is the case, and what to do.
    pub text: String,
    /// The command that does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What a step is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepId {
    /// No window runs.
    Window,
    /// The policy of the window cannot be read.
    Policy,
    /// Another judge makes picks now.
    OtherJudge,
    /// Labelled picks are not in the logs.
    Elsewhere,
    /// Prompts of the draw were left out.
    PassedOver,
    /// Reviewers differ on prompts of the draw.
    Differing,
    /// Labels are missing.
    Label,
    /// Calls are missing.
    Calls,
    /// A condition is not met.
    NotMet,
}

/// What keeps READY away whatever the picks say.
#[derive(Debug)]
pub(super) struct Gaps<'a> {
    /// Whether a window runs.
    pub(super) has_window: bool,
    /// Whether its policy can be read.
    pub(super) has_policy: bool,
    /// The first pick of another judge since it began.
    pub(super) other_judge: Option<Timestamp>,
    /// Prompts that were passed over.
    pub(super) passed_over: u64,
    /// Prompts that were passed over since reviewers differ, or left candidates without a label.
    pub(super) differing: Vec<&'a Pick>,
    /// Drawn picks with a label that are not in the logs.
    pub(super) elsewhere: u64,
}

impl Gaps<'_> {
    pub(super) fn is_any(&self) -> bool {
        let holes = self.passed_over + self.elsewhere + self.differing.len() as u64;
        !self.has_window || !self.has_policy || self.other_judge.is_some() || holes > 0
    }
}

/// The steps: first what blocks, then labels, then what only time or another judge brings.
pub(super) fn steps(
    window: &WindowRow,
    checks: &[Check],
    policy: &Policy,
    gaps: &Gaps<'_>,
    is_lenient: bool,
) -> Vec<Step> {
    let option = if is_lenient { " --lenient" } else { "" };
    let blocks = blocks(gaps, option);
    let rest = [label(window, checks, policy, option), calls(checks), not_met(checks)];
    blocks.into_iter().chain(rest).flatten().collect()
}

fn step(id: StepId, text: impl Into<String>, command: Option<String>) -> Option<Step> {
    Some(Step { id, text: text.into(), command })
}

fn blocks(gaps: &Gaps<'_>, option: &str) -> [Option<Step>; 4] {
    [window(gaps, option), elsewhere(gaps), passed_over(gaps, option), differing(gaps)]
}

fn window(gaps: &Gaps<'_>, option: &str) -> Option<Step> {
    let command = Some(format!("foureyes memories window{option}"));
    if !gaps.has_window {
        let text = "No window runs, so nothing is READY. Begin one: it counts every pick of this judge, from the first on.";
        return step(StepId::Window, text, command);
    }
    if let Some(at) = gaps.other_judge {
        let day = at.day_text();
        let text = format!(
            "Another judge has made picks since {day}, and a window is of one judge. Begin a window for the judge of now."
        );
        return step(StepId::OtherJudge, text, command);
    }
    if gaps.has_policy {
        return None;
    }
    let text = "This version cannot read the policy of the window. Begin a new one.";
    step(StepId::Policy, text, Some(format!("foureyes memories window --again{option}")))
}

fn elsewhere(gaps: &Gaps<'_>) -> Option<Step> {
    if gaps.elsewhere == 0 {
        return None;
    }
    let picks = counted(gaps.elsewhere, "labelled pick is", "labelled picks are");
    let text = format!(
        "{picks} not in these logs, and evidence that is left out decides nothing. Read all logs that were labelled."
    );
    step(StepId::Elsewhere, text, Some("foureyes pull".to_owned()))
}

fn passed_over(gaps: &Gaps<'_>, option: &str) -> Option<Step> {
    if gaps.passed_over == 0 {
        return None;
    }
    let prompts = counted(gaps.passed_over, "prompt was", "prompts were");
    let text =
        format!("{prompts} drawn and left out while later ones were labelled. Label them first.");
    step(StepId::PassedOver, text, Some(format!("foureyes memories label{option}")))
}

/// Ids are hexadecimal digits, so nothing in the command is foreign.
fn differing(gaps: &Gaps<'_>) -> Option<Step> {
    if gaps.differing.is_empty() {
        return None;
    }
    let ids: Vec<String> = gaps.differing.iter().take(3).map(|pick| pick.record.short()).collect();
    let prompts = counted(gaps.differing.len() as u64, "drawn prompt", "drawn prompts");
    let text = format!(
        "Reviewers differ on {prompts}, or left candidates without a label. Agree, then label them once more."
    );
    step(StepId::Differing, text, Some(format!("foureyes memories label {}", ids.join(" "))))
}

/// What labels are missing.
fn label(window: &WindowRow, checks: &[Check], policy: &Policy, option: &str) -> Option<Step> {
    let open: Vec<&Check> = open(checks).filter(|check| check.id.needs_labels()).collect();
    let titles = titles(open.iter().copied())?;
    let labelled = window.measured.labels.labelled;
    let least = policy.labelled.saturating_sub(labelled);
    let more = open.iter().map(|check| further(check, labelled)).collect::<Option<Vec<u64>>>();
    let more = more.and_then(|all| all.into_iter().max()).map(|more| more.max(least));
    let needed = match more {
        Some(more) => format!("some {} more if they go on as so far", about(more)),
        None => "their number cannot be told yet".to_owned(),
    };
    let text = format!("Not decided yet: {titles}. That takes labels of drawn prompts, {needed}");
    let command = Some(format!("foureyes memories label{option}"));
    match (window.due, window.without_text) {
        (0, 0) => step(
            StepId::Label,
            format!("{text}. No prompt waits now: later picks bring more."),
            None,
        ),
        (0, lost) => {
            let prompts = counted(lost, "prompt was", "prompts were");
            let text = format!(
                "{text}. None waits now, since {prompts} not kept. Set `keep_prompts = true` in `[memories]` of the box."
            );
            step(StepId::Label, text, None)
        }
        (due, _) => {
            let wait = counted(due, "waits", "wait");
            step(StepId::Label, format!("{text}; {wait} now."), command)
        }
    }
}

/// What calls are missing.
fn calls(checks: &[Check]) -> Option<Step> {
    let open: Vec<&Check> = open(checks).filter(|check| is_of_calls(check)).collect();
    let titles = titles(open.iter().copied())?;
    let calls = |check: &&Check| further(check, check.evidence?.count);
    let needed = match open.iter().map(calls).collect::<Option<Vec<u64>>>() {
        Some(all) => {
            format!(
                "some {} more if they go on as so far",
                about(all.into_iter().max().unwrap_or(0))
            )
        }
        None => "their number cannot be told yet".to_owned(),
    };
    let text = format!(
        "Not decided yet: {titles}. That takes calls of the judge, {needed}. They need no labels."
    );
    step(StepId::Calls, text, None)
}

fn not_met(checks: &[Check]) -> Option<Step> {
    let failed = checks.iter().filter(|check| check.decision == Decision::NotReady);
    let titles = titles(failed)?;
    let text = format!(
        "Not met: {titles}. Change the model or the question of the judge: its picks then count in a window of their own."
    );
    step(StepId::NotMet, text, None)
}

fn open(checks: &[Check]) -> impl Iterator<Item = &Check> {
    checks.iter().filter(|check| check.decision == Decision::NotEnoughEvidence)
}

fn is_of_calls(check: &Check) -> bool {
    matches!(check.id, CheckId::FallbackRate | CheckId::Latency)
}

/// The titles of checks in the order in which they are shown; `None` of none.
fn titles<'a>(checks: impl Iterator<Item = &'a Check>) -> Option<String> {
    let mut ids: Vec<CheckId> = checks.map(|check| check.id).collect();
    ids.sort_unstable();
    let titles: Vec<&str> = ids.into_iter().map(CheckId::title).collect();
    (!titles.is_empty()).then(|| titles.join(", "))
}

/// How many more it takes until a condition is met, if its wealth grows as it did over so many; `None` where
/// it did not grow.
fn further(check: &Check, over: u64) -> Option<u64> {
    let Some(evidence) = check.evidence else { return Some(0) };
    let (gained, needed) = (evidence.wealth.ln(), evidence.bar.ln());
    let is_growing = over > 0 && gained > 0.0;
    is_growing.then(|| ((needed - gained).max(0.0) / gained * over as f64).ceil() as u64)
}

/// An estimate to two digits.
fn about(count: u64) -> u64 {
    match count {
        0..100 => count,
        100..1_000 => count.div_ceil(10) * 10,
        _ => count.div_ceil(100) * 100,
    }
}
