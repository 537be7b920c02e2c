//! `foureyes calibration drift`.

use super::hide;
use super::question::Form;
use crate::answers::calibration;
use crate::assess::{self, DriftDocument};
use crate::cli::operator::reading;
use crate::cli::{Context, Failure};

/// Show the judge's scores by week, and when the judge changed
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let weeks = args.form.read(context, |_, all| Ok(assess::drift(all)))?;
    let mut all = DriftDocument::new(args.form.family.kind(), weeks, context.now);
    let masked = all.weeks.iter_mut().flat_map(|week| &mut week.judges).map(hide).sum();
    args.form.print(context, &all, || calibration::drift::page(&all))?;
    reading::note_masked(masked);
    Ok(())
}
