//! Kills, cuts, stalls, locks and full disks on the way to a box.

use super::Bench;
use crate::pull::{Forwarder, Lab, Wire};
use std::process::Child;
use std::time::{Duration, Instant};

/// What must hold after any fault: the box has the record once or not, and a retry ends with once.
fn ends_with_one(bench: &Bench, note: &str) {
    let before = bench.read("overrides/anna.jsonl");
    let whole = |text: &str| {
        text.lines().filter(|l| serde_json::from_str::<serde_json::Value>(l).is_ok()).count()
    };
    assert!(whole(&before) <= 1, "{note}: {before}");
    bench.good(&["override", "--retry"]);
    let after = bench.read("overrides/anna.jsonl");
    assert!(after.starts_with(&before), "{note}: what stood there was changed");
    assert_eq!(whole(&after), 1, "{note}: {after}");
    assert_eq!(bench.states(), ["confirmed"], "{note}");
}

fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn cut_connection_leaves_override_pending_and_retry_does_not_duplicate() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let bench = Bench::remote(&lab, wire.port);
    let id = bench.id(1);
    // How many bytes come from the box when all goes well.
    let before = wire.bytes();
    bench.good(&["override", &id, "accept", "--reason", "fine"]);
    let passed = wire.bytes() - before;
    std::fs::remove_dir_all(bench.at("overrides")).unwrap();
    std::fs::remove_dir_all(bench.home.path().join("data/overrides")).unwrap();
    std::fs::remove_dir_all(bench.home.path().join("data/ledger")).unwrap();
    // From the greeting to the last answer.
    for step in 0..16_u64 {
        let at = 1500 + step * passed / 40;
        wire.set(Wire::Cut(at));
        let ran = bench.run(&["override", &id, "accept", "--reason", "fine"]);
        assert!([0, 69].contains(&ran.code), "{at}: {}", ran.err);
        wire.set(Wire::Plain);
        if ran.code == 69 {
            assert_eq!(bench.states(), ["unconfirmed"], "{at}");
            // What the box was given before the cut it may still be writing.
            std::thread::sleep(Duration::from_millis(100));
        }
        ends_with_one(&bench, &format!("cut at {at}"));
        for gone in ["data/overrides", "data/ledger"] {
            std::fs::remove_dir_all(bench.home.path().join(gone)).unwrap();
        }
        std::fs::remove_dir_all(bench.at("overrides")).unwrap();
    }
    assert!(wire.cuts() > 3, "no cut was in the middle");
    lab.nothing_left();
}

#[test]
fn lost_reply_leaves_override_pending_although_box_has_it() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    // The box writes, and is silent from then on.
    let mute = lab.at("mute");
    lab.login(&format!(
        "#!/bin/sh\nif [ -e {0} ]; then sh -c \"$SSH_ORIGINAL_COMMAND\" >/dev/null; exit 0; fi\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
        mute.display()
    ));
    std::fs::write(&mute, "").unwrap();
    let id = bench.id(1);
    let ran = bench.run(&["override", &id, "accept", "--reason", "fine"]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 1, "the box has written");
    assert_eq!(
        (bench.states(), bench.found("override:unconfirmed")),
        (vec!["unconfirmed".to_owned()], 1)
    );
    std::fs::remove_file(&mute).unwrap();
    let said = bench.json(&["override", "--retry"]);
    assert!(said["overrides"][0]["notices"].to_string().contains("was already there"));
    ends_with_one(&bench, "mute");
}

#[test]
fn program_kill_loses_no_acknowledged_override() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let bench = Bench::remote(&lab, wire.port);
    let id = bench.id(1);
    let args = Bench::args(&["override", &id, "accept", "--reason", "fine"]);
    let mut kept = 0;
    for at in [0, 20, 60, 120, 180, 240, 300, 400, 600] {
        let child = bench.home.command(&args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(at));
        kill(child);
        // The master of the killed one ends by itself; what it was given may still be written.
        std::thread::sleep(Duration::from_millis(100));
        if bench.states().is_empty() {
            // Nothing was acknowledged, and nothing is on the box.
            assert_eq!(bench.read("overrides/anna.jsonl"), "", "after {at} ms");
            continue;
        }
        kept += 1;
        ends_with_one(&bench, &format!("killed after {at} ms"));
        for gone in ["data/overrides", "data/ledger"] {
            std::fs::remove_dir_all(bench.home.path().join(gone)).unwrap();
        }
        std::fs::remove_dir_all(bench.at("overrides")).unwrap();
    }
    assert!(kept > 0, "every kill came before the ledger was written");
}

