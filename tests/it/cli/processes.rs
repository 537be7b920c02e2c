//! Runs that are killed, and runs side by side.

use super::{Home, push};
use std::process::Child;
use std::time::Duration;

const TRIAGE: [&str; 4] = ["triage", "--json", "--from", "logs"];

fn lines(from: u32, count: u32) -> String {
    let record = |n| push(n, &format!("2026-02-{:02}T10:00:00Z", n % 20 + 1), "NO-GO");
    (from..from + count).map(record).collect()
}

/// A document without the time at which it was made, and at which its logs were read.
fn timeless(document: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(document).unwrap();
    value.as_object_mut().unwrap().remove("generated");
    for source in value["boxes"].as_array_mut().unwrap() {
        source.as_object_mut().unwrap().remove("complete").unwrap();
    }
    value
}

fn bytes_below(dir: &std::path::Path) -> (usize, u64) {
    let mut sum = (0, 0);
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let meta = entry.metadata().unwrap();
        let more = if meta.is_dir() { bytes_below(&entry.path()) } else { (1, meta.len()) };
        sum = (sum.0 + more.0, sum.1 + more.1);
    }
    sum
}

#[test]
fn a_run_that_is_killed_leaves_nothing_wrong_and_nothing_behind() {
    let home = Home::new();
    for n in 0..6 {
        home.write(&format!("logs/{n}.jsonl"), lines(n * 2500, 3000));
    }
    let data = home.path().join("data");
    let right = timeless(&home.good(&TRIAGE));
    let size = bytes_below(&data).0;
    for round in 0..14 {
        if round % 3 == 0 {
            std::fs::remove_dir_all(&data).unwrap();
        }
        let mut child = home.command(&TRIAGE).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        if round % 2 == 0 {
            assert_eq!(timeless(&home.good(&TRIAGE)), right, "round {round}");
        }
    }
    // A run that reads anew sweeps what the killed ones left.
    home.write("logs/0.jsonl", lines(0, 3000));
    assert_eq!(timeless(&home.good(&TRIAGE)), right);
    assert!(bytes_below(&data).0 <= size + 1, "{:?} for {size}", bytes_below(&data));
}

#[test]
fn runs_side_by_side_are_right_while_logs_grow_and_segments_merge() {
    let home = Home::new();
    home.write("logs/a.jsonl", lines(0, 400));
    for round in 1..12 {
        let start = |args: &[&str]| home.command(args).spawn().unwrap();
        let children: [Child; 3] =
            [start(&TRIAGE), start(&["records", "--json", "--from", "logs"]), start(&TRIAGE)];
        home.write(&format!("logs/b{round}.jsonl"), lines(round * 1000, 50));
        for child in children {
            let output = child.wait_with_output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "round {round}: {err}");
            let count = String::from_utf8(output.stdout).unwrap().matches("\"commit\":").count();
            let least = 400 + 50 * (round as usize - 1);
            assert!([least, least + 50].contains(&count), "round {round}: {count} of {least}");
        }
    }
}

#[test]
fn two_concurrent_demos_share_identical_data() {
    let home = Home::new();
    let demo = ["--demo", "triage", "--json", "--limit", "3"];
    let children = [0, 1].map(|_| home.command(&demo).spawn().unwrap());
    let [one, other] = children.map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    });
    let counts = |text: &str| timeless(text)["counts"].clone();
    assert_eq!(counts(&one), counts(&other));
    assert_eq!(counts(&home.good(&demo)), counts(&one));
    assert!(!home.path().join(".config").exists());
}
