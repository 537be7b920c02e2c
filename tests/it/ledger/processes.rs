//! Several processes that write at once, and one that is killed at random.

use super::{NOW, by, label, record};
use foureyes::domain::review::Word;
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, LedgerError, fresh_id, id_of};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Where a child process finds its directory, whose ledger, its first entry and how many.
const CHILD: &str = "LEDGER_TEST_CHILD";
const TEST: &str = "ledger::processes::child_process_appends";

fn child(dir: &Path, name: &str, first: u64, entries: u64) -> Child {
    let said = format!("{} {name} {first} {entries}", dir.display());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", TEST, "--nocapture"]).env(CHILD, said);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// What a child says.
fn lines(child: &mut Child) -> impl Iterator<Item = String> + Send + use<> {
    BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok)
}

/// What it says it wrote.
fn numbers(lines: impl Iterator<Item = String>) -> impl Iterator<Item = u64> {
    lines.filter_map(|line| line.split_once("wrote ")?.1.parse().ok())
}

#[test]
fn child_process_appends() {
    let home = tempfile::tempdir().unwrap();
    // Without a parent it writes for itself.
    let said = std::env::var(CHILD).unwrap_or(format!("{} alone 0 3", home.path().display()));
    let [dir, name, first, entries] = *said.split(' ').collect::<Vec<_>>() else { panic!() };
    let (first, entries): (u64, u64) = (first.parse().unwrap(), entries.parse().unwrap());
    let mut ledger = Ledger::load(&DataDir::at(dir)).unwrap();
    writeln!(std::io::stdout(), "\nready").unwrap();
    while Path::new(dir).join("wait").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    for n in first..first + entries {
        ledger.append(&by(name), id_of(&n.to_be_bytes()), NOW, &label(n, Word::Poor)).unwrap();
        writeln!(std::io::stdout(), "\nwrote {n}").unwrap();
    }
}

#[test]
fn two_processes_appending_a_thousand_each_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    // Neither begins before both can.
    std::fs::write(home.path().join("wait"), b"").unwrap();
    let mut children = [0, 1000].map(|first| child(home.path(), "anna", first, 1000));
    let mut said = children.each_mut().map(lines);
    for lines in &mut said {
        assert!(lines.any(|line| line == "ready"));
    }
    std::fs::remove_file(home.path().join("wait")).unwrap();
    // Both are read at once: one whose output nobody takes would stop.
    let counts = said.map(|lines| std::thread::spawn(move || numbers(lines).count()));
    assert_eq!(counts.map(|count| count.join().unwrap()), [1000, 1000]);
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    let ledger = Ledger::load(&DataDir::at(home.path())).unwrap();
    let check = ledger.check(NOW).remove(0);
    assert_eq!((check.entries, check.broken, check.torn), (2000, None, vec![]));
    let present = ledger.present(NOW);
    assert!((0..2000).all(|n| present.words(record(n)).len() == 1));
    // They took turns: else this test says nothing of the lock.
    let firsts: std::collections::HashSet<_> = (0..1000).map(record).collect();
    let order = ledger.entries().map(|entry| firsts.contains(&entry.act.labels()[0].record));
    let order: Vec<bool> = order.collect();
    assert!(order.windows(2).filter(|w| w[0] != w[1]).count() >= 3);
}

#[test]
fn acknowledged_entries_survive_random_kills() {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let mut acknowledged = Vec::new();
    for round in 0..12_u64 {
        let mut child = child(home.path(), "anna", round * 100_000, 100_000);
        let mut lines = numbers(lines(&mut child));
        acknowledged.extend(lines.by_ref().take(1 + round as usize * 3));
        std::thread::sleep(Duration::from_micros(137 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines);
        let mut ledger = Ledger::load(&data).unwrap();
        assert!(acknowledged.len() as u64 > round);
        let present = ledger.present(NOW);
        for n in &acknowledged {
            assert_eq!(present.words(record(*n)).len(), 1, "{n}");
        }
        ledger
            .append(&by("anna"), fresh_id(NOW), NOW, &label(u64::MAX - round, Word::Poor))
            .unwrap();
        let check = Ledger::load(&data).unwrap().check(NOW).remove(0);
        assert_eq!((check.broken, check.unfinished), (None, false));
    }
}

#[test]
fn held_lock_is_reported_and_dead_holder_releases_it() {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let mut ledger = Ledger::load(&data).unwrap();
    ledger.append(&by("anna"), fresh_id(NOW), NOW, &label(1, Word::Poor)).unwrap();
    let path = ledger.path_of(&by("anna"));
    let holder = std::fs::File::open(&path).unwrap();
    holder.lock().unwrap();
    let error = ledger.append(&by("anna"), fresh_id(NOW), NOW, &label(2, Word::Poor)).unwrap_err();
    let LedgerError::Write { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), std::io::ErrorKind::TimedOut);
    ledger.append(&by("bert"), fresh_id(NOW), NOW, &label(2, Word::Poor)).unwrap();
    drop(holder);
    ledger.append(&by("anna"), fresh_id(NOW), NOW, &label(2, Word::Poor)).unwrap();
    assert_eq!(ledger.present(NOW).words(record(2)).len(), 2);
}
