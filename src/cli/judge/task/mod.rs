//! `foureyes judge --task-id`: the end of a task.

mod document;
mod explain;
mod input;
mod plain;
mod progress;

use super::Args;
use super::stages::Stages;
use crate::cli::{Context, Failure, output};
use crate::config::{Config, DepthRule};
use crate::domain::{Timestamp, chain};
use crate::engine::panel::Tier;
use crate::escalation::{self, Notice, Page};
use crate::judging::task::{Judges, Task};
use crate::task::{self, Logs, Outcome, Unusable, Wish};
use crate::verdict_log;
use std::process::ExitCode;

/// What only a task has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for a task")]
pub(super) struct TaskArgs {
    /// Judge the files as the result of this task
    #[arg(short, long, value_name = "ID", requires = "description", conflicts_with_all = ["each", "model", "prompt"])]
    task_id: Option<String>,
    /// What the task was; `@FILE` reads a file
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
}

impl TaskArgs {
    /// Whether a task is to be judged.
    pub(super) fn are_given(&self) -> bool {
        self.task_id.is_some()
    }
}

/// Runs the command for a task.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let until = tokio::time::Instant::now() + context.config.task.budget;
    let config = input::config(context, args)?;
    let (log, configured) = input::logs(context, args, &config)?;
    let task = input::task(args)?;
    let task = input::with_risk(context, &config, task, configured.as_ref().unwrap_or(&log));
    let wish = Wish { depth: args.task.depth, fresh: args.task.fresh, until: Some(until) };
    let logs = Logs { written: &log, configured: configured.as_deref() };
    if args.explain {
        explain::print(&config, &task, wish, logs)?;
        return Ok(ExitCode::SUCCESS);
    }
    input::warn_of_keys(&config);
    let refused = context.data.refused();
    let judges = task::judges(&config, Some(&refused), until).map_err(unusable)?;
    let outcome = asked(&config, &judges, &task, wish, logs)?;
    let Some(outcome) = outcome else {
        output::to_stderr("stopped; the rounds so far are in the log, and nothing is decided");
        return Ok(ExitCode::from(2));
    };
    if outcome.unlocked {
        output::to_stderr(
            "the log's directory has no usable locks, so judges are asked in each simultaneous run of the same content",
        );
    }
    outcome.unkept.iter().for_each(|error| output::to_stderr(&output::visible(&chain(error))));
    // First of all: where the result cannot be printed a person must know of it all the same.
    escalate(&config, &task, &outcome);
    let document = document::Document::new(&config, &task, &outcome);
    match args.json {
        true => document.print_json()?,
        false => document.print()?,
    }
    let code = outcome.decision.exit_code();
    match outcome.unlogged {
        Some(error) => Err(Failure::local(error).hint("the result stands above")),
        None => Ok(ExitCode::from(code)),
    }
}

/// Asks the judges, with a line on stderr for each step; `None` where ctrl-c ended it.
fn asked(
    config: &Config,
    judges: &Judges,
    task: &Task,
    wish: Wish,
    logs: Logs<'_>,
) -> Result<Option<Outcome>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        let stages = Stages::default();
        let on = |event: &_| progress::print(judges, event, &stages);
        let decided = stages.shown(task::decide(config, judges, task, wish, logs, now, on));
        tokio::select! {
            outcome = decided => outcome.map(Some),
            Ok(()) = tokio::signal::ctrl_c() => Ok(None),
        }
    });
    runtime.shutdown_background();
    outcome.map_err(unread)
}

fn unread(error: verdict_log::Error) -> Failure {
    Failure::local(error)
        .hint("the log may hold a verdict on this task: correct `log` of the section [task]")
}

/// Sends what a person needs who must decide, on the ways that are configured. Without an issue it is
/// printed on stderr.
fn escalate(config: &Config, task: &Task, outcome: &Outcome) {
    let Some(document) = escalation::Document::of(&config.task, task, outcome) else { return };
    let mut has_issue = false;
    escalation::send(&config.task, &document, None, |notice| {
        has_issue |= matches!(notice, Notice::Issue(_));
        output::to_stderr(&output::visible(&notice.sentence()));
    });
    if !has_issue {
        let Page { title, body } = &document.printed;
        output::to_stderr(&format!("\n{title}\n\n{body}"));
    }
}

fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

fn unusable((tier, error): (Tier, Unusable)) -> Failure {
    let hint = format!("correct [judges.{}] or [judge] in the configuration", tier.name());
    match error {
        Unusable::Judge(error) => super::failure(error).hint(hint),
        Unusable::Key(error) => Failure::usage(error).hint(hint),
    }
}
