//! The peer is asked, with a line for each answer.

use super::{Context, Failure, ledger, output};
use crate::cli::interrupts;
use crate::domain::Outcome;
use crate::domain::review::{Reviewer, RunItem};
use crate::engine::PushVerdict;
use crate::engine::record::RecordError;
use crate::failure::UNREACHED;
use crate::judging::Control;
use crate::peer::{self, Plan, Progress};
use crate::store::ledger::Ledger;
use std::process::ExitCode;
use tokio::sync::watch;

/// Asks about each item of a plan.
pub(super) fn ask(
    context: &Context,
    (ledgers, reviewer): (&mut Ledger, &Reviewer),
    plan: Plan,
) -> Result<ExitCode, Failure> {
    let items: Vec<RunItem> = plan.items.iter().map(|(row, _)| row.clone()).collect();
    let all = items.len();
    let (mut reviewed, mut differ, mut outages) = (0, 0, 0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (turn, control) = watch::channel(Control::Go);
    let notify = |step: Progress| {
        let line = match step {
            Progress::Left(at, why) => (at, format!("not reviewed: {why}")),
            Progress::Reviewed(at, evaluation) => {
                let was = items.get(at).and_then(|item| item.was);
                let is = evaluation.verdict.outcome();
                let is_verdict = evaluation.verdict != PushVerdict::Undetermined;
                reviewed += usize::from(is_verdict);
                outages += usize::from(evaluation.error.is_some_and(RecordError::is_outage));
                differ += usize::from(is_verdict && was != Some(is));
                let word = evaluation.verdict.word();
                let words = match (is_verdict, was) {
                    (false, _) => format!("no verdict: {}", evaluation.findings),
                    (true, Some(Outcome::NoGo)) if was != Some(is) => {
                        format!("NO-GO before, {word} now")
                    }
                    (true, Some(_)) if was != Some(is) => format!("GO before, {word} now"),
                    (true, _) => format!("{word}, as before"),
                };
                (at, words)
            }
        };
        let record = items.get(line.0).and_then(|item| item.record);
        let id = record.map(|record| record.short()).unwrap_or_default();
        output::to_stderr(&output::visible(&format!("{id}: {}", line.1)));
    };
    let clock = || context.clock.now();
    let work = peer::review(ledgers, reviewer, plan, clock, control, notify);
    let ended = runtime.block_on(interrupts::until_done(work, &turn));
    // A name that is still looked up would keep it waiting.
    runtime.shutdown_background();
    let run = ended.map_err(ledger::failure)?;
    let run = run.to_string();
    output::print(format!(
        "{reviewed} of {all} reviewed, {differ} differ; run {}\n",
        run.get(..12).unwrap_or(&run)
    ))?;
    let all_failed = reviewed == 0 && outages > 0;
    Ok(if all_failed { ExitCode::from(UNREACHED) } else { ExitCode::SUCCESS })
}
