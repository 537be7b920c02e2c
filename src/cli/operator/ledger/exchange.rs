//! `foureyes ledger push` and `ledger pull`.

use super::{Context, Failure, output, reviewer};
use crate::cli::operator::pull;
use crate::config::{ExchangeConfig, Place as BoxPlace};
use crate::exchange::{self, ExchangeError, Moved, Outcome, Place};
use crate::report::{counted, json};
use crate::store::journal::Real;
use crate::store::ledger::BreakKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
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

/// What was exchanged.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/exchange/1`.
    schema: &'static str,
    /// `push` or `pull`.
    direction: &'static str,
    /// Nothing was found that somebody must look at.
    sound: bool,
    /// The ledgers that were looked at.
    ledgers: Vec<One>,
}

/// What became of a ledger.
#[derive(Debug, Serialize, JsonSchema)]
struct One {
    /// Name of the file.
    file: String,
    /// Entries that are as they were written, in the copy that came.
    entries: u64,
    /// `same`, `new`, `grown`, `behind` (the copy that was to be added to is the longer one); and,
    /// left alone: `apart` (the copies have diverged), `broken` (it is not as it was
    /// written), `stranger` (it speaks for another reviewer than its name says), `ours` (it is of
    /// this machine, and goes on elsewhere), `failed`.
    state: &'static str,
    /// Bytes that were added.
    bytes: u64,
    /// The first line that is wrong.
    line: Option<u64>,
    /// What is wrong, in words.
    problem: Option<String>,
}

/// Runs the command.
pub(super) fn run(
    context: &Context,
    args: &Args,
    direction: &'static str,
) -> Result<ExitCode, Failure> {
    let machine = reviewer(context, None)?.machine;
    let place = place(context, args.via.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let signal = pull::interrupted(&runtime);
    let moved = runtime.block_on(async {
        let moving = async {
            match direction {
                "push" => exchange::push(&place, &context.data, &machine, &Real).await,
                _ => exchange::pull(&place, &context.data, &machine, &Real).await,
            }
        };
        tokio::select! {
            moved = moving => Ok(moved),
            code = signal => Err(ExitCode::from(code)),
        }
    });
    let moved = match moved {
        Ok(moved) => moved.map_err(failure)?,
        Err(code) => return Ok(code),
    };
    let sound = !moved.iter().any(|one| one.outcome.is_doubtful());
    let ledgers = moved.into_iter().map(one).collect();
    let document = Document { schema: "foureyes/exchange/1", direction, sound, ledgers };
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => plain(out, &document),
    })?;
    Ok(ExitCode::from(u8::from(!sound)))
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

fn one(moved: Moved) -> One {
    let (mut bytes, mut line, mut problem) = (0, None, None);
    let state = match moved.outcome {
        Outcome::Same => "same",
        Outcome::New(new) => {
            bytes = new;
            "new"
        }
        Outcome::Grown(more) => {
            bytes = more;
            "grown"
        }
        Outcome::Behind => "behind",
        Outcome::Apart => {
            problem = Some("the copies have diverged".to_owned());
            "apart"
        }
        Outcome::Broken(broken) => {
            line = Some(broken.line);
            let what = match broken.what {
                BreakKind::Changed => "it was changed",
                BreakKind::Cut => "it was cut",
                BreakKind::OutOfPlace => "it does not follow the previous line",
            };
            problem = Some(what.to_owned());
            "broken"
        }
        Outcome::Stranger(at) => {
            line = Some(at);
            problem = Some(
                "its entries are of another reviewer or machine than its name says".to_owned(),
            );
            "stranger"
        }
        Outcome::Ours => {
            problem = Some("it belongs to this machine, but the copy there is longer. If yours was lost, copy it back by hand".to_owned());
            "ours"
        }
        Outcome::Failed(error) => {
            problem = Some(error);
            "failed"
        }
    };
    One { file: moved.file, entries: moved.entries, state, bytes, line, problem }
}

fn plain(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    if document.ledgers.is_empty() {
        return writeln!(out, "there is no ledger to {}", document.direction);
    }
    for one in &document.ledgers {
        let file = output::visible(&one.file);
        let entries = counted(one.entries, "entry", "entries");
        let bytes = counted(one.bytes, "byte", "bytes");
        match (&one.problem, one.line) {
            (None, _) if one.bytes > 0 => {
                writeln!(out, "{file}: {}, {bytes} added, {entries}", one.state)?;
            }
            (None, _) => writeln!(out, "{file}: {}, {entries}", one.state)?,
            (Some(problem), Some(line)) => {
                let problem = output::visible(problem);
                writeln!(out, "{file}: LEFT ALONE, first bad line {line}: {problem}")?;
            }
            (Some(problem), None) => {
                writeln!(out, "{file}: LEFT ALONE: {}", output::visible(problem))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::cli::output::assert_asset("exchange.schema.json", &schema);
    }
}
