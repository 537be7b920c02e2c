//! The hook of a repository, as text and as JSON.

use crate::cli::output::visible;
use crate::config::{JudgeConfig, JudgeKind};
use crate::hook::check::describe_mode;
use crate::hook::switch::ModeStatus;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// The hook of a repository.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// `foureyes/hook/1`.
    pub(super) schema: &'static str,
    /// The hook's file.
    pub(super) path: String,
    /// What stands there.
    pub(super) state: State,
    /// Whose setting says where hooks are.
    pub(super) hooks_path: HooksPath,
    /// The program that is run; null where the hook is not ours.
    pub(super) binary: Option<String>,
    /// Whether hook and program are there and may be run; of somebody else's hook, whether git runs it.
    pub(super) runs: bool,
    /// Name of the hook beside it that runs first; null where there is none.
    pub(super) kept: Option<String>,
    /// Mode that holds.
    pub(super) mode: &'static str,
    /// Whether the script sets the mode.
    pub(super) mode_fixed: bool,
    /// All that speaks of the mode: switch, script and configuration.
    pub(super) status: ModeStatus,
    /// Seconds after which the script ends the program; null where the hook is not ours.
    pub(super) within_s: Option<u64>,
    /// The log: a directory for pushes, a file for tasks; null where the home is not known.
    pub(super) log: Option<String>,
    /// Whether a verdict could be logged.
    pub(super) log_writable: bool,
    /// Where the key for the judge comes from, as this shell sees it; of several judges, of one that lacks its key.
    pub(super) key: Key,
    /// What should be known.
    pub(super) warnings: Vec<String>,
}

/// Where the key for the judge comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Key {
    /// A variable, which is set.
    Variable,
    /// A command, which was not run.
    Command,
    /// None is needed: answers come from a script.
    Script,
    /// None is set, and this kind of judge may need none.
    NotNeeded,
    /// Nowhere: nothing would be judged.
    Missing,
}

impl Key {
    pub(super) fn new(judge: &JudgeConfig) -> Self {
        match judge {
            judge if judge.kind() == JudgeKind::Script => Self::Script,
            judge if judge.key_command.is_some() => Self::Command,
            judge if judge.key_variable().is_some() => Self::Variable,
            judge if !judge.needs_key() => Self::NotNeeded,
            _ => Self::Missing,
        }
    }
}

/// What stands where the hook belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
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
pub(super) enum HooksPath {
    /// Nobody's: they are in the repository.
    Default,
    /// The repository's own.
    Repository,
    /// The user's or the machine's.
    Shared,
}

/// It as text.
pub(super) fn plain(document: &Document) -> String {
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
