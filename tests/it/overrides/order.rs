//! The order of the steps, seen by a layer between the program and its files.

use foureyes::config::{BoxConfig, Config, Place};
use foureyes::domain::review::OverrideWord;
use foureyes::domain::review::Reviewer;
use foureyes::domain::{Record, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::overrides::{self, DecideError, Outbox, State, Wish};
use foureyes::store::journal::Steps;
use foureyes::store::ledger::Ledger;
use serde_json::json;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

const NOW: Timestamp = Timestamp(1_771_588_800_000_000);

/// Notes the steps, and fails at one of them.
#[derive(Debug, Default)]
struct Watched {
    name: &'static str,
    taken: Arc<Mutex<Vec<String>>>,
    fails: Option<&'static str>,
}

impl Watched {
    fn step(&self, step: &str) -> io::Result<()> {
        self.taken.lock().unwrap().push(format!("{} {step}", self.name));
        if self.fails == Some(step) { Err(io::Error::other("the step failed")) } else { Ok(()) }
    }
}

impl Steps for Watched {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        self.step("write")?;
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step("sync")?;
        file.sync_all()
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

struct World {
    dir: tempfile::TempDir,
    taken: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), taken: Arc::default() }
    }

    fn data(&self) -> DataDir {
        DataDir::at(self.dir.path().join("data"))
    }

    fn config(&self) -> Config {
        let overrides = self.dir.path().join("overrides").to_str().unwrap().to_owned();
        let logs = vec![self.dir.path().join("logs").to_str().unwrap().to_owned()];
        let place = Place::Local;
        let (prompt, may_block) = (None, false);
        let here = BoxConfig { name: "here".into(), place, logs, overrides, prompt, may_block };
        Config { boxes: vec![here], ..Config::default() }
    }

    fn steps(&self, name: &'static str, fails: Option<&'static str>) -> Arc<Watched> {
        Arc::new(Watched { name, taken: Arc::clone(&self.taken), fails })
    }

    /// Decides, with a step that fails; tells whether that was acknowledged.
    fn decide(&self, book: Option<&'static str>, ledger: Option<&'static str>) -> bool {
        let mut book = Outbox::load_with(&self.data(), self.steps("book", book)).unwrap();
        let mut ledger = Ledger::load_with(&self.data(), self.steps("ledger", ledger)).unwrap();
        let by = Reviewer { name: "anna".into(), machine: "desk".into() };
        let row = row();
        let word = OverrideWord::Accept;
        let wish = Wish { row: &row, word, reason: "fine", box_name: None, entry: None };
        let done = overrides::decide(&mut ledger, &mut book, &self.config(), &by, &[wish], NOW);
        done.is_ok()
    }

    fn unconfirmed(&self) -> usize {
        let (ledger, book) =
            (Ledger::load(&self.data()).unwrap(), Outbox::load(&self.data()).unwrap());
        overrides::count_unconfirmed(&ledger, &book, NOW)
    }
}

fn row() -> Record {
    serde_json::from_value(json!({
        "id": "ab".repeat(32), "box": "here", "timestamp": null, "family": "push",
        "outcome": "no_go", "verdict": "NO-GO", "commit": "0000001", "task_id": null,
        "author": null, "model": null, "files": [],
        "scores": {"semantic": null, "pragmatic": null, "syntactic": null},
        "findings": null, "cause": null,
        "origins": [{"box": "here", "file": "/logs/a.jsonl", "line": 1, "byte": 0, "len": 10}],
    }))
    .unwrap()
}

#[test]
fn override_is_queued_saved_and_then_sent() {
    let world = World::new();
    assert!(world.decide(None, None));
    let taken: Vec<String> = world.taken.lock().unwrap().drain(..).collect();
    assert_eq!(taken, ["book write", "book sync", "ledger write", "ledger sync"]);
    assert!(!world.dir.path().join("overrides").exists(), "nothing is on the box yet");
    assert_eq!(world.unconfirmed(), 1);
    let mut book = Outbox::load_with(&world.data(), world.steps("book", None)).unwrap();
    let ledger = Ledger::load(&world.data()).unwrap();
    let ids = overrides::pending(&ledger, &book, NOW);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (config, data) = (world.config(), world.data());
    let sent = runtime.block_on(overrides::send(&config, &data, &mut book, &ids, NOW)).unwrap();
    assert!(sent[0].outcome.is_ok());
    let taken: Vec<String> = world.taken.lock().unwrap().drain(..).collect();
    assert_eq!(taken, ["book write", "book sync"], "noted after the box held it");
    let standing = overrides::deliveries(&ledger, &book, NOW).remove(0);
    assert_eq!((standing.state, standing.confirmed), (State::Confirmed, Some(NOW)));
    assert_eq!(world.unconfirmed(), 0);
}

