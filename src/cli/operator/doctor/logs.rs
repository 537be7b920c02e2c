//! Whether the log paths of a box can be read.

use super::check::{Check, Part};
use crate::config::BoxConfig;
use crate::source::checkup::PathState;

/// What this machine finds at log paths.
pub(super) fn local_logs(paths: &[String]) -> Vec<PathState> {
    let state = |path: &String| match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => read(std::fs::read_dir(path).map(drop)),
        Ok(meta) if meta.is_file() => read(std::fs::File::open(path).map(drop)),
        Ok(_) => PathState::Odd,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => PathState::Denied,
        Err(_) => PathState::Missing,
    };
    paths.iter().map(state).collect()
}

fn read(result: std::io::Result<()>) -> PathState {
    if result.is_ok() { PathState::Readable } else { PathState::Denied }
}

/// A check a path; where none is there at all, one failure.
pub(super) fn logs(config: &BoxConfig, states: &[PathState], part: Part) -> Vec<Check> {
    if !states.is_empty() && states.iter().all(|s| *s == PathState::Missing) {
        let text = format!("none of its {} log paths exists", states.len());
        let advice = format!("correct `logs` of the box {}", config.name);
        return vec![Check::fail("logs", text, part).advise(advice)];
    }
    config.logs.iter().zip(states).map(|(path, state)| log(path, *state, part)).collect()
}

fn log(path: &str, state: PathState, part: Part) -> Check {
    match state {
        PathState::Readable => Check::ok("logs", format!("{path} is readable")),
        // Not every box has overrides and task verdicts.
        PathState::Missing if BoxConfig::DEFAULT_LOGS.iter().any(|d| path.ends_with(&d[2..])) => {
            Check::ok("logs", format!("{path} does not exist"))
        }
        PathState::Missing => Check::warn("logs", format!("{path} does not exist"))
            .advise("correct `logs` of the box"),
        PathState::Denied => Check::fail("logs", format!("{path} cannot be read"), part)
            .advise("give the box's user read access"),
        PathState::Odd => {
            Check::fail("logs", format!("{path} is neither a file nor a directory"), part)
                .advise("correct `logs` of the box")
        }
    }
}
