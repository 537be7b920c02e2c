//! `foureyes calibration breakdown`.

use super::hide;
use super::question::Common;
use crate::answers::calibration;
use crate::assess::{self, BREAKDOWN_SCHEMA, Breakdown, BreakdownDocument};
use crate::cli::operator::reading;
use crate::cli::{Context, Failure};

/// Show error and flag rates by judge, agent, team, repository, path, box or week
///
/// Names the parts that differ from all others together, corrected for looking at many at once.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Group by
    #[arg(long, value_enum, default_value_t = Axis::Judge)]
    by: Axis,
    #[command(flatten)]
    common: Common,
}

/// By what the contents are told apart, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Axis {
    /// Judge: requested model, served model and prompt
    #[value(alias = "version")]
    Judge,
    /// Author of the content (field `author`)
    #[value(alias = "author")]
    Agent,
    /// Team of `[fleet.teams]`: the first by name that has the box, the agent or a path
    Team,
    /// Repository of `[[repository]]` to which the box pushes
    Repository,
    /// First directory of the first file
    Path,
    /// The box
    Box,
    /// ISO week, named by its Monday
    Week,
}

impl From<Axis> for Breakdown {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::Judge => Self::Judge,
            Axis::Agent => Self::Agent,
            Axis::Team => Self::Team,
            Axis::Repository => Self::Repository,
            Axis::Path => Self::Path,
            Axis::Box => Self::Box,
            Axis::Week => Self::Week,
        }
    }
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let by = Breakdown::from(args.by);
    if !by.is_configured(&context.config) {
        let table = if by == Breakdown::Team { "[fleet.teams]" } else { "[[repository]]" };
        return Err(Failure::usage(format!("the configuration names no {}", by.as_str()))
            .hint(format!("docs/configuration.md has the keys of `{table}`")));
    }
    let mut all = args.common.asked(context, false, |seen| {
        let parts = assess::breakdown(
            seen.archive,
            seen.all,
            seen.present,
            &seen.ask,
            by,
            &context.config,
        )?;
        let generated = context.now;
        let confidence = seen.confidence();
        let (schema, family) = (BREAKDOWN_SCHEMA, seen.all.kind());
        Ok(BreakdownDocument { schema, family, generated, by, confidence, parts })
    })?;
    let masked = all.parts.iter_mut().map(|part| hide(&mut part.name)).sum();
    args.common.form.print(context, &all, || calibration::breakdown::page(&all))?;
    reading::note_masked(masked);
    Ok(())
}
