//! `foureyes hook rehearse`: the pushes of the runbook, against a remote of our own.

use crate::cli::output;
use crate::cli::{Context, Failure};
use crate::config::{HookMode, HookProtocol};
use crate::engine::panel::Tier;
use crate::hook::install::{Found, Place as Hooks};
use crate::hook::rehearsal::{Error, Rehearsal};
use crate::hook::rehearsal_report::{RehearsalReport, SCHEMA};
use crate::hook::switch::{ModeStatus, Place};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rehearse a poor push and a bypass in a scratch repository
///
/// Uses this machine's configuration and judge, and a temporary remote. The records go to a log
/// that is not counted. Where tasks are judged, a third push is one that nobody can decide about.
/// Exit codes: 0, all pushes ended as the mode demands; 1, one did not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Repository whose hook script to rehearse (its program and mode); repeatable, one per program
    /// is enough
    #[arg(long, value_name = "DIR")]
    repo: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let config = super::status::config(context)?;
    let place = Place::at(context.data.hook());
    let temporary = std::env::temp_dir();
    let (mut steps, mut modes) = (Vec::new(), Vec::new());
    for (binary, script) in kinds(&args.repo)? {
        let status = ModeStatus::new(&place, config.hook.mode, script, context.now);
        let rehearsal = Rehearsal {
            config: &config,
            binary,
            script,
            status: &status,
            data: context.data.root(),
            temporary: &temporary,
        };
        steps.extend(rehearsal.run().map_err(failure)?);
        modes.push(status.mode);
    }
    let all = modes.iter().all(|mode| *mode == HookMode::Blocking);
    let document = RehearsalReport {
        schema: SCHEMA.to_owned(),
        well: steps.iter().all(|step| step.well),
        mode: if all { HookMode::Blocking } else { HookMode::Advisory },
        protocol: config.hook.protocol,
        model: match config.hook.protocol {
            HookProtocol::Push => config.judge.model.clone(),
            HookProtocol::Task => config.judge_of(Tier::Quick).1.model,
        },
        steps,
    };
    let text = match args.json {
        true => crate::text::json::pretty(&document)?,
        false => document.plain(),
    };
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

/// A program, and the mode that the script sets which runs it.
type Kind = (PathBuf, Option<HookMode>);

/// What there is to rehearse. A script that is fixed to advisory stops nothing and is left out, but
/// where there is no other.
fn kinds(repositories: &[PathBuf]) -> Result<Vec<Kind>, Failure> {
    if repositories.is_empty() {
        return Ok(vec![(std::env::current_exe()?, None)]);
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for repository in repositories {
        let kind = of_repository(repository)?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let fixed = |(_, mode): &Kind| *mode == Some(HookMode::Advisory);
    if !kinds.iter().all(fixed) {
        kinds.retain(|kind| !fixed(kind));
    }
    Ok(kinds)
}

/// Program and mode of the script in a repository.
fn of_repository(repository: &Path) -> Result<Kind, Failure> {
    let place = super::install::find(repository)?;
    let found = Hooks::look(&place).map_err(Failure::local)?;
    match found {
        Found::Ours(Some(wrapper)) => Ok((wrapper.binary, wrapper.mode)),
        // A line of somebody else's hook runs this program, and sets no mode that could be read.
        Found::Foreign { line: Some(_), runs: true, .. } => Ok((std::env::current_exe()?, None)),
        _ => {
            Err(Failure::usage(format!("{} is not a hook of this program", place.hook().display()))
                .hint("install it: `foureyes hook install --repo DIR`"))
        }
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Nothing(_) => {
            Failure::usage(error).hint("set `agents` and `watch` in the configuration")
        }
        _ => Failure::local(error).hint("it needs git and a directory for temporary files"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(crate::hook::rehearsal_report::RehearsalReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-rehearsal", &schema);
    }
}
