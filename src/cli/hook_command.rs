//! What git or an agent runs before each push or prompt, parsed without all other commands.

use super::{Global, hook, judge, memories};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// The commands of which git or an agent runs a part before each push or prompt.
#[derive(Debug, Subcommand)]
pub(super) enum HookCommand {
    Hook(hook::Args),
    Memories(memories::Args),
}

/// [`super::Cli`] for those alone, since building the parser of all commands takes longer than parsing one. What this
/// refuses is left to that, which also says what is wrong.
#[derive(Debug, Parser)]
struct HookCli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: HookCommand,
}

impl HookCommand {
    /// The command of these arguments, where it is one of those alone.
    pub(super) fn alone(arguments: &[OsString]) -> Option<(Global, Self)> {
        if !is_hook() {
            return None;
        }
        let HookCli { global, command } = HookCli::try_parse_from(arguments).ok()?;
        Some((global, command))
    }

    /// Does what git or an agent runs it for, which has an exit code of its own; `None` where a person runs it for
    /// something else.
    pub(super) fn answer(&self, global: &Global) -> Option<ExitCode> {
        match self {
            Self::Hook(args) => {
                let (side, args) = args.run_by_git()?;
                Some(hook::judge_push(global, side, args))
            }
            Self::Memories(memories::Args { command: memories::Command::Hook(args) }) => {
                Some(memories::answer_prompt(global, args))
            }
            Self::Memories(_) => None,
        }
    }
}

/// Whether git or an agent runs this as its hook.
pub(super) fn is_hook() -> bool {
    let arguments = std::env::args_os;
    hook::is_run_by_git(arguments())
        || memories::is_run_by_agent(arguments())
        || judge::agent::is_run_by_agent(arguments())
}

/// Prints help, or what is wrong with the arguments, and gives the exit code. Where git or an agent calls its hook,
/// neither a push nor a prompt nor the end of the agent's work depends on how it is called.
pub(super) fn refused(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() && judge::agent::is_run_by_agent(std::env::args_os()) {
        return judge::agent::refuse();
    }
    ExitCode::from(if error.use_stderr() && !is_hook() { 64 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, Command, operator};
    use super::*;

    #[test]
    fn hooks_are_parsed_as_all_commands_are() {
        for (line, is_taken) in [
            ("hook pre-push -- origin url", true),
            ("hook pre-push origin url --data-dir d", true),
            ("--config c hook pre-receive", true),
            ("memories hook", true),
            ("--data-dir d memories hook", true),
            ("--days 3 hook pre-push origin url", false),
            ("hook pre-push --no-such", false),
            ("hook", false),
            ("triage", false),
        ] {
            let arguments = || std::iter::once("foureyes").chain(line.split(' '));
            let hook = HookCli::try_parse_from(arguments()).ok();
            assert_eq!(hook.is_some(), is_taken, "{line}");
            let Some(hook) = hook else { continue };
            let all = Cli::try_parse_from(arguments()).unwrap();
            assert_eq!(all.console, operator::Args::default(), "{line}");
            assert_eq!(format!("{:?}", all.global), format!("{:?}", hook.global), "{line}");
            let command = Command::Hook(hook.command);
            assert_eq!(format!("{:?}", all.command), format!("{:?}", Some(command)), "{line}");
        }
    }
}
