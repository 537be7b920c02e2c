//! `foureyes calibration`.

mod agents;
mod breakdown;
mod drift;
mod question;
mod rules;
mod runs;
mod what_if;

use super::{Context, Failure, ledger, output};
use crate::answers::calibration::{self, Details};
use crate::assess::{self, Calibration, Report};
use crate::report::mask::mask;
use question::Common;
use std::process::ExitCode;

/// Show the judge's error rates from labels
///
/// Confusion matrix, rates with intervals, agreement and prevalence. Reads the last pull; no box is contacted. This command only reports: `readiness` decides.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Agents(agents::Args),
    Breakdown(breakdown::Args),
    Drift(drift::Args),
    WhatIf(what_if::Args),
    Runs(runs::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => whole(context, &args.common),
        Some(Command::Agents(args)) => agents::run(context, args),
        Some(Command::Breakdown(args)) => breakdown::run(context, args),
        Some(Command::Drift(args)) => drift::run(context, args),
        Some(Command::WhatIf(args)) => what_if::run(context, args),
        Some(Command::Runs(args)) => return runs::run(context, args),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn whole(context: &Context, common: &Common) -> Result<(), Failure> {
    let (report, picked) = common.asked(context, true, |seen| {
        let report: Report = assess::report_loaded(seen.all, seen.present, &seen.ask);
        let contents = assess::contents_of(seen.all, seen.present, &seen.ask);
        Ok((report, assess::picked(&contents.distinct)))
    })?;
    let all = Calibration::new(&report, picked);
    let details = Details { picked: Some(picked), ..Details::default() };
    common.form.print(context, &all, || calibration::page(&report, &details))
}

/// Masks what looks like a secret in a name; tells how much that was.
fn hide(name: &mut String) -> usize {
    let (text, found) = mask(name);
    let text = text.into_owned();
    *name = text;
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::{AgentsDocument, BreakdownDocument, DriftDocument, WhatIfDocument};

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let schema = schemars::schema_for!(Calibration);
        crate::asset_tests::assert_bundled("calibration.schema.json", "calibration", &schema);
        let schema = schemars::schema_for!(AgentsDocument);
        crate::asset_tests::assert_bundled(
            "calibration.schema.json",
            "calibration-agents",
            &schema,
        );
        let schema = schemars::schema_for!(BreakdownDocument);
        crate::asset_tests::assert_bundled(
            "calibration.schema.json",
            "calibration-breakdown",
            &schema,
        );
        let schema = schemars::schema_for!(DriftDocument);
        crate::asset_tests::assert_bundled("calibration.schema.json", "calibration-drift", &schema);
        let schema = schemars::schema_for!(WhatIfDocument);
        crate::asset_tests::assert_bundled(
            "calibration.schema.json",
            "calibration-what-if",
            &schema,
        );
    }
}
