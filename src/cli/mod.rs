//! One subcommand a file: its arguments, and its few lines of doing.

#[cfg(feature = "console")]
mod audit;
#[cfg(feature = "console")]
mod boxes;
#[cfg(feature = "console")]
mod calibration;
mod clock;
mod completions;
mod config;
#[cfg(feature = "console")]
mod console;
#[cfg(feature = "console")]
mod coverage;
#[cfg(feature = "console")]
mod demo;
#[cfg(feature = "console")]
mod doctor;
mod failure;
mod generate;
mod hook;
mod judge;
#[cfg(feature = "console")]
mod label;
#[cfg(feature = "console")]
mod labels;
#[cfg(feature = "console")]
mod ledger;
#[cfg(feature = "console")]
mod look;
mod man;
mod output;
#[cfg(feature = "console")]
mod overrides;
#[cfg(feature = "console")]
mod plain_console;
#[cfg(feature = "console")]
mod policy;
#[cfg(feature = "console")]
mod pull;
#[cfg(feature = "console")]
mod readiness;
#[cfg(feature = "console")]
mod reading;
#[cfg(feature = "console")]
mod records;
#[cfg(feature = "console")]
mod rejects;
#[cfg(feature = "console")]
mod runbook;
#[cfg(feature = "console")]
mod runs;
#[cfg(feature = "console")]
mod show;
#[cfg(feature = "console")]
mod simulate;
mod text_argument;
#[cfg(feature = "console")]
mod trend;
#[cfg(feature = "console")]
mod triage;
#[cfg(feature = "console")]
mod window;

pub use failure::{Failure, Kind};

use crate::config::{Config, Environment, Sources};
use crate::domain::Timestamp;
use crate::files::paths::DataDir;
use clap::{Parser, Subcommand};
use clock::Clock;
use std::path::PathBuf;
use std::process::ExitCode;

/// Review the verdicts of an LLM judge, and decide with evidence whether it may block pushes.
#[derive(Debug, Parser)]
#[command(name = "foureyes", version, propagate_version = true)]
#[cfg_attr(
    feature = "console",
    command(
        after_help = "Without a command, foureyes opens the console, or runs `triage` if there is no terminal."
    )
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[cfg(feature = "console")]
    #[command(flatten)]
    console: console::Args,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The heading of [`Global`] in the help of every command.
const GLOBAL: &str = "Global options";

/// Flags of every command.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// Configuration file [env: FOUREYES_CONFIG]
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Data directory for mirror, cache, session and ledgers [env: FOUREYES_DATA]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub data_dir: Option<PathBuf>,
    /// Use demo data in a directory of its own: no network, no configuration
    #[cfg(feature = "console")]
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub demo: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "console")]
    Triage(triage::Args),
    #[cfg(feature = "console")]
    Records(records::Args),
    #[cfg(feature = "console")]
    Show(show::Args),
    #[cfg(feature = "console")]
    Trend(trend::Args),
    #[cfg(feature = "console")]
    Rejects(rejects::Args),
    #[cfg(feature = "console")]
    Label(Box<label::Args>),
    #[cfg(feature = "console")]
    Audit(audit::Args),
    #[cfg(feature = "console")]
    Labels(labels::Args),
    #[cfg(feature = "console")]
    Override(Box<overrides::Args>),
    #[cfg(feature = "console")]
    Calibration(calibration::Args),
    #[cfg(feature = "console")]
    Readiness(readiness::Args),
    #[cfg(feature = "console")]
    Policy(policy::Args),
    #[cfg(feature = "console")]
    Window(window::Args),
    #[cfg(feature = "console")]
    Runbook(runbook::Args),
    #[cfg(feature = "console")]
    Ledger(ledger::Args),
    #[cfg(feature = "console")]
    Runs(runs::Args),
    #[cfg(feature = "console")]
    Pull(pull::Args),
    #[cfg(feature = "console")]
    Doctor(doctor::Args),
    #[cfg(feature = "console")]
    Box(boxes::Args),
    Hook(hook::Args),
    Judge(Box<judge::Args>),
    Config(config::Args),
    Generate(generate::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// What every command is given: nothing in it is read from the environment later.
#[derive(Debug)]
pub struct Context {
    /// The flags of every command.
    pub global: Global,
    /// The effective configuration.
    pub config: Config,
    /// Where files of our own are.
    pub data: DataDir,
    /// The environment, as it was at the start.
    pub environment: Environment,
    /// Tells the time.
    pub clock: Clock,
    /// The time at the start of the command.
    pub now: Timestamp,
}

/// Parses the arguments, runs the command and gives its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // A push does not depend on how its hook is called.
            if hook::is_run_by_git(std::env::args_os()) {
                return ExitCode::SUCCESS;
            }
            return ExitCode::from(if error.use_stderr() { 64 } else { 0 });
        }
    };
    if let Some(Command::Hook(args)) = &cli.command
        && let Some((side, args)) = args.run_by_git()
    {
        return hook::judge_push(&cli.global, side, args);
    }
    match dispatch(cli) {
        Ok(code) => code,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.code())
        }
    }
}

