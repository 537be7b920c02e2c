//! A box that is a directory of this machine.

use super::Bench;
use crate::cli::push;
use foureyes::domain::Timestamp;
use serde_json::{Value, json};

#[test]
fn a_push_verdict_is_overridden_in_a_file_of_the_reviewers_own() {
    let bench = Bench::local();
    let (logs, id) = (bench.read("logs/a.jsonl"), bench.id(1));
    let said = bench.json(&["override", &id[..12], "accept", "--reason", "known false alarm"]);
    let one = &said["overrides"][0];
    assert_eq!((&said["unconfirmed"], &one["state"]), (&0.into(), &"confirmed".into()));
    let line = bench.read("overrides/anna.jsonl");
    let record: Value = serde_json::from_str(&line).unwrap();
    let at = Timestamp::parse(one["time"].as_str().unwrap()).unwrap();
    let expected = json!({
        "id": one["id"], "model": "human", "mode": "override", "verdict": "accept",
        "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0}, "average": 0,
        "reasoning": "known false alarm", "improvements": [],
        "timestamp": at.whole_second().to_string(),
        "round": 0, "judge_tier": "human", "previous_rounds": [], "consensus": null,
        "human_override": true, "reviewer": "anna", "reason": "known false alarm",
        "commit": "0000001", "record": id, "at_us": at.0,
    });
    assert_eq!(record, expected);
    assert_eq!(bench.read("logs/a.jsonl"), logs);
    // It is in the logs now, and no evaluation there.
    let triage: Value = serde_json::from_str(&bench.good(&["triage", "--json"])).unwrap();
    let counts = &triage["counts"];
    assert_eq!([&counts["overrides"], &counts["go"], &counts["no_go"]], [1, 0, 0]);
    assert_eq!((bench.found("family:override"), bench.found("family:push")), (1, 5));
    assert_eq!(bench.found("override:accept"), 1);
    assert_eq!((bench.found("override:confirmed"), bench.found("override:unconfirmed")), (1, 0));
    let shown = bench.good(&["show", &id]);
    assert!(shown.contains("override: accept by anna") && shown.contains("confirmed, in here"));
    assert!(shown.contains("known false alarm"), "{shown}");
}

#[test]
fn task_override_goes_to_its_own_log_after_rotation() {
    let bench = Bench::local();
    let before = bench.read("logs/verdicts.jsonl");
    let rows = bench.good(&["records", "task:t-1", "--json"]);
    let row: Value = serde_json::from_str(rows.trim()).unwrap();
    let id = row["id"].as_str().unwrap();
    bench.good(&["override", id, "reject", "--reason", "no"]);
    let after = bench.read("logs/verdicts.jsonl");
    let line = after.strip_prefix(&before).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&record["task_id"], &record["verdict"]), (&"t-1".into(), &"reject".into()));
    assert!(record.get("commit").is_none() && !bench.at("overrides").exists());
    std::fs::rename(bench.at("logs/verdicts.jsonl"), bench.at("logs/verdicts.jsonl.1")).unwrap();
    // Nobody writes tasks there at present: the log is not made by us, and it is tried again.
    let ran = bench.run(&["override", id, "accept", "--reason", "yes"]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.out.contains("UNCONFIRMED") && ran.out.contains("it is not there"), "{}", ran.out);
    assert!(!bench.at("logs/verdicts.jsonl").exists());
    assert_eq!(bench.states(), ["confirmed", "unconfirmed"]);
    assert_eq!(bench.found("override:unconfirmed"), 1);
    bench.put("logs/verdicts.jsonl", &super::task("t-3", "accept"));
    bench.good(&["override", "--retry"]);
    assert_eq!(bench.states(), ["confirmed", "confirmed"]);
    assert_eq!(bench.read("logs/verdicts.jsonl").lines().count(), 2);
    assert_eq!(bench.read("logs/verdicts.jsonl.1"), after);
    let nothing = bench.json(&["override", "--retry"]);
    assert_eq!(nothing["overrides"], json!([]));
}

