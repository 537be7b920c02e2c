//! `foureyes memories search`.

use super::document::Document;
use super::{Picker, Place};
use crate::cli::{Context, Failure, output};
use crate::engine::relevance::{MOST_CANDIDATES, Mode};
use crate::picks::Wanted;
use std::process::ExitCode;

/// Search titles, tags and texts of the memories
///
/// If a judge is configured, it keeps at most `search_keep` of `[memories]`. Exits with 0 if there are memories, and with 1 if not.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What to search for
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Most memories to print, at most 20
    #[arg(long, value_name = "N", default_value_t = MOST_CANDIDATES as u64, value_parser = clap::value_parser!(u64).range(1..=20))]
    limit: u64,
    /// Most characters to print, for the context of an agent: memories that do not fit are left out whole
    /// and named
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1_000..=1_000_000))]
    max_chars: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let query = args.query.join(" ");
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let wanted = Wanted { prompt: &query, context: &[], mode: Mode::Lenient, limit };
    let (config, data, home) = (&context.config, &context.data, context.environment.home());
    let picker = Picker::new(&args.place, (config, data), home.as_deref(), context.clock)?;
    let mut picked = picker.find(&wanted)?;
    let mut document = Document::new(&picked);
    if let Some(most) = args.max_chars {
        let left_out = document.shorten(usize::try_from(most).unwrap_or(usize::MAX), args.json);
        picked.leave_out(&left_out);
    }
    picker.log(&picked);
    output::print(document.written(args.json)?)?;
    Ok(ExitCode::from(u8::from(document.is_empty())))
}
