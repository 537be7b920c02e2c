//! `foureyes hook status`.

use super::install::{find, warnings};
use super::{Place as Which, shown};
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::config::{Config, Sources};
use crate::hook::check::describe_mode;
use crate::hook::install::{Found, Place, Scope, Wrapper, is_run};
use crate::hook::switch::{ModeStatus, Place as Switch};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// The hook of a repository.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/hook/1`.
    schema: &'static str,
    /// The hook's file.
    path: String,
    /// What stands there.
    state: State,
    /// Whose setting says where hooks are.
    hooks_path: HooksPath,
    /// The program that is run; null where the hook is not ours.
    binary: Option<String>,
    /// Whether hook and program are there and may be run; of somebody else's hook, whether git runs it.
    runs: bool,
    /// Name of the hook beside it that runs first; null where there is none.
    kept: Option<String>,
    /// Mode that holds.
    mode: &'static str,
    /// Whether the script sets the mode.
    mode_fixed: bool,
    /// All that speaks of the mode: switch, script and configuration.
    status: ModeStatus,
    /// Seconds after which the script ends the program; null where the hook is not ours.
    within_s: Option<u64>,
    /// Directory of the log; null where the home is not known.
    log: Option<String>,
    /// Whether a verdict could be logged.
    log_writable: bool,
    /// Where the key for the judge comes from, as this shell sees it.
    key: Key,
    /// What should be known.
    warnings: Vec<String>,
}

/// Where the key for the judge comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Key {
    /// A variable, which is set.
    Variable,
    /// A command, which was not run.
    Command,
    /// None is needed: answers come from a script.
    Script,
    /// Nowhere: nothing would be judged.
    Missing,
}

impl Key {
    fn new(config: &Config) -> Self {
        match &config.judge {
            judge if judge.script.is_some() => Self::Script,
            judge if judge.key_command.is_some() => Self::Command,
            judge if judge.key_variable().is_some() => Self::Variable,
            _ => Self::Missing,
        }
    }
}

/// What stands where the hook belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Nothing.
    Absent,
    /// Our hook.
    Installed,
    /// The hook of the older judge.
    OldJudge,
    /// Somebody else's hook, which runs our program.
    Called,
    /// Somebody else's hook.
    Foreign,
}

/// Whose setting says where hooks are.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum HooksPath {
    /// Nobody's: they are in the repository.
    Default,
    /// The repository's own.
    Repository,
    /// The user's or the machine's.
    Shared,
}

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
    let log = config.hook.log_dir(context.environment.home().as_deref());
    let log_writable = log.as_deref().is_some_and(is_writable);
    if !log_writable {
        warnings.push("verdicts cannot be written to the log directory".to_owned());
    }
    let script = wrapper.as_ref().and_then(|w| w.mode);
    let switch = Switch::at(context.data.hook());
    let status = ModeStatus::new(&switch, config.hook.mode, script, context.now);
    let key = Key::new(config);
    if key == Key::Missing {
        let name = &config.judge.key_env;
        warnings.push(format!("{name} is not set in this shell; without it nothing is judged"));
    }
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
    doubts
}

/// Tells whether a file could be made in a directory, or the directory in the one above it.
fn is_writable(dir: &Path) -> bool {
    match dir.ancestors().find(|d| d.exists()) {
        Some(there) if there.is_dir() => {
            tempfile::Builder::new().prefix(".tmp").tempfile_in(there).is_ok()
        }
        _ => false,
    }
}

fn plain(document: &Document) -> String {
    let what = match document.state {
        State::Absent => "there is no hook",
        State::Installed => "the hook is installed",
        State::OldJudge => "the predecessor's hook is installed",
        State::Called => "another hook is installed, which runs `foureyes hook pre-push`",
        State::Foreign => "another hook is installed",
    };
    // Writing to a string does not fail.
    let mut text = format!("{what}: {}\n", visible(&document.path));
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<8}{}", visible(value));
    };
    if let Some(binary) = &document.binary {
        field("runs", binary);
    }
    if let Some(kept) = &document.kept {
        field("first", kept);
    }
    field("mode", &describe_mode(&document.status));
    field("log", document.log.as_deref().unwrap_or("none: the home directory is unknown"));
    for warning in &document.warnings {
        let _ = writeln!(text, "warning: {}", visible(warning));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-status", &schema);
    }
}
