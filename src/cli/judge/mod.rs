//! `foureyes judge`.

mod document;
mod explain;
mod files;
mod kept;
mod plain;
mod stages;
mod task;
mod unfit;
mod work;

use super::{Context, Failure, output};
use crate::config::Config;
use crate::engine::PushVerdict;
use crate::engine::record::RecordError;
use crate::failure::UNREACHED;
use crate::judging::configured;
use document::{Document, print};
use kept::Kept;
use std::path::PathBuf;
use std::process::ExitCode;
pub(super) use task::agent;

/// Judge files against the rubric, all together as one content
///
/// Exit codes: 0, GO; 1, NO-GO; 2, UNDETERMINED; 69, the model could not be reached. The first
/// ctrl-c waits for the current request and prints the results so far; the second exits at once.
///
/// With `--task-id`, up to three judges decide whether the result of a task is accepted. Exit codes:
/// 0, accepted; 1, rejected; 2, a person decides, also where a judge could not be reached.
///
/// With `--hook`, an agent runs it before it ends. Exit codes: 2, the agent goes on, since judges want changes and
/// the task may be judged again; 0, it may end, for every other reason.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: files::FileArgs,
    /// Judge each file separately
    #[arg(long)]
    each: bool,
    /// Author, as named in commits; used for the four-eyes check. Of a task, by default each of the configured `agents`
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Commit to name in the record
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// Model to request
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Prompt template to use
    #[arg(long, value_name = "FILE")]
    prompt: Option<PathBuf>,
    /// Rubric to use
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Read answers from this file instead of asking the endpoint
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Append each record to this file, one per line; of a task, instead of to its log
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the endpoint, the full request and the four-eyes decision without sending anything
    #[arg(long, conflicts_with_all = ["output", "json"])]
    explain: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    task: task::TaskArgs,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if args.task.are_given() {
        return task::run(context, args);
    }
    let config = effective(context, args);
    unfit::refuse_push(context, &config.judge, args.explain)?;
    let items = files::items(args)?;
    if context.global.demo && config.judge.script.is_none() && !args.explain {
        return Err(Failure::usage("the demo makes no network requests")
            .hint("`--script FILE` uses a file of answers, and `--explain` shows the request"));
    }
    if args.explain {
        let judge = configured::judge(&config, None, None).map_err(failure)?;
        explain::print(&config, &judge, &items)?;
        return Ok(ExitCode::SUCCESS);
    }
    let kept = args.output.clone().map(Kept::open).transpose()?;
    if config.judge.lacks_key() {
        progress(&format!("no API key: the variable {} is not set", config.judge.key_name()));
    }
    let key = configured::key(&config.judge).map_err(|error| {
        Failure::usage(error).hint("correct `key_env` or `key_command` of the section [judge]")
    })?;
    let judge = configured::judge(&config, key, Some(context.data.refused())).map_err(failure)?;
    let (document, unkept) = work::judged(&config, judge, items, kept)?;
    // What was paid for and could not be kept is not lost: it is printed as it would stand there.
    print(&document, args.json || unkept.is_some(), plain::text)?;
    if let Some(failure) = unkept {
        return Err(failure.hint("the result stands above"));
    }
    Ok(ExitCode::from(code(&document)))
}

/// The configuration with the flags of the command.
fn effective(context: &Context, args: &Args) -> Config {
    let mut config = context.config.clone();
    let judge = &mut config.judge;
    for (flag, place) in [
        (&args.prompt, &mut judge.prompt),
        (&args.rubric, &mut judge.rubric),
        (&args.script, &mut judge.script),
    ] {
        if flag.is_some() {
            place.clone_from(flag);
        }
    }
    if let Some(model) = &args.model {
        judge.model.clone_from(model);
    }
    config
}

fn failure(error: configured::Error) -> Failure {
    let hint = match &error {
        configured::Error::Endpoint(_) => "correct `endpoint` of the section [judge]",
        configured::Error::Model { .. } => unfit::MODELS,
        configured::Error::Script(_) => "a script is TOML with [[answer]] tables, or JSONL",
        _ => "docs/judging.md describes prompts and rubrics",
    };
    Failure::usage(error).hint(hint)
}

/// The gravest of all verdicts.
fn code(document: &Document) -> u8 {
    let verdicts = || document.records().map(|record| record.verdict);
    if verdicts().any(|verdict| verdict == PushVerdict::NoGo) {
        return 1;
    }
    if document.records().any(|record| record.error.is_some_and(RecordError::is_outage)) {
        return UNREACHED;
    }
    if verdicts().all(|v| v == PushVerdict::Go) && !document.has_skipped() { 0 } else { 2 }
}

fn progress(text: &str) {
    output::to_stderr(&output::visible(text));
}
