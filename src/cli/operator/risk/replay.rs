//! `foureyes risk replay`.

use super::{gathered, reading};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::reading::{From, Plain};
use crate::cli::operator::{ledger, look};
use crate::cli::{Context, Failure, output};
use crate::report::{json, risk};
use crate::risk_replay::{Planned, facts_of, replay};
use crate::store::ledger::Ledger;

/// Show what the rules of risk would have cost, caught and delayed
///
/// `--config FILE` tries the rules of another file. Nothing is changed, and no judge is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of UTC days to look back, counting today
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    #[command(flatten)]
    family: OfFamily,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    #[command(flatten)]
    plain: Plain,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let family = args.family.kind();
    let rules = gathered::rules(context, family)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let document = gathered::asked(context, &args.from, |archive, collected| {
        let (past, since) = gathered::of_days(context, archive, family, args.days)?;
        let labels = gathered::labels(context, (archive, collected), family, &present)?;
        let facts = facts_of(&past, &rules, &context.config.repositories);
        let evidences = gathered::evidences(&context.config, &past);
        let (now, evidences) = (context.now, &evidences);
        let asked = Planned { family, rules: &rules, since, now, evidences };
        Ok(replay(&asked, &past, &facts, &labels))
    })?;
    look::record(context, &mut ledgers, &present, family, "risk");
    match args.json {
        true => output::to_stdout(|out| json::value(out, &document, false)),
        false => output::to_stdout(|out| risk::replay(out, &document, &reading::options(context))),
    }
}
