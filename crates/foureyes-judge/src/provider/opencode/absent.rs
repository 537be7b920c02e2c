//! A program that is not there, or cannot be started.

use super::Settings;
use super::failure::unasked;
use super::launch::{MISSING, UNUSABLE};
use crate::provider::http::{Mask, WORDS};
use crate::provider::{Failure, FailureKind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// What a failure begins with where the program is not there.
pub const ABSENT: &str = "the program was not found";

/// Why a program never ran: `end` is what the shell printed that would have become it.
pub(super) fn failure(
    status: ExitStatus,
    end: &str,
    settings: &Settings,
    mask: &Mask,
) -> Option<Failure> {
    let code = status.code().filter(|code| [MISSING, UNUSABLE].contains(code))?;
    let program = settings.program.display();
    let what = match found(settings) {
        None if code == MISSING => {
            let place = match searched(settings) {
                Some(path) => format!(" is not in PATH ({})", path.to_string_lossy()),
                None => String::new(),
            };
            format!("{ABSENT}: {program}{place}")
        }
        found => {
            let program = found.unwrap_or_else(|| settings.program.clone());
            format!("the program cannot be started: {}: {}", program.display(), reason(end))
        }
    };
    Some(unasked(FailureKind::Unavailable, mask.line(&what, WORDS)))
}

/// The directories in which it is looked up; `None` of a path.
fn searched(settings: &Settings) -> Option<OsString> {
    let path = || settings.environment.iter().find(|(name, _)| name == "PATH");
    let is_path = settings.program.components().count() > 1 || settings.program.is_absolute();
    (!is_path).then(|| path().map(|(_, value)| value.clone()).unwrap_or_default())
}

/// The file that would have been started.
fn found(settings: &Settings) -> Option<PathBuf> {
    let program: &Path = &settings.program;
    match searched(settings) {
        None => program.exists().then(|| program.to_owned()),
        Some(path) => {
            std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
        }
    }
}

/// What the shell says, without its own name, which is a directory that is gone by now.
fn reason(end: &str) -> &str {
    let line = end.trim();
    let is_of_shell = line.contains(": exec: ") || line.contains(": line ");
    let last = line.rsplit(": ").next().filter(|_| is_of_shell);
    last.unwrap_or(line)
}
