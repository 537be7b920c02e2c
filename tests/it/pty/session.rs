//! One program in one pty.

use super::checks;
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};
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
        let seen = Arc::new(Seen::new(self.size));
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

/// A screen that is drawn has at least one cell.
fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap_or(NonZero::<u16>::MIN)
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

/// What came from the program.
struct Seen {
    state: Mutex<State>,
    changed: Condvar,
    stop: AtomicBool,
}

struct State {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
}

impl Seen {
    fn new(size: PtySize) -> Self {
        let screen = vt100::Parser::new(cells(size.rows), cells(size.cols), 0);
        let state = State { screen, bytes: Vec::new(), closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), stop: AtomicBool::new(false) }
    }

    fn read(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 8192];
        while !self.stop.load(Ordering::SeqCst) {
            let read = reader.read(&mut buffer).unwrap_or(0);
            if read == 0 {
                break;
            }
            let mut state = self.state.lock().unwrap();
            state.screen.process(&buffer[..read]);
            state.bytes.extend_from_slice(&buffer[..read]);
            self.changed.notify_all();
        }
        self.state.lock().unwrap().closed = true;
        self.changed.notify_all();
    }

    /// Waits until the state is as wanted; gives whether it became so.
    fn wait(&self, limit: Duration, mut wanted: impl FnMut(&State) -> bool) -> bool {
        let start = Instant::now();
        let mut state = self.state.lock().unwrap();
        loop {
            if wanted(&state) {
                return true;
            }
            let left = limit.saturating_sub(start.elapsed());
            // After the end nothing more comes.
            if left.is_zero() || state.closed {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap().0;
        }
    }
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
        state.screen.screen_mut().set_size(cells(height), cells(width));
        drop(state);
        self.terminal.as_ref().unwrap().0.resize(pty_size(width, height)).unwrap();
    }

    /// Waits until the screen holds a text.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let came = self.seen.wait(PATIENCE, |state| wanted(state.screen.screen()));
        assert!(came, "{what} never came; the screen:\n{}", self.screen());
    }

    /// What is seen on the screen now.
    pub(crate) fn look<T>(&self, look: impl Fn(&vt100::Screen) -> T) -> T {
        look(self.seen.state.lock().unwrap().screen.screen())
    }

    /// The text on the screen.
    pub(crate) fn screen(&self) -> String {
        self.seen.state.lock().unwrap().screen.screen().contents()
    }

    /// All bytes that came so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.state.lock().unwrap().bytes.clone()
    }

    /// Whether no byte comes for some time.
    pub(crate) fn is_silent_for(&self, time: Duration) -> bool {
        let before = self.bytes().len();
        !self.seen.wait(time, |state| state.bytes.len() != before)
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
        let closed = self.seen.wait(PATIENCE, |state| state.closed);
        assert!(closed, "somebody still has the terminal open");
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
        self.seen.state.lock().unwrap().screen.process(b"\x1b[2J");
    }

    /// Whether a text comes in the bytes, where no screen of this size can show it.
    pub(crate) fn waits_for_bytes(&self, text: &str) -> bool {
        let found = |s: &State| memchr::memmem::find(&s.bytes, text.as_bytes()).is_some();
        self.seen.wait(PATIENCE, found)
    }
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
