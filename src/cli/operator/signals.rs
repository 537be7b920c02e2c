//! Signals that ask the program to end while it waits for boxes.

use super::Failure;
use std::process::ExitCode;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// A runtime for connections to boxes.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Runs a future to its end. Where a signal asks to end, drops it, and with it every connection, and
/// gives the exit code.
pub(super) fn unless_interrupted<T>(
    future: impl Future<Output = T>,
) -> Result<Result<T, ExitCode>, Failure> {
    let runtime = runtime()?;
    let signal = interrupted(&runtime);
    Ok(runtime.block_on(async {
        tokio::select! {
            done = future => Ok(done),
            code = signal => Err(ExitCode::from(code)),
        }
    }))
}

/// Ends the process at a signal from here on: once they were listened to, signals have no effect of
/// their own any more, and what follows a pull has nothing to be undone.
pub(super) fn end_at(signal: impl Future<Output = u8> + Send + 'static, runtime: Runtime) {
    runtime.spawn(async { std::process::exit(i32::from(signal.await)) });
    // It listens for as long as the process lives.
    std::mem::forget(runtime);
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
