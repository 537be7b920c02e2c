//! A run of judging that is interrupted: the first ctrl-c finishes what was begun, the second ends it at once.

use super::output;
use crate::judging::Control;
use std::convert::Infallible;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Waits for a run that listens to `turn`. It hears ctrl-c from the call on: from then on there is something
/// to lose.
pub(super) async fn until_done<T>(
    work: impl Future<Output = T>,
    turn: &watch::Sender<Control>,
) -> T {
    let interrupt = signal(SignalKind::interrupt());
    tokio::select! {
        done = work => done,
        never = interrupts(interrupt, turn) => match never {},
    }
}

async fn interrupts(signal: io::Result<Signal>, turn: &watch::Sender<Control>) -> Infallible {
    // Where it cannot be heard, the system ends the program as it always does.
    if let Ok(mut signal) = signal {
        for (control, text) in [
            (Control::Stop, "finishing the current request; press ctrl-c again to stop at once"),
            (Control::Drop, "stopped; the results so far follow"),
        ] {
            signal.recv().await;
            output::to_stderr(text);
            turn.send_replace(control);
        }
    }
    std::future::pending().await
}
