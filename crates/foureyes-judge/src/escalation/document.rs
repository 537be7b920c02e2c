//! The document for issue, message and terminal.

mod reason;
mod task_part;

use self::task_part::TaskPart;
use crate::config::TaskConfig;
use crate::domain::Timestamp;
use crate::engine::panel::{Decision, Reason};
use crate::engine::record::TaskRecord;
use crate::engine::verdict::TaskVerdict;
use crate::judging::task::{Run, Task};
use crate::task::{Origin, Outcome};
use crate::text::escape::{line, shell_word, text, truncate};
use crate::text::markdown::{cell, fence, fence_of, span};
use crate::text::mask::mask;
use serde_json::{Value, json};
use std::fmt::Write;

/// Columns of the task in the title, and of the first line of its description.
const TITLE: usize = 160;
const SUMMARY: usize = 60;
/// Most earlier runs, the newest.
const EARLIER: usize = 5;
/// Most characters of the body: GitHub takes 65,536.
const BODY: usize = 65_000;
/// How often the limits are halved where a body is longer.
const HALVINGS: u32 = 8;

/// Most of each part of the body.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Files that are listed.
    files: usize,
    /// Improvements of one round.
    improvements: usize,
    /// Characters of the reasoning of one round.
    reasoning: usize,
    /// Columns of an improvement or of a path.
    one: usize,
    /// Characters of the history.
    history: usize,
    /// Characters of the description, and of the acceptance criteria.
    question: usize,
}

impl Limits {
    const USUAL: Self = Self {
        files: 50,
        improvements: 10,
        reasoning: 3000,
        one: 400,
        history: 12_000,
        question: 8000,
    };

    /// These, halved so many times.
    fn halved(self, times: u32) -> Self {
        let half = |most: usize| most >> times;
        Self {
            files: half(self.files),
            improvements: half(self.improvements),
            reasoning: half(self.reasoning),
            one: half(self.one),
            history: half(self.history),
            question: half(self.question),
        }
    }
}

/// What a person needs who must decide about a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The task, as one harmless line.
    pub task: String,
    /// What is printed.
    pub printed: Page,
    /// What an issue has.
    pub issue: Page,
    /// What a message has.
    pub message: Page,
}

/// The document as one reader gets it. No text of others in it can be Markdown, a further line of the title, or a
/// secret of a known form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// One line: why in brackets, and the task.
    pub title: String,
    /// Markdown.
    pub body: String,
}

impl Document {
    /// The document of a run that was made now and was rejected or left to a person; `None` of every other
    /// outcome, and where the same was already left to a person without asking anybody.
    pub fn for_task(config: &TaskConfig, task: &Task, outcome: &Outcome) -> Option<Self> {
        let run = outcome.run.as_ref().filter(|_| outcome.origin == Origin::Now)?;
        let decision = &outcome.decision;
        if decision.exit_code() == 0 {
            return None;
        }
        if run.calls == 0 && outcome.was_left(decision.reason) {
            return None;
        }
        let id = mask(&task.id).0.into_owned();
        let id = line(&id).into_owned();
        let (asked, _) = task.question().masked();
        let page = |setting: Option<&'static str>| {
            let part = match setting {
                _ if config.keep_questions == 0 => TaskPart::LeftOut("keep_questions"),
                Some(setting) => TaskPart::LeftOut(setting),
                None => TaskPart::Whole(&asked),
            };
            Page::new(&id, outcome, run, part)
        };
        let left_out = |is_wanted: bool, setting| (!is_wanted).then_some(setting);
        Some(Self {
            printed: page(None),
            issue: page(left_out(config.issue_question, "issue_question")),
            message: page(left_out(config.mail_question, "mail_question")),
            task: id,
        })
    }
}

impl Page {
    fn new(id: &str, outcome: &Outcome, run: &Run, part: TaskPart<'_>) -> Self {
        let mut title = format!("[{}] Review needed: ", prefix(&outcome.decision));
        title.push_str(&truncate(id, TITLE));
        if let Some(summary) = part.summary() {
            let _ = write!(title, ": {}", truncate(&summary, SUMMARY));
        }
        // Text of others can be longer as Markdown than it is: a fence of backticks needs a longer one.
        let bodies = (0..=HALVINGS).map(|n| body(id, outcome, run, part, Limits::USUAL.halved(n)));
        let mut bodies = bodies.skip_while(|body| body.chars().count() > BODY);
        let body = bodies.next().unwrap_or_else(|| {
            format!("The document of this task is too long. The log has it: {}\n", span(id))
        });
        Self { title, body }
    }
}

/// The word by which people find such issues.
fn prefix(decision: &Decision) -> &'static str {
    match (decision.verdict, decision.reason) {
        (TaskVerdict::Reject, _) => "JUDGE-REJECTED",
        (_, Some(Reason::Disagreement) | None) => "JUDGE-DISAGREEMENT",
        (_, Some(Reason::Timeout)) => "JUDGE-TIMEOUT",
        (_, Some(Reason::ParseError)) => "JUDGE-PARSE-ERROR",
        (_, Some(_)) => "JUDGE-REVIEW",
    }
}

