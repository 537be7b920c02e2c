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

/// Manage the random audit sample of passed content, which the false negative rate rests on
///
/// Every NO-GO is labelled. Each passed record is drawn with a known probability, derived from its
/// id and a secret seed, so every machine draws the same sample. A day counts once its NO-GOs and
/// its sample are labelled.
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

/// Show the rates in force, the closed days, and the records that need a label
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Set the sampling rate for passed content
///
/// Applies to everything judged from now on. A rate of 1 draws every record, so --since may reach
/// back to the start of the current window, as long as none of its records is labelled. A rate
/// below 1 never reaches back: whoever has the records could choose the sample. Unequal rates slow
/// the gate down: the stratum with the lowest rate sets the pace.
#[derive(Debug, clap::Args)]
struct SetRateArgs {
    /// Sampling probability, 0 to 1
    #[arg(value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// Apply only to passes with a mean score below 4 (weak), of 4 or more (strong), or without
    /// scores
    #[arg(long, value_name = "STRATUM", value_parser = STRATA)]
    stratum: Option<String>,
    /// Secret seed, 64 hexadecimal digits [default: the previous rate's seed, or a random one]
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// First UTC day in force, YYYY-MM-DD: a future day or, for a rate of 1, the first day of the
    /// window
    #[arg(long, value_name = "DATE", value_parser = super::window::day)]
    since: Option<Timestamp>,
    /// Reviewer who makes the entry [default: as configured, else the account name]
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
    let seed = match args.seed {
        None if !known => Some(fresh_seed().map_err(ledger::failure)?),
        given => given,
    };
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
    let whole = "to label the whole window: `foureyes audit set-rate 1 --since";
    let hint = match start {
        Some(start) if rate >= 1.0 && from == start => return Ok(()),
        Some(start) => {
            format!("{whole} {}`; without --since it holds from now on", start.day_text())
        }
        None => format!("start a window first, then {whole} DAY` with its first day"),
    };
    let why = match rate >= 1.0 {
        true => "it must reach back to the first day of the current window",
        false => {
            "a rate below 1 cannot reach back over existing records: whoever has them could choose the sample"
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
