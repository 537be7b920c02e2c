//! `foureyes hook pre-push` and `hook pre-receive`: what git runs. They exit 0 or 1, whatever happens.

mod loaded;
mod refusal;
mod settings;

pub(super) use loaded::load;

use self::refusal::Refusal;
use super::message;
use crate::cli::Global;
use crate::cli::watchdog::Watchdog;
use crate::config::{self, Environment, HookMode, HookProtocol};
use crate::hook::{self, NoJudge, Note, Outcome, Side};
use std::ffi::OsString;
use std::io::{self, Read, Write};
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
    /// What becomes of a push that could not be judged, as set by the script of `pre-receive`: `stop`
    #[arg(long, value_name = "WORD", hide = true, value_parser = ["stop"])]
    unjudged: Option<String>,
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
    let refusal = Refusal::new(side, args);
    let dog = refusal.watchdog(start + longest);
    match refusal.guarded(|| judged(global, (side, args), (start, longest), &refusal, &dog)) {
        Outcome::Passes => ExitCode::SUCCESS,
        Outcome::Blocked => blocked(args.word.as_deref()),
    }
}

/// Says what stops the push, to whoever gave a word for it.
fn blocked(word: Option<&str>) -> ExitCode {
    if let Some(word) = word {
        let mut out = io::stdout();
        // Where it cannot be said, it stops nothing.
        let _ = writeln!(out, "blocked {word}").and_then(|()| out.flush());
    }
    ExitCode::from(1)
}

fn judged(
    global: &Global,
    (side, args): (Side, &Args),
    (start, longest): (Instant, Duration),
    refusal: &Refusal,
    dog: &Watchdog,
) -> Outcome {
    let environment = environment(global, side);
    let loaded = load(global, &environment);
    refusal.configure(side, loaded.config.hook.unjudged);
    let budget = loaded.config.hook.budget.min(longest);
    let until = start + budget;
    dog.set(until + AFTER);
    let mut input = Vec::new();
    if let Err(error) = io::stdin().lock().take(MOST_INPUT).read_to_end(&mut input) {
        message::line(&format!("failed to read the refs from git ({error})"));
        return refusal.of_unseen();
    }
    // What is damaged is no leave to pass.
    let is_unsure = loaded.problem.is_some() && args.unjudged.is_some();
    let configured = if is_unsure { HookMode::Blocking } else { loaded.config.hook.mode };
    let mode = super::mode::in_force(global, &environment, configured, args.mode);
    refusal.in_mode(mode);
    let settings = settings::of_push((side, args), &loaded, &environment, mode, (until, budget));
    let settings = hook::Settings { unjudged_stops: refusal.is_on(), ..settings };
    let hook = &loaded.config.hook;
    let wording = message::Wording::new(side, hook, settings.unjudged_stops);
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
        let then = if settings.unjudged_stops { "" } else { ", so the push continues" };
        message::line(&format!("the configuration is not usable{then}: {problem}"));
    }
    outcome
}

/// The variables that count on a side of a push.
fn environment(global: &Global, side: Side) -> Environment {
    match side {
        Side::Sender => Environment::of_process(),
        Side::Receiver => {
            let all = Environment::of_process();
            if global.config.is_none() && all.get("FOUREYES_CONFIG").is_some() {
                // The script of an older version fixes none.
                message::line(
                    "FOUREYES_CONFIG has no effect where a push arrives: run `foureyes hook install` there again",
                );
            }
            Environment::of_receiver()
        }
    }
}
