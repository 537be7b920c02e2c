//! `foureyes calibration agents`.

use super::hide;
use super::question::Form;
use crate::answers::calibration;
use crate::assess::{AGENTS_SCHEMA, AgentsDocument, agents_in};
use crate::cli::operator::reading;
use crate::cli::{Context, Failure};
use crate::domain::{Timestamp, Window};

/// Show what the judge finds in each agent's work, and how that changes
///
/// NO-GO rate and dimensions marked down, beside those of all other agents; the change over time; and whether
/// the next version of a flagged file is good. Rests on verdicts, not on labels: `breakdown --by agent` has those.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of UTC days to look back, counting today
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let from = Timestamp::of_day(context.now.day()).minus_days(args.days.saturating_sub(1));
    // What is dated ahead of the clock would be the latest of all.
    let window = Window { from: Some(from), to: Window::ALL.ahead_of(context.now).from };
    let mut all = args.form.read(context, |archive, all| {
        let agents = agents_in(archive, all, &context.config, window)?;
        let (schema, family, generated) = (AGENTS_SCHEMA, all.kind(), context.now);
        Ok(AgentsDocument { schema, family, generated, from, agents })
    })?;
    let masked = all.agents.iter_mut().map(|agent| hide(&mut agent.name)).sum();
    args.form.print(context, &all, || calibration::agents::page(&all))?;
    reading::note_masked(masked);
    Ok(())
}
