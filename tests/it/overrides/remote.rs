//! A box behind a real sshd.

use super::Bench;
use crate::pull::{Lab, free_port};
use serde_json::Value;

#[test]
fn an_override_is_written_to_the_box_and_read_back() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let hostile = "a \"b\" $(touch /tmp/x-canary) `id`\nEOF\r\n'\u{1b}[31m\u{202e}🦄 %s\\n";
    let before = bench.read("logs/verdicts.jsonl");
    let id = bench.id(1);
    let said = bench.json(&["override", &id, "accept", "--reason", hostile]);
    assert_eq!(said["overrides"][0]["state"], "confirmed");
    assert_eq!(said["overrides"][0]["notices"], serde_json::json!([]));
    let record: Value = serde_json::from_str(&bench.read("overrides/anna.jsonl")).unwrap();
    assert_eq!((&record["reason"], &record["record"]), (&hostile.into(), &id.clone().into()));
    let rows = bench.good(&["records", "task:t-2", "--json"]);
    let row: Value = serde_json::from_str(rows.trim()).unwrap();
    bench.good(&["override", row["id"].as_str().unwrap(), "reject", "--reason", "no"]);
    let after = bench.read("logs/verdicts.jsonl");
    let record: Value = serde_json::from_str(after.strip_prefix(&before).unwrap()).unwrap();
    assert_eq!((&record["task_id"], &record["human_override"]), (&"t-2".into(), &true.into()));
    // What is on the box comes back with the next pull, and is no evaluation.
    bench.good(&["pull"]);
    assert_eq!((bench.found("family:override"), bench.found("family:push")), (2, 5));
    assert_eq!(bench.found("override:confirmed"), 2);
    assert!(!std::path::Path::new("/tmp/x-canary").exists());
    lab.nothing_left();
}

#[test]
fn unreachable_box_is_retried_by_next_successful_pull() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let id = bench.id(1);
    bench.at_port(lab.port, free_port());
    let ran = bench.run(&["override", &id, "accept", "--reason", "fine", "--json"]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let error = said["overrides"][0]["error"].as_str().unwrap();
    assert!(error.contains("refused"), "{error}");
    assert_eq!(bench.run(&["pull"]).code, 69);
    assert_eq!(bench.status()["overrides"][0]["tries"], 1, "a box that is down is asked once");
    assert_eq!(bench.run(&["override", "--retry"]).code, 69);
    assert_eq!(bench.found("override:unconfirmed"), 1);
    bench.at_port(lab.port, lab.port);
    let ran = bench.run(&["pull", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    crate::report::conforms("pull", &ran.out);
    let pulled: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(pulled["overrides"][0]["confirmed"], true);
    assert!(ran.err.contains("1 override confirmed that had been pending"), "{}", ran.err);
    assert_eq!(bench.states(), ["confirmed"]);
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 1);
    let pulled: Value = serde_json::from_str(&bench.good(&["pull", "--json"])).unwrap();
    assert_eq!(pulled["overrides"], serde_json::json!([]));
}

#[test]
fn override_undone_before_delivery_is_not_retried() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let id = bench.id(1);
    bench.at_port(lab.port, free_port());
    assert_eq!(bench.run(&["override", &id, "accept", "--reason", "fine"]).code, 69);
    // An undo is an entry of the ledger that points at what it takes back.
    let entry = bench.status()["overrides"][0]["id"].as_str().unwrap().parse().unwrap();
    let data = foureyes::files::paths::DataDir::at(bench.home.path().join("data"));
    let mut ledger = foureyes::store::ledger::Ledger::load(&data).unwrap();
    let by = foureyes::domain::review::Reviewer { name: "anna".into(), machine: "desk".into() };
    let now = ledger.entry(entry).unwrap().time;
    let undo = foureyes::domain::review::Act::Undo(entry);
    ledger.append(&by, foureyes::store::ledger::fresh_id(now), now, &undo).unwrap();
    bench.at_port(lab.port, lab.port);
    assert_eq!(bench.states(), ["taken_back"]);
    bench.good(&["pull"]);
    bench.good(&["override", "--retry"]);
    assert!(!bench.at("overrides").exists());
    assert_eq!(bench.found("override:any"), 0);
}

#[test]
fn busybox_and_a_box_with_little_are_enough() {
    for (names, busy) in [
        (
            "sh dd cat tail head wc tr grep sleep mkdir sync readlink ln rm uname cksum date stat xargs gzip",
            true,
        ),
        ("sh dd cat tail head wc tr sleep mkdir readlink ln rm uname cksum date", false),
    ] {
        let lab = Lab::new();
        let dir = lab.at("programs");
        std::fs::create_dir(&dir).unwrap();
        for name in names.split(' ') {
            let program = if busy { "busybox" } else { name };
            let real = ["/usr/bin", "/bin"].map(|d| std::path::Path::new(d).join(program));
            let real = real.iter().find(|p| p.exists()).unwrap();
            std::os::unix::fs::symlink(real, dir.join(name)).unwrap();
        }
        let path = dir.display();
        lab.login(&format!(
            "#!/bin/sh\nprintf 'Welcome\\0\\n'\nPATH={path} exec {path}/sh -c \"$SSH_ORIGINAL_COMMAND\"\n"
        ));
        let bench = Bench::remote(&lab, lab.port);
        for _ in 0..2 {
            bench.good(&["override", &bench.id(1), "accept", "--reason", "it's \"fine\""]);
        }
        bench.good(&["override", &bench.id(2), "reject", "--reason", "no"]);
        assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 2, "{names}");
    }
}

#[test]
fn task_of_this_machine_is_decided_in_its_own_log_beside_boxes() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let (log, theirs) = (bench.home.path().join("own.jsonl"), bench.read("logs/verdicts.jsonl"));
    std::fs::write(&log, super::task("t-9", "reject")).unwrap();
    let config = format!("[task]\nlog = {}\n{}", super::quoted(&log), bench.config);
    bench.home.write("c.toml", config);
    let done = bench.json(&["override", "--task", "t-9", "accept"]);
    assert_eq!(done["overrides"][0]["state"], "confirmed");
    let own = std::fs::read_to_string(&log).unwrap();
    let record: Value = serde_json::from_str(own.lines().last().unwrap()).unwrap();
    assert_eq!((&record["task_id"], &record["verdict"]), (&"t-9".into(), &"accept".into()));
    assert_eq!(bench.read("logs/verdicts.jsonl"), theirs);
    bench.good(&["override", "--task", "t-1", "accept"]);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), own);
    assert_ne!(bench.read("logs/verdicts.jsonl"), theirs);
    lab.nothing_left();
}
