//! `foureyes judge --task-id`: the end of a task.

pub(in crate::cli) mod agent;
mod depth;
mod document;
mod explain;
mod input;
mod plain;
mod progress;
mod request;

use super::Args;
use super::document::print;
use super::stages::Stages;
use crate::cli::{Context, Failure, output};
use crate::config::DepthRule;
use document::Document;
use request::{Request, print_document};
use std::process::ExitCode;

/// What only a task has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for a task")]
pub(super) struct TaskArgs {
    /// Judge the files as the result of this task
    #[arg(short, long, value_name = "ID", conflicts_with_all = ["each", "model", "prompt"])]
    task_id: Option<String>,
    /// What the task was; `@FILE` reads a file [default: what the result must meet]
    #[arg(short, long, value_name = "TEXT|@FILE", requires = "task_id")]
    description: Option<String>,
    /// What the result must meet; `@FILE` reads a file
    #[arg(short, long, value_name = "TEXT|@FILE", requires = "task_id")]
    acceptance: Option<String>,
    /// How many judges look at it: `quick`, `sequential`, `panel` or `auto`, but no fewer than configured
    #[arg(long, value_name = "DEPTH", requires = "task_id", value_parser = str::parse::<DepthRule>)]
    depth: Option<DepthRule>,
    /// Ask again even if the log has a verdict; the stricter one counts
    #[arg(long, requires = "task_id")]
    fresh: bool,
    #[command(flatten)]
    pub(super) agent: agent::AgentArgs,
}

impl TaskArgs {
    /// Whether a task is to be judged.
    pub(super) fn are_given(&self) -> bool {
        self.task_id.is_some()
    }
}

/// Runs the command for a task.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let request = Request::new(context, args)?;
    let (config, task) = (&request.config, &request.task);
    if args.explain {
        explain::print(config, task, request.wish, request.logs())?;
        return Ok(ExitCode::SUCCESS);
    }
    let judges = request.judges(context)?;
    let stages = Stages::default();
    let on = |event: &_| progress::print(&judges, event, &stages);
    let Some(outcome) = request.outcome(&judges, &stages, on)? else {
        output::to_stderr("stopped; the rounds so far are in the log, and nothing is decided");
        return Ok(ExitCode::from(2));
    };
    let depth = request.note(&outcome);
    // First of all: where the result cannot be printed a person must know of it all the same.
    if let Some(document) = request.escalate(&outcome, None) {
        print_document(&document);
    }
    let mut document = Document::new(config, task, &outcome);
    document.depth_without_effect = depth.map(|depth| depth.asked.name());
    print(&document, args.json, plain::text)?;
    let code = outcome.decision.exit_code();
    match outcome.unlogged {
        Some(error) => Err(Failure::local(error).hint("the result stands above")),
        None => Ok(ExitCode::from(code)),
    }
}