#[test]
fn decision_by_task_answers_its_last_run() {
    let bench = Bench::local();
    let before = bench.read("logs/verdicts.jsonl");
    let round = |n: u32, verdict: &str, time: &str| {
        let scores = json!({"semantic": 2, "pragmatic": 3, "syntactic": 3});
        let line = json!({"task_id": "t-9", "model": "m", "mode": "quick", "verdict": verdict, "scores": scores,
            "round": n, "judge_tier": "quick", "previous_rounds": [], "timestamp": format!("2026-02-17T{time}Z"),
            "run": "r", "run_sha": "sha"});
        format!("{line}\n")
    };
    // Of one moment the later line is the last.
    let runs = round(1, "improve", "10:00:00") + &round(2, "reject", "10:00:00");
    bench.put("logs/verdicts.jsonl", &(before.clone() + &runs));
    let rows = bench.good(&["records", "task:t-9 verdict:reject", "--json"]);
    let last: Value = serde_json::from_str(rows.trim()).unwrap();
    bench.good(&["override", "--task", "t-9", "accept"]);
    let log = bench.read("logs/verdicts.jsonl");
    let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&line["record"], &line["verdict"]), (&last["id"], &"accept".into()));
    assert_eq!((&line["task_id"], &line["reason"]), (&"t-9".into(), &"decided by task".into()));
    let schema: Value =
        serde_json::from_str(include_str!("../../../assets/task-log.schema.json")).unwrap();
    let of_override = json!({"$ref": "#/$defs/override", "$defs": schema["$defs"]});
    assert!(jsonschema::validator_for(&of_override).unwrap().is_valid(&line), "{line}");
    // The box asks nobody about this content any more.
    let query =
        foureyes::verdict_log::TaskQuery { task_id: "t-9".to_owned(), run_sha: "sha".to_owned() };
    let history = foureyes::verdict_log::history(&[&bench.at("logs/verdicts.jsonl")], &query);
    let word = history.unwrap().last().unwrap().decided().cloned().unwrap();
    let (verdict, who) = (word.verdict, word.reviewer);
    assert_eq!(who.as_deref(), Some("anna"));
    assert_eq!(verdict, foureyes::engine::verdict::TaskVerdict::Accept);
    let again = bench.json(&["override", "--task", "t-9", "accept"]);
    assert_eq!(again["unconfirmed"], 0);
    assert_eq!(bench.read("logs/verdicts.jsonl"), log, "said twice, it is written once");
    for wrong in [
        &["override", "--task", "t-0", "accept"][..],
        &["override", "--task", "t-9"],
        &["override", "--task", "t-9", "x", "accept"],
        &["override", "--task", "t-9", "perhaps"],
        &["override", "0000", "accept"],
    ] {
        assert_eq!(bench.run(wrong).code, 64, "{wrong:?}");
    }
}

