//! `foureyes audit`.

mod status;

use super::label::Document;
use super::reading::From;
use super::{Context, Failure, ledger};
use crate::assess::STRATA;
use crate::domain::Timestamp;
use crate::domain::review::{Act, AuditRate, Present, Seed};
use crate::store::ledger::{Ledger, fresh_id, fresh_seed};
use std::process::ExitCode;

/// The random sample of what passes, without which nobody knows how much poor content does
///
/// NO-GOs are labelled all. Of what passes, each record is drawn with a known probability, by its id
/// and a secret seed: the same on every machine, whatever the content. A day counts once its NO-GOs
/// and its sample have labels.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Status(StatusArgs),
    SetRate(SetRateArgs),
}

/// Say which rates hold, which days are closed, and what waits for a label
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Set how much of what passes is drawn
///
/// It binds what is judged from now on. A rate of 1 draws all, so with --since it may reach back to the
/// start of the running window, as long as no record of it has a label. A rate below 1 never does: who
/// has the records could choose their sample. Strata with unequal rates slow the gate: the thinnest
/// sets the pace.
#[derive(Debug, clap::Args)]
struct SetRateArgs {
    /// Probability to be drawn, 0 to 1
    #[arg(value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// Only what passed with a mean score below 4 (weak), from 4 on (strong), or without scores
    #[arg(long, value_name = "STRATUM", value_parser = STRATA)]
    stratum: Option<String>,
    /// The secret that is drawn with, 64 hexadecimal digits [default: that of the rate before; a
    /// random one for the first]
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// The first UTC day it holds for, YYYY-MM-DD: one to come, or for a rate of 1 the window's first
    #[arg(long, value_name = "DATE", value_parser = super::window::day)]
    since: Option<Timestamp>,
    /// Who says so [default: as configured, else the name of the account]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "a rate is a number from 0 to 1".to_owned())
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Status(args) => status::run(context, &args.from, args.json),
        Command::SetRate(args) => set_rate(context, args),
    }
}

fn set_rate(context: &Context, args: &SetRateArgs) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let known = present.rates.iter().any(|said| said.what.seed.is_some());
    let seed = args.seed.or_else(|| (!known).then(fresh_seed));
    let from = args.since.unwrap_or(context.now);
    if from < context.now {
        reaches_back(context, &present, args.rate, from)?;
    }
    let act = Act::Rate(AuditRate::new(from, args.stratum.clone(), args.rate, seed));
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::of(&reviewer, context.now, &act, &saved);
    if args.stratum.is_some() {
        let text = "the stratum with the lowest rate sets the pace: with unequal rates the same number of \
                    labels decides later (in a trial 11 of 50 windows instead of 32)";
        document = document.with_caveat("unequal_strata", text.to_owned());
    }
    ledger::print(&document, args.json)
}

/// Refuses a rate that would bind records that are here already, unless it draws all of the window.
fn reaches_back(
    context: &Context,
    present: &Present,
    rate: f64,
    from: Timestamp,
) -> Result<(), Failure> {
    let start = crate::assess::window_in_force(present, context.now).map(|w| w.what.from);
    let whole = "to label all of the window: `foureyes audit set-rate 1 --since";
    let hint = match start {
        Some(start) if rate >= 1.0 && from == start => return Ok(()),
        Some(start) => {
            format!("{whole} {}`; without --since it holds from now on", start.day_text())
        }
        None => format!("start a window first, then {whole} DAY` with its first day"),
    };
    let why = match rate >= 1.0 {
        true => "it must reach back to the first day of the running window",
        false => {
            "a rate below 1 cannot reach back over records that are here: their sample could be chosen"
        }
    };
    Err(Failure::usage(format!("failed to set the audit rate: {why}")).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn a_rate_is_a_probability() {
        assert_eq!((rate("0"), rate("0.3"), rate("1")), (Ok(0.0), Ok(0.3), Ok(1.0)));
        for bad in ["", "-0.1", "1.5", "NaN", "30%"] {
            assert!(rate(bad).is_err(), "{bad}");
        }
    }
}
