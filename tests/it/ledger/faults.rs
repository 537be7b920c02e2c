//! A writer that is killed, or that a step fails, at each step of an append.

use super::{Desk, NOW, by, label};
use foureyes::domain::review::{EntryId, Word};
use foureyes::files::paths::DataDir;
use foureyes::store::journal::Steps;
use foureyes::store::ledger::{Ledger, LedgerError, fresh_id, id_of};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// Notes the steps, and ends at one of them.
#[derive(Debug, Default)]
struct Watched {
    taken: Mutex<Vec<String>>,
    /// At which step to end, from 0, and how many bytes of a write are still taken.
    end: Option<(usize, usize)>,
    how: How,
}

/// How it ends.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum How {
    /// With an error, as on a full disk.
    #[default]
    Error,
    /// With the whole process.
    Kill,
}

impl Watched {
    fn step(&self, name: &str) -> io::Result<()> {
        let mut taken = self.taken.lock().unwrap();
        taken.push(name.to_owned());
        match self.end {
            Some((at, _)) if at + 1 == taken.len() => self.over(),
            _ => Ok(()),
        }
    }

    fn over(&self) -> io::Result<()> {
        if self.how == How::Kill {
            let own = rustix::process::getpid();
            rustix::process::kill_process(own, rustix::process::Signal::KILL).unwrap();
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        Err(io::Error::other("the step failed"))
    }
}

impl Steps for Watched {
    fn open(&self, path: &Path) -> io::Result<File> {
        self.step("open")?;
        foureyes::files::atomic::private().append(true).read(true).open(path)
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        self.step("lock")?;
        file.lock()
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let name = if bytes == b"\n" { "end the torn line" } else { "write" };
        match self.step(name) {
            Ok(()) => file.write(bytes),
            Err(error) => {
                let (_, most) = self.end.unwrap();
                file.write_all(&bytes[..most.min(bytes.len())])?;
                Err(error)
            }
        }
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step("sync")?;
        file.sync_all()
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.step("sync the directory")?;
        foureyes::files::atomic::sync_dir(dir)
    }
}

fn steps(watched: &Watched) -> Vec<String> {
    watched.taken.lock().unwrap().drain(..).collect()
}

#[test]
fn entry_is_acknowledged_after_one_write_then_one_sync() {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let watched = Arc::new(Watched::default());
    let mut ledger = Ledger::load_with(&data, watched.clone()).unwrap();
    let mut acknowledged = |n: u64| {
        ledger.append(&by("anna"), fresh_id(NOW), NOW, &label(n, Word::Poor)).unwrap();
        watched.step("acknowledged").unwrap();
        steps(&watched)
    };
    let dirs = ["sync the directory", "sync the directory"];
    let first = [&["open", "lock", "write", "sync"], &dirs[..], &["acknowledged"]].concat();
    assert_eq!(acknowledged(1), first);
    assert_eq!(acknowledged(2), ["open", "lock", "write", "sync", "acknowledged"]);
    let path = data.ledger().join("anna@desk.jsonl");
    File::options().append(true).open(&path).unwrap().write_all(b"{\"torn").unwrap();
    let repaired = ["open", "lock", "end the torn line", "write", "sync", "acknowledged"];
    assert_eq!(acknowledged(3), repaired);
}

/// How a ledger of two entries looks before a third is written.
fn prepared(data: &DataDir, torn: bool) -> Vec<u8> {
    let mut ledger = Ledger::load(data).unwrap();
    for n in 1..3 {
        ledger.append(&by("anna"), id_of(&[n as u8]), NOW, &label(n, Word::Poor)).unwrap();
    }
    let path = data.ledger().join("anna@desk.jsonl");
    if torn {
        File::options().append(true).open(&path).unwrap().write_all(b"{\"schema\":\"fo").unwrap();
    }
    std::fs::read(&path).unwrap()
}

/// What must hold after a writer of the third entry was ended: all that was acknowledged is there,
/// and the entry can be tried again, which leaves it there once.
fn check_after(data: &DataDir, before: &[u8], id: EntryId, note: &str) {
    let path = data.ledger().join("anna@desk.jsonl");
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(before), "{note}: what stood there was changed");
    let mut ledger = Ledger::load(data).unwrap();
    assert!(ledger.check(NOW)[0].is_sound(), "{note}");
    assert!(ledger.check(NOW)[0].entries <= 3, "{note}");
    assert!([1, 2].iter().all(|n| ledger.entry(id_of(&[*n])).is_some()), "{note}");
    ledger.append(&by("anna"), id, NOW, &label(3, Word::Poor)).unwrap();
    let ledger = Ledger::load(data).unwrap();
    let check = ledger.check(NOW).remove(0);
    assert_eq!((check.entries, check.broken, check.unfinished), (3, None, false), "{note}");
    assert!(std::fs::read(&path).unwrap().starts_with(&after), "{note}");
}

