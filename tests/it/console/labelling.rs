//! A reviewer at the real console: thirty labels by keys alone, and a kill in the middle.

use super::super::pty::Session;
use super::person::{Home, leave, selected, wait_queue};
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{Act, AuditRate, Present, Seed, WindowStart};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use rustix::process::Signal;
use std::collections::BTreeMap;

/// What was said to be saved: the name of the record's file, and the word.
type Said = BTreeMap<String, String>;

/// The label that the screen says is saved.
fn saved(screen: &vt100::Screen) -> Option<(String, String)> {
    let text = screen.contents();
    let line = text.lines().find_map(|line| line.split("Saved: ").nth(1))?;
    let (word, rest) = line.split_once(" (")?;
    let name = rest.split([')', ',']).next()?;
    Some((name.to_owned(), word.to_owned()))
}

/// A console on the logs, and on the clone where there is one.
#[track_caller]
fn start(home: &Home, items: usize) -> Session {
    let logs = home.at("logs");
    let repository = match has_clone(home) {
        true => format!("[[repository]]\npath = {:?}\n", home.at("clone")),
        false => String::new(),
    };
    let config = home.write("c.toml", repository);
    let arguments: [&str; 4] = ["--config", &config, "--from", logs.to_str().unwrap()];
    let mut session = home.console(&arguments).env("USER", "anna").run();
    wait_queue(&session, items);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    session
}

fn has_clone(home: &Home) -> bool {
    home.at("clone").is_dir()
}

/// Waits for the content of an item that was not labelled: a label without it would not count.
#[track_caller]
fn read_content(session: &Session, said: &Said) {
    session.wait_until("the content of another item", |s| {
        let text = s.contents();
        let (_, rest) = text.split_once("Text of ")?;
        let name = rest.split_whitespace().next()?;
        (!said.contains_key(name)).then_some(())
    });
}

/// Labels so many items, each by one key, and waits until each is said to be saved.
#[track_caller]
fn label(home: &Home, session: &mut Session, count: usize, said: &mut Said) {
    for round in 0..count {
        if has_clone(home) {
            read_content(session, said);
        }
        let (key, word) = [("p", "poor"), ("a", "acceptable"), ("s", "unsure")][round % 3];
        session.press(key);
        let (record, given) = session.wait_until("the label of another item", |s| {
            saved(s).filter(|(record, _)| !said.contains_key(record))
        });
        assert_eq!(given, word);
        said.insert(record, given);
    }
}

fn present(home: &Home) -> Present {
    let ledger = Ledger::load(&DataDir::at(home.at("foureyes"))).unwrap();
    ledger.present(Timestamp(i64::MAX / 2))
}

/// The name of each record's file.
fn names(home: &Home) -> BTreeMap<String, String> {
    let listed = std::process::Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["records", "--json", "--from"])
        .arg(home.at("logs"))
        .env("FOUREYES_DATA", home.at("listed"))
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(listed.status.success(), "{listed:?}");
    let text = String::from_utf8(listed.stdout).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let one = |row: serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        (text(&row["id"]), text(&row["files"][0]))
    };
    rows.map(one).collect()
}

/// Anna's words in the ledger, by the name of the record's file.
fn words(home: &Home, present: &Present) -> Said {
    let names = names(home);
    let of = |id: &foureyes::domain::RecordId| {
        let given = present.word_of(*id, "anna")?;
        Some((names[&id.to_string()].clone(), given.label.label.as_str().to_owned()))
    };
    present.labels.keys().filter_map(of).collect()
}

#[track_caller]
fn undo_and_redo(session: &mut Session, items: usize) {
    session.press("u");
    session.wait_for("undone: 1 label");
    wait_queue(session, items + 1);
    session.press("\x12");
    session.wait_for("redone: 1 label");
    wait_queue(session, items);
}

