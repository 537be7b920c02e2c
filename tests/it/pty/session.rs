//! One program in one pty.

use super::checks;
use super::seen::{Found, Seen};
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

pub(crate) use crate::http::PATIENCE;

/// What to start, in an environment that holds nothing of this machine.
pub(crate) struct Start {
    command: CommandBuilder,
    size: PtySize,
    home: tempfile::TempDir,
}

impl Start {
    /// The program of this package.
    pub(crate) fn foureyes(arguments: &[&str]) -> Self {
        Self::program(env!("CARGO_BIN_EXE_foureyes"), arguments)
    }

    /// Any program.
    pub(crate) fn program(program: &str, arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.cwd(home.path());
        let start = Self { command, size: pty_size(80, 24), home };
        let path = std::env::var("PATH").unwrap();
        let home = start.home.path().to_str().unwrap().to_owned();
        start
            .env("PATH", &path)
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", &format!("{home}/config"))
            .env("XDG_DATA_HOME", &format!("{home}/data"))
            .env("XDG_STATE_HOME", &format!("{home}/state"))
            .env("XDG_CACHE_HOME", &format!("{home}/cache"))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn size(mut self, width: u16, height: u16) -> Self {
        self.size = pty_size(width, height);
        self
    }

    /// The home directory that the program will see.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn run(self) -> Session {
        let pair = native_pty_system().openpty(self.size).unwrap();
        let tty = pair.master.tty_name().unwrap();
        let before = stty(&tty);
        let mut child = pair.slave.spawn_command(self.command).unwrap();
        drop(pair.slave);
        let pid = child.process_id().unwrap();
        let (sender, ended) = channel();
        std::thread::spawn(move || sender.send(child.wait().unwrap()));
        let seen = Arc::new(Seen::new(self.size.cols, self.size.rows));
        let reader = pair.master.try_clone_reader().unwrap();
        let thread = {
            let seen = Arc::clone(&seen);
            std::thread::spawn(move || seen.read(reader))
        };
        let writer = pair.master.take_writer().unwrap();
        Session {
            terminal: Some((pair.master, writer)),
            thread: Some(thread),
            seen,
            ended,
            pid,
            tty,
            before,
            home: self.home,
        }
    }
}

fn pty_size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// The modes of a terminal in one line.
fn stty(tty: &Path) -> String {
    let output =
        Command::new("stty").arg("-g").stdin(Stdio::from(opened(tty).unwrap())).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Looking at a terminal must not make it the one of the tests.
fn opened(tty: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOCTTY).open(tty)
}

/// A program that runs in a pty, and what a person there sees.
pub(crate) struct Session {
    terminal: Option<(Box<dyn MasterPty + Send>, Box<dyn Write + Send>)>,
    thread: Option<std::thread::JoinHandle<()>>,
    seen: Arc<Seen>,
    ended: Receiver<ExitStatus>,
    pid: u32,
    tty: PathBuf,
    before: String,
    home: tempfile::TempDir,
}

impl Session {
    /// The home directory that the program sees.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Types, as a terminal sends it: `\r` is Enter, `\x1b` is Esc.
    pub(crate) fn press(&mut self, keys: &str) {
        let (_, writer) = self.terminal.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        let mut state = self.seen.state.lock().unwrap();
        state.frames.resize(width, height);
        drop(state);
        self.terminal.as_ref().unwrap().0.resize(pty_size(width, height)).unwrap();
    }

