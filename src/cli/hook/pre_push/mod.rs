//! `foureyes hook pre-push` and `hook pre-receive`: what git runs. They exit 0 or 1, whatever happens.

mod loaded;
mod settings;

pub(super) use loaded::load;

use super::message;
use crate::cli::Global;
use crate::cli::watchdog::Watchdog;
use crate::config::{self, Environment, HookMode, HookProtocol};
use crate::hook::{self, NoJudge, Note, Outcome, Side};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Most bytes that are read of what git says of the refs.
const MOST_INPUT: u64 = 64 << 20;
/// Seconds that it ends before the script around it would end it.
const MARGIN: u64 = 5;
/// How much later than all else the watchdog acts: what has a bound of its own ends by itself first,
/// and ends what it started.
const AFTER: Duration = Duration::from_millis(200);
/// The longest time that can be configured.
const LONGEST: Duration = Duration::from_secs(600);

/// Judge the commits of a push; run by git, which passes the refs on standard input
///
/// Exits with 1 to stop the push, and with 0 otherwise.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A word to give back, on standard output, where the push is to be stopped
    #[arg(long, value_name = "WORD", hide = true)]
    word: Option<String>,
    /// Seconds until whoever started it ends it
    #[arg(long, value_name = "SECONDS", hide = true)]
    within: Option<u64>,
    /// Mode set by the hook script: `advisory` or `blocking`
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<HookMode>,
    /// Name and URL of the remote, as passed by git
    #[arg(value_name = "REMOTE", num_args = 0..)]
    remote: Vec<OsString>,
}

/// Reads a mode.
pub(super) fn mode(word: &str) -> Result<HookMode, String> {
    HookMode::from_word(word).ok_or_else(|| "it is `advisory` or `blocking`".to_owned())
}

/// Runs the command.
pub(in crate::cli) fn run(global: &Global, side: Side, args: &Args) -> ExitCode {
    let start = Instant::now();
    let outer = args.within.map(|s| Duration::from_secs(s.saturating_sub(MARGIN).max(1)));
    let longest = outer.unwrap_or(LONGEST).min(LONGEST);
    let dog = Watchdog::start(start + longest, out_of_time);
    match guarded(|| judged(global, (side, args), start, longest, &dog)) {
        Outcome::Passes => ExitCode::SUCCESS,
        Outcome::Blocked => blocked(args),
    }
}

/// What is said where the time is up.
fn out_of_time() {
    let text = "foureyes: time limit reached; the rest is not judged, and the push continues";
    // Whoever reads it may be gone.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Lets the push go on where a bug ends the work.
fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        message::line("this is a bug; nothing more is judged, and the push continues");
        Outcome::Passes
    })
}

/// Says what stops the push, to whoever gave a word for it.
fn blocked(args: &Args) -> ExitCode {
    if let Some(word) = &args.word {
        let mut out = io::stdout();
        // Where it cannot be said, it stops nothing.
        let _ = writeln!(out, "blocked {word}").and_then(|()| out.flush());
    }
    ExitCode::from(1)
}

fn judged(
    global: &Global,
    (side, args): (Side, &Args),
    start: Instant,
    longest: Duration,
    dog: &Watchdog,
) -> Outcome {
    let environment = Environment::of_process();
    let loaded = load(global, &environment);
    let budget = loaded.config.hook.budget.min(longest);
    let until = start + budget;
    dog.set(until + AFTER);
    let mut input = Vec::new();
    if let Err(error) = io::stdin().lock().take(MOST_INPUT).read_to_end(&mut input) {
        message::line(&format!("failed to read the refs from git ({error})"));
        return Outcome::Passes;
    }
    let mode = super::mode::in_force(global, &environment, loaded.config.hook.mode, args.mode);
    let settings = settings::of_push((side, args), &loaded, &environment, mode, (until, budget));
    let hook = &loaded.config.hook;
    let wording = message::Wording { side, skip: hook.allows("skip"), protocol: hook.protocol };
    let judge = || match &loaded.problem {
        Some(problem) => Err(NoJudge::Unusable(problem.clone())),
        None => {
            let data = config::data_dir(global.data_dir.as_deref(), &environment);
            super::judge::find(&loaded.config, data.ok().as_ref(), settings.asked_until)
        }
    };
    let mut is_reported = false;
    let mut notify = |note| {
        is_reported |= matches!(note, Note::Unusable(..) | Note::Bypassed(_));
        message::note(&note, wording);
    };
    let tasks = || match &loaded.problem {
        Some(problem) => Err(NoJudge::Unusable(problem.clone())),
        None => super::judge::of_tasks(&loaded.config, settings.asked_until),
    };
    let outcome = match loaded.config.hook.protocol {
        HookProtocol::Push => hook::run(&input, &settings, judge, tasks, &mut notify),
        HookProtocol::Task => hook::run_tasks(&input, &settings, tasks, &mut notify),
    };
    if let Some(problem) = loaded.problem.filter(|_| !is_reported && hook::pushes(&input, side)) {
        // What is configured may be what would have found something to judge.
        message::line(&format!(
            "the configuration is not usable, so the push continues: {problem}"
        ));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_lets_the_push_go_on() {
        assert_eq!(guarded(|| Outcome::Blocked), Outcome::Blocked);
        assert_eq!(guarded(|| panic!("a bug")), Outcome::Passes);
    }
}
