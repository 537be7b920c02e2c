//! `foureyes gate audit`.

mod status;

use super::{Context, Document, Failure, day, ledger};
use crate::assess::{NO_GO, STRATA};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::reading::From;
use crate::domain::review::{Act, AuditRate, Present, Seed};
use crate::domain::{JudgementKind, Timestamp};
use crate::store::ledger::{Ledger, fresh_id, fresh_seed};
use std::process::ExitCode;

/// Show the audit sample, or set the rate at which it is drawn
///
/// Every NO-GO is labelled, unless `--nogo` sets a rate for them. Each passed record is drawn with a known
/// probability, derived from its id and a secret seed, so every machine draws the same sample. A day counts
/// once its NO-GOs and its sample are labelled. The false negative rate rests on this sample.
///
/// A rate applies to everything judged from now on. A rate of 1 draws every record, so --since may
/// reach back to the start of the current window, as long as none of its records is labelled. A rate
/// below 1 never reaches back: whoever has the records could choose the sample. Unequal rates slow
/// the gate down: the stratum with the lowest rate sets the pace. Down to the rate of passes, a rate of
/// NO-GO costs the false negative rate nothing; the false positive rate takes longer.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").args(["rate", "nogo"]))]
pub(super) struct Args {
    /// Sampling probability of passes to set, 0 to 1; without a rate, the rates in force, the closed days
    /// and the records that need a label are shown
    #[arg(value_name = "RATE", value_parser = rate, conflicts_with = "from")]
    rate: Option<f64>,
    /// Sampling probability of NO-GOs to set, 0 to 1; labels on others are shown and do not count
    #[arg(long, value_name = "RATE", value_parser = rate, conflicts_with = "from")]
    nogo: Option<f64>,
    #[command(flatten)]
    family: OfFamily,
    /// Apply only to passes with a mean score below 4 (weak), of 4 or more (strong), or without
    /// scores
    #[arg(long, value_name = "STRATUM", value_parser = STRATA, requires = "rate")]
    stratum: Option<String>,
    /// Secret seed, 64 hexadecimal digits [default: the previous rate's seed, or a random one]
    #[arg(long, value_name = "HEX", requires = "what")]
    seed: Option<Seed>,
    /// First UTC day in force, YYYY-MM-DD: a future day or, for a rate of 1, the first day of the
    /// window
    #[arg(long, value_name = "DATE", value_parser = day, requires = "what")]
    since: Option<Timestamp>,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME", requires = "what")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Refuse a rate, as the old spelling `audit status` does
    #[arg(long, hide = true, conflicts_with = "rate")]
    show: bool,
    /// Demand a rate, as the old spelling `audit set-rate` does
    #[arg(long, hide = true, requires = "rate")]
    set: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match (args.rate, args.nogo) {
        (Some(rate), _) => set_rate(context, args, rate, args.stratum.clone()),
        (_, Some(rate)) => set_rate(context, args, rate, Some(NO_GO.to_owned())),
        _ => status::run(context, args.family.kind(), &args.from, args.json),
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "a rate is a number from 0 to 1".to_owned())
}

fn set_rate(
    context: &Context,
    args: &Args,
    rate: f64,
    stratum: Option<String>,
) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let family = args.family.kind();
    let known = present.of(family).has_seed();
    let seed = match args.seed {
        None if !known => Some(fresh_seed().map_err(ledger::failure)?),
        given => given,
    };
    let from = args.since.unwrap_or(context.now);
    if from < context.now {
        reaches_back(context, &present, family, rate, from)?;
    }
    let act = Act::Rate(AuditRate::new(from, stratum, rate, seed).of(family));
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::new(&reviewer, context.now, &act, &saved);
    if args.stratum.is_some() {
        let text = "the stratum with the lowest rate sets the pace: with unequal rates the same number of \
                    labels decides later (in a trial 11 of 50 windows instead of 32)";
        document = document.with_caveat("unequal_strata", text.to_owned());
    }
    ledger::print(context, &document, args.json)
}

/// Refuses a rate that would bind records that are here already, unless it draws all of the window.
fn reaches_back(
    context: &Context,
    present: &Present,
    family: JudgementKind,
    rate: f64,
    from: Timestamp,
) -> Result<(), Failure> {
    let start = crate::assess::window_in_force(present, family, context.now).map(|w| w.what.from);
    let whole = "to label the whole window: `foureyes gate audit 1 --since";
    let hint = match start {
        Some(start) if rate >= 1.0 && from == start => return Ok(()),
        Some(start) => {
            let option = family.option();
            format!("{whole} {}{option}`; without --since it holds from now on", start.day_text())
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
