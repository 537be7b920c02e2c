//! A person at the real console: a home that outlives a run, and what is looked at on the screen.

use super::super::pty::{Session, Start};
use foureyes::domain::Timestamp;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(super) use crate::http::PATIENCE;

/// A home directory for several runs of the program.
pub(super) struct Home(tempfile::TempDir);

impl Home {
    pub(super) fn new() -> Self {
        Self(tempfile::Builder::new().prefix("console").tempdir().unwrap())
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    /// A program that is found on the path of [`Home::console`].
    pub(super) fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The console in this home, not yet started.
    pub(super) fn console(&self, arguments: &[&str]) -> Start {
        self.program_in(Start::foureyes(arguments))
    }

    /// The console under a shell script that gets its command as `"$@"`.
    pub(super) fn shell(&self, script: &str, arguments: &[&str]) -> Start {
        let mut all = vec!["-c", script, "sh", env!("CARGO_BIN_EXE_foureyes")];
        all.extend(arguments);
        self.program_in(Start::program("sh", &all))
    }

    /// Any program in this home.
    pub(super) fn program_in(&self, start: Start) -> Start {
        let path = std::env::var("PATH").unwrap();
        let at = |name: &str| self.at(name).into_os_string().into_string().unwrap();
        start
            .env("HOME", self.path().to_str().unwrap())
            .env("PATH", &format!("{}:{path}", at("bin")))
            .env("XDG_CONFIG_HOME", &at("config"))
            .env("XDG_DATA_HOME", &at("data"))
            .env("XDG_STATE_HOME", &at("state"))
            .env("XDG_CACHE_HOME", &at("cache"))
            .env("FOUREYES_DATA", &at("foureyes"))
            .size(120, 40)
    }

    /// Logs of so many flagged records of the last hour, and the arguments that read them.
    pub(super) fn logs(&self, records: u32) -> [String; 2] {
        let log: String = (0..records).map(|n| flagged(n, 60 + n)).collect();
        self.write("logs/2026.jsonl", log);
        ["--from".to_owned(), self.at("logs").into_os_string().into_string().unwrap()]
    }

    /// The console on [`Home::logs`].
    pub(super) fn on_logs(&self, records: u32) -> Start {
        let [flag, dir] = self.logs(records);
        self.console(&[&flag, &dir])
    }

    /// What is written down of how the console was left.
    pub(super) fn session(&self, data: &Path) -> serde_json::Value {
        let bytes = std::fs::read(data.join("session/console.json")).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Waits until nothing that this home's console started is alive (O6).
    #[track_caller]
    pub(super) fn nothing_left(&self) {
        self.nothing_left_within(Duration::from_secs(5));
    }

    /// The same, with more patience: a master whose program was killed ends once it was idle for
    /// the time of its ControlPersist, or once its silent box is given up.
    #[track_caller]
    pub(super) fn nothing_left_within(&self, most: Duration) {
        let start = Instant::now();
        loop {
            let left = processes_of(self.path());
            if left.is_empty() {
                return;
            }
            assert!(start.elapsed() < most, "left behind: {left:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A flagged record from so many seconds ago.
pub(super) fn flagged(number: u32, ago: u32) -> String {
    let now = jiff_now().0 - i64::from(ago) * 1_000_000;
    let file = format!("\"files_evaluated\":[\"{number}.md\"],\"model\"");
    super::super::cli::push(number, &Timestamp(now).to_string(), "NO-GO")
        .replace("\"model\"", &file)
}

fn jiff_now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Timestamp(i64::try_from(since.as_micros()).unwrap())
}

/// Command lines of living processes whose environment or arguments name a directory.
fn processes_of(dir: &Path) -> Vec<String> {
    let dir = dir.to_str().unwrap().as_bytes();
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, dir).is_some();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
        let line = read("cmdline");
        if !line.is_empty() && (holds(&line) || holds(&read("environ"))) {
            found.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    found
}

/// The content of every file below a directory, as hashes; what `skip` names is passed over.
pub(super) fn content(dir: &Path, skip: &dyn Fn(&Path) -> bool) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if skip(&path) {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            found.insert(path.clone(), "directory".to_owned());
            found.extend(content(&path, skip));
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            found.insert(path, blake3::hash(&bytes).to_string());
        }
    }
    found
}

/// Items in the queue, as the top line says once they are known; behind them is the next screen.
pub(super) fn queue(screen: &vt100::Screen) -> Option<usize> {
    let text = screen.contents();
    let mut words = text.lines().next()?.split("Queue ").nth(1)?.split_whitespace();
    // With a filter, so many of so many.
    let items = words.next()?.trim_end_matches(']').split('/').next()?.parse().ok()?;
    (words.next() == Some("3")).then_some(items)
}

/// Esc as a terminal sends it that marks every key: with one that does not, a key right behind it would be one
/// with Alt.
pub(super) fn escape(session: &mut Session) {
    session.press("\x1b[27u");
}

/// Opens a line with a key and types a text there, then Enter.
#[track_caller]
pub(super) fn say(session: &mut Session, key: &str, label: &str, text: &str) {
    type_text(session, key, label, text);
    session.press("\r");
}

/// The same without Enter.
#[track_caller]
pub(super) fn type_text(session: &mut Session, key: &str, label: &str, text: &str) {
    session.press(key);
    session.wait_until(label, |s| !s.hide_cursor() && s.contents().contains(label));
    session.type_text(text);
}

/// Turns to the record as the log has it, and waits until it is read.
#[track_caller]
pub(super) fn raw(session: &mut Session) {
    session.press("llll");
    session.wait_for("{\"commit\"");
}

/// The selected line of the list, where one is on the screen.
pub(super) fn selected(screen: &vt100::Screen) -> Option<String> {
    let text = screen.contents();
    // Above it are the screens, and one row or two on what blocks and how the window stands.
    let names = ["Triage ", "Label", "Conflicts ", "Second look ", "Records "];
    let is_heading = |line: &&str| names.iter().any(|name| line.starts_with(name));
    text.lines().skip(2).take(2).find(is_heading)?;
    let line = text.lines().skip(3).find(|l| l.starts_with('▸'))?;
    // Its sign and its name: ages go on.
    Some(line.split('│').next()?.split("  ").next()?.to_owned())
}

/// Waits until the queue has so many items.
#[track_caller]
pub(super) fn wait_queue(session: &Session, items: usize) {
    session.wait_until(&format!("a queue of {items}"), |s| queue(s) == Some(items));
}

/// Moves the selection up and down by turns; each key is answered before the next is pressed.
#[track_caller]
pub(super) fn move_selection(session: &mut Session) {
    let mut line = session.wait_until("a selected line", selected);
    for key in ["j", "k"].repeat(5) {
        session.press(key);
        line = session.wait_until("another line", |s| selected(s).filter(|now| *now != line));
    }
}

/// Words that no compression makes short.
pub(super) fn noise(seed: u32) -> String {
    blake3::hash(&seed.to_le_bytes()).to_hex().to_string()
}

/// Ends the console from wherever it is, and checks that it ended well.
#[track_caller]
pub(super) fn leave(session: &mut Session, home: &Home) {
    quit(session);
    home.nothing_left();
}

/// The same, whatever an earlier console that was killed left behind.
#[track_caller]
pub(super) fn quit(session: &mut Session) {
    session.press("1");
    session.wait_until("the overview", |s| s.contents().contains("─ Overview"));
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}
