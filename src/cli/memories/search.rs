//! `foureyes memories search`.

use super::document::Document;
use super::{Place, unreadable};
use crate::cli::{Context, Failure, output};
use crate::engine::relevance::{CANDIDATES, Mode};
use crate::picks::{PickLog, Setup, Wanted, pick};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long the lock of the log is waited for.
const LOCK: Duration = Duration::from_secs(5);

/// Search titles, tags and texts of the memories
///
/// If a judge is configured, it keeps at most 10. Exits with 0 if there are memories, and with 1 if not.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What to search for
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Most memories to print, at most 20
    #[arg(long, value_name = "N", default_value_t = CANDIDATES[1] as u64, value_parser = clap::value_parser!(u64).range(1..=20))]
    limit: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let directory = args.place.of(context)?;
    let memories = &context.config.memories;
    let log = memories.log_dir(context.environment.home().as_deref()).map(PickLog::at);
    let refused = context.data.refused();
    let setup = Setup {
        config: &context.config,
        directory: &directory,
        cache: context.data.cache(),
        log: log.as_ref(),
        refused: Some(&refused),
        now: context.now,
    };
    let query = args.query.join(" ");
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let wanted = Wanted { prompt: &query, context: &[], mode: Mode::Lenient, limit };
    let picked = pick(&setup, &wanted).map_err(unreadable)?;
    let unlogged = log.map(|log| picked.append(&log, Instant::now() + LOCK)).unwrap_or_default();
    for warning in picked.warnings.iter().chain(&unlogged).chain(&picked.record.error) {
        output::to_stderr(&format!("warning: {}", output::visible(warning)));
    }
    let document = Document::new(&picked);
    output::print(match args.json {
        true => crate::text::json::pretty(&document)?,
        false => document.text(),
    })?;
    Ok(ExitCode::from(u8::from(document.is_empty())))
}
