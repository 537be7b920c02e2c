//! `foureyes pull`: bring the mirror of every box up to date.

mod bars;
mod failure_text;

use super::{Context, Failure, output};
use crate::advice;
use crate::config::{Config, Place};
use crate::overrides::Sent;
use crate::pull::{self, BoxPull, PullState};
use std::process::ExitCode;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// Copy new log lines from the boxes to the mirror
///
/// Pending overrides for these boxes are retried once afterwards.
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
    let pulled = with(context, &config, bars.progress(), true);
    bars.clear();
    match pulled? {
        Ok((pulls, sent)) => conclude(&pulls, &sent, args.json),
        Err(code) => Ok(ExitCode::from(code)),
    }
}

/// Pulls boxes with bars on stderr; gives the exit code where a signal asked to end.
fn all(context: &Context, config: &Config) -> Result<Result<Vec<BoxPull>, u8>, Failure> {
    let bars = bars::Bars::new(config);
    let pulled = with(context, config, bars.progress(), false);
    bars.clear();
    Ok(pulled?.map(|(pulls, _)| pulls))
}

/// What was pulled, and what was written to boxes afterwards.
type Done = (Vec<BoxPull>, Vec<Sent>);

fn with(
    context: &Context,
    config: &Config,
    progress: pull::Progress,
    and_send: bool,
) -> Result<Result<Done, u8>, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut signal = Box::pin(interrupted(&runtime));
    let pulled = runtime.block_on(async {
        let pulling = async {
            let pulls = pull::run(config, &context.data, context.now, progress).await;
            let mut sent = Vec::new();
            if and_send {
                match waiting(context, config, &pulls).await {
                    Ok(all) => sent = all,
                    // What was pulled is told all the same.
                    Err(failure) => super::reading::note(&crate::domain::chain(&*failure.error)),
                }
            }
            (pulls, sent)
        };
        // Where a signal wins, the future is dropped, and with it every connection.
        tokio::select! {
            done = pulling => Ok(done),
            code = &mut signal => Err(code),
        }
    });
    if pulled.is_ok() {
        end_at(signal, runtime);
    }
    Ok(pulled)
}

/// Tries once to write the overrides that wait for boxes that could be pulled.
async fn waiting(
    context: &Context,
    config: &Config,
    pulls: &[BoxPull],
) -> Result<Vec<Sent>, Failure> {
    let (ledgers, mut book) = super::overrides::open(context)?;
    let mut due = crate::overrides::pending(&ledgers, &book, context.now);
    due.retain(|due| {
        let of = |pull: &&BoxPull| pull.name == due.box_name;
        pulls.iter().find(of).is_some_and(|pull| pull.state != PullState::Failed)
    });
    let sent = crate::overrides::send(config, &context.data, &mut book, &due, context.now).await;
    sent.map_err(super::overrides::book_failure)
}

/// The same as [`before_reading`], without drawing: a line a box that failed, on stderr.
pub(super) fn in_silence(context: &Context) -> Result<Option<ExitCode>, Failure> {
    let pulled = with(context, &context.config, std::sync::Arc::new(|_, _| {}), false)?;
    Ok(pulled.map_or_else(
        |code| Some(ExitCode::from(code)),
        |(pulls, _)| {
            failure_text::failures(&pulls);
            None
        },
    ))
}

/// Ends the process at a signal from here on: once they were listened to, signals have no effect of
/// their own any more, and what follows a pull has nothing to be undone.
fn end_at(signal: impl Future<Output = u8> + Send + 'static, runtime: Runtime) {
    runtime.spawn(async { std::process::exit(i32::from(signal.await)) });
    // It listens for as long as the process lives.
    std::mem::forget(runtime);
}

/// Brings the mirror up to date before it is read; gives an exit code where a signal asked to end.
///
/// A box that cannot be pulled is told on stderr, and its last data are used.
pub(super) fn before_reading(context: &Context) -> Result<Option<ExitCode>, Failure> {
    if !any_remote(&context.config) {
        return Ok(None);
    }
    match all(context, &context.config)? {
        Ok(pulls) => {
            failure_text::failures(&pulls);
            Ok(None)
        }
        Err(code) => Ok(Some(ExitCode::from(code))),
    }
}

/// Tells whether there is a box to pull from.
pub(super) fn any_remote(config: &Config) -> bool {
    config.boxes.iter().any(|b| is_remote(&b.place))
}

fn chosen(config: &Config, names: &[String]) -> Result<Config, Failure> {
    if config.boxes.is_empty() {
        return Err(Failure::usage(NoBoxes)
            .hint("add one to the configuration: `foureyes config init` writes a sample"));
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

/// Gives the exit code of the first signal that asks to end. It hears them from the call on, and
/// not from when it is first waited for: by then a connection may have been begun.
pub(super) fn interrupted(runtime: &Runtime) -> impl Future<Output = u8> + Send + use<> {
    let _inside = runtime.enter();
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    let streams = kinds.map(signal);
    async {
        let [interrupt, terminate, hangup, quit] = streams.map(|signal| async {
            match signal {
                Ok(mut signal) => drop(signal.recv().await),
                Err(_) => std::future::pending().await,
            }
        });
        tokio::select! {
            () = interrupt => 130,
            () = terminate => 143,
            () = hangup => 129,
            () = quit => 131,
        }
    }
}

fn conclude(pulls: &[BoxPull], sent: &[Sent], json: bool) -> Result<ExitCode, Failure> {
    let text = if json { failure_text::json(pulls, sent)? } else { failure_text::plain(pulls) };
    output::print(text)?;
    failure_text::failures(pulls);
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

/// Tells whether a box is pulled at all.
fn is_remote(place: &Place) -> bool {
    matches!(place, Place::Ssh(_))
}