/// Ends the process where a panic is that of a pool for which the system starts no thread: it says
/// so, and what is made of the pool would be waited for without end. A push goes on all the same.
pub fn end_without_thread(panic: &str) {
    // What rayon, tokio and the standard library have in common: the words of EAGAIN.
    if !panic.contains("Resource temporarily unavailable")
        || hook::is_run_by_git(std::env::args_os())
    {
        return;
    }
    let failure = Failure::local("failed to start a thread: the system allows no more of them")
        .hint("end other programs, or raise the limit (`ulimit -u`)");
    report(&failure);
    std::process::exit(failure.code().into());
}

fn dispatch(cli: Cli) -> Result<ExitCode, Failure> {
    let environment = Environment::of_process();
    let data = crate::config::data_dir(cli.global.data_dir.as_deref(), &environment);
    let mut context = Context {
        config: Config::default(),
        data: data.map_err(config::failure)?,
        clock: Clock::default(),
        now: Clock::default().now(),
        environment: environment.clone(),
        global: cli.global,
    };
    #[cfg(feature = "console")]
    if cli.command.is_some() && cli.console != console::Args::default() {
        return Err(Failure::usage("a console option was given with a command")
            .hint("a command's options follow its name: `foureyes triage --days 3`"));
    }
    // These say what is wrong with a configuration, or need none.
    match &cli.command {
        Some(Command::Config(args)) => {
            #[cfg(feature = "console")]
            if context.global.demo {
                args.allow_demo()?;
                demo::enter(&mut context)?;
            }
            return config::run(&context, args);
        }
        #[cfg(feature = "console")]
        Some(Command::Hook(args)) if args.is_far() => {}
        Some(Command::Hook(args)) => return hook::run(&context, args),
        Some(Command::Generate(args)) => return generate::run(&context, args),
        Some(Command::Completions(args)) => return completions::run(&context, args),
        Some(Command::Man(args)) => return man::run(&context, args),
        #[cfg(feature = "console")]
        Some(Command::Doctor(args)) => {
            if context.global.demo {
                demo::enter(&mut context)?;
            }
            return doctor::run(&context, args);
        }
        _ => {}
    }
    #[cfg(feature = "console")]
    if context.global.demo {
        demo::enter(&mut context)?;
    }
    load_config(&mut context, environment)?;
    #[cfg(feature = "console")]
    if context.global.demo {
        demo::introduce(&mut context);
    }
    if let Some(Command::Judge(args)) = &cli.command {
        return judge::run(&context, args);
    }
    #[cfg(feature = "console")]
    if cli.command.is_none() {
        return console::run(&context, &cli.console);
    }
    run(&context, cli.command)
}

/// Takes the configuration that holds; doubts about it go to stderr.
fn load_config(context: &mut Context, environment: Environment) -> Result<(), Failure> {
    let sources = Sources { flag_path: context.global.config.clone(), environment };
    let loaded = crate::config::load(&sources).map_err(config::failure)?;
    for warning in &loaded.warnings {
        output::to_stderr(&format!("warning: {}", output::visible(&warning.to_string())));
    }
    context.config = loaded.config;
    Ok(())
}

#[cfg(feature = "console")]
fn run(context: &Context, command: Option<Command>) -> Result<ExitCode, Failure> {
    match command {
        Some(Command::Triage(args)) => triage::run(context, &args),
        Some(Command::Records(args)) => records::run(context, &args),
        Some(Command::Show(args)) => show::run(context, &args),
        Some(Command::Trend(args)) => trend::run(context, &args),
        Some(Command::Rejects(args)) => rejects::run(context, &args),
        Some(Command::Label(args)) => label::run(context, &args),
        Some(Command::Audit(args)) => audit::run(context, &args),
        Some(Command::Labels(args)) => labels::run(context, &args),
        Some(Command::Override(args)) => overrides::run(context, &args),
        Some(Command::Calibration(args)) => calibration::run(context, &args),
        Some(Command::Readiness(args)) => readiness::run(context, &args),
        Some(Command::Policy(args)) => policy::run(context, &args),
        Some(Command::Window(args)) => window::run(context, &args),
        Some(Command::Runbook(args)) => runbook::run(context, &args),
        Some(Command::Ledger(args)) => ledger::run(context, &args),
        Some(Command::Runs(args)) => runs::run(context, &args),
        Some(Command::Pull(args)) => pull::run(context, &args),
        Some(Command::Box(args)) => boxes::run(context, &args),
        Some(Command::Hook(args)) => hook::run(context, &args),
        None
        | Some(
            Command::Doctor(_)
            | Command::Judge(_)
            | Command::Config(_)
            | Command::Generate(_)
            | Command::Completions(_)
            | Command::Man(_),
        ) => Ok(ExitCode::SUCCESS),
    }
}

#[cfg(not(feature = "console"))]
fn run(_context: &Context, _command: Option<Command>) -> Result<ExitCode, Failure> {
    Err(Failure::usage("this build has no console; it only judges")
        .hint("`cargo install foureyes` builds the full program"))
}

fn report(failure: &Failure) {
    for line in failure.error.to_string().lines() {
        output::to_stderr(&format!("error: {}", output::visible(line)));
    }
    let mut next = failure.error.source();
    while let Some(cause) = next {
        output::to_stderr(&format!("  because: {}", output::visible(&cause.to_string())));
        next = cause.source();
    }
    for hint in &failure.hints {
        output::to_stderr(&format!("  hint: {}", output::visible(hint)));
    }
}
