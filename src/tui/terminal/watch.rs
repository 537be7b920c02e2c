//! Waits for the terminal to go away.

use super::guard::{Owner, TerminalGuard};
use super::shutdown;
use crate::tui::input::{GONE_CODE, Input};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::io;
use std::os::fd::OwnedFd;

/// Starts the thread that sleeps until the terminal hangs up.
///
/// It does not depend on SIGHUP, which is not sent to every process and may be ignored.
pub(super) fn start(guard: &'static TerminalGuard) -> io::Result<()> {
    let watch = move || {
        if wait(&guard.input, &guard.output) {
            gone(guard);
        }
    };
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(watch).map(drop)
}

/// Waits for the end of one of the two; false where the system cannot wait for it.
fn wait(input: &OwnedFd, output: &OwnedFd) -> bool {
    // Nothing is asked for: the end and errors are always reported, and keys wake nobody.
    let mut ends =
        [PollFd::new(input, PollFlags::empty()), PollFd::new(output, PollFlags::empty())];
    loop {
        match rustix::event::poll(&mut ends, None) {
            Ok(_) => {
                // Some systems cannot wait for `/dev/tty` by this name.
                let events = |end: &PollFd<'_>| end.revents();
                if ends.iter().any(|e| events(e).intersects(PollFlags::HUP | PollFlags::ERR)) {
                    return true;
                }
                if ends.iter().any(|e| events(e).contains(PollFlags::NVAL)) {
                    return false;
                }
            }
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

fn gone(guard: &'static TerminalGuard) {
    // There is nothing to give back to: the loop must not write either.
    if let Some(mut holder) = guard.holder_soon()
        && !matches!(*holder, Owner::Child(_))
    {
        *holder = Owner::Nobody;
    }
    guard.wake();
    guard.outlet.system(Input::Gone);
    shutdown::end_soon(guard, GONE_CODE);
}
