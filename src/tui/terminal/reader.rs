//! Reads the keyboard while the console has the terminal.

use super::guard::{FOREGROUND_CHECK, Owner, TerminalGuard};
use crate::tui::input::{Decoder, Input, Token, characters, gather};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::io::{self, PipeReader, Read};
use std::time::{Duration, Instant};

/// Where characters arrive together, more may follow within this time.
const LINGER: Duration = Duration::from_millis(3);

/// What follows a burst within this time is the rest of it.
const REST: Duration = Duration::from_millis(60);

/// Bytes that are looked at together, at most.
const TOGETHER: usize = 1 << 16;

/// Starts the thread; `wake` is the other end of the seat's pipe.
pub(super) fn start(guard: &'static TerminalGuard, wake: PipeReader) -> io::Result<()> {
    let reader =
        Reader { guard, wake, decoder: Decoder::default(), burst: None, buffer: vec![0; 4096] };
    std::thread::Builder::new().name("keyboard".to_owned()).spawn(move || reader.run()).map(drop)
}

struct Reader {
    guard: &'static TerminalGuard,
    wake: PipeReader,
    decoder: Decoder,
    /// When the last burst ended.
    burst: Option<Instant>,
    buffer: Vec<u8>,
}

/// What the wait ended with.
enum WakeReason {
    Keys,
    Silence,
    Changed,
    Gone,
}

impl Reader {
    fn run(mut self) {
        loop {
            let owner = *self.guard.holder();
            let reading = owner == Owner::Console;
            if !reading {
                // What was begun before belongs to nobody now.
                self.decoder = Decoder::default();
            }
            let limit = match owner {
                Owner::Console => self.decoder.wait(),
                Owner::Shell => Some(FOREGROUND_CHECK),
                Owner::Child(_) => None,
                Owner::Nobody => return,
            };
            let woken = self.wait(reading, limit);
            let mut tokens = Vec::new();
            match woken {
                WakeReason::Gone => return,
                WakeReason::Changed => continue,
                WakeReason::Silence if reading => self.decoder.settle(&mut tokens),
                WakeReason::Silence => {
                    self.guard.is_away(&mut self.guard.holder());
                }
                WakeReason::Keys if self.drain(&mut tokens) => {}
                WakeReason::Keys => return,
            }
            if !self.deliver(tokens) {
                return;
            }
        }
    }

    /// Sleeps until there are keys, the holder changes, or the silence lasts.
    fn wait(&mut self, reading: bool, limit: Option<Duration>) -> WakeReason {
        let keys = if reading { PollFlags::IN } else { PollFlags::empty() };
        let mut ends =
            [PollFd::new(&self.wake, PollFlags::IN), PollFd::new(&self.guard.keys, keys)];
        // Without keys the terminal is not asked at all: its end is somebody else's to notice.
        let asked = if reading { &mut ends[..] } else { &mut ends[..1] };
        let limit = limit.and_then(|l| Timespec::try_from(l).ok());
        match rustix::event::poll(asked, limit.as_ref()) {
            Ok(0) => return WakeReason::Silence,
            Ok(_) => {}
            Err(Errno::INTR) => return WakeReason::Changed,
            Err(_) => return WakeReason::Gone,
        }
        let (woken, input_events) = (ends[0].revents(), ends[1].revents());
        if woken.contains(PollFlags::IN) {
            let _ = (&self.wake).read(&mut [0; 64]);
            return WakeReason::Changed;
        }
        if input_events.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return WakeReason::Gone;
        }
        WakeReason::Keys
    }

    /// Reads all that is there; false where the terminal ended.
    fn drain(&mut self, tokens: &mut Vec<Token>) -> bool {
        let mut total = 0;
        loop {
            let read = {
                // The guard keeps the holder from changing between the look and the read.
                let mut holder = self.guard.holder();
                if *holder != Owner::Console || self.guard.is_away(&mut holder) {
                    return true;
                }
                rustix::io::read(&self.guard.keys, &mut self.buffer)
            };
            match read {
                Ok(0) => return false,
                Ok(length) => {
                    self.decoder.feed(&self.buffer[..length], tokens);
                    total += length;
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return false,
            }
            let limit = if characters(tokens) > 1 { LINGER } else { Duration::ZERO };
            if total >= TOGETHER || !self.more(limit) {
                return true;
            }
        }
    }

    fn more(&self, limit: Duration) -> bool {
        let mut ends = [PollFd::new(&self.guard.keys, PollFlags::IN)];
        let limit = Timespec::try_from(limit).ok();
        matches!(rustix::event::poll(&mut ends, limit.as_ref()), Ok(1..))
            && ends[0].revents().contains(PollFlags::IN)
    }

    /// Hands over what arrived together; false where nobody takes it.
    fn deliver(&mut self, tokens: Vec<Token>) -> bool {
        if tokens.is_empty() {
            return true;
        }
        let after = self.burst.is_some_and(|at| at.elapsed() < REST);
        let (inputs, burst) = gather(tokens, after);
        self.burst = burst.then(Instant::now);
        inputs.into_iter().all(|input: Input| self.guard.outlet.keys(input))
    }
}
