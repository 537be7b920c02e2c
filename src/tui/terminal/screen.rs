//! The screen: frames on it, and stepping aside for others.

use super::canvas::Canvas;
use super::guard::{Owner, TerminalGuard};
use super::linked_cells::LinkedCells;
use super::watch;
use super::{
    ChildError, Error, Inputs, bytes, child, guard, inputs, panic, phase, reader, shutdown, signals,
};
use crate::tui::link::Link;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};
use rustix::io::Errno;
use rustix::process::Signal;
use std::ffi::OsString;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// A stop takes hold within this time, or not at all: a process that nobody could wake again is
/// not stopped by the system.
const STOP_WAIT: Duration = Duration::from_millis(150);

/// The terminal while the console has it. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Screen {
    guard: &'static TerminalGuard,
    terminal: Terminal<Canvas>,
    /// The title that the terminal has from here.
    title: String,
}

impl Screen {
    /// Takes the terminal, once in the life of the process: raw mode, other screen, marks around a
    /// paste, no cursor. Ask [`usable`](super::usable) first.
    ///
    /// # Errors
    ///
    /// [`Error`] where the terminal refuses or was taken before; it is then as it was found.
    pub fn enter() -> Result<(Self, Inputs), Error> {
        let (outlet, inputs) = inputs::channel();
        let (woken, wake) = io::pipe().map_err(Error::Open)?;
        let guard = guard::claim(outlet, wake)?;
        let terminal = Terminal::new(Canvas::new(guard)).map_err(Error::Write)?;
        // From here on a drop gives it back.
        let screen = Self { guard, terminal, title: String::new() };
        panic::install();
        let thread = |task| move |source| Error::Thread { task, source };
        signals::start(guard).map_err(thread("signals"))?;
        watch::start(guard).map_err(thread("the end of the terminal"))?;
        guard.acquire(&mut guard.holder())?;
        reader::start(guard, woken).map_err(thread("the keyboard"))?;
        Ok((screen, inputs))
    }

