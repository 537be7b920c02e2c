//! A verdict or a decision, with what the judge wrote.

use super::{Wording, line, lines, raw};
use crate::domain::chain;
use crate::engine::PushVerdict;
use crate::engine::record::{PushRecord, RecordScores};
use crate::git::CommitId;
use crate::hook;
use crate::task::{Origin, Outcome};
use crate::text::escape::block;
use crate::text::mask::mask;

/// Most lines of findings that are said; the log has all.
const MOST_LINES: usize = 20;
/// Most suggestions.
const MOST_SUGGESTIONS: usize = 10;
/// Columns.
const WIDTH: usize = 78;

/// Says what the judge wrote of a commit.
pub(super) fn verdict(record: &PushRecord, origin: hook::Origin) {
    let commit: String = record.commit.as_deref().unwrap_or("?").chars().take(10).collect();
    let first = record.files_evaluated.first().map_or("", String::as_str);
    let more = match record.files_evaluated.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let before = if origin == hook::Origin::Log { " (from the log)" } else { "" };
    let word = record.verdict.word();
    line(&format!("{commit} {word}{}{before} {first}{more}", scores(&record.scores)));
    if record.verdict == PushVerdict::Go {
        return;
    }
    quoted(&record.findings, "  | ");
    for suggestion in record.revision_suggestions.iter().take(MOST_SUGGESTIONS) {
        quoted(suggestion, "  | - ");
    }
}

/// Says what a commit came to as a task.
pub(super) fn task(commit: &CommitId, outcome: &Outcome, wording: Wording) {
    let commit: String = commit.to_string().chars().take(10).collect();
    let from = match &outcome.origin {
        Origin::Now => "",
        Origin::Log(_) => " (from the log)",
        Origin::Person(_) => " (by a person)",
    };
    let word = match outcome.decision.exit_code() {
        0 => "accepted",
        1 => "rejected",
        _ if wording.unjudged_stops => "A PERSON MUST DECIDE",
        _ => "A PERSON MUST DECIDE; the push continues",
    };
    let why = outcome.explanation.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    line(&format!("{commit} {word}{from}{why}"));
    if let Some(error) = &outcome.unkept {
        line(&format!("{commit}: {}", chain(error)));
    }
    if outcome.decision.exit_code() == 0 {
        return;
    }
    let rounds = outcome.run.iter().flat_map(|run| &run.rounds);
    for round in rounds.filter(|round| round.tier.is_some()) {
        quoted(&round.record.reasoning, "  | ");
        for improvement in round.record.improvements.iter().take(MOST_SUGGESTIONS) {
            quoted(&improvement.to_string(), "  | - ");
        }
    }
    if let Some(error) = &outcome.unlogged {
        line(&format!("the verdict is not in the log: {}", chain(error)));
    }
}

/// Says a text of others, each line of it behind a gutter.
fn quoted(text: &str, gutter: &str) {
    let (masked, _) = mask(text);
    let shown = block(&masked, gutter, WIDTH);
    let count = shown.lines().count();
    for line in shown.lines().take(MOST_LINES) {
        raw(line);
    }
    if count > MOST_LINES {
        raw(&format!("  | … {}, which the log has", lines(count - MOST_LINES)));
    }
}

fn scores(scores: &RecordScores) -> String {
    match (scores.semantic, scores.pragmatic, scores.syntactic) {
        (Some(s), Some(p), Some(x)) => format!(" S{s} P{p} X{x}"),
        _ => String::new(),
    }
}
