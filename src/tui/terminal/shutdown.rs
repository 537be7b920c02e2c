//! The end that comes also where the loop does not end by itself.

use super::guard::{Owner, TerminalGuard};
use super::phase;
use rustix::process::{Pid, Signal};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long the loop has to save and to end.
const GRACE: Duration = Duration::from_millis(700);

/// How long a program that has the terminal has to give it back.
const CHILD_GRACE: Duration = Duration::from_millis(300);

/// How long the terminal has to take what gives it back.
const LAST_WORDS: Duration = Duration::from_millis(80);

/// Makes the process end with this code if it does not end by itself in time. The first call counts.
pub(super) fn end_soon(guard: &'static TerminalGuard, code: u8) {
    if phase::set_ending() {
        return;
    }
    // Whoever waits to go on after a stop looks again, and finds that this is the end.
    guard.resume();
    let last = move || {
        let start = Instant::now();
        end_child(guard);
        std::thread::sleep(GRACE.saturating_sub(start.elapsed()));
        exit(guard, code);
    };
    if std::thread::Builder::new().name("ending".to_owned()).spawn(last).is_err() {
        exit(guard, code);
    }
}

/// Gives the terminal back, as far as it takes it, and exits.
fn exit(guard: &'static TerminalGuard, code: u8) -> ! {
    let (done, wait) = mpsc::channel();
    let give = move || {
        give_back(guard);
        let _ = done.send(());
    };
    // A terminal that is not read takes no bytes: it is not waited for.
    if std::thread::Builder::new().spawn(give).is_ok() {
        let _ = wait.recv_timeout(LAST_WORDS + super::guard::PATIENCE);
    }
    std::process::exit(i32::from(code))
}

/// Gives the terminal back for good. Where a write is stuck, at least the modes are set.
pub(super) fn give_back(guard: &TerminalGuard) {
    match guard.holder_soon() {
        Some(mut holder) => guard.hand_over(&mut holder, Owner::Nobody),
        None => guard.restore_modes(),
    }
}

/// Ends a program that has the terminal: gently, then for good.
pub(super) fn end_child(guard: &TerminalGuard) {
    let Some(pid) = child(guard) else { return };
    let _ = rustix::process::kill_process(pid, Signal::TERM);
    // One that is stopped receives it only when it goes on.
    let _ = rustix::process::kill_process(pid, Signal::CONT);
    let start = Instant::now();
    while child(guard).is_some() {
        if start.elapsed() > CHILD_GRACE {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn child(guard: &TerminalGuard) -> Option<Pid> {
    match *guard.holder_soon()? {
        Owner::Child(pid) => pid,
        _ => None,
    }
}