#[test]
fn escalation_is_claimed_once_released_by_anybody_and_settled() {
    let bench = Bench::local();
    let line = json!({"task_id": "t-9", "model": "human", "mode": "escalation", "verdict": "escalate",
        "decision": "escalate", "reason": "disagreement", "scores": {}, "round": 3, "run": "r",
        "judge_tier": "human", "timestamp": super::DAY, "schema": "foureyes/task/1"});
    bench.put("logs/verdicts.jsonl", &format!("{}{line}\n", bench.read("logs/verdicts.jsonl")));
    let log = bench.read("logs/verdicts.jsonl");
    let claim = ["override", "--task", "t-9", "--claim"];
    assert_eq!(bench.good(&claim), "claimed by anna\n");
    assert!(bench.good(&claim).starts_with("already claimed by anna since "));
    assert_eq!(bench.ledger().lines().count(), 1, "claimed twice, it is written once");
    let listed = bench.good(&["records", "is:escalation"]);
    assert!(listed.lines().nth(1).unwrap().starts_with("  claimed by anna since "), "{listed}");
    let other = bench.run(&[&claim[..], &["--reviewer", "bert"]].concat());
    assert!(other.code == 64 && other.err.contains("claimed by anna since"), "{}", other.err);
    let release = ["override", "--task", "t-9", "--release", "--reviewer", "bert"];
    assert!(bench.good(&release).starts_with("released: claimed by anna since "));
    assert_eq!(bench.good(&release), "nobody had claimed it\n");
    bench.good(&[&claim[..], &["--reviewer", "bert"]].concat());
    assert_eq!(bench.read("logs/verdicts.jsonl"), log, "no box learns of a claim");
    bench.good(&["override", "--task", "t-9", "accept"]);
    assert_eq!(bench.found("is:escalation"), 0);
    let rows = bench.good(&["records", "task:t-9 tier:human -family:override", "--json"]);
    let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    let id = row["id"].as_str().unwrap();
    let shown = bench.good(&["show", id]);
    assert!(shown.contains("claimed by bert since ") && shown.contains("override: accept by anna"));
    assert!(shown.contains("settled: accept by anna, "), "{shown}");
    // The same as data, in both documents.
    let schema: Value =
        serde_json::from_str(include_str!("../../../assets/record.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let document: Value = serde_json::from_str(&bench.good(&["show", id, "--json"])).unwrap();
    for document in [&row, &document] {
        assert!(schema.is_valid(document), "{:?}", schema.iter_errors(document).next());
        assert_eq!(document["claims"].as_array().unwrap().len(), 1);
        assert_eq!(document["claims"][0]["reviewer"], "bert");
    }
    assert_eq!(document["settled"]["override"], "accept");
    assert_eq!(document["settled"]["reviewer"], "anna");
    assert_eq!(row["settled"], document["settled"]);
    let others = bench.good(&["records", "-tier:human", "--json"]);
    assert!(!others.contains("\"settled\""), "what waited for nobody is settled by nobody");
    for task in ["t-9", "t-1", "t-0"] {
        let ran = bench.run(&["override", "--task", task, "--claim"]);
        assert!(
            ran.code == 64 && ran.err.contains("no escalation of this task waits"),
            "{}",
            ran.err
        );
    }
    assert_eq!(bench.run(&["override", "--claim"]).code, 64);
}

#[test]
fn claims_are_filtered_by_name_and_released_with_all_runs_of_the_task() {
    let bench = Bench::local();
    let line = |run: &str, hour: u32| {
        json!({"task_id": "t-9", "model": "human", "mode": "escalation", "verdict": "escalate",
            "decision": "escalate", "reason": "disagreement", "scores": {}, "round": 3, "run": run,
            "judge_tier": "human", "timestamp": format!("2026-02-14T0{hour}:00:00Z"),
            "schema": "foureyes/task/1"})
    };
    let put = |line: Value| {
        bench.put("logs/verdicts.jsonl", &format!("{}{line}\n", bench.read("logs/verdicts.jsonl")));
    };
    put(line("r1", 1));
    bench.good(&["override", "--task", "t-9", "--claim"]);
    let count = |filter: &str| bench.found(filter);
    assert_eq!((count("claimed:any"), count("claimed:ANN"), count("claimed:=ann")), (1, 1, 0));
    assert_eq!((count("claimed:=anna"), count("claimed:bert")), (1, 0));
    assert_eq!(
        (count("claimed:me"), count("claimed:=me"), count("-claimed:me task:t-9")),
        (1, 0, 0)
    );
    assert_eq!(count("is:escalation claimed:none"), 0);
    // The next run of the task is to be claimed anew, and the one before it waits no more.
    put(line("r2", 2));
    assert_eq!((count("is:escalation claimed:none"), count("is:escalation claimed:any")), (1, 0));
    bench.good(&["override", "--task", "t-9", "--claim", "--reviewer", "bert"]);
    assert_eq!((count("claimed:me"), count("claimed:any")), (1, 2), "the other is bert's");
    let released = bench.good(&["override", "--task", "t-9", "--release"]);
    let names: Vec<&str> = released.lines().filter_map(|line| line.split(' ').nth(3)).collect();
    assert_eq!(names, ["anna", "bert"], "{released}");
    assert_eq!(count("claimed:any"), 0);
    assert!(
        bench.run(&["override", "--task", "t-0", "--release"]).err.contains("no run of this task")
    );
}

#[test]
fn repeated_decision_adds_nothing_and_different_one_does() {
    let bench = Bench::local();
    let id = bench.id(2);
    let decide = ["override", &id, "accept", "--reason", "fine"];
    let first = bench.json(&decide);
    let (ledger, file) = (bench.ledger(), bench.read("overrides/anna.jsonl"));
    let again = bench.json(&decide);
    assert_eq!(again["overrides"][0]["already"], true);
    assert_eq!(again["overrides"][0]["id"], first["overrides"][0]["id"]);
    assert_eq!((bench.ledger(), bench.read("overrides/anna.jsonl")), (ledger, file));
    bench.good(&["override", &id, "reject", "--reason", "looked again"]);
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 2);
    assert_eq!((bench.found("override:accept"), bench.found("override:reject")), (0, 1));
    // Said twice in one breath, it is one.
    let other = bench.id(3);
    bench.good(&["override", &other, &other[..20], "accept", "--reason", "x"]);
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 3);
}

