//! `foureyes policy waive`: one waiver more, without a file.

use super::{day, save};
use crate::calibration::{Policy, Waiver};
use crate::cli::{Context, Failure, ledger, said};
use crate::domain::Timestamp;
use crate::store::ledger::Ledger;
use clap::builder::PossibleValuesParser;
use std::process::ExitCode;

/// Waive a rule until a day: you answer for it by name
///
/// The rest of the policy stays as it is, and what was judged before still counts. Waiving the same
/// rule again replaces your reason and the day.
#[derive(Debug, clap::Args)]
pub(super) struct WaiveArgs {
    /// The rule, as `readiness` names it
    #[arg(value_name = "RULE", value_parser = PossibleValuesParser::new(Policy::WAIVABLE))]
    rule: String,
    /// Why it may be waived; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The first UTC day on which the waiver no longer holds
    #[arg(long, value_name = "DATE", value_parser = day)]
    until: Timestamp,
    /// Who answers for it [default: as configured, else the name of the account]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &WaiveArgs) -> Result<ExitCode, Failure> {
    let reason = said::text(Some(&args.reason), "--reason", said::REASON)?.unwrap_or_default();
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let (what, name) = (args.rule.clone(), reviewer.name.clone());
    let waiver = Waiver { what, name, reason, until: args.until.day_text() };
    let (policy, _) = crate::assess::policy_in_force(&ledgers.present(context.now), context.now);
    let policy = policy.with(waiver);
    if let Some((_, why)) = policy.problem() {
        return Err(Failure::usage(why));
    }
    save(context, ledgers, &reviewer, context.now, &policy, args.json)
}