/// Every step, and of a write how many bytes of it arrive.
fn ends() -> impl Iterator<Item = (usize, usize)> {
    let bytes = [0, 1, 20, 200, 300, 433, 434, 435, 436, 437, 438, 439, 440, 100_000];
    (0..6).flat_map(move |step| bytes.map(|most| (step, most)))
}

#[test]
fn a_step_that_fails_acknowledges_nothing_and_loses_nothing() {
    for torn in [false, true] {
        for end in ends() {
            let home = tempfile::tempdir().unwrap();
            let data = DataDir::at(home.path());
            let before = prepared(&data, torn);
            let watched = Watched { end: Some(end), ..Watched::default() };
            let mut ledger = Ledger::load_with(&data, Arc::new(watched)).unwrap();
            let saved = ledger.append(&by("anna"), id_of(b"third"), NOW, &label(3, Word::Poor));
            let count = if torn { 5 } else { 4 };
            match saved {
                Ok(_) => assert!(end.0 >= count, "{end:?}"),
                Err(LedgerError::Write { .. }) => assert!(end.0 < count, "{end:?}"),
                Err(other) => panic!("{other}"),
            }
            check_after(&data, &before, id_of(b"third"), &format!("{end:?} torn {torn}"));
        }
    }
}

/// Where a child process finds what to do.
const CHILD: &str = "LEDGER_TEST_KILLED";
const TEST: &str = "ledger::faults::child_process_is_killed_at_given_step";

#[test]
fn child_process_is_killed_at_given_step() {
    // Without a parent there is nobody to be killed for.
    let Ok(said) = std::env::var(CHILD) else { return };
    let [dir, step, most] = *said.split(' ').collect::<Vec<_>>() else { panic!("{said}") };
    let end = Some((step.parse().unwrap(), most.parse().unwrap()));
    let watched = Watched { end, how: How::Kill, ..Watched::default() };
    let mut ledger = Ledger::load_with(&DataDir::at(dir), Arc::new(watched)).unwrap();
    ledger.append(&by("anna"), id_of(b"third"), NOW, &label(3, Word::Poor)).unwrap();
    writeln!(io::stdout(), "acknowledged").unwrap();
}

#[test]
fn writer_killed_at_any_step_loses_no_acknowledged_entry() {
    use std::os::unix::process::ExitStatusExt;
    for torn in [false, true] {
        // Few of a write's lengths: each is a process.
        for end in ends().filter(|(_, most)| [0, 200, 439, 100_000].contains(most)) {
            let home = tempfile::tempdir().unwrap();
            let data = DataDir::at(home.path());
            let before = prepared(&data, torn);
            let mut command = Command::new(std::env::current_exe().unwrap());
            let said = format!("{} {} {}", home.path().display(), end.0, end.1);
            command.args(["--exact", TEST, "--nocapture"]).env(CHILD, said);
            let ran = command.stdin(Stdio::null()).output().unwrap();
            let acknowledged = String::from_utf8_lossy(&ran.stdout).contains("acknowledged");
            let killed = ran.status.signal() == Some(9);
            let steps = if torn { 5 } else { 4 };
            assert_eq!((killed, acknowledged), (end.0 < steps, end.0 >= steps), "{end:?} {torn}");
            let there = Ledger::load(&data).unwrap().entry(id_of(b"third")).is_some();
            assert!(there || !acknowledged, "{end:?}: it was acknowledged and is lost");
            check_after(&data, &before, id_of(b"third"), &format!("killed {end:?} torn {torn}"));
        }
    }
}

#[test]
fn a_limit_on_file_sizes_is_reported_and_harms_no_ledger() {
    let desk = Desk::new(2);
    desk.good(&["label", &desk.ids[0], "poor"]);
    let args = Desk::args(&["label", &desk.ids[1], "poor"]);
    let mut shell = Command::new("/bin/sh");
    let program = env!("CARGO_BIN_EXE_foureyes");
    shell.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", program]).args(args).env_clear();
    shell.env("HOME", desk.home.path()).env("FOUREYES_DATA", desk.home.path().join("data"));
    let output = shell.current_dir(desk.home.path()).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(74), "{error}");
    assert!(error.contains("File too large"), "{error}");
    desk.good(&["label", &desk.ids[1], "poor"]);
    assert_eq!(desk.good(&["label", "--export", "--json"]).lines().count(), 2);
}
