//! `foureyes config skill`.

use crate::cli::Failure;
use crate::cli::output::{print, visible};
use crate::files::atomic;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The skill by its paths below a directory of skills.
const FILES: [(&str, &str); 3] = [
    ("judge/SKILL.md", include_str!("../../../assets/skill/judge/SKILL.md")),
    ("judge/references/quick.md", include_str!("../../../assets/skill/judge/references/quick.md")),
    ("judge/references/deep.md", include_str!("../../../assets/skill/judge/references/deep.md")),
];
/// Its directories, outer ones first.
const DIRECTORIES: [&str; 2] = ["judge", "judge/references"];

/// Write the skill `judge` for coding agents to a directory of skills
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of skills, such as .claude/skills; created if missing
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Overwrite files that differ
    #[arg(long)]
    force: bool,
}

#[derive(Debug, thiserror::Error)]
enum SkillError {
    #[error("files of the skill exist and differ: {0}")]
    Differ(String),
    #[error("failed to write the skill: {} is not {wanted}", path.display())]
    Other { path: PathBuf, wanted: &'static str },
    #[error("failed to {act} {}", path.display())]
    Failed {
        act: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// A file of the skill, compared with what is at its path.
#[derive(PartialEq)]
enum State {
    Missing,
    Same,
    Different,
}

/// Runs the command. All is looked at before anything is written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    for name in DIRECTORIES {
        check_directory(&args.dir.join(name))?;
    }
    let mut files = Vec::new();
    for (name, text) in FILES {
        let path = args.dir.join(name);
        let state = state(&path, text)?;
        files.push((path, text, state));
    }
    let differ = files.iter().filter(|(.., state)| *state == State::Different);
    let differ: Vec<_> = differ.map(|(path, ..)| path.display().to_string()).collect();
    if !args.force && !differ.is_empty() {
        return Err(Failure::usage(SkillError::Differ(differ.join(", "))).hint(
            "nothing was written; give another directory, or overwrite them with `--force`",
        ));
    }
    let mut out = String::new();
    for (path, text, state) in &files {
        let shown = visible(&path.to_string_lossy());
        // Writing to a string does not fail.
        let _ = match state {
            State::Same => writeln!(out, "{shown} is up to date"),
            State::Missing | State::Different => {
                write(path, text, *state == State::Missing).map_err(failed("write", path))?;
                writeln!(out, "wrote {shown}")
            }
        };
    }
    print(out)?;
    Ok(ExitCode::SUCCESS)
}

/// A link is none: what is written would arrive somewhere else.
fn check_directory(path: &Path) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(meta) if !meta.is_dir() => Err(other(path, "a directory")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("read", path)(error)),
        _ => Ok(()),
    }
}

fn state(path: &Path, text: &str) -> Result<State, Failure> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Missing),
        Err(error) => return Err(failed("read", path)(error)),
        Ok(meta) if !meta.is_file() => return Err(other(path, "a file")),
        Ok(meta) if meta.len() != text.len() as u64 => return Ok(State::Different),
        Ok(_) => {}
    }
    let bytes = std::fs::read(path).map_err(failed("read", path))?;
    Ok(if bytes == text.as_bytes() { State::Same } else { State::Different })
}

/// Writes a file whole or not at all, for all to read; a new one never over another that was made meanwhile.
fn write(path: &Path, text: &str, is_new: bool) -> io::Result<()> {
    std::fs::create_dir_all(atomic::dir_of(path))?;
    atomic::shared(path, text.as_bytes(), is_new)
}

fn other(path: &Path, wanted: &'static str) -> Failure {
    Failure::local(SkillError::Other { path: path.to_owned(), wanted })
        .hint("remove it, or give another directory; links are not followed")
}

fn failed(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |source| {
        Failure::local(SkillError::Failed { act, path: path.to_owned(), source })
            .hint("check the path and its permissions")
    }
}
