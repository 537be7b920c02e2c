//! `foureyes memories hook`: what a coding agent runs before a prompt. It exits 0, whatever happens.

use super::Place;
use crate::cli::watchdog::Watchdog;
use crate::cli::{Clock, Global, output};
use crate::config::{self, Config, Environment, Sources};
use crate::picks::{HookInput, HookSetup, PickLog, answer};
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long it may take, with what is done last.
const WITHIN: Duration = Duration::from_millis(9_700);
/// How long the lock of the log is waited for.
const LOCK: Duration = Duration::from_secs(1);

/// Print memories for a coding agent's prompt; run by the agent, which passes JSON on standard input
///
/// Exits with 0, and prints nothing if something fails: the reason is in the log.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(in crate::cli) fn run(global: &Global, clock: Clock, args: &Args) -> ExitCode {
    let start = Instant::now();
    // Until it is known where to log: a home may hang too.
    let first = Watchdog::start(start + WITHIN, || {});
    let environment = Environment::of_process();
    let (config, problem) = load(global, &environment);
    let setup = setup(global, args, &environment, config);
    let last = setup.clone();
    drop(first);
    let _dog = Watchdog::start(start + WITHIN, move || {
        last.log_failure(clock.now(), "the time limit was reached", Instant::now() + LOCK);
    });
    let work = || {
        let mut input = Vec::new();
        let read = io::stdin().lock().take(HookInput::MOST_BYTES + 1).read_to_end(&mut input);
        let input = read.map(|_| input).map_err(|_| "failed to read the input of the hook");
        let now = clock.now();
        let block = answer(&setup, input, problem.as_deref(), now, start + WITHIN);
        // Who went away needs nothing.
        let _ = output::print(block);
    };
    if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
        setup.log_failure(clock.now(), "this is a bug", Instant::now() + LOCK);
    }
    ExitCode::SUCCESS
}

/// The configuration, or what is right of one that is wrong, and what is wrong with it.
fn load(global: &Global, environment: &Environment) -> (Config, Option<String>) {
    let flag_path = global.config.clone();
    let sources = Sources { flag_path, environment: environment.clone() };
    match config::load(&sources) {
        Ok(loaded) => (loaded.config, None),
        Err(error) => (config::salvage(&sources).config, Some(crate::domain::chain(&error))),
    }
}

fn setup(global: &Global, args: &Args, environment: &Environment, config: Config) -> HookSetup {
    let home = environment.home();
    let data = config::data_dir(global.data_dir.as_deref(), environment).ok();
    HookSetup {
        directory: args.place.path(&config, home.as_deref()),
        log: config.memories.log_dir(home.as_deref()).map(PickLog::at),
        cache: data.as_ref().map(|data| data.cache().to_owned()),
        refused: data.as_ref().map(|data| data.refused()),
        home,
        config,
    }
}
