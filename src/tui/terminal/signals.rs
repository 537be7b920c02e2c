//! Waits for signals, on a thread and a runtime of their own: a busy program still hears them.

use super::ending;
use super::guard::{Owner, TerminalGuard};
use crate::tui::input::{Input, Signal};
use std::io;
use std::sync::mpsc;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// Starts the thread. Its handlers stay for the life of the process, so it does too.
///
/// When this returns, the handlers are set.
pub(super) fn start(seat: &'static TerminalGuard) -> io::Result<()> {
    let (ready, set) = mpsc::channel();
    let listen = move || {
        let told = |result| drop(ready.send(result));
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().build() {
            Ok(runtime) => runtime,
            Err(error) => return told(Err(error)),
        };
        runtime.block_on(async {
            match Heard::new() {
                Ok(heard) => {
                    told(Ok(()));
                    heard.listen(seat).await;
                }
                Err(error) => told(Err(error)),
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    set.recv().unwrap_or_else(|_| Err(io::Error::other("the thread ended")))
}

struct Heard {
    hangup: Stream,
    interrupt: Stream,
    quit: Stream,
    terminate: Stream,
    user1: Stream,
    user2: Stream,
    resume: Stream,
    resize: Stream,
}

impl Heard {
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

    async fn listen(mut self, seat: &'static TerminalGuard) {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => end(seat, Signal::HangUp),
                _ = self.interrupt.recv() => end(seat, Signal::Interrupt),
                _ = self.quit.recv() => end(seat, Signal::Quit),
                _ = self.terminate.recv() => end(seat, Signal::Terminate),
                _ = self.user1.recv() => end(seat, Signal::Terminate),
                _ = self.user2.recv() => end(seat, Signal::Terminate),
                _ = self.resume.recv() => resumed(seat),
                _ = self.resize.recv() => {
                    let (width, height) = seat.size();
                    seat.outlet.system(Input::Resize { width, height });
                }
            }
        }
    }
}

fn end(seat: &'static TerminalGuard, signal: Signal) {
    // In an editor ctrl-c and ctrl-\ are the editor's, and reach the whole group.
    let typed = matches!(signal, Signal::Interrupt | Signal::Quit);
    let in_child = || matches!(seat.holder_soon().as_deref(), Some(Owner::Child(_)));
    if typed && (in_child() || seat.child_ended_just_now()) {
        return;
    }
    seat.outlet.system(Input::Signal(signal));
    ending::end_soon(seat, signal.code());
}

/// The process goes on after it was stopped, perhaps from outside and without a word.
fn resumed(seat: &'static TerminalGuard) {
    if let Some(mut holder) = seat.holder_soon() {
        let own = matches!(*holder, Owner::Console);
        if own && !seat.in_foreground() {
            // Stopped from outside and sent to the background: the shell has the terminal.
            *holder = Owner::Shell;
            seat.wake();
        } else if own || (*holder == Owner::Shell && !stopping() && seat.in_foreground()) {
            // What the shell made of the terminal meanwhile is unknown.
            let _ = seat.take(&mut holder);
            seat.outlet.system(Input::Resumed);
        }
    }
    seat.resume();
}

/// Whether the loop itself stopped the process and will take the terminal back.
fn stopping() -> bool {
    super::screen::STOPPING.load(std::sync::atomic::Ordering::SeqCst)
}
