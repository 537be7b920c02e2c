//! `foureyes ledger push` and `ledger pull`.

use super::{Context, Failure, output, reviewer};
use crate::cli::operator::signals;
use crate::config::{Config, ExchangeConfig, Place as BoxPlace};
use crate::exchange::{self, ExchangeError, Place};
use crate::report::PlainOrJson;
use crate::report::exchanges::Document;
use crate::store::journal::Real;
use std::path::PathBuf;
use std::process::ExitCode;

// No doc comment: it would take the place of those of the commands.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Local directory, or `box:NAME` for one on a box [default: `[exchange]` in the configuration]
    #[arg(long, value_name = "WHERE")]
    via: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(
    context: &Context,
    args: &Args,
    direction: &'static str,
) -> Result<ExitCode, Failure> {
    let who = reviewer(context, None)?;
    let place = place(context, args.via.as_deref())?;
    let moving = async {
        match direction {
            "push" => exchange::push(&place, &context.data, &who, &Real).await,
            _ => exchange::pull(&place, &context.data, &who, &Real).await,
        }
    };
    let moved = match signals::unless_interrupted(moving)? {
        Ok(moved) => moved.map_err(failure)?,
        Err(code) => return Ok(code),
    };
    let document = Document::new(direction, moved);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::from(u8::from(!document.is_sound())))
}

/// Where to exchange: what was asked for, else what is configured.
fn place<'a>(context: &'a Context, via: Option<&str>) -> Result<Place<'a>, Failure> {
    let configured = &context.config.exchange;
    let (box_name, path) = match via {
        None => (configured.box_name.as_deref(), configured.path.as_deref()),
        Some(via) => match via.strip_prefix("box:") {
            None => return Ok(Place::Here(PathBuf::from(via))),
            Some(name) => {
                let same = configured.box_name.as_deref() == Some(name);
                (Some(name), configured.path.as_deref().filter(|_| same))
            }
        },
    };
    let Some(name) = box_name else {
        return path.map(|path| Place::Here(PathBuf::from(path))).ok_or_else(nowhere);
    };
    let found = context.config.boxes.iter().find(|b| b.name == name);
    let target = found.ok_or_else(|| {
        Failure::usage(format!("there is no box `{name}`"))
            .hint("`foureyes config show` lists the boxes")
    })?;
    match &target.place {
        BoxPlace::Local => path.map(|path| Place::Here(PathBuf::from(path))).ok_or_else(nowhere),
        BoxPlace::Ssh(remote) => Ok(Place::There {
            remote,
            limits: context.config.pull,
            dir: path.unwrap_or(ExchangeConfig::DEFAULT_PATH).to_owned(),
        }),
    }
}

/// The directory of this machine in which ledgers are exchanged, where one is configured.
pub(super) fn directory(config: &Config) -> Option<PathBuf> {
    let ExchangeConfig { box_name, path } = &config.exchange;
    let found = box_name.as_ref().map(|name| config.boxes.iter().find(|b| b.name == *name));
    let is_remote = found.is_some_and(|b| !b.is_some_and(|b| b.place == BoxPlace::Local));
    path.as_ref().filter(|_| !is_remote).map(PathBuf::from)
}

fn nowhere() -> Failure {
    Failure::usage("no place to exchange ledgers is configured")
        .hint("set `box` or `path` under `[exchange]` in the configuration, or give `--via`")
}

fn failure(error: ExchangeError) -> Failure {
    match error {
        ExchangeError::Read { .. } => {
            Failure::local(error).hint("check that the path exists and is readable")
        }
        ExchangeError::Box(_) => Failure::remote(error)
            .hint("the next exchange completes it; `foureyes doctor` checks the box"),
    }
}
