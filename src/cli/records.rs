//! `foureyes records`.

use super::reading::{self, From, Show, Span};
use super::{Context, Failure, output};
use crate::frame::query::{Query, Scope};
use crate::report::Options;
use crate::report::records::{Listing, Records, Written};
use crate::store::cache::{Archive, Row, RowError};
use crate::triage::row;
use std::io;
use std::process::ExitCode;

/// List records that match a filter
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to list, e.g. 'verdict:no-go -author:claw since:7d "free words"'; see docs/filter.md
    ///
    /// Several arguments are joined with spaces. Behind `--` one may begin with a dash.
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    span: Span,
    #[command(flatten)]
    show: Show,
    /// Print JSON Lines: one document a record
    #[arg(long, group = "format")]
    json: bool,
    /// Print comma-separated values
    #[arg(long, group = "format")]
    csv: bool,
    /// Print a Markdown table
    #[arg(long, group = "format")]
    markdown: bool,
    /// List at most so many, the newest
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Runs the command; newest first, undated records last.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let text = args.filter.join(" ");
    let query = parse(&text)?;
    let collected = reading::collect(context, &args.from)?;
    let archive = reading::open(context, &collected)?;
    let scope = Scope { boxes: archive.boxes(), now: context.now };
    let window = match args.span.days {
        None => crate::domain::Window::ALL,
        Some(_) => args.span.window(&args.from, &context.config, context.now),
    };
    let mut rows = archive.matching(&query, &scope, window).map_err(reading::cache_failure)?;
    Row::first(&mut rows, args.limit.unwrap_or(usize::MAX));
    let listing = match (args.json, args.csv, args.markdown) {
        (true, ..) => Listing::JsonLines,
        (_, true, _) => Listing::Csv,
        (.., true) => Listing::Markdown,
        _ => Listing::Plain,
    };
    let written = list(&archive, &rows, listing, args.show.options())?;
    reading::say_masked(written.masked);
    Ok(ExitCode::SUCCESS)
}

/// Reads a filter, or points at what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Query, Failure> {
    Query::parse(text).map_err(|error| {
        Failure::usage(error.render(text)).hint("docs/filter.md lists the fields and their values")
    })
}

enum Stop {
    Row(RowError),
    Out(io::Error),
}

impl std::convert::From<RowError> for Stop {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

fn list(
    archive: &Archive,
    rows: &[Row],
    listing: Listing,
    options: Options,
) -> Result<Written, Failure> {
    let out = io::BufWriter::new(io::stdout().lock());
    let write = || -> Result<Written, Stop> {
        let mut records = Records::begin(out, listing, options).map_err(Stop::Out)?;
        archive.each_record(rows, |located| records.row(&row(located)).map_err(Stop::Out))?;
        records.finish().map_err(Stop::Out)
    };
    match write() {
        Ok(written) => Ok(written),
        Err(Stop::Row(error)) => Err(reading::row_failure(error)),
        Err(Stop::Out(error)) => output::pipe(Err(error)).map(|()| Written::default()),
    }
}
