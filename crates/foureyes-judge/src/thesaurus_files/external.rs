//! Terms found by terraphim-cli, where it is wanted.

use crate::config::JudgeConfig;
use crate::process_group;
use serde::Deserialize;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// Variables that the program gets: where programs and its settings are. No key is among them.
const PASSED: [&str; 7] = ["PATH", "HOME", "USER", "TMPDIR", "LANG", "LC_*", "XDG_*"];
/// Time that it has.
const LIMIT: Duration = Duration::from_secs(10);
/// Most bytes of a text that it is given: what systems take as one argument.
const MAX_TEXT: usize = 100 << 10;
/// Most bytes that are taken of what it prints.
const MAX_OUTPUT: u64 = 4 << 20;

/// Why the program gave no terms.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// It was not asked.
    #[error("a text of more than {MAX_TEXT} bytes, or with a NUL, is not passed to a program")]
    Text,
    /// It could not be run to its end.
    #[error("failed to run it")]
    Run(#[source] process_group::Error),
    /// It ended with a failure.
    #[error("it ended with {0}")]
    Failed(ExitStatus),
    /// It printed something else.
    #[error("failed to read what it printed")]
    Answer(#[source] serde_json::Error),
}

/// A term that the program found. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExternalMatch {
    /// The term.
    pub term: String,
    /// What it is a synonym of.
    pub normalized: String,
    /// First and last byte, the last exclusive, as the program counts.
    #[serde(default)]
    pub position: Option<(usize, usize)>,
}

#[derive(Deserialize)]
struct Answer {
    matches: Vec<ExternalMatch>,
}

/// Asks a program for the terms in a text. No shell is between, and the text is no option.
///
/// # Errors
/// Why there is no answer.
pub fn find(program: &Path, text: &str) -> Result<Vec<ExternalMatch>, Unanswered> {
    if text.len() > MAX_TEXT || text.contains('\0') {
        return Err(Unanswered::Text);
    }
    let mut command = Command::new(program);
    command.env_clear().envs(JudgeConfig::variables(&PASSED));
    command.args(["--format", "json", "--quiet", "find", "--", text]);
    let ended =
        process_group::run(&mut command, Vec::new(), MAX_OUTPUT, LIMIT).map_err(Unanswered::Run)?;
    if !ended.status.success() {
        return Err(Unanswered::Failed(ended.status));
    }
    let answer: Answer = serde_json::from_slice(&ended.stdout).map_err(Unanswered::Answer)?;
    Ok(answer.matches)
}