    /// Draws a frame, and sends what differs from the one before, in one write. Returns whether
    /// anything was sent.
    ///
    /// Nothing is drawn while somebody else has the terminal. A terminal that is gone is no error
    /// here: [`Input::Gone`](crate::tui::input::Input::Gone) reports it.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] where the terminal refuses the bytes.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> Result<bool, Error> {
        self.draw_linked(view, &[])
    }

    /// The same; parts of the frame lead elsewhere (OSC 8).
    ///
    /// # Errors
    ///
    /// [`Error::Write`] where the terminal refuses the bytes.
    pub fn draw_linked(
        &mut self,
        view: impl FnOnce(&mut Frame<'_>),
        links: &[Link],
    ) -> Result<bool, Error> {
        if *self.guard.holder() != Owner::Console {
            return Ok(false);
        }
        if self.guard.take_stale() {
            self.title.clear();
            self.terminal.backend_mut().forget();
            self.terminal.clear().map_err(Error::Write)?;
        }
        let before = self.terminal.backend_mut().links();
        let (mut now, mut former) = (Vec::new(), Vec::new());
        let view = |frame: &mut Frame<'_>| {
            view(frame);
            let buffer = frame.buffer_mut();
            now.extend(links.iter().filter_map(|link| LinkedCells::read(buffer, link)));
            let gone = before.iter().filter(|link| !now.contains(link));
            former.extend(gone.map(|link| link.again(buffer)));
        };
        self.terminal.draw(view).map_err(Error::Write)?;
        self.terminal.backend_mut().link(&former, now).map_err(Error::Write)?;
        let page = self.terminal.backend_mut().finish().map_err(Error::Write)?;
        if page.is_empty() {
            return Ok(false);
        }
        let page = [bytes::FRAME_BEGINS, &page, bytes::FRAME_ENDS].concat();
        // Nobody gives the terminal away between the look and the write.
        let holder = self.guard.holder();
        if *holder != Owner::Console {
            self.guard.mark_stale();
            return Ok(false);
        }
        match bytes::write(&self.guard.output, &page) {
            Ok(()) => Ok(true),
            Err(Errno::IO | Errno::PIPE) => Ok(false),
            Err(error) => Err(Error::Write(error.into())),
        }
    }

    /// Names the terminal's window, where it has another name from here.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] where the terminal refuses the bytes.
    pub fn name(&mut self, title: String) -> Result<(), Error> {
        if title == self.title {
            return Ok(());
        }
        let holder = self.guard.holder();
        if *holder != Owner::Console {
            return Ok(());
        }
        let written = bytes::write(&self.guard.output, &bytes::title(&title));
        self.title = title;
        match written {
            Ok(()) | Err(Errno::IO | Errno::PIPE) => Ok(()),
            Err(error) => Err(Error::Write(error.into())),
        }
    }

    /// Makes the next draw paint all, as after noise from another program.
    pub fn repaint(&mut self) {
        self.guard.mark_stale();
    }

    /// Asks the terminal to put a text on its clipboard (OSC 52). Whether it does is never known.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] where the terminal refuses the bytes.
    pub fn copy(&mut self, text: &str) -> Result<(), Error> {
        let holder = self.guard.holder();
        if *holder != Owner::Console {
            return Ok(());
        }
        let mut bytes = Vec::new();
        crossterm::queue!(bytes, crossterm::clipboard::CopyToClipboard::to_clipboard_from(text))
            .map_err(Error::Write)?;
        match bytes::write(&self.guard.output, &bytes) {
            Ok(()) | Err(Errno::IO | Errno::PIPE) => Ok(()),
            Err(error) => Err(Error::Write(error.into())),
        }
    }

    /// Has the terminal report the mouse, or no longer; the shell and an editor have it as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] where the terminal refuses the bytes.
    pub fn set_mouse(&mut self, is_on: bool) -> Result<(), Error> {
        match self.guard.set_mouse(is_on) {
            Ok(()) | Err(Errno::IO | Errno::PIPE) => Ok(()),
            Err(error) => Err(Error::Write(error.into())),
        }
    }

    /// Columns and rows, at least 1 each; 80 and 24 where the terminal does not know.
    pub fn size(&self) -> Size {
        Size::from(self.guard.size())
    }

    /// Stops the process as ctrl-z does elsewhere, and returns when it goes on in the foreground.
    ///
    /// The terminal is the shell's meanwhile. The whole group of processes stops, as the shell
    /// expects. The next draw paints all.
    ///
    /// # Errors
    ///
    /// [`Error`] where the system refuses, or the terminal cannot be taken back.
    pub fn stop(&mut self) -> Result<(), Error> {
        phase::set_stopping(true);
        let stopped = self.stop_and_wait().and_then(|()| self.take_back());
        phase::set_stopping(false);
        stopped
    }

    fn take_back(&self) -> Result<(), Error> {
        let mut holder = self.guard.holder();
        if phase::is_ending() || *holder != Owner::Shell {
            return Ok(());
        }
        self.guard.note_modes();
        self.guard.acquire(&mut holder)
    }

    fn stop_and_wait(&self) -> Result<(), Error> {
        self.hand_over(Owner::Shell);
        let since = self.guard.resumed();
        rustix::process::kill_current_process_group(Signal::TSTP)
            .map_err(|e| Error::Stop(e.into()))?;
        self.guard.wait_resumed(since, STOP_WAIT);
        loop {
            let since = self.guard.resumed();
            if self.guard.in_foreground() || phase::is_ending() {
                return Ok(());
            }
            // Sent to the background: work goes on, and the terminal is the shell's.
            self.guard.wait_resumed(since, guard::FOREGROUND_CHECK);
        }
    }

    /// Gives the terminal to somebody else while `work` runs, and takes it back. Keys are not read
    /// meanwhile. The next draw paints all.
    ///
    /// # Errors
    ///
    /// [`Error`] where the terminal cannot be taken back.
    pub fn suspend<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Error> {
        self.hand_over(Owner::Child(None));
        let result = work();
        self.guard.note_child_end();
        let mut holder = self.guard.holder();
        if matches!(*holder, Owner::Child(_)) {
            // Whatever modes it left, ours begin with those that were found.
            self.guard.hand_over(&mut holder, Owner::Shell);
            if !phase::is_ending() {
                self.guard.acquire(&mut holder)?;
            }
        }
        Ok(result)
    }

    /// Runs a program on the terminal, such as an editor, and waits for its end. The first of
    /// `argv` is the program; no shell is involved.
    ///
    /// Where the process is asked to end meanwhile, the program is ended first.
    ///
    /// # Errors
    ///
    /// [`ChildError`] where the program does not start. How it ended is in the status.
    pub fn run_child(&mut self, argv: &[OsString]) -> Result<ExitStatus, ChildError> {
        let guard = self.guard;
        self.suspend(|| child::run(guard, argv))?
    }

    fn hand_over(&self, to: Owner) {
        let mut holder = self.guard.holder();
        if *holder != Owner::Nobody {
            self.guard.hand_over(&mut holder, to);
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        shutdown::give_back(self.guard);
    }
}
