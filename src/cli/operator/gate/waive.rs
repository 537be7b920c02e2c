//! `foureyes gate waive`: one waiver more, without a file.

use super::day;
use super::policy::save;
use crate::calibration::{Policy, Waiver};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::ledger;
use crate::cli::{Context, Failure, text_argument};
use crate::domain::Timestamp;
use crate::store::ledger::Ledger;
use clap::builder::PossibleValuesParser;
use std::process::ExitCode;

/// Waive a rule until a date, in your name
///
/// The rest of the policy is unchanged, and earlier records still count. Waiving a rule again
/// replaces the reason and the date.
#[derive(Debug, clap::Args)]
pub(super) struct WaiveArgs {
    /// Rule, as named by `readiness`
    #[arg(value_name = "RULE", value_parser = PossibleValuesParser::new(Policy::WAIVABLE))]
    rule: String,
    #[command(flatten)]
    family: OfFamily,
    /// Reason for the waiver; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// UTC date on which the waiver ends
    #[arg(long, value_name = "DATE", value_parser = day)]
    until: Timestamp,
    /// Reviewer who answers for it [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &WaiveArgs) -> Result<ExitCode, Failure> {
    let reason = text_argument::text(Some(&args.reason), "--reason", text_argument::REASON)?
        .unwrap_or_default();
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let (what, name) = (args.rule.clone(), reviewer.name.clone());
    let waiver = Waiver { what, name, reason, until: args.until.day_text() };
    let family = args.family.kind();
    let (policy, _) =
        crate::assess::policy_in_force(&ledgers.present(context.now), family, context.now);
    let policy = policy.with(waiver.clone());
    if let Some((_, why)) = policy.problem() {
        return Err(Failure::usage(why));
    }
    let saved = (&policy, Some(&waiver));
    save(context, ledgers, &reviewer, (family, context.now), saved, args.json)
}