/// Labels thirty of forty items, with a kill in the middle.
fn thirty(home: &Home) -> Present {
    let mut said = Said::new();
    let mut session = start(home, 40);
    label(home, &mut session, 15, &mut said);
    // One more, which may or may not reach the disk.
    if has_clone(home) {
        read_content(&session, &said);
    }
    session.press("p");
    session.signal(Signal::KILL);
    drop(session);
    home.nothing_left();
    let kept = words(home, &present(home));
    for (record, word) in &said {
        assert_eq!(kept.get(record), Some(word), "{record} was said to be saved");
    }
    assert!(kept.len() <= said.len() + 1, "{kept:?}");

    said.clone_from(&kept);
    let left = 40 - kept.len();
    let mut session = start(home, left);
    undo_and_redo(&mut session, left);
    label(home, &mut session, 30 - kept.len(), &mut said);
    leave(&mut session, home);
    assert_eq!(words(home, &present(home)), said);
    assert_eq!(said.len(), 30);

    let mut session = start(home, 10);
    undo_and_redo(&mut session, 10);
    session.press("u");
    session.wait_for("undone: 1 label");
    wait_queue(&session, 11);
    leave(&mut session, home);
    let mut session = start(home, 11);
    session.press("\x12");
    session.wait_for("redone: 1 label");
    wait_queue(&session, 10);
    leave(&mut session, home);
    let present = present(home);
    assert_eq!(words(home, &present), said);
    let seconds = present.labels.values().flatten().filter(|g| g.label.seconds.is_some()).count();
    assert_eq!(seconds, 30, "the time spent is known of each");
    present
}

#[test]
fn thirty_keyboard_labels_survive_kill_and_can_be_undone() {
    let home = Home::new();
    home.logs(40);
    thirty(&home);
}

/// A clone of so many commits, each with a note of its own.
fn clone(home: &Home, commits: u32) -> Vec<String> {
    let dir = home.at("clone");
    std::fs::create_dir(&dir).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(&dir).env("HOME", home.path());
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "agent");
            git.env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        let output = git.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q", "-b", "main"]);
    let commit = |n: u32| {
        home.write(&format!("clone/{n}.md"), format!("Text of {n}.md alone.\n"));
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "a note"]);
        git(&["rev-parse", "HEAD"])
    };
    (0..commits).map(commit).collect()
}

/// Logs of forty records of two days that are over, half of them flagged, and a window over them.
fn calibrating(home: &Home) {
    let today = Timestamp(jiff::Timestamp::now().as_microsecond());
    let commits = clone(home, 40);
    let record = |n: u32| {
        let at = Timestamp::of_day(today.day()).minus_days(1 + n % 2).0 + i64::from(n) * 60_000_000;
        let verdict = if n % 4 < 2 { "NO-GO" } else { "GO" };
        let json = serde_json::json!({
            "commit": commits[n as usize], "timestamp": Timestamp(at).to_string(),
            "verdict": verdict, "judge_model": "m", "files_evaluated": [format!("{n}.md")],
            "scores": {"semantic": 3, "pragmatic": 3, "syntactic": 3}, "findings": "some"
        });
        format!("{json}\n")
    };
    home.write("logs/2026.jsonl", (0..40).map(record).collect::<String>());
    let from = Timestamp::of_day(today.day()).minus_days(5);
    let by = Reviewer { name: "lead".to_owned(), machine: "desk".to_owned() };
    let mut ledger = Ledger::load(&DataDir::at(home.at("foureyes"))).unwrap();
    let rate = AuditRate {
        family: Default::default(),
        from,
        stratum: None,
        rate: 1.0,
        seed: Some(Seed([3; 32])),
        withheld: false,
        forward: false,
    };
    for act in [Act::Window(WindowStart::new(from)), Act::Rate(rate)] {
        ledger.append(&by, fresh_id(from), from, &act).unwrap();
    }
}

#[test]
fn thirty_calibration_labels_survive_kill_and_are_blind() {
    let home = Home::new();
    calibrating(&home);
    let present = thirty(&home);
    let labels: Vec<_> = present.labels.values().flatten().collect();
    assert!(labels.len() == 30 && labels.iter().all(|given| given.label.blind), "{labels:?}");
    assert!(labels.iter().all(|given| given.is_seen()), "{labels:?}");
}
