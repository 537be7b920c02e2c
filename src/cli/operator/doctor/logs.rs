//! Whether the log paths of a box can be read.

use super::check::{Check, Part};
use super::reply::Log;
use crate::config::BoxConfig;

/// What this machine finds at log paths.
pub(super) fn local_logs(paths: &[String]) -> Vec<Log> {
    let state = |path: &String| match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => read(std::fs::read_dir(path).map(drop)),
        Ok(meta) if meta.is_file() => read(std::fs::File::open(path).map(drop)),
        Ok(_) => Log::Odd,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Log::Denied,
        Err(_) => Log::Missing,
    };
    paths.iter().map(state).collect()
}

fn read(result: std::io::Result<()>) -> Log {
    if result.is_ok() { Log::Readable } else { Log::Denied }
}

/// A check a path; where none is there at all, one failure.
pub(super) fn logs(config: &BoxConfig, states: &[Log], part: Part) -> Vec<Check> {
    if !states.is_empty() && states.iter().all(|s| *s == Log::Missing) {
        let text = format!("none of its {} log paths exists", states.len());
        let advice = format!("correct `logs` of the box {}", config.name);
        return vec![Check::fail("logs", text, part).advise(advice)];
    }
    config.logs.iter().zip(states).map(|(path, state)| log(path, *state, part)).collect()
}

fn log(path: &str, state: Log, part: Part) -> Check {
    match state {
        Log::Readable => Check::ok("logs", format!("{path} is readable")),
        // Not every box has overrides and task verdicts.
        Log::Missing if BoxConfig::DEFAULT_LOGS.iter().any(|d| path.ends_with(&d[2..])) => {
            Check::ok("logs", format!("{path} does not exist"))
        }
        Log::Missing => Check::warn("logs", format!("{path} does not exist"))
            .advise("correct `logs` of the box"),
        Log::Denied => Check::fail("logs", format!("{path} cannot be read"), part)
            .advise("give the box's user read access"),
        Log::Odd => Check::fail("logs", format!("{path} is neither a file nor a directory"), part)
            .advise("correct `logs` of the box"),
    }
}