fn body(id: &str, outcome: &Outcome, run: &Run, part: TaskPart<'_>, limits: Limits) -> String {
    let records: Vec<TaskRecord> = run.rounds.iter().map(|round| round.record.masked()).collect();
    let opening = match outcome.decision.verdict {
        TaskVerdict::Reject => "The judges rejected the result of this task.",
        _ => "A person must decide about the result of this task.",
    };
    let mut out = format!("{opening}\n\n* Task: {}\n", span(id));
    if let Some(why) = outcome.explanation.clone().or_else(|| reason::of_rejection(&records)) {
        let _ = writeln!(out, "* Reason: {}", masked_span(&why, limits.one));
    }
    if let Some(word) = &outcome.sensitive {
        let _ = writeln!(out, "* Sensitive: {}", masked_span(word, limits.one));
    }
    part.write(&mut out, limits.question);
    files(&mut out, &records, limits);
    table(&mut out, &records);
    for record in &records {
        findings(&mut out, record, limits);
    }
    history(&mut out, outcome, &records, limits);
    out.push_str("\n## Decision\n\nA person decides with one of:\n\n");
    let id = shell_word(id);
    out.push_str(&fence_of(
        "sh",
        &format!("foureyes override --task={id} accept\nfoureyes override --task={id} reject"),
    ));
    out
}

fn files(out: &mut String, records: &[TaskRecord], limits: Limits) {
    let files = records.first().map_or(&[][..], |record| record.files.as_slice());
    if files.is_empty() {
        return;
    }
    out.push_str("\n## Files\n\n");
    for file in files.iter().take(limits.files) {
        let _ = writeln!(out, "* {}", masked_span(file, limits.one));
    }
    if files.len() > limits.files {
        let _ = writeln!(out, "* and {} more", files.len() - limits.files);
    }
}

fn table(out: &mut String, records: &[TaskRecord]) {
    out.push_str("\n## Rounds\n\n| Round | Model | Verdict | S | P | X | Average |\n");
    out.push_str("|--:|---|---|--:|--:|--:|--:|\n");
    for record in records {
        let score = |score: Option<u8>| score.map_or("–".to_owned(), |score| score.to_string());
        let scores = &record.scores;
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            record.round,
            cell(&mask(&record.model).0),
            cell(&record.verdict),
            score(scores.semantic),
            score(scores.pragmatic),
            score(scores.syntactic),
            record.average.map_or("–".to_owned(), |mean| format!("{mean:.2}")),
        );
    }
}

fn findings(out: &mut String, record: &TaskRecord, limits: Limits) {
    let _ = write!(out, "\n### Round {}\n\n", record.round);
    out.push_str(&fence(&beginning(&text(&record.reasoning), limits.reasoning)));
    if record.improvements.is_empty() {
        return;
    }
    out.push_str("\nImprovements:\n\n");
    for one in record.improvements.iter().take(limits.improvements) {
        let _ = writeln!(out, "* {}", masked_span(&one.to_string(), limits.one));
    }
    if record.improvements.len() > limits.improvements {
        let _ = writeln!(out, "* and {} more", record.improvements.len() - limits.improvements);
    }
}

/// Earlier runs of the task and the rounds of this one, as JSON; the oldest runs are left out where it
/// would be too long.
fn history(out: &mut String, outcome: &Outcome, records: &[TaskRecord], limits: Limits) {
    let runs: Vec<_> = outcome.history.runs.iter().filter(|run| run.is_of_task).collect();
    let earlier = |run: &&crate::verdict_log::LoggedRun| {
        json!({
            "at": run.at.map(Timestamp::whole_second),
            "decision": run.holds().map(|verdict| Decision { verdict, ..outcome.decision }.word()),
            "reason": run.reason,
            "overridden": run.decided().is_some(),
            "reasoning": beginning(&mask(&run.reasoning).0, limits.one),
        })
    };
    let newest = runs.get(runs.len().saturating_sub(EARLIER)..).unwrap_or_default();
    let rounds: Vec<Value> = records.iter().map(|record| json!(record.as_earlier())).collect();
    let mut earlier: Vec<Value> = newest.iter().map(earlier).collect();
    let mut shown = String::new();
    loop {
        let whole = json!({"earlier_runs": earlier, "rounds": rounds});
        shown = serde_json::to_string_pretty(&whole).unwrap_or(shown);
        if earlier.is_empty() || text(&shown).chars().count() <= limits.history {
            break;
        }
        earlier.remove(0);
    }
    out.push_str("\n## History\n\n");
    out.push_str(&fence_of("json", &beginning(&shown, limits.history)));
}

fn masked_span(text: &str, most: usize) -> String {
    let (masked, _) = mask(text);
    span(&truncate(&line(&masked), most))
}

fn beginning(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
