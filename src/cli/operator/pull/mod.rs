//! `foureyes pull`: bring the mirror of every box up to date.

mod bars;
mod mirror;

pub(super) use mirror::before_reading;

use super::{Context, Failure, output};
use crate::advice;
use crate::boxes::RollbackReport;
use crate::config::{Config, Place};
use crate::overrides::Sent;
use crate::pull::{BoxPull, PullState};
use crate::report::pulls;
use std::process::ExitCode;

/// Copy new log lines from the boxes to the mirror
///
/// Pending overrides for these boxes are retried once afterwards. With `on_withdrawn = "advisory"` in the
/// policy, boxes that block are set back to advisory once READY is withdrawn. With `publish` under
/// `[fleet]`, what the store lacks is sent to it; a failure of that is a warning.
///
/// Exit codes: 0, at least one box was pulled, with failures of others on standard error; 69, no
/// box could be pulled; 74, local files could not be written; 130 or 143, interrupted.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Boxes to pull [default: all]
    #[arg(value_name = "BOX")]
    boxes: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// No box could be pulled; each one's reason was told.
#[derive(Debug, thiserror::Error)]
#[error("no box could be pulled")]
struct NoneWorked;

/// A name that no configured box has.
#[derive(Debug, thiserror::Error)]
#[error("there is no box {name:?}")]
struct NoSuchBox {
    name: String,
}

/// Nothing to pull from.
#[derive(Debug, thiserror::Error)]
#[error("no box is configured")]
struct NoBoxes;

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let config = chosen(&context.config, &args.boxes)?;
    let bars = bars::Bars::new(&config);
    let pulled = mirror::with(context, &config, bars.progress(), true);
    bars.clear();
    match pulled? {
        Ok((pulls, sent)) => {
            let set_back = super::boxes::set_back_withdrawn(context);
            let concluded = conclude(context, (&pulls, &sent, &set_back), args.json);
            super::fleet::after_pull(context);
            concluded
        }
        Err(code) => Ok(ExitCode::from(code)),
    }
}

/// Tells whether there is a box to pull from.
pub(super) fn any_remote(config: &Config) -> bool {
    config.boxes.iter().any(|b| is_remote(&b.place))
}

fn chosen(config: &Config, names: &[String]) -> Result<Config, Failure> {
    if config.boxes.is_empty() {
        return Err(Failure::usage(NoBoxes)
            .hint("`foureyes config init --box HOST` writes a configuration with one"));
    }
    for name in names {
        if !config.boxes.iter().any(|b| b.name == *name) {
            let names: Vec<&str> = config.boxes.iter().map(|b| b.name.as_str()).collect();
            return Err(Failure::usage(NoSuchBox { name: name.clone() })
                .hint(format!("configured are: {}", names.join(", "))));
        }
    }
    let mut config = config.clone();
    config.boxes.retain(|b| names.is_empty() || names.contains(&b.name));
    Ok(config)
}

fn conclude(
    context: &Context,
    (pulls, sent, set_back): (&[BoxPull], &[Sent], &[RollbackReport]),
    json: bool,
) -> Result<ExitCode, Failure> {
    let text = match json {
        true => pulls::document(pulls, sent, set_back)?,
        false => pulls::plain(pulls, set_back),
    };
    output::print(text)?;
    failures(context, pulls);
    super::overrides::warn_unconfirmed(sent);
    let failed = pulls.iter().filter(|p| p.state == PullState::Failed).count();
    let remote = pulls.iter().filter(|p| p.state != PullState::Local).count();
    if failed == 0 || failed < remote {
        return Ok(ExitCode::SUCCESS);
    }
    let errors = pulls.iter().filter_map(|p| p.error.as_ref());
    if errors.clone().count() == failed && errors.clone().all(advice::is_local) {
        return Err(Failure::local(NoneWorked).hint(advice::PLACE));
    }
    Err(Failure::remote(NoneWorked))
}

/// Writes to standard error why boxes failed, and what to do.
fn failures(context: &Context, pulls: &[BoxPull]) {
    for pull in pulls {
        let Some(error) = &pull.error else { continue };
        let (name, error_text) = (output::visible(&pull.name), output::visible(&error.full()));
        output::to_stderr(&format!("warning: {name}: {error_text}"));
        if let Some(hint) = advice::of_pull(error, &pull.name) {
            output::hint(&hint, context.command_line);
        }
    }
}

/// Tells whether a box is pulled at all.
fn is_remote(place: &Place) -> bool {
    matches!(place, Place::Ssh(_))
}