#[test]
fn reason_and_name_are_stored_exactly_and_shown_escaped() {
    let bench = Bench::local();
    let hostile = "a \"b\" $(touch x) `id`\nEOF\r\n'\u{1b}[31m\u{202e}🦄 ../.. \u{7f}%s\\n";
    let id = bench.id(1);
    let args = ["override", &id, "reject", "--reason", hostile, "--reviewer", hostile];
    let said = bench.good(&args);
    assert!(said.contains("$(touch x)"), "{said}");
    let names: Vec<_> = std::fs::read_dir(bench.at("overrides")).unwrap().flatten().collect();
    let name = names[0].file_name().into_string().unwrap();
    let plain = |c: char| c.is_ascii_alphanumeric() || "%._-".contains(c);
    assert!(names.len() == 1 && name.chars().all(plain), "{name}");
    let line = bench.read(&format!("overrides/{name}"));
    assert!(line.trim_end_matches('\n').bytes().all(|b| b >= 0x20), "one line, all escaped");
    let record: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&record["reason"], &record["reviewer"]), (&hostile.into(), &hostile.into()));
    assert!(bench.good(&["show", &id]).contains("U+202E"));
    assert!(!bench.home.path().join("x").exists());
}

#[test]
fn undecidable_override_is_rejected_before_writing() {
    let bench = Bench::local();
    let id = bench.id(1);
    let long = "x".repeat(4097);
    let cases: [(&[&str], &str); 9] = [
        (&["override", &id, "accept"], "--reason"),
        (&["override", &id, "accept", "--reason", " \n"], "the reason is empty"),
        (&["override", &id, "accept", "--reason", &long], "4097 bytes, more than 4096"),
        (&["override", &id, "maybe", "--reason", "x"], "is not an override"),
        (&["override", "accept", "--reason", "x"], "records and a word"),
        (&["override", "ffffffff", &id, "accept", "--reason", "x"], "no evaluation"),
        (&["override", &id, "accept", "--reason", "x", "--box", "other"], "cannot be overridden"),
        (&["override", &id, "accept", "--reason", "x", "--reviewer", ""], "is empty"),
        (
            &["override", &id, "accept", "--reason", "x", "--from", "logs"],
            "these logs were given by path",
        ),
    ];
    for (args, said) in cases {
        let ran = bench.run(args);
        assert_eq!(ran.code, 64, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    assert!(!bench.at("overrides").exists() && bench.ledger().is_empty());
    assert_eq!(bench.status()["overrides"], json!([]));
    assert!(bench.good(&["override"]).contains("no override"));
}

#[test]
fn verdict_directory_accepts_no_overrides() {
    let bench = Bench::local();
    let config = bench.config.replace("/overrides\"\n", "/judge-verdicts/\"\n");
    assert_ne!(config, bench.config);
    bench.home.write("c.toml", config);
    let ran = bench.run(&["override"]);
    assert!(ran.code == 64 && ran.err.contains("box.overrides"), "{}", ran.err);
}

#[test]
fn unwritable_box_keeps_override_pending_and_triage_says_so() {
    let bench = Bench::local();
    // A file where the directory should be.
    bench.put("overrides", "");
    let ids = [bench.id(1), bench.id(2)];
    let decide = ["override", &ids[0], &ids[1], "accept", "--reason", "fine"];
    let ran = bench.run(&decide);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.err.contains("override --retry"), "{}", ran.err);
    assert_eq!(bench.ledger().lines().count(), 2, "it is kept all the same");
    let triage: Value = serde_json::from_str(&bench.good(&["triage", "--json"])).unwrap();
    let caveats = triage["caveats"].as_array().unwrap();
    let caveat = caveats.iter().find(|c| c["id"] == "unconfirmed_overrides").unwrap();
    assert!(caveat["text"].as_str().unwrap().starts_with("2 overrides"), "{caveat}");
    assert!(bench.good(&["show", &ids[0]]).contains("UNCONFIRMED"));
    assert_eq!(bench.run(&["override", "--retry"]).code, 69);
    assert_eq!(bench.status()["overrides"][0]["tries"], 2);
    std::fs::remove_file(bench.at("overrides")).unwrap();
    // Asked once more, it is the same decision, and its box is tried again.
    let said = bench.json(&decide);
    assert_eq!((&said["unconfirmed"], &said["overrides"][1]["already"]), (&0.into(), &true.into()));
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 2);
    assert_eq!(bench.ledger().lines().count(), 2);
    let triage = bench.good(&["triage", "--json"]);
    assert!(!triage.contains("unconfirmed_overrides"));
}

