//! `foureyes memories window`.

use super::Mode;
use crate::cli::operator::reading::{self, From};
use crate::cli::operator::{Context, Failure, ledger};
use crate::domain::review::{Act, PickWindow, Present};
use crate::pick_labels::{Among, Picks, Question, policy};
use crate::relevance::{self, Policy};
use crate::report::saved::Document;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Begin the window that decides whether the judge of memories is worth being on
///
/// Every pick of the judge that made the latest one counts, from its first on, and the `[memories.policy]`
/// of now decides. Nobody chooses a start, so a judge in use for long may be READY at once. All
/// windows of a judge share the allowed error: a second one (`--again`) needs more labels than the first.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    mode: Mode,
    /// Begin another window for a judge that has one
    #[arg(long)]
    again: bool,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let collected = super::collect(context, &args.from)?;
    let picks = reading::ask(context, &collected, |archive| Ok(Picks::find(archive)?))?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let configured = policy(&context.config.memories);
    let window = next(&picks, args.mode.lenient, configured)?;
    let number = number(&ledgers.present(context.now), &window, args.again)?;
    let act = Act::PickWindow(window);
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::new(&reviewer, context.now, &act, &saved);
    if number > 1 {
        document = document.with_caveat("pick_window_number", dearer(number, &configured));
    }
    ledger::print(context, &document, args.json)
}

fn next(picks: &Picks, is_lenient: bool, configured: Policy) -> Result<PickWindow, Failure> {
    let question = Question { among: Among::mode(is_lenient), configured };
    let window = picks.next_window(&question);
    let window =
        window.map_err(|error| Failure::local(format!("failed to write the policy: {error}")))?;
    window.ok_or_else(|| {
        Failure::usage("no judge has chosen memories yet")
            .hint("`judge = true` in `[memories]` turns the judge on")
    })
}

/// The number of the window among those of its judge.
fn number(present: &Present, window: &PickWindow, again: bool) -> Result<u64, Failure> {
    let mut of_mode = present.pick_windows.iter().filter(|of| of.what.lenient == window.lenient);
    let runs = of_mode.next_back().is_some_and(|last| last.what.judge == window.judge);
    if runs && !again {
        return Err(Failure::usage("a window of this judge runs, and goes on")
            .hint("`--again` begins another one, which needs more labels"));
    }
    Ok(relevance::next_number(&present.pick_windows, window.lenient, &window.judge))
}

/// What it costs that a judge gets another window.
fn dearer(number: u64, policy: &Policy) -> String {
    let (bar, _) = relevance::bars(policy, number);
    format!(
        "it is window {number} of this judge, and its conditions are met at a wealth of {bar:.0}. All windows of a judge share the allowed error"
    )
}
