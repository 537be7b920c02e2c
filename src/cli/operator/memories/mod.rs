//! What the operator's machine adds to `foureyes memories`: labels of picks, and what they come to.

mod ask;
mod compare;
mod label;
mod readiness;
mod window;

use super::reading::{self, From};
use super::{Context, Failure};
use crate::collect::Collected;
use crate::domain::{Timestamp, Window};
use crate::pick_labels;
use std::process::ExitCode;

/// Commands that read the picks of boxes.
#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum Command {
    Compare(compare::Args),
    Label(label::Args),
    Readiness(readiness::Args),
    Window(window::Args),
}

/// Which picks
#[derive(Debug, Clone, Copy, clap::Args)]
struct Mode {
    /// Picks of explicit searches, instead of those for the context of prompts
    #[arg(long)]
    lenient: bool,
}

/// The days of the picks
#[derive(Debug, Clone, Copy, clap::Args)]
struct Days {
    /// Number of UTC days to display, counting today; it decides nothing [default: since the day of `[memories.policy]`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: Option<u32>,
}

impl Days {
    fn window(self, context: &Context) -> Window {
        let configured = || pick_labels::displayed(&context.config.memories);
        self.days.map_or_else(configured, |days| days_until(context.now, days))
    }
}

/// So many whole days, the last of them today, open at the end.
fn days_until(now: Timestamp, days: u32) -> Window {
    Window { from: Some(Timestamp::of_day(now.day()).minus_days(days - 1)), to: None }
}

/// The logs of the run; on a machine without boxes, where nothing else is given, the one that its own agents write.
fn collect(context: &Context, from: &From) -> Result<Collected, Failure> {
    let log = context.config.memories.log_dir(context.environment.home().as_deref());
    let Some(log) = log.filter(|_| from.from.is_empty() && context.config.boxes.is_empty()) else {
        return reading::collect(context, from);
    };
    if !log.is_dir() {
        let hint = format!("`foureyes memories hook` logs picks in {}", log.display());
        return reading::collect(context, from).map_err(|failure| failure.hint(hint));
    }
    reading::note(&format!(
        "no box is configured; reading the picks of this machine, {}",
        log.display()
    ));
    reading::collect(context, &From { from: vec![log] })
}

/// Runs a command.
pub(in crate::cli) fn run(context: &Context, command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Compare(args) => compare::run(context, args),
        Command::Label(args) => label::run(context, args),
        Command::Readiness(args) => readiness::run(context, args),
        Command::Window(args) => window::run(context, args),
    }
}
