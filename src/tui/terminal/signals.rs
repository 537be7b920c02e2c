//! Waits for signals, on a thread and a runtime of their own: a busy program still receives them.

use super::guard::{Owner, TerminalGuard};
use super::shutdown;
use crate::tui::input::{Input, Signal};
use std::io;
use std::sync::mpsc;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// Starts the thread. Its handlers stay for the life of the process, so it does too.
///
/// When this returns, the handlers are set.
pub(super) fn start(guard: &'static TerminalGuard) -> io::Result<()> {
    let (ready, set) = mpsc::channel();
    let listen = move || {
        let report = |result| drop(ready.send(result));
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().build() {
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

struct SignalStreams {
    hangup: Stream,
    interrupt: Stream,
    quit: Stream,
    terminate: Stream,
    user1: Stream,
    user2: Stream,
    resume: Stream,
    resize: Stream,
}

impl SignalStreams {
    fn new() -> io::Result<Self> {
        let resume = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            user1: signal(SignalKind::user_defined1())?,
            user2: signal(SignalKind::user_defined2())?,
            resume: signal(resume)?,
            resize: signal(SignalKind::window_change())?,
        })
    }

    async fn listen(mut self, guard: &'static TerminalGuard) {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => end(guard, Signal::HangUp),
                _ = self.interrupt.recv() => end(guard, Signal::Interrupt),
                _ = self.quit.recv() => end(guard, Signal::Quit),
                _ = self.terminate.recv() => end(guard, Signal::Terminate),
                _ = self.user1.recv() => end(guard, Signal::Terminate),
                _ = self.user2.recv() => end(guard, Signal::Terminate),
                _ = self.resume.recv() => resumed(guard),
                _ = self.resize.recv() => {
                    let (width, height) = guard.size();
                    guard.outlet.system(Input::Resize { width, height });
                }
            }
        }
    }
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
        let own = matches!(*holder, Owner::Console);
        if own && !guard.in_foreground() {
            // Stopped from outside and sent to the background: the shell has the terminal.
            *holder = Owner::Shell;
            guard.wake();
        } else if own || (*holder == Owner::Shell && !stopping() && guard.in_foreground()) {
            // What the shell made of the terminal meanwhile is unknown.
            let _ = guard.acquire(&mut holder);
            guard.outlet.system(Input::Resumed);
        }
    }
    guard.resume();
}

/// Whether the loop itself stopped the process and will take the terminal back.
fn stopping() -> bool {
    super::screen::STOPPING.load(std::sync::atomic::Ordering::SeqCst)
}
