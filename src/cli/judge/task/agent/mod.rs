//! `foureyes judge --hook`: what an agent runs when it wants to end. It exits with 0 or 2, whatever happens.

mod event;
mod reply;

use super::document::Document;
use super::request::{Request, print_document};
use crate::cli::judge::Args;
use crate::cli::judge::stages::Stages;
use crate::cli::watchdog::Watchdog;
use crate::cli::{Context, Failure, Global, output};
use crate::config::Config;
use crate::domain::chain;
use crate::engine::verdict::TaskVerdict;
use crate::task::Outcome;
use reply::Reply;
use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The option that makes a hook of the command.
const HOOK: &str = "--hook";
/// Seconds that are kept for what follows the judges: an issue and a message for a person.
const AFTER_JUDGES: Duration = Duration::from_secs(30);

/// An agent that runs a command before it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli::judge) enum Agent {
    /// Its hooks `Stop`, `SubagentStop` and `TaskCompleted`
    ClaudeCode,
}

/// What only the hook of an agent has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for the hook of an agent")]
pub(in crate::cli::judge) struct AgentArgs {
    /// Run as the hook of this agent, which passes JSON on standard input
    #[arg(long, value_name = "AGENT", requires = "task_id", conflicts_with_all = ["explain", "json"])]
    hook: Option<Agent>,
    /// Let the agent end after this many seconds, even without a verdict; its own limit must be longer
    #[arg(long, value_name = "SECONDS", requires = "hook", default_value_t = 210,
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    within: u64,
}

/// Whether these are arguments of the hook of an agent.
pub(in crate::cli) fn is_given(args: &Args) -> bool {
    args.task.agent.hook.is_some()
}

/// Tells whether arguments that were not parsed yet, or could not be, are meant for the hook of an agent.
pub(in crate::cli) fn is_run_by_agent(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let is_hook = |word: &OsString| {
        let word = word.as_encoded_bytes();
        let rest = word.strip_prefix(HOOK.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
    };
    let arguments: Vec<_> = arguments.into_iter().skip(1).take_while(|word| word != "--").collect();
    arguments.iter().any(|word| word == "judge") && arguments.iter().any(is_hook)
}

/// Lets an agent end whose hook is called wrongly.
pub(in crate::cli) fn refuse() -> ExitCode {
    Reply::unjudged("the command of the hook is wrong").print()
}

/// Runs the command.
pub(in crate::cli) fn answer(global: &Global, args: &Args) -> ExitCode {
    let within = Duration::from_secs(args.task.agent.within);
    let until = Instant::now() + within;
    let _dog = Watchdog::start(until, || {
        Reply::unjudged("the time limit was reached").print();
    });
    let work = || judged(global, args, within, until);
    let reply = match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(reply)) => reply,
        Ok(Err(failure)) => {
            output::report(&failure, global.command_line());
            Reply::unjudged(&chain(&*failure.error))
        }
        Err(_) => Reply::unjudged("this is a bug"),
    };
    reply.print()
}

fn judged(
    global: &Global,
    args: &Args,
    within: Duration,
    until: Instant,
) -> Result<Reply, Failure> {
    if let Some(other) = event::other_than_an_end() {
        return Ok(Reply::unjudged(&format!(
            "this hook is for the event Stop, and not for {other}"
        )));
    }
    let mut context = Context::new(global.clone())?;
    context.prepare()?;
    let most = within.saturating_sub(AFTER_JUDGES).max(within / 2);
    context.config.task.budget = context.config.task.budget.min(most);
    let request = Request::new(&context, args)?;
    let judges = request.judges(&context)?;
    let Some(outcome) = request.outcome(&judges, &Stages::default(), |_| {})? else {
        return Ok(Reply::unjudged("it was interrupted"));
    };
    request.note(&outcome);
    let verdict = last_verdict(&request.config, &outcome);
    let document = Document::new(&request.config, &request.task, &outcome);
    let reply = Reply::new(&document, verdict, &outcome);
    // While the agent goes on, no person has anything to decide.
    if reply.ends()
        && let Some(document) = request.escalate(&outcome, Some(until))
    {
        print_document(&document);
    }
    Ok(reply)
}

/// The last verdict that a judge gave now.
fn last_verdict(config: &Config, outcome: &Outcome) -> Option<TaskVerdict> {
    let mut rounds = outcome.run.iter().flat_map(|run| &run.rounds);
    let record = &rounds.rfind(|round| round.tier.is_some())?.record;
    config.task.vocabulary.kind().verdict(&record.verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hook_of_an_agent_is_known_whether_its_arguments_are_right_or_not() {
        for (line, is_one) in [
            ("judge --hook claude-code -t x -d y a.md", true),
            ("--config c judge --hook=nobody", true),
            ("judge a.md --hook", true),
            ("judge --hooked a.md", false),
            ("judge -t x -d y -- --hook", false),
            ("hook install", false),
            ("triage --hook", false),
        ] {
            let words = std::iter::once("foureyes").chain(line.split(' ')).map(OsString::from);
            assert_eq!(is_run_by_agent(words), is_one, "{line}");
        }
    }
}
