//! What a task came to, as text.

use super::document::{Document, Tries};
use crate::cli::judge::plain::{WIDTH, quote, write_caveats};
use crate::engine::record::TaskTier;
use crate::text::escape;
use std::fmt::Write;

/// Why a verdict comes from the log.
pub(super) const JUDGED_BEFORE: &str = "the same content was judged before";

/// A decision as text.
pub(super) fn text(document: &Document) -> String {
    let mut out = format!("{}\n", document.verdict);
    let mut line = |label: &str, text: &str| out.push_str(&escape::field(2, label, text, WIDTH));
    line("task:", &document.task_id);
    let from = match (document.decided_by, &document.reviewer, document.decided_at) {
        ("person", Some(who), _) => format!("a person: {who}"),
        ("person", None, _) => "a person".to_owned(),
        ("log", _, Some(at)) => format!("the log: {JUDGED_BEFORE}, at {at}"),
        ("log", ..) => format!("the log: {JUDGED_BEFORE}"),
        ("rules", ..) if has_tier(document) => "nobody: no judge could be asked".to_owned(),
        ("rules", ..) => "the rules: nobody was asked".to_owned(),
        _ => format!("the judges, {}", document.depth.name()),
    };
    line("decided by:", &from);
    if let Some(explanation) = &document.explanation {
        line("why:", explanation);
    }
    if let Some(consensus) = document.consensus {
        line("consensus:", consensus.name());
    }
    if let Some(advice) = &document.advice {
        line("advice:", advice);
    }
    if let Some(sensitive) = &document.sensitive {
        line("sensitive:", sensitive);
    }
    table(&mut out, document);
    for round in &document.rounds {
        quote(&mut out, &format!("round {}", round.round), &round.reasoning);
        write_caveats(&mut out, 4, round.inconsistent, &round.caveats);
    }
    for one in &document.improvements {
        quote(&mut out, "improvement", &one.to_string());
    }
    let Tries { used, left } = document.tries;
    let _ = writeln!(out, "  tries: {used} used, {left} left");
    if document.exit == 2 {
        let id = escape::shell_word(&escape::line(&document.task_id));
        let _ = writeln!(out, "  a person decides, with `accept` or `reject`:");
        let _ = writeln!(out, "    foureyes override --task={id} accept");
    }
    if document.spent > 0.0 {
        let _ = writeln!(out, "  cost: {:.4}", document.spent);
    }
    out
}

/// Whether judges were to be asked.
fn has_tier(document: &Document) -> bool {
    document.rounds.iter().any(|round| round.judge_tier != TaskTier::Human)
}

/// The rounds with their scores.
fn table(out: &mut String, document: &Document) {
    if document.rounds.is_empty() {
        return;
    }
    out.push_str("  round  S P X  mean  verdict, model\n");
    for round in &document.rounds {
        let score = |score: Option<u8>| score.map_or("-".to_owned(), |score| score.to_string());
        let s = &round.scores;
        let mean = round.average.map_or("   -".to_owned(), |mean| format!("{mean:.2}"));
        let text = format!(
            "{:>5}  {} {} {}  {mean}  {}, {}",
            round.round,
            score(s.semantic),
            score(s.pragmatic),
            score(s.syntactic),
            round.verdict,
            round.model,
        );
        let _ = writeln!(out, "  {}", escape::line(&text));
    }
}
