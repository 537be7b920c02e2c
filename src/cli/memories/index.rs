//! `foureyes memories index`: the index of the directory brought up to date.

use super::{Place, unreadable};
use crate::cli::{Context, Failure, output};
use crate::memories::{Directory, IndexError, update};
use crate::text::counted;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long another process that does the same is waited for, and how long it may take.
const LOCK: Duration = Duration::from_secs(30);
const WORK: Duration = Duration::from_secs(600);

/// Bring the full-text index of the memories up to date
///
/// Exits with 0 if all memories are in it, and with 1 if some are left out.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let home = context.environment.home();
    let directory = args.place.of(&context.config, home.as_deref())?;
    let directory = Directory::open(&directory).map_err(unreadable)?;
    let now = Instant::now();
    let updated = update(&directory, context.data.cache(), now + LOCK, now + WORK);
    let updated = updated.map_err(|error| match error {
        IndexError::Directory(error) => unreadable(error),
        IndexError::Busy => Failure::local(error).hint("run it again when that has ended"),
        error => Failure::local(error).hint("check the cache directory, its space and permissions"),
    })?;
    for problem in &updated.problems {
        output::to_stderr(&output::visible(&problem.to_string()));
    }
    let left_out = updated.problems.len();
    let rest = match left_out {
        0 => String::new(),
        _ => format!("; {}, listed above", counted(left_out, "problem", "problems")),
    };
    output::print(format!(
        "{}: {} added, {} changed, {} removed{rest}\n",
        counted(updated.total, "memory", "memories"),
        updated.added,
        updated.changed,
        updated.removed,
    ))?;
    Ok(ExitCode::from(u8::from(left_out > 0)))
}