#[test]
fn a_torn_line_of_another_writer_is_ended_and_left_where_it_is() {
    let bench = Bench::local();
    std::fs::create_dir(bench.at("overrides")).unwrap();
    bench.put("overrides/anna.jsonl", "{\"theirs\":");
    let said = bench.json(&["override", &bench.id(1), "accept", "--reason", "x"]);
    let notices = said["overrides"][0]["notices"].to_string();
    assert!(notices.contains("had no line end"), "{notices}");
    let text = bench.read("overrides/anna.jsonl");
    assert!(text.starts_with("{\"theirs\":\n{\"id\":\"") && text.ends_with("}\n"), "{text}");
}

#[test]
fn override_stays_bound_to_its_record_as_logs_grow() {
    let bench = Bench::local();
    let id = bench.id(1);
    // The commit is judged again: the word for the record stays with the record.
    let later = bench.read("logs/a.jsonl") + &push(1, "2026-02-10T11:00:00Z", "GO");
    bench.put("logs/a.jsonl", &later);
    bench.good(&["override", &id[..10], "accept", "--reason", "x"]);
    let record: Value = serde_json::from_str(&bench.read("overrides/anna.jsonl")).unwrap();
    assert_eq!(record["record"], id.as_str());
    assert_eq!(bench.found(&format!("override:any id:{id}")), 1);
    assert_eq!(bench.found("override:any"), 1);
    // An override is none of an override, and of nothing that is gone.
    let own: Value = serde_json::from_str(
        bench.good(&["records", "family:override", "--json"]).lines().next().unwrap(),
    )
    .unwrap();
    let ran = bench.run(&["override", own["id"].as_str().unwrap(), "accept", "--reason", "x"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
}

#[test]
fn no_rate_changes() {
    let bench = Bench::local();
    let kpis = || -> (Value, Value) {
        let text = bench.good(&["triage", "--json", "--days", "36500"]);
        let triage: Value = serde_json::from_str(&text).unwrap();
        (triage["kpis"].clone(), triage["counts"]["no_go"].clone())
    };
    let before = kpis();
    for n in 1..=5 {
        bench.good(&["override", &bench.id(n), "accept", "--reason", "x"]);
    }
    assert_eq!(kpis(), before);
}

#[test]
fn reason_on_stdin_is_not_in_process_list() {
    let bench = Bench::local();
    let id = bench.id(1);
    let feed = |text: &[u8], args: &[&str]| {
        let input = bench.home.write("reason.txt", text);
        bench.home.feed(&Bench::args(args), &input)
    };
    let order = ["override", id.as_str(), "accept", "--reason", "-"];
    for (bad, says) in [(&b"\n"[..], "is empty"), (b"\xff", "not text"), (&[b'x'; 5000], "longer")]
    {
        let ran = feed(bad, &order);
        assert!(ran.code == 64 && ran.err.contains(says), "{}", ran.err);
    }
    assert_eq!(bench.found("override:any"), 0);
    let ran = feed("two lines,\nof which one says why\n".as_bytes(), &order);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record: Value = serde_json::from_str(&bench.read("overrides/anna.jsonl")).unwrap();
    assert_eq!(record["reason"], "two lines,\nof which one says why");
    let ran = feed(b"by the glossary\n", &["label", &id, "poor", "--note", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(bench.good(&["label", "--export", "--json"]).contains("\"note\":\"by the glossary\""));
    let both = ["label", &id, "poor", "--note", "-", "--from", "-"];
    let ran = feed(b"x", &both);
    assert!(ran.code == 64 && ran.err.contains("cannot be both"), "{}", ran.err);
}
