//! `foureyes calibration`.

mod rules;
mod runs;

use super::reading::{self, From, Plain, Trouble};
use super::{Context, Failure, ledger, look, output};
use crate::assess::{
    self, Ask, BREAKDOWN_SCHEMA, Breakdown, BreakdownDocument, Calibration, DriftDocument,
    Evaluations, Report, WHAT_IF_SCHEMA, WhatIfDocument, completeness,
};
use crate::calibration::{Policy, what_if};
use crate::domain::JudgementKind;
use crate::domain::review::Present;
use crate::report::mask::mask;
use crate::report::{Masking, Options, calibration, json};
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
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
    Breakdown(BreakdownArgs),
    Drift(DriftArgs),
    WhatIf(WhatIfArgs),
    Runs(runs::Args),
}

/// Which logs, under which rules, and the form of the answer
#[derive(Debug, clap::Args)]
struct Common {
    /// Use this policy file for this run instead of the policy in the ledger
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
}

/// Which logs, and the form of the answer
#[derive(Debug, clap::Args)]
struct Form {
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    #[command(flatten)]
    plain: Plain,
}

/// Show error rates by judge, agent, path, box or week
#[derive(Debug, clap::Args)]
struct BreakdownArgs {
    /// Group by
    #[arg(long, value_enum, default_value_t = Axis::Judge)]
    by: Axis,
    #[command(flatten)]
    common: Common,
}

/// Show the judge's scores by week, and when the judge changed
#[derive(Debug, clap::Args)]
struct DriftArgs {
    #[command(flatten)]
    form: Form,
}

/// Show what other score rules would have decided; changes nothing
///
/// All rules in one run share the allowed error. Each combination of values is a rule: `--minimum
/// S=3,3.5 --average 3,3.5` tries four.
#[derive(Debug, clap::Args)]
struct WhatIfArgs {
    #[command(flatten)]
    rules: rules::RuleArgs,
    #[command(flatten)]
    common: Common,
}

/// By what the contents are told apart, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Axis {
    /// Judge: requested model, served model and prompt
    Judge,
    /// Author of the content (field `author`)
    #[value(alias = "author")]
    Agent,
    /// First directory of the first file
    Path,
    /// The box
    Box,
    /// ISO week, named by its Monday
    Week,
}

impl std::convert::From<Axis> for Breakdown {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::Judge => Self::Judge,
            Axis::Agent => Self::Agent,
            Axis::Path => Self::Path,
            Axis::Box => Self::Box,
            Axis::Week => Self::Week,
        }
    }
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => whole(context, &args.common),
        Some(Command::Breakdown(args)) => breakdown(context, args),
        Some(Command::Drift(args)) => drift(context, args),
        Some(Command::WhatIf(args)) => replay(context, args),
        Some(Command::Runs(args)) => return runs::run(context, args),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn whole(context: &Context, common: &Common) -> Result<(), Failure> {
    let (report, picked) = common.asked(context, |seen| {
        let report: Report = assess::report_loaded(seen.all, seen.present, &seen.ask);
        let contents = assess::contents_of(seen.all, seen.present, &seen.ask);
        Ok((report, assess::picked(&contents)))
    })?;
    let all = Calibration::new(&report, picked);
    common.form.print(&all, |out, options| calibration::write(out, &all, &report, options))
}

fn breakdown(context: &Context, args: &BreakdownArgs) -> Result<(), Failure> {
    let by = Breakdown::from(args.by);
    let mut all = args.common.asked(context, |seen| {
        let parts = assess::breakdown(seen.archive, seen.all, seen.present, &seen.ask, by)?;
        let generated = context.now;
        let confidence = seen.confidence();
        Ok(BreakdownDocument { schema: BREAKDOWN_SCHEMA, generated, by, confidence, parts })
    })?;
    let masked = all.parts.iter_mut().map(|part| hide(&mut part.name)).sum();
    args.common.form.print(&all, |out, options| calibration::breakdown(out, &all, options))?;
    reading::note_masked(masked);
    Ok(())
}

