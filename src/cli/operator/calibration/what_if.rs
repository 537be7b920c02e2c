//! `foureyes calibration what-if`.

use super::question::Common;
use super::rules::RuleArgs;
use crate::answers::calibration::what_if as answer;
use crate::assess::{self, WHAT_IF_SCHEMA, WhatIfDocument};
use crate::calibration::what_if;
use crate::cli::operator::reading;
use crate::cli::{Context, Failure};

/// Show what other score rules would have decided; changes nothing
///
/// All rules in one run share the allowed error. Each combination of values is a rule: `--minimum
/// S=3,3.5 --average 3,3.5` tries four.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let candidates = args.rules.candidates().map_err(|error| {
        Failure::usage(error).hint("`foureyes calibration what-if --minimum S=3 --average 3.5`")
    })?;
    let all = args.common.asked(context, false, |seen| {
        let contents = assess::contents_of(seen.all, seen.present, &seen.ask);
        let records = assess::replays(seen.all, &contents.distinct);
        Ok(WhatIfDocument {
            schema: WHAT_IF_SCHEMA,
            family: seen.all.kind(),
            generated: context.now,
            records: records.len() as u64,
            rules: what_if(&records, &candidates, seen.confidence()),
        })
    })?;
    if all.records == 0 {
        reading::note(answer::NO_RECORDS);
    }
    args.common.form.print(context, &all, || answer::page(&all))
}
