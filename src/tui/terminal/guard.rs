//! Who has the terminal, and the way from one to the other.

use super::inputs::Outlet;
use super::{Error, bytes, phase};
use crate::tui::input::Input;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::termios::{OptionalActions, QueueSelector, Termios};
use std::io::{self, PipeWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Who has the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The console draws and reads.
    Console,
    /// The shell: the console is stopped, or runs in the background.
    Shell,
    /// A program that the console started; its process once it runs.
    Child(Option<Pid>),
    /// Given back for good.
    Nobody,
}

/// The terminal of this process. There is one, and it lives as long as the process, since a panic
/// and a signal must find it at any time.
#[derive(Debug)]
pub(super) struct TerminalGuard {
    pub(super) input: OwnedFd,
    /// The same terminal, opened anew so that reading never blocks here and still does elsewhere.
    pub(super) keys: OwnedFd,
    pub(super) output: OwnedFd,
    pub(super) outlet: Outlet,
    /// Wakes the reader where the holder changed.
    wake: PipeWriter,
    /// Held while bytes are written or read, so that a change of holder waits for them.
    holder: Mutex<Owner>,
    /// The modes to give back.
    found: Mutex<Termios>,
    /// What is on the screen is not what was drawn.
    stale: AtomicBool,
    /// The mouse is reported while the console has the terminal.
    mouse: AtomicBool,
    /// Whether the terminal was asked to keep its title.
    keeps_title: AtomicBool,
    /// How often the process was continued.
    resumed: Mutex<u64>,
    on_resume: Condvar,
    /// When the last program gave the terminal back.
    child_ended: Mutex<Option<Instant>>,
}

static GUARD: OnceLock<TerminalGuard> = OnceLock::new();

/// How long a change waits for bytes that are being written. A terminal that is not read takes
/// none, and must not keep the process.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);

/// While the shell has the terminal, whether it gave it back is checked this often: no signal says so.
pub(super) const FOREGROUND_CHECK: Duration = Duration::from_millis(200);

/// The terminal, where it was ever taken.
pub(super) fn current() -> Option<&'static TerminalGuard> {
    GUARD.get()
}

/// Takes note of the terminal, once in the life of the process.
pub(super) fn claim(outlet: Outlet, wake: PipeWriter) -> Result<&'static TerminalGuard, Error> {
    let input = io::stdin().as_fd().try_clone_to_owned().map_err(Error::Open)?;
    let output = io::stdout().as_fd().try_clone_to_owned().map_err(Error::Open)?;
    let keys = match opened_anew(&input) {
        Ok(keys) => keys,
        // One without a name here: what is there is read as it is.
        Err(_) => input.try_clone().map_err(Error::Open)?,
    };
    let found = rustix::termios::tcgetattr(&input);
    let found = found.map_err(|e| Error::Modes { attempt: "read", source: e.into() })?;
    let guard = TerminalGuard {
        input,
        keys,
        output,
        outlet,
        wake,
        holder: Mutex::new(Owner::Shell),
        found: Mutex::new(found),
        stale: AtomicBool::new(false),
        mouse: AtomicBool::new(false),
        keeps_title: AtomicBool::new(false),
        resumed: Mutex::new(0),
        on_resume: Condvar::new(),
        child_ended: Mutex::new(None),
    };
    GUARD.set(guard).map_err(|_| Error::Taken)?;
    GUARD.get().ok_or(Error::Taken)
}

fn opened_anew(terminal: &OwnedFd) -> Result<OwnedFd, Errno> {
    let name = rustix::termios::ttyname(terminal, Vec::new())?;
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::open(name, flags, Mode::empty())
}

