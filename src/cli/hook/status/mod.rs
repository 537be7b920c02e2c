//! `foureyes hook status`.

mod document;

use self::document::{Document, HooksPath, Key, State, plain};
use super::check::{Log, judges_of_tasks, log};
use super::install::{find, warnings};
use super::{Place as Which, shown};
use crate::cli::output::print;
use crate::cli::{Context, Failure};
use crate::config::{Config, HookProtocol, JudgeConfig, Sources};
use crate::engine::panel::Tier;
use crate::hook::check::State as Checked;
use crate::hook::install::{Found, Place, Scope, Wrapper, is_run};
use crate::hook::switch::{ModeStatus, Place as Switch};
use std::process::ExitCode;

/// Prints what stands there. Exits 0 where the hook is installed and can run, or somebody else's that
/// runs the program; else 1.
pub(super) fn run(context: &Context, which: &Which) -> Result<ExitCode, Failure> {
    let place = find(&which.repo)?;
    let config = config(context)?;
    let found = place.look().map_err(Failure::local)?;
    let document = document(context, &config, &place, found);
    let good = matches!(document.state, State::Installed | State::Called) && document.runs;
    let text = if which.json { crate::text::json::pretty(&document)? } else { plain(&document) };
    print(text)?;
    Ok(ExitCode::from(u8::from(!good)))
}

/// The configuration that holds.
pub(super) fn config(context: &Context) -> Result<Config, Failure> {
    let flag_path = context.global.config.clone();
    let sources = Sources { flag_path, environment: context.environment.clone() };
    Ok(crate::config::load(&sources).map_err(crate::cli::context::config_failure)?.config)
}

fn document(context: &Context, config: &Config, place: &Place, found: Found) -> Document {
    let mut warnings = warnings(place, Some(&found));
    let called = matches!(&found, Found::Foreign { line: Some(_), runs: true, .. });
    let (state, wrapper) = match found {
        Found::Nothing => (State::Absent, None),
        Found::Ours(wrapper) => (State::Installed, wrapper),
        Found::OldJudge => (State::OldJudge, None),
        Found::Foreign { line: Some(_), .. } => (State::Called, None),
        Found::Foreign { .. } => (State::Foreign, None),
    };
    let runs =
        called || wrapper.as_ref().is_some_and(|w| is_run(&w.binary) && is_run(&place.hook()));
    let doubts = doubts(config, state, wrapper.as_ref(), runs);
    warnings.extend(doubts.into_iter().map(str::to_owned));
    let Log { path: log, found } =
        log(config, config.hook.protocol, context.environment.home().as_deref());
    let log_writable = found.state == Checked::Ok;
    if !log_writable {
        warnings.push(format!("verdicts cannot be logged: {}", found.text));
    }
    let script = wrapper.as_ref().and_then(|w| w.mode);
    let switch = Switch::at(context.data.hook());
    let status = ModeStatus::new(&switch, config.hook.mode, script, context.now);
    let (key, keyless) = keys(config);
    warnings.extend(keyless);
    Document {
        schema: "foureyes/hook/1",
        path: shown(&place.hook()),
        state,
        hooks_path: match place.scope {
            Scope::Repository => HooksPath::Default,
            Scope::Setting => HooksPath::Repository,
            Scope::Shared => HooksPath::Shared,
        },
        binary: wrapper.as_ref().map(|w| shown(&w.binary)),
        runs,
        kept: wrapper.as_ref().and_then(|w| w.kept.clone()),
        mode: status.mode.as_str(),
        mode_fixed: status.script.is_some(),
        status,
        within_s: wrapper.as_ref().map(|w| w.within),
        log: log.as_deref().map(shown),
        log_writable,
        key,
        warnings,
    }
}

/// What is wrong with a hook of ours.
fn doubts(
    config: &Config,
    state: State,
    wrapper: Option<&Wrapper>,
    runs: bool,
) -> Vec<&'static str> {
    let mut doubts = Vec::new();
    if state == State::Installed && wrapper.is_none() {
        doubts.push("the script was edited and cannot be read: reinstall it, which keeps a copy");
    }
    if wrapper.is_some() && !runs {
        doubts.push(
            "the program or the script is not executable, so nothing is judged; reinstall it",
        );
    }
    if wrapper.is_some_and(|w| w.within <= config.hook.budget.as_secs()) {
        doubts.push("the script's time limit is shorter than `budget_s`: reinstall it");
    }
    if wrapper.is_some_and(|w| !w.agrees(config.hook.unjudged)) {
        doubts.push("the script says something else than `unjudged` in [hook]: reinstall it");
    }
    doubts
}

/// Where the judges of the hook have their keys from, and which lack theirs.
fn keys(config: &Config) -> (Key, Vec<String>) {
    let judges: Vec<(Option<Tier>, JudgeConfig)> = match config.hook.protocol {
        HookProtocol::Push => vec![(None, config.judge.clone())],
        HookProtocol::Task => {
            judges_of_tasks(config).map(|tier| (Some(tier), config.judge_of(tier).1)).collect()
        }
    };
    let missing = |judge: &JudgeConfig| Key::new(judge) == Key::Missing;
    let warnings = judges.iter().filter(|(_, judge)| missing(judge)).map(|(tier, judge)| {
        let unset = format!("{} is not set in this shell", judge.key_name());
        match tier {
            None => unset + "; without it nothing is judged",
            Some(tier) => format!("{}: {unset}; without it a person decides", tier.name()),
        }
    });
    let first = judges.iter().find(|(_, judge)| missing(judge)).or(judges.first());
    (first.map_or(Key::Missing, |(_, judge)| Key::new(judge)), warnings.collect())
}
