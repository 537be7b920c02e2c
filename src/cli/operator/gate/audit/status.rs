//! `foureyes gate audit` without a rate: the state of the sample.

use crate::assess::{Ask, Wanted, assess, completeness, due};
use crate::cli::operator::ledger;
use crate::cli::operator::reading::{self, From};
use crate::cli::{Context, Failure, output};
use crate::domain::JudgementKind;
use crate::report::PlainOrJson;
use crate::report::audit::Status;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Runs the command.
pub(super) fn run(
    context: &Context,
    family: JudgementKind,
    from: &From,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let collected = reading::collect(context, from)?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let (complete_until, missing) = completeness(&collected.boxes, context.now);
    let ask = Ask::new(family, context.now, complete_until, &missing);
    let answer = reading::ask(context, &collected, |archive| Ok(assess(archive, &present, &ask)?))?;
    // Nobody cancels it.
    let Some(answer) = answer else { return Ok(ExitCode::SUCCESS) };
    let who = crate::config::reviewer(&context.config, &context.environment, None);
    let who = who.map_or(String::new(), |who| who.name);
    let share = context.config.reviewer.repeats;
    let next =
        due(Wanted::new(&answer.readiness), &answer.rules.plan, &present, &who, share, context.now);
    let status = Status::new(&answer, next.into_iter().map(|due| due.record).collect());
    reading::warn_stale(&collected);
    output::to_stdout(|out| status.write(out, as_json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}
