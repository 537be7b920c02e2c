//! Picks of the agent of this machine, where no box is configured.

use super::{pick, prompt};
use crate::cli::Home;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

/// A machine without boxes whose agent wrote these picks, two of them with their prompts.
fn own_machine() -> Home {
    let home = Home::new();
    let dir = home.path().join(".openclaw/memory-picks");
    std::fs::create_dir_all(dir.join("prompts")).unwrap();
    let lines = |all: &[Value]| all.iter().map(|one| format!("{one}\n")).collect::<String>();
    let picks = [pick(1, &[1], &[1]), pick(2, &[2], &[2]), pick(3, &[3], &[3])];
    std::fs::write(dir.join("2026-02-01.jsonl"), lines(&picks)).unwrap();
    let prompts = [prompt(1, "first"), prompt(2, "second")];
    std::fs::write(dir.join("prompts/2026-02-01.jsonl"), lines(&prompts)).unwrap();
    home
}

#[test]
fn machine_without_boxes_labels_and_measures_the_picks_of_its_own_agent() {
    let home = own_machine();
    let before = home.run(&["memories", "readiness", "--json"]);
    assert_eq!(before.code, 2, "{}", before.err);
    assert!(before.err.contains("note: no box is configured; reading the picks of this machine, "));
    crate::report::conforms("memories-readiness", &before.out);
    let labels = |out: &str| serde_json::from_str::<Value>(out).unwrap()["labels"].clone();
    assert_eq!(labels(&before.out)["due"], json!(2));
    let mut child = home
        .command(&["memories", "label", "--reviewer", "anna"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"0\nnone\n").unwrap();
    let done = child.wait_with_output().unwrap();
    let shown = String::from_utf8(done.stdout).unwrap();
    assert!(shown.contains("labelled 2 picks, 0 left") && shown.contains("second"), "{shown}");
    let after = home.run(&["memories", "readiness", "--json"]);
    assert_eq!(labels(&after.out)["labelled"], json!(2));
    // What is given, and boxes, come first.
    home.write("logs/picks.jsonl", format!("{}\n", pick(9, &[1], &[1])));
    let given = home.run(&["memories", "readiness", "--json", "--from", "logs"]);
    let picks = |out: &str| serde_json::from_str::<Value>(out).unwrap()["picks"]["picks"].clone();
    assert_eq!((picks(&given.out), given.err.contains("this machine")), (json!(1), false));
}

#[test]
fn machine_without_boxes_and_picks_is_told_where_they_would_be() {
    let home = Home::new();
    for command in [&["label", "--reviewer", "anna"][..], &["readiness"]] {
        let ran = home.run(&[&["memories"], command].concat());
        assert_eq!(ran.code, 64, "{}", ran.err);
        assert!(ran.err.contains("nothing to read: no box is configured"), "{}", ran.err);
        assert!(ran.err.contains(".openclaw/memory-picks"), "{}", ran.err);
    }
    let own = own_machine();
    let config = format!("[memories]\nlog = {:?}\n", own.path().join(".openclaw/memory-picks"));
    std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
    home.write(".config/foureyes/config.toml", config);
    assert_eq!(home.run(&["memories", "readiness"]).code, 2, "the configured log is read");
}