impl TerminalGuard {
    /// The holder, for as long as the guard lives. A panic elsewhere leaves no half change behind.
    pub(super) fn holder(&self) -> MutexGuard<'_, Owner> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, but not for ever: `None` where a write is stuck.
    pub(super) fn holder_soon(&self) -> Option<MutexGuard<'_, Owner>> {
        let start = Instant::now();
        loop {
            match self.holder.try_lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Takes the terminal for the console; the next draw paints all.
    pub(super) fn acquire(&self, holder: &mut Owner) -> Result<(), Error> {
        let mut raw = self.found().clone();
        raw.make_raw();
        rustix::termios::tcsetattr(&self.input, OptionalActions::Now, &raw)
            .map_err(|e| Error::Modes { attempt: "set", source: e.into() })?;
        *holder = Owner::Console;
        self.stale.store(true, Ordering::SeqCst);
        let keep: &[u8] = match self.keeps_title.swap(true, Ordering::SeqCst) {
            true => &[],
            false => bytes::KEEP_TITLE,
        };
        let mouse = if self.mouse.load(Ordering::SeqCst) { bytes::MOUSE_ON } else { b"" };
        let written = bytes::write(&self.output, &[keep, bytes::ENTER, mouse].concat());
        self.wake();
        written.map_err(|e| Error::Write(e.into()))
    }

    /// Gives the terminal back as it was found, to the named owner.
    ///
    /// Failures are not reported: a terminal that takes nothing any more needs nothing back.
    pub(super) fn hand_over(&self, holder: &mut Owner, to: Owner) {
        match *holder {
            Owner::Console => {
                let _ = bytes::write(&self.output, bytes::LEAVE);
                self.keeps_title.store(false, Ordering::SeqCst);
                self.restore_modes();
            }
            Owner::Child(_) => {
                self.restore_modes();
                let _ = bytes::write(&self.output, bytes::AFTER_CHILD);
            }
            Owner::Shell | Owner::Nobody => {}
        }
        *holder = to;
        self.wake();
    }

    /// Sets the modes as they were found, and forgets what was typed: the rest of a long paste
    /// must not run in the shell.
    pub(super) fn restore_modes(&self) {
        let _ = rustix::termios::tcflush(&self.input, QueueSelector::IFlush);
        let found = self.found();
        let _ = rustix::termios::tcsetattr(&self.input, OptionalActions::Now, &found);
    }

    /// Reads the modes anew: between, a person may have changed them.
    pub(super) fn note_modes(&self) {
        if let Ok(modes) = rustix::termios::tcgetattr(&self.input) {
            *self.found() = modes;
        }
    }

    fn found(&self) -> MutexGuard<'_, Termios> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether keys go to this process. Where the terminal is not the one that controls the
    /// process, nobody else competes.
    pub(super) fn in_foreground(&self) -> bool {
        match rustix::termios::tcgetpgrp(&self.input) {
            Ok(group) => group == rustix::process::getpgrp(),
            Err(_) => true,
        }
    }

    /// Gives way to the shell where it has the terminal, and takes the terminal back where the shell
    /// gave it. Returns whether the shell has it.
    ///
    /// A shell that stopped a process and learns that it goes on may give it the terminal without
    /// another signal, as bash does at `fg`. And it may learn of the stop only after that.
    pub(super) fn is_away(&self, holder: &mut Owner) -> bool {
        match *holder {
            Owner::Console if !self.in_foreground() => {
                *holder = Owner::Shell;
                self.wake();
                true
            }
            // The loop stopped the process, and takes the terminal back itself.
            Owner::Shell if phase::is_stopping() || phase::is_ending() => false,
            Owner::Shell if self.in_foreground() => {
                self.take_back(holder);
                false
            }
            Owner::Shell => true,
            Owner::Console | Owner::Child(_) | Owner::Nobody => false,
        }
    }

    /// Takes the terminal for the console, whatever somebody else made of it, and says so.
    pub(super) fn take_back(&self, holder: &mut Owner) {
        let _ = self.acquire(holder);
        self.outlet.system(Input::Resumed);
    }

    /// Columns and rows, at least 1 each. A terminal that does not know its size has 80 and 24;
    /// one that claims a million cells and more has fewer rows.
    pub(super) fn size(&self) -> (u16, u16) {
        const CELLS: u32 = 1_000_000;
        match rustix::termios::tcgetwinsize(&self.output) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                let rows = (CELLS / u32::from(size.ws_col)).max(1);
                let rows = u16::try_from(rows).unwrap_or(u16::MAX);
                (size.ws_col, size.ws_row.min(rows))
            }
            _ => (80, 24),
        }
    }

    /// Has the mouse reported from now on, or no longer; at once where the console has the terminal.
    pub(super) fn set_mouse(&self, is_on: bool) -> Result<(), Errno> {
        let holder = self.holder();
        self.mouse.store(is_on, Ordering::SeqCst);
        match *holder {
            Owner::Console if is_on => bytes::write(&self.output, bytes::MOUSE_ON),
            Owner::Console => bytes::write(&self.output, bytes::MOUSE_OFF),
            _ => Ok(()),
        }
    }

    /// Tells that what is on the screen is not what was drawn.
    pub(super) fn mark_stale(&self) {
        self.stale.store(true, Ordering::SeqCst);
    }

    /// Whether all is to be painted; asking answers it.
    pub(super) fn take_stale(&self) -> bool {
        self.stale.swap(false, Ordering::SeqCst)
    }

    /// Makes the reader look who has the terminal.
    pub(super) fn wake(&self) {
        // The reader empties it each time, so it does not fill.
        let _ = (&self.wake).write(&[0]);
    }

    /// Notes that a program gave the terminal back.
    pub(super) fn note_child_end(&self) {
        *self.child_ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether a signal that arrives now may have been typed into a program that it ended.
    pub(super) fn child_ended_just_now(&self) -> bool {
        let ended = *self.child_ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.is_some_and(|at| at.elapsed() < PATIENCE)
    }

    /// How often the process was continued.
    pub(super) fn resumed(&self) -> u64 {
        *self.resumed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the process goes on, or that it shall end: whoever waits looks again.
    pub(super) fn resume(&self) {
        *self.resumed.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.on_resume.notify_all();
    }

    /// Waits until the process is continued once more than `since`, at most for `limit`.
    pub(super) fn wait_resumed(&self, since: u64, limit: Duration) {
        let count = self.resumed.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.on_resume.wait_timeout_while(count, limit, |count| *count == since));
    }
}
