//! What was done with items survives kills, other processes and torn lines.

use super::world::NOW;
use foureyes::domain::RecordId;
use foureyes::files::paths::DataDir;
use foureyes::store::disposition::{Disposition, Dispositions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Where a child process finds its directory and its name.
const CHILD: &str = "DEALT_TEST_CHILD";
const TEST: &str = "triage::dealt::child_process_writes_dispositions";

/// The item that a child writes as its n-th.
fn item(child: &str, n: usize) -> RecordId {
    RecordId(*blake3::hash(format!("{child} {n}").as_bytes()).as_bytes())
}

/// This binary again, running nothing but the test below.
fn child(dir: &Path, name: &str, items: usize) -> Child {
    let said = format!("{} {name} {items}", dir.display());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", TEST, "--nocapture"]).env(CHILD, said);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// What a child says it wrote.
fn written(child: &mut Child) -> impl Iterator<Item = usize> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| line.split_once("wrote ")?.1.parse().ok())
}

#[test]
fn child_process_writes_dispositions() {
    let home = tempfile::tempdir().unwrap();
    // Without a parent it writes for itself.
    let said = std::env::var(CHILD).unwrap_or(format!("{} alone 3", home.path().display()));
    let [dir, name, items] = *said.split(' ').collect::<Vec<_>>() else { panic!("{said}") };
    let data = DataDir::at(dir);
    let mut dealt = Dispositions::load(&data).unwrap();
    let items: usize = items.parse().unwrap();
    for n in 0..items {
        dealt.put(&[item(name, n)], Disposition::Seen, NOW).unwrap();
        // Behind what the test harness left on the line.
        writeln!(std::io::stdout(), "\nwrote {n}").unwrap();
    }
    let again = Dispositions::load(&data).unwrap();
    assert!((0..items).all(|n| again.deal(&item(name, n)) == Disposition::Seen));
}

#[test]
fn acknowledged_dispositions_survive_kill() {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let mut acknowledged = Vec::new();
    for round in 0..6_usize {
        let name = format!("kill{round}");
        let mut child = child(home.path(), &name, 100_000);
        let mut lines = written(&mut child);
        acknowledged.extend(lines.by_ref().take(1 + round * 5).map(|n| (name.clone(), n)));
        std::thread::sleep(Duration::from_micros(137 * round as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(lines.map(|n| (name.clone(), n)));
        let mut dealt = Dispositions::load(&data).unwrap();
        assert!(acknowledged.len() > round);
        for (name, n) in &acknowledged {
            assert_eq!(dealt.deal(&item(name, *n)), Disposition::Seen, "{name} {n}");
        }
        dealt.put(&[item("after", round)], Disposition::Later, NOW).unwrap();
        let dealt = Dispositions::load(&data).unwrap();
        assert!((0..=round).all(|n| dealt.deal(&item("after", n)) == Disposition::Later));
    }
}

#[test]
fn concurrent_processes_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let names = ["one", "two", "three"];
    let mut children = names.map(|name| child(home.path(), name, 40));
    for child in &mut children {
        assert_eq!(written(child).count(), 40);
        assert!(child.wait().unwrap().success());
    }
    let dealt = Dispositions::load(&DataDir::at(home.path())).unwrap();
    assert_eq!((dealt.len(), dealt.ignored()), (3 * 40, 0));
    for name in names {
        assert!((0..40).all(|n| dealt.deal(&item(name, n)) == Disposition::Seen));
    }
}

#[test]
fn a_line_torn_anywhere_hides_no_other_line() {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let mut dealt = Dispositions::load(&data).unwrap();
    dealt.put(&[item("a", 0), item("a", 1)], Disposition::Seen, NOW).unwrap();
    let path = data.session().join("dealt.jsonl");
    let whole = std::fs::read(&path).unwrap();
    let first = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
    for cut in first..whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        for _ in 0..2 {
            let mut dealt = Dispositions::load(&data).unwrap();
            assert_eq!(dealt.deal(&item("a", 0)), Disposition::Seen);
            dealt.put(&[item("b", cut)], Disposition::Later, NOW).unwrap();
            let again = Dispositions::load(&data).unwrap();
            assert_eq!(again.deal(&item("b", cut)), Disposition::Later, "cut at {cut}");
            assert_eq!(again.deal(&item("a", 0)), Disposition::Seen, "cut at {cut}");
        }
        assert!(std::fs::read(&path).unwrap().starts_with(&whole[..cut]));
    }
}
