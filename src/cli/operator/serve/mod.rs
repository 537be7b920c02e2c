//! `foureyes serve`.

mod key;
mod token;

use super::signals::runtime;
use crate::cli::{Context, Failure, output};
use crate::config::Config;
use crate::domain::chain;
use crate::service::{Error, Note, Setup, serve};
use std::path::PathBuf;
use std::process::ExitCode;

/// Judge for clients over HTTP, with one key, one queue and one log
///
/// SIGTERM and ctrl-c end it once what is judged has ended. SIGHUP reads configuration, certificate
/// and signing key again. docs/service.md has the setup.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Token(token::Args),
    Key(key::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(Command::Token(args)) => token::run(context, args),
        Some(Command::Key(args)) => key::run(context, args),
        None => start(context),
    }
}

fn start(context: &Context) -> Result<ExitCode, Failure> {
    if context.global.demo {
        return Err(Failure::usage("the demo makes no network connections")
            .hint("`script` in [judge] names a file of answers to serve for a trial"));
    }
    let runtime = runtime()?;
    let home = context.environment.home();
    let refused = context.data.refused();
    let setup = async |config: &Config| Setup::new(config, home.as_deref(), Some(&refused)).await;
    let reload = async || {
        let loaded = crate::config::load(&context.sources()).map_err(|error| chain(&error))?;
        setup(&loaded.config).await.map_err(|error| chain(&error))
    };
    let served = runtime.block_on(async {
        let first = setup(&context.config).await?;
        serve(first, reload, |note| output::to_stderr(&output::visible(&sentence(&note)))).await
    });
    // What was cut off is not waited for.
    runtime.shutdown_background();
    served.map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}

fn sentence(note: &Note) -> String {
    match note {
        Note::Listening { address, tls, key } => {
            let scheme = if *tls { "https" } else { "http" };
            format!("listening on {scheme}://{address}; public key {key}")
        }
        Note::NoTasks(why) => format!("warning: tasks are not judged: {why}"),
        Note::NoMemories(why) => format!("warning: memories are not judged: {why}"),
        Note::Damaged { torn, broken } => format!(
            "warning: the log has {torn} incomplete or unreadable lines and {broken} breaks of its chain"
        ),
        Note::Unlogged(calls) => format!(
            "warning: calls of the judge without a line in the log: {calls}; the service was killed, or lines were removed"
        ),
        Note::Reloaded => "configuration reloaded".to_owned(),
        Note::NotReloaded(why) => {
            format!("warning: failed to reload the configuration, the earlier one stays: {why}")
        }
        Note::Ending { running, waiting } => {
            format!("shutting down: {running} running, {waiting} waiting and sent away")
        }
        Note::CutOff => "warning: running judgements did not end in time".to_owned(),
    }
}

fn failure(error: Error) -> Failure {
    let hint = match &error {
        Error::SigningKey { source, .. } | Error::Certificate { source, .. }
            if source.kind() == std::io::ErrorKind::PermissionDenied =>
        {
            "only the user of the service may read a private key: `chmod 600`"
        }
        Error::SigningKey { .. } => "`foureyes serve key` makes the signing key",
        Error::Plain { .. } => "set `certificate` and `certificate_key` in [serve]",
        Error::Listen { .. } => "change `address` in [serve], or end what uses it",
        Error::Log { .. } | Error::Append { .. } => "check `log` in [serve] and its permissions",
        Error::Key(_) | Error::NoKey(_) => "correct `key_env` or `key_command` in [judge]",
        _ => "correct [serve] and [judge]; docs/service.md describes both",
    };
    match error {
        Error::Log { .. } | Error::Append { .. } | Error::Listen { .. } | Error::Start(_) => {
            Failure::local(error).hint(hint)
        }
        _ => Failure::usage(error).hint(hint),
    }
}

/// A path of `[serve]`, where the home is known.
fn path(path: Option<PathBuf>) -> Result<PathBuf, Failure> {
    path.ok_or_else(|| Failure::usage("the home directory is not known").hint("set HOME"))
}
