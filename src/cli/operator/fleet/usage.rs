//! `foureyes fleet usage`.

use super::super::reading::{self, Fleet, From, Span, Trouble};
use super::super::signals;
use super::{Context, Failure, failure, nodes, output};
use crate::domain::{Calls, Window};
use crate::fleet::Reader;
use crate::overview::{self, UsageBy, UsageError};
use crate::report::PlainOrJson;
use crate::report::usage::UsageDocument;
use std::process::ExitCode;

/// Show tokens and cost by day, box or model, or which box runs which version since when
///
/// Counts the verdicts of judges of all families, each record once. Prices are those of `[prices]`; a verdict
/// whose tokens or price are not known is in no cost. Exit codes: 0, answered; 69, a node did not answer.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Group by
    #[arg(long, value_enum, default_value_t = Word::Day)]
    by: Word,
    #[command(flatten)]
    span: Span,
    #[command(flatten)]
    fleet: Fleet,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// By what verdicts are counted, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Word {
    /// A UTC day
    Day,
    /// A box
    Box,
    /// Model that answered, or else the requested one
    Model,
    /// What a box runs: model, prompt with rubric, settings
    Version,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let by = match args.by {
        Word::Day => UsageBy::Day,
        Word::Box => UsageBy::Box,
        Word::Model => UsageBy::Model,
        Word::Version => UsageBy::Version,
    };
    let window = args.span.window(&args.from, &context.config, context.now);
    let calls = match args.fleet.fleet {
        true => match shared(context, window)? {
            Ok(calls) => calls,
            Err(code) => return Ok(code),
        },
        false => here(context, &args.from, window)?,
    };
    let rows = overview::usage(&calls, by, &context.config.prices);
    let document = UsageDocument::new(rows, by, window, context.now);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}

fn here(context: &Context, from: &From, window: Window) -> Result<Calls, Failure> {
    let collected = reading::collect(context, from)?;
    reading::warn_stale(&collected);
    reading::ask(context, &collected, |archive| {
        overview::calls(archive, window, context.now).map_err(|error| match error {
            UsageError::Cache(error) => Trouble::from(error),
            UsageError::Row(error) => Trouble::from(error),
        })
    })
}

fn shared(context: &Context, window: Window) -> Result<Result<Calls, ExitCode>, Failure> {
    let nodes = nodes(&context.config.fleet)?;
    let answer = signals::unless_interrupted(async {
        let reader = Reader::connect(nodes).await.map_err(failure)?;
        reader.calls(window).await.map_err(failure)
    })?;
    match answer {
        Ok(calls) => calls.map(Ok),
        Err(code) => Ok(Err(code)),
    }
}
