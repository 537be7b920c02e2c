//! Waits for signals, on a thread and a runtime of their own: a busy program still receives them.

use super::guard::{FOREGROUND_CHECK, Owner, TerminalGuard};
use super::shutdown;
use crate::tui::input::{Input, Signal};
use std::future::poll_fn;
use std::io;
use std::sync::mpsc;
use std::task::Poll;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// Starts the thread. Its handlers stay for the life of the process, so it does too.
///
/// When this returns, the handlers are set.
pub(super) fn start(guard: &'static TerminalGuard) -> io::Result<()> {
    let (ready, set) = mpsc::channel();
    let listen = move || {
        let report = |result| drop(ready.send(result));
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return report(Err(error)),
        };
        runtime.block_on(async {
            match SignalStreams::new() {
                Ok(streams) => {
                    report(Ok(()));
                    streams.listen(guard).await;
                }
                Err(error) => report(Err(error)),
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    set.recv().unwrap_or_else(|_| Err(io::Error::other("the thread ended")))
}

/// Signals that would end the process with the terminal as it is, and what they ask for.
///
/// Not those of a fault: one that is only noted is raised again at once, without end.
const ENDS: [(rustix::process::Signal, Signal); 13] = {
    use rustix::process::Signal as System;
    [
        (System::HUP, Signal::HangUp),
        (System::INT, Signal::Interrupt),
        (System::QUIT, Signal::Quit),
        (System::ABORT, Signal::Abort),
        (System::ALARM, Signal::Alarm),
        (System::TERM, Signal::Terminate),
        (System::USR1, Signal::Terminate),
        (System::USR2, Signal::Terminate),
        (System::VTALARM, Signal::Terminate),
        (System::PROF, Signal::Terminate),
        (System::XCPU, Signal::Terminate),
        (System::XFSZ, Signal::Terminate),
        (System::IO, Signal::Terminate),
    ]
};

/// After the process went on, who has the terminal is checked this often: a shell may learn late
/// that it was stopped.
const CHECKS: u32 = 10;

struct SignalStreams {
    ends: Vec<(Stream, Signal)>,
    resume: Stream,
    resize: Stream,
}

impl SignalStreams {
    fn new() -> io::Result<Self> {
        let stream = |of: rustix::process::Signal| signal(SignalKind::from_raw(of.as_raw()));
        let ends = ENDS.map(|(of, asks)| stream(of).map(|stream| (stream, asks)));
        Ok(Self {
            ends: ends.into_iter().collect::<io::Result<_>>()?,
            resume: stream(rustix::process::Signal::CONT)?,
            resize: stream(rustix::process::Signal::WINCH)?,
        })
    }

    async fn listen(mut self, guard: &'static TerminalGuard) {
        let mut checks = 0;
        loop {
            tokio::select! {
                signal = first(&mut self.ends) => end(guard, signal),
                _ = self.resume.recv() => {
                    resumed(guard);
                    checks = CHECKS;
                }
                _ = self.resize.recv() => {
                    let (width, height) = guard.size();
                    guard.outlet.system(Input::Resize { width, height });
                }
                () = tokio::time::sleep(FOREGROUND_CHECK), if checks > 0 => {
                    checks -= 1;
                    guard.holder_soon().map(|mut holder| guard.is_away(&mut holder));
                }
            }
        }
    }
}

/// Waits for the first of the signals.
async fn first(ends: &mut [(Stream, Signal)]) -> Signal {
    poll_fn(|context| {
        let mut ends = ends.iter_mut();
        let asks = ends.find_map(|(end, asks)| end.poll_recv(context).is_ready().then_some(*asks));
        asks.map_or(Poll::Pending, Poll::Ready)
    })
    .await
}

fn end(guard: &'static TerminalGuard, signal: Signal) {
    // In an editor ctrl-c and ctrl-\ are the editor's, and reach the whole group.
    let typed = matches!(signal, Signal::Interrupt | Signal::Quit);
    let in_child = || matches!(guard.holder_soon().as_deref(), Some(Owner::Child(_)));
    if typed && (in_child() || guard.child_ended_just_now()) {
        return;
    }
    guard.outlet.system(Input::Signal(signal));
    shutdown::end_soon(guard, signal.code());
}

/// The process goes on after it was stopped, perhaps from outside and without a word.
fn resumed(guard: &'static TerminalGuard) {
    if let Some(mut holder) = guard.holder_soon() {
        let own = *holder == Owner::Console;
        if !guard.is_away(&mut holder) && own {
            // What the shell made of the terminal meanwhile is unknown.
            guard.take_back(&mut holder);
        }
    }
    guard.resume();
}
