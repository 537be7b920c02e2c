//! The judges of tasks: what `hook check` finds of them.

use super::check::{Check, Part};
use crate::cli::hook::check::tasks;
use crate::config::Config;
use crate::hook::check::{Finding, State, TASK};
use std::path::Path;

/// Checks `[judges]` and `[task]`; nothing, where the configuration has neither and its hook judges pushes.
pub(super) fn checks(config: &Config, home: Option<&Path>) -> Vec<Check> {
    tasks(config, home).checks.into_iter().map(check).collect()
}

pub(super) fn check(finding: Finding) -> Check {
    let part = part(&finding.name);
    let Finding { name, state, text, hint } = finding;
    let check = match state {
        State::Ok => Check::ok(name, text),
        State::Warn => Check::warn(name, text),
        State::Fail => Check::fail(name, text, part),
    };
    match hint {
        Some(hint) => check.advise(hint),
        None => check,
    }
}

/// What a failure of this name is about.
fn part(name: &str) -> Part {
    match name.strip_prefix(TASK).unwrap_or(name) {
        "endpoint" | "model" | "call word" => Part::Remote,
        "log" | "disk" => Part::Local,
        _ => Part::Configuration,
    }
}