    /// Waits until the screen holds a text, and gives all that it holds then.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |s| Some(s.contents()).filter(|all| all.contains(text)))
    }

    /// Waits until something is found on the screen, and gives it: whoever looked a second time
    /// might look at the next frame.
    #[track_caller]
    pub(crate) fn wait_until<F: Found>(
        &self,
        what: &str,
        find: impl Fn(&vt100::Screen) -> F,
    ) -> F::Value {
        let found = self.seen.wait(PATIENCE, |state| find(state.frames.screen()).value());
        found.unwrap_or_else(|| panic!("{what} never came; the screen:\n{}", self.screen()))
    }

    /// Types into the field where the cursor is, as a person does: each key after the one before was
    /// seen there. All at once it would be a paste, and Enter a part of it. Gives the screen with all of it.
    #[track_caller]
    pub(crate) fn type_text(&mut self, text: &str) -> String {
        let (mut line, mut screen) = self.wait_until("a field to type in", field);
        for c in text.chars() {
            line.push(c);
            self.press(&c.to_string());
            screen = self.wait_until(&line, |s| {
                field(s).filter(|(now, _)| *now == line).map(|(_, screen)| screen)
            });
        }
        screen
    }

    /// The text on the screen, for whoever waits for nothing more: after the end, or in a report.
    pub(crate) fn screen(&self) -> String {
        self.seen.state.lock().unwrap().frames.screen().contents()
    }

    /// All bytes that came so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.state.lock().unwrap().bytes.clone()
    }

    /// Whether no byte comes for some time.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        let before = self.bytes().len();
        self.seen.wait(time, |state| (state.bytes.len() != before).then_some(())).is_none()
    }

    /// Whether keys were pressed that the program has not read: a further one would come together with them,
    /// and after Escape it would be another key. Waits a little where there are any.
    fn has_unread_keys(&self) -> bool {
        let unread = opened(&self.tty).map(rustix::io::ioctl_fionread);
        let are_there = matches!(unread, Ok(Ok(1..)));
        if are_there {
            std::thread::sleep(Duration::from_millis(5));
        }
        are_there
    }

    /// Waits until all keys are read and no byte came for some time.
    #[track_caller]
    pub(crate) fn wait_for_silence(&self, time: Duration) {
        let start = Instant::now();
        while self.has_unread_keys() || !self.is_silent_for(time) {
            assert!(start.elapsed() < PATIENCE, "never silent; the screen:\n{}", self.screen());
        }
    }

    /// The process that was started.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// The modes of the terminal as they are now, and as they were before the program.
    pub(crate) fn modes(&self) -> (String, String) {
        (stty(&self.tty), self.before.clone())
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        signal_to(self.pid, signal);
    }

    /// Waits for the end; gives the exit code.
    #[track_caller]
    pub(crate) fn end(&self) -> u32 {
        self.end_within(PATIENCE)
    }

    /// Waits for the end, and fails where it does not come in time.
    #[track_caller]
    pub(crate) fn end_within(&self, limit: Duration) -> u32 {
        let Ok(status) = self.ended.recv_timeout(limit) else {
            panic!("no end within {limit:?}; the screen:\n{}", self.screen());
        };
        // Its last words may still be on their way from the terminal when it is known to have ended.
        let closed = self.seen.wait(PATIENCE, |state| state.closed.then_some(()));
        assert!(closed.is_some(), "somebody still has the terminal open");
        assert_eq!(status.signal(), None, "killed; the screen:\n{}", self.screen());
        status.exit_code()
    }

    /// Checks after the end that the terminal is as it was, and that only sequences which the
    /// program itself emits were sent.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        self.assert_restored();
        checks::assert_only_ours(&self.bytes());
    }

    /// The same, where a sequence that must be there once is looked away from.
    #[track_caller]
    pub(crate) fn assert_clean_but(&self, once: &str) {
        self.assert_restored();
        let text = String::from_utf8(self.bytes()).unwrap();
        assert_eq!(text.matches(once).count(), 1, "{once:?}");
        checks::assert_only_ours(text.replace(once, "").as_bytes());
    }

    /// Checks after the end that the terminal is as it was, whatever else was sent.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let (now, before) = self.modes();
        assert_eq!(now, before, "modes; the screen:\n{}", self.screen());
        checks::assert_restored(&self.bytes());
    }

    /// Closes the terminal under the program, as a closed window does.
    pub(crate) fn hang_up(&mut self) {
        self.stop_reading();
        self.terminal = None;
    }

    /// The same, with keys that make the program write where a new size does not.
    pub(crate) fn hang_up_with(&mut self, keys: &str) {
        self.seen.stop.store(true, Ordering::SeqCst);
        self.press(keys);
        self.thread.take().unwrap().join().unwrap();
        self.terminal = None;
    }

    /// Takes no more of what the program writes.
    pub(crate) fn stop_reading(&mut self) {
        self.seen.stop.store(true, Ordering::SeqCst);
        // The reading thread lets go when the next bytes come: a new size brings some.
        self.resize(77, 22);
        self.thread.take().unwrap().join().unwrap();
    }

    /// Makes the screen forget what is on it, as another program's output would.
    pub(crate) fn spoil_screen(&self) {
        self.seen.state.lock().unwrap().frames.take(b"\x1b[2J");
    }

    /// Whether a text comes in the bytes, where no screen of this size can show it.
    pub(crate) fn waits_for_bytes(&self, text: &str) -> bool {
        let found = self.seen.wait(PATIENCE, |s| memchr::memmem::find(&s.bytes, text.as_bytes()));
        found.is_some()
    }
}

/// The line with the cursor as far as the cursor, where a text is typed, and all of the screen.
fn field(screen: &vt100::Screen) -> Option<(String, String)> {
    let (row, column) = screen.cursor_position();
    let text = screen.contents_between(row, 0, row, column);
    // Cells that were never written are no text.
    let line = format!("{text:width$}", width = usize::from(column));
    let line = line.rsplit('│').next()?.to_owned();
    (!screen.hide_cursor()).then(|| (line, screen.contents()))
}

impl Drop for Session {
    fn drop(&mut self) {
        // A failed test leaves no process behind. One that ended is known to have ended.
        if std::thread::panicking() && self.ended.try_recv().is_err() {
            signal_to(self.pid, rustix::process::Signal::KILL);
        }
    }
}

pub(crate) fn signal_to(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    let _ = rustix::process::kill_process(pid, signal);
}

/// The state of a process as one letter, `None` where there is none.
pub(crate) fn process_state(pid: u32) -> Option<char> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    text.rsplit_once(") ")?.1.chars().next()
}

/// Waits until something outside the screen is so.
#[track_caller]
pub(crate) fn wait_outside(what: &str, limit: Duration, wanted: impl Fn() -> bool) {
    let start = Instant::now();
    while !wanted() {
        assert!(start.elapsed() < limit, "{what}: not within {limit:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
