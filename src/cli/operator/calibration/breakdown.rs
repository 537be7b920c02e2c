//! `foureyes calibration breakdown`.

use super::hide;
use super::question::Common;
use crate::assess::{self, BREAKDOWN_SCHEMA, Breakdown, BreakdownDocument};
use crate::cli::operator::reading;
use crate::cli::{Context, Failure};
use crate::report::calibration;

/// Show error rates by judge, agent, path, box or week
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

impl From<Axis> for Breakdown {
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
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let by = Breakdown::from(args.by);
    let mut all = args.common.asked(context, |seen| {
        let parts = assess::breakdown(seen.archive, seen.all, seen.present, &seen.ask, by)?;
        let generated = context.now;
        let confidence = seen.confidence();
        let (schema, family) = (BREAKDOWN_SCHEMA, seen.all.kind());
        Ok(BreakdownDocument { schema, family, generated, by, confidence, parts })
    })?;
    let masked = all.parts.iter_mut().map(|part| hide(&mut part.name)).sum();
    args.common.form.print(&all, |out, options| calibration::breakdown(out, &all, options))?;
    reading::note_masked(masked);
    Ok(())
}