fn drift(context: &Context, args: &DriftArgs) -> Result<(), Failure> {
    let weeks = args.form.read(context, |_, all| Ok(assess::drift(all)))?;
    let mut all = DriftDocument::new(weeks, context.now);
    let masked = all.weeks.iter_mut().flat_map(|week| &mut week.judges).map(hide).sum();
    args.form.print(&all, |out, options| calibration::drift(out, &all, options))?;
    reading::note_masked(masked);
    Ok(())
}

fn replay(context: &Context, args: &WhatIfArgs) -> Result<(), Failure> {
    let candidates = args.rules.candidates().map_err(|error| {
        Failure::usage(error).hint("`foureyes calibration what-if --minimum S=3 --average 3.5`")
    })?;
    let all = args.common.asked(context, |seen| {
        let contents = assess::contents_of(seen.all, seen.present, &seen.ask);
        let records = assess::replays(seen.all, &contents);
        Ok(WhatIfDocument {
            schema: WHAT_IF_SCHEMA,
            generated: context.now,
            records: records.len() as u64,
            rules: what_if(&records, &candidates, seen.confidence()),
        })
    })?;
    if all.records == 0 {
        let text = "no labelled record of the sample has scores: label NO-GOs and audited GOs of the window first";
        reading::note(text);
    }
    args.common.form.print(&all, |out, options| calibration::what_if(out, &all, options))
}

/// Masks what looks like a secret in a name; tells how much that was.
fn hide(name: &mut String) -> usize {
    let (text, found) = mask(name);
    let text = text.into_owned();
    *name = text;
    found
}

/// What a question is asked of.
struct Seen<'a> {
    archive: &'a Archive,
    all: &'a Evaluations,
    present: &'a Present,
    ask: Ask<'a>,
}

impl Seen<'_> {
    /// The confidence of the policy in force.
    fn confidence(&self) -> f64 {
        assess::Rules::new(self.all, self.present, &self.ask).policy.confidence
    }
}

impl Common {
    /// Asks the logs and ledgers.
    fn asked<T>(
        &self,
        context: &Context,
        question: impl Fn(&Seen<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let policy: Option<(String, Policy)> =
            self.policy.as_deref().map(super::readiness::read_policy).transpose()?;
        let collected = reading::collect(context, &self.form.from)?;
        let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
        ledger::warn_unsound(&ledgers, context.now);
        let present = ledgers.present(context.now);
        let (complete_until, missing_boxes) = completeness(&collected.boxes, context.now);
        let held = super::readiness::held(context, &self.form.from, &present)?;
        let ask = Ask {
            family: JudgementKind::Push,
            now: context.now,
            policy: policy.as_ref().map(|(name, policy)| (name.as_str(), policy)),
            complete_until,
            missing_boxes: &missing_boxes,
            held: &held,
            gone: 0,
            cancel: &|| false,
        };
        let answer = self.form.ask(context, &collected, |archive, all| {
            let ask = Ask { gone: assess::gone(archive, all, &present, context.now)?, ..ask };
            question(&Seen { archive, all, present: &present, ask })
        })?;
        look::record(context, &mut ledgers, &present, "calibration");
        Ok(answer)
    }
}

impl Form {
    fn read<T>(
        &self,
        context: &Context,
        question: impl Fn(&Archive, &Evaluations) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let collected = reading::collect(context, &self.from)?;
        self.ask(context, &collected, question)
    }

    fn ask<T>(
        &self,
        context: &Context,
        collected: &crate::collect::Collected,
        question: impl Fn(&Archive, &Evaluations) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        reading::warn_stale(collected);
        reading::ask(context, collected, |archive| {
            let cancelled = || Failure::local("the question was cancelled");
            let all = Evaluations::load(archive, JudgementKind::Push, &|| false)?
                .ok_or_else(cancelled)?;
            question(archive, &all)
        })
    }

    /// Prints a document in the form that was asked for.
    fn print(
        &self,
        document: &impl Serialize,
        plain: impl Fn(&mut dyn Write, &Options) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.json {
            return output::to_stdout(|out| json::value(out, document, false));
        }
        let options = Options { masking: Masking::On, width: reading::columns(), pretty: false };
        output::to_stdout(|out| plain(out, &options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let schema = schemars::schema_for!(Calibration);
        crate::asset_tests::assert_bundled("calibration.schema.json", "calibration", &schema);
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
