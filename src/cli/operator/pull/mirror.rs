//! Bringing the mirror up to date, until it is done or a signal asks to end.

use super::{any_remote, bars, failures};
use crate::advice;
use crate::assess;
use crate::cli::operator::signals::{end_at, interrupted, runtime};
use crate::cli::operator::{ledger, overrides, reading};
use crate::cli::{Context, Failure};
use crate::config::Config;
use crate::overrides::Sent;
use crate::pull::{self, BoxPull, PullState};
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Pulls boxes with bars on stderr; gives the exit code where a signal asked to end.
fn all(context: &Context, config: &Config) -> Result<Result<Vec<BoxPull>, u8>, Failure> {
    let bars = bars::Bars::new(config);
    let pulled = with(context, config, bars.progress(), false);
    bars.clear();
    Ok(pulled?.map(|(pulls, _)| pulls))
}

/// What was pulled, and what was written to boxes afterwards.
type Done = (Vec<BoxPull>, Vec<Sent>);

/// Pulls boxes, and then writes pending overrides where that is wanted.
pub(super) fn with(
    context: &Context,
    config: &Config,
    progress: pull::Progress,
    and_send: bool,
) -> Result<Result<Done, u8>, Failure> {
    let runtime = runtime()?;
    let mut signal = Box::pin(interrupted(&runtime));
    let pulled = runtime.block_on(async {
        let pulling = async {
            let pulls = pull::run(config, &context.data, context.now, progress).await;
            let mut sent = Vec::new();
            if and_send {
                match waiting(context, config, &pulls).await {
                    Ok(all) => sent = all,
                    // What was pulled is told all the same.
                    Err(failure) => reading::note(&crate::domain::chain(&*failure.error)),
                }
            }
            add_boxes(context, &pulls);
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

/// Adds boxes that were pulled for the first time to the windows that run.
fn add_boxes(context: &Context, pulls: &[BoxPull]) {
    let boxes: Vec<&str> = pulled(pulls).collect();
    let added = Ledger::load(&context.data).and_then(|mut ledger| {
        // A machine is named, and a ledger begun, only where there is something to write.
        if !assess::lacks_boxes(&ledger.present(context.now), &boxes, context.now) {
            return Ok(());
        }
        let Some(who) = ledger::writer(context, None) else { return Ok(()) };
        assess::add_boxes(&mut ledger, &who, &boxes, context.now)
    });
    if let Err(error) = added {
        let cause = crate::domain::chain(&error);
        reading::note(&format!("failed to add new boxes to the calibration window: {cause}"));
    }
}

/// Boxes that could be read.
fn pulled(pulls: &[BoxPull]) -> impl Iterator<Item = &str> {
    pulls.iter().filter(|p| p.state != PullState::Failed).map(|p| p.name.as_str())
}

/// Tries once to write the overrides that wait for boxes that could be pulled.
async fn waiting(
    context: &Context,
    config: &Config,
    pulls: &[BoxPull],
) -> Result<Vec<Sent>, Failure> {
    let (ledgers, mut book) = overrides::open(context)?;
    let mut due = crate::overrides::pending(&ledgers, &book, context.now);
    due.retain(|due| {
        let of = |pull: &&BoxPull| pull.name == due.box_name;
        pulls.iter().find(of).is_some_and(|pull| pull.state != PullState::Failed)
    });
    let sent = crate::overrides::send(config, &context.data, &mut book, &due, context.now).await;
    sent.map_err(advice::of_outbox)
}

/// Brings the mirror up to date before it is read; gives an exit code where a signal asked to end.
///
/// A box that cannot be pulled is told on stderr, and its last data are used.
pub(in crate::cli::operator) fn before_reading(
    context: &Context,
) -> Result<Option<ExitCode>, Failure> {
    if !any_remote(&context.config) {
        return Ok(None);
    }
    match all(context, &context.config)? {
        Ok(pulls) => {
            failures(context, &pulls);
            Ok(None)
        }
        Err(code) => Ok(Some(ExitCode::from(code))),
    }
}