#[test]
fn a_kill_while_the_box_is_silent_leaves_it_to_a_retry() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let bench = Bench::remote(&lab, wire.port);
    let id = bench.id(1);
    let before = wire.connections();
    wire.set(Wire::Stall(1000));
    let args = Bench::args(&["override", &id, "accept", "--reason", "fine"]);
    let child = bench.home.command(&args).spawn().unwrap();
    wait_until("it never connected", || wire.connections() > before);
    assert_eq!(bench.ledger().lines().count(), 1, "the ledger comes first");
    kill(child);
    wire.set(Wire::Plain);
    assert_eq!(bench.states(), ["unconfirmed"]);
    assert_eq!(bench.status()["overrides"][0]["tries"], 0, "nobody lived to note the try");
    ends_with_one(&bench, "killed at a stall");
}

#[test]
fn held_remote_lock_is_reported_and_nothing_is_written() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    std::fs::create_dir(bench.at("overrides")).unwrap();
    bench.put("overrides/anna.jsonl", "");
    let held = std::fs::File::open(bench.at("overrides/anna.jsonl")).unwrap();
    held.lock().unwrap();
    let ran = bench.run(&["override", &bench.id(1), "accept", "--reason", "fine"]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.out.contains("another process locks it"), "{}", ran.out);
    assert_eq!(bench.read("overrides/anna.jsonl"), "");
    drop(held);
    ends_with_one(&bench, "locked");
}

#[test]
fn full_remote_disk_is_reported_and_retry_succeeds() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    std::fs::create_dir(bench.at("overrides")).unwrap();
    let full = "x".repeat(990) + "\n";
    bench.put("overrides/anna.jsonl", &full);
    lab.login("#!/bin/bash\nulimit -f 1\ntrap '' XFSZ\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
    let ran = bench.run(&["override", &bench.id(1), "accept", "--reason", "fine"]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.out.contains("the disk may be full"), "{}", ran.out);
    assert!(bench.read("overrides/anna.jsonl").starts_with(&full));
    lab.login("#!/bin/sh\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n");
    ends_with_one(&bench, "full");
}

#[test]
fn a_ledger_that_was_changed_gives_nothing_to_a_box() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let id = bench.id(1);
    bench.at_port(lab.port, crate::pull::free_port());
    assert_eq!(bench.run(&["override", &id, "accept", "--reason", "fine"]).code, 69);
    let path = bench.home.path().join("data/ledger/anna@desk.jsonl");
    let text = bench.ledger();
    std::fs::write(&path, text.replace("accept", "reject")).unwrap();
    bench.at_port(lab.port, lab.port);
    let ran = bench.run(&["override", "--retry"]);
    assert!(ran.err.contains("line 1"), "{}", ran.err);
    assert!(!bench.at("overrides").exists());
    let ran = bench.run(&["override", &id, "accept", "--reason", "other"]);
    assert!(ran.code == 74 && ran.err.contains("ledger verify"), "{}", ran.err);
    assert!(!bench.at("overrides").exists());
    std::fs::write(&path, text).unwrap();
    ends_with_one(&bench, "mended");
}

#[test]
fn two_reviewers_at_once_and_a_local_writer_lose_nothing() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let ids: Vec<String> = (1..=5).map(|n| bench.id(n)).collect();
    let start = |word: &str, reason: &str| {
        let mut args = vec!["override"];
        args.extend(ids.iter().map(String::as_str));
        args.extend([word, "--reason", reason]);
        bench.home.command(&Bench::args(&args)).spawn().unwrap()
    };
    // The same reviewer from three places at once: one file on the box.
    let children = [start("accept", "a"), start("reject", "b"), start("accept", "c")];
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(bench.ledger().lines().count(), 15);
    bench.good(&["ledger", "verify"]);
    // Every line is whole and there once, and of each record the last word is there. A word that
    // was overtaken before its box was asked is not.
    let text = bench.read("overrides/anna.jsonl");
    let records = text.lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    let mut there: Vec<String> = records.map(|r| r["id"].as_str().unwrap().to_owned()).collect();
    let status = bench.status();
    let all = status["overrides"].as_array().unwrap();
    let of = |state: &str| all.iter().filter(|o| o["state"] == state).count();
    assert_eq!((all.len(), of("confirmed") + of("superseded")), (15, 15), "{status}");
    assert_eq!(there.len(), of("confirmed"));
    there.sort_unstable();
    there.dedup();
    assert_eq!(there.len(), of("confirmed"));
    assert_eq!(bench.found("override:confirmed"), 5);
}