#[test]
fn failing_step_acknowledges_and_sends_nothing() {
    for (book, ledger) in [(Some("write"), None), (Some("sync"), None), (None, Some("write"))] {
        let world = World::new();
        assert!(!world.decide(book, ledger), "{book:?} {ledger:?}");
        assert_eq!(world.unconfirmed(), 0, "{book:?} {ledger:?}");
        // What was noted in vain is in nobody's way.
        assert!(world.decide(None, None));
        assert_eq!(world.unconfirmed(), 1);
    }
    // What was written and not synced may be there: then it is tried, and not lost.
    let world = World::new();
    assert!(!world.decide(None, Some("sync")));
    assert_eq!(world.unconfirmed(), 1);
}

/// Fails at its second write.
#[derive(Debug, Default)]
struct Second(Mutex<u32>);

impl Steps for Second {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let mut writes = self.0.lock().unwrap();
        *writes += 1;
        if *writes == 2 { Err(io::Error::other("the disk is full")) } else { file.write(bytes) }
    }
}

#[test]
fn partial_failure_names_unsaved_records_and_retry_adds_them() {
    let world = World::new();
    let by = Reviewer { name: "anna".into(), machine: "desk".into() };
    let (one, mut two, mut three) = (row(), row(), row());
    two.id = "cd".repeat(32).parse().unwrap();
    three.id = "ef".repeat(32).parse().unwrap();
    let wish = |row| {
        let (word, reason) = (OverrideWord::Accept, "fine");
        Wish { row, word, reason, box_name: None, entry: None }
    };
    let wishes = [wish(&one), wish(&two), wish(&three)];
    let decide = |steps: Arc<dyn Steps>| {
        let mut book = Outbox::load(&world.data()).unwrap();
        let mut ledger = Ledger::load_with(&world.data(), steps).unwrap();
        overrides::decide(&mut ledger, &mut book, &world.config(), &by, &wishes, NOW)
    };
    let failed = decide(Arc::new(Second::default())).unwrap();
    assert_eq!(failed.kept.len(), 1);
    let left: Vec<_> = failed.refused.iter().map(|one| one.record).collect();
    assert_eq!(left, [two.id, three.id]);
    assert!(matches!(failed.refused[0].why, DecideError::Ledger(_)), "{failed:?}");
    assert!(matches!(failed.refused[1].why, DecideError::Untried { .. }), "{failed:?}");
    assert_eq!(world.unconfirmed(), 1);
    let done = decide(Arc::new(foureyes::store::journal::Real)).unwrap();
    assert_eq!(done.kept.iter().map(|one| one.already).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!((done.refused.len(), world.unconfirmed()), (0, 3));
}

/// Keeps an override of each of some records.
fn keep(world: &World, rows: &[Record]) -> (Ledger, Outbox, Reviewer) {
    let by = Reviewer { name: "anna".into(), machine: "desk".into() };
    let mut book = Outbox::load(&world.data()).unwrap();
    let mut ledger = Ledger::load(&world.data()).unwrap();
    let wish = |row| {
        let (word, reason) = (OverrideWord::Accept, "fine");
        Wish { row, word, reason, box_name: None, entry: None }
    };
    let wishes: Vec<Wish<'_>> = rows.iter().map(wish).collect();
    let done = overrides::decide(&mut ledger, &mut book, &world.config(), &by, &wishes, NOW);
    assert_eq!(done.unwrap().kept.len(), rows.len());
    (ledger, book, by)
}

fn rows(count: u32) -> Vec<Record> {
    let numbered = |n: u32| Record { id: format!("{n:064x}").parse().unwrap(), ..row() };
    (0..count).map(numbered).collect()
}

#[test]
fn more_overrides_than_one_script_run_are_all_sent() {
    let world = World::new();
    let (ledger, mut book, _) = keep(&world, &rows(501));
    let due = overrides::pending(&ledger, &book, NOW);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (config, data) = (world.config(), world.data());
    let sent = runtime.block_on(overrides::send(&config, &data, &mut book, &due, NOW)).unwrap();
    assert_eq!(sent.iter().filter(|one| one.outcome.is_ok()).count(), 501);
    assert_eq!(world.unconfirmed(), 0);
}

#[test]
fn partial_undo_failure_names_remaining_records() {
    let world = World::new();
    let rows = rows(3);
    let (ledger, mut book, by) = keep(&world, &rows);
    let wishes: Vec<_> = ledger.entries().map(|entry| (entry.id, None)).collect();
    let mut failing = Ledger::load_with(&world.data(), Arc::new(Second::default())).unwrap();
    let back = overrides::Back::Undo;
    let failed = overrides::take_back(&mut failing, &mut book, &by, &wishes, back, NOW);
    let Err(overrides::BackError::Partly { done, left, .. }) = failed else { panic!("{failed:?}") };
    assert_eq!((done, left), (1, vec![rows[1].id, rows[2].id]));
    let present = Ledger::load(&world.data()).unwrap().present(NOW);
    assert_eq!(present.overrides.values().flatten().count(), 2);
}
