//! Fields of task records, runs that they name, and runs that wait for a person.

use super::{Home, each, found, handed_over, round, write};
use serde_json::{Value, json};

#[test]
fn named_fields_are_read_listed_and_shown() {
    let home = Home::new();
    let more = json!({
        "depth": "panel", "consensus": "majority", "decision": "accept", "run_sha": "r",
        "advice": "check the migration", "served_model": "m-1", "judge_sha": "j",
        "previous_rounds": [{"round": 1, "model": "m", "verdict": "improve", "average": 3.33, "s": 1}],
        "improvements": [{"dimension": "semantic", "location": "l", "issue": "i", "suggestion": "s"}],
    });
    write(&home, &[round("a", 2, "deep", "accept", more)]);
    let record = &found(&home, "depth:panel tier:deep consensus:majority round:2")[0];
    for (name, value) in [
        ("family", json!("task")),
        ("run", json!("a")),
        ("depth", json!("panel")),
        ("decision", json!("accept")),
        ("advice", json!("check the migration")),
        ("task_sha", json!("t")),
        ("run_sha", json!("r")),
        ("files", json!(["notes/a.md"])),
        ("commit", json!("ca")),
    ] {
        assert_eq!(record[name], value, "{name}");
    }
    assert_eq!(record["previous_rounds"][0]["average"], 3.33);
    assert_eq!(record["extra"], json!({"schema": "foureyes/task/1", "judge_sha": "j"}));
    let shown = home.good(&["show", record["id"].as_str().unwrap(), "--from", "logs"]);
    for text in
        ["run: a\n", "earlier: 1 m improve 3.33 s 1\n", "decision: accept\n", "check the migration"]
    {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let csv = home.good(&["records", "--csv", "--from", "logs"]);
    assert!(csv.contains(",1 m improve 3.33 s 1,"), "{csv}");
}

#[test]
fn rounds_of_a_named_run_are_one_item_in_any_order() {
    let home = Home::new();
    let at = |second: u64| json!({"timestamp": format!("2026-02-15T10:00:{second:02}Z"), "task_id": "t"});
    write(
        &home,
        &[
            round("a", 2, "deep", "improve", at(1)),
            round("b", 1, "quick", "reject", at(2)),
            round("a", 1, "quick", "improve", at(3)),
        ],
    );
    let flagged = found(&home, "is:flagged");
    assert_eq!(each(&flagged, "run"), ["a", "b"]);
    assert_eq!(each(&flagged, "round"), ["2", "1"]);
}

#[test]
fn escalation_waits_until_a_person_decides_and_opens_again() {
    let home = Home::new();
    let mut lines = vec![
        round("a", 1, "quick", "improve", json!({})),
        handed_over("a", 2, "disagreement"),
        round("b", 1, "quick", "accept", json!({})),
        // A person must decide although the judge did not say so.
        round("c", 1, "deep", "accept", json!({"reason": "sensitive", "decision": "escalate"})),
        round("d", 1, "deep", "improve", json!({})),
    ];
    write(&home, &lines);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["a", "c"]);
    assert_eq!(each(&found(&home, "is:escalation tier:human"), "cause"), ["escalated"]);
    // It is no word of that person.
    assert_eq!(found(&home, "family:override").len(), 0);
    let decided = json!({
        "task_id": "task-a", "model": "human", "mode": "override", "judge_tier": "human",
        "human_override": true, "verdict": "accept", "round": 0, "timestamp": "2026-02-15T11:00:00Z",
    });
    lines.push(decided);
    write(&home, &lines);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["c"]);
    assert_eq!(each(&found(&home, "override:accept -family:override"), "run"), ["a"]);
    let again = json!({"task_id": "task-a", "timestamp": "2026-02-15T12:00:00Z"});
    let mut last = handed_over("e", 1, "tries");
    last.as_object_mut().unwrap().extend(again.as_object().unwrap().clone());
    lines.push(last);
    write(&home, &lines);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["c", "e"]);
}

/// A person's line about a task, at a time of that day.
fn person(task: &str, verdict: &str, time: &str, more: &Value) -> Value {
    let mut line = json!({
        "task_id": task, "model": "human", "mode": "override", "judge_tier": "human", "round": 0,
        "human_override": true, "verdict": verdict, "timestamp": format!("2026-02-15T{time}Z"),
    });
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line
}

#[test]
fn only_the_last_run_of_a_task_waits_for_a_person() {
    let home = Home::new();
    let at = |time: &str| json!({"task_id": "t", "timestamp": format!("2026-02-15T{time}Z")});
    let with = |mut line: Value, time: &str| {
        line.as_object_mut().unwrap().extend(at(time).as_object().unwrap().clone());
        line
    };
    let mut lines = vec![
        with(handed_over("a", 1, "tries"), "10:00:00"),
        with(handed_over("b", 1, "tries"), "10:10:00"),
        // It goes on, or was killed: nobody knows what it comes to.
        with(round("c", 1, "quick", "improve", json!({})), "10:20:00"),
    ];
    write(&home, &lines);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["b"]);
    lines.push(with(round("d", 1, "quick", "accept", json!({})), "10:30:00"));
    write(&home, &lines);
    assert_eq!(found(&home, "is:escalation").len(), 0);
    // Nothing else of it changes.
    assert_eq!(each(&found(&home, "is:flagged"), "run"), ["a", "b", "c"]);
}

#[test]
fn override_during_a_run_does_not_settle_what_that_run_comes_to() {
    let home = Home::new();
    let at = |time: &str| json!({"task_id": "t", "timestamp": format!("2026-02-15T{time}Z")});
    let with = |mut line: Value, time: &str| {
        line.as_object_mut().unwrap().extend(at(time).as_object().unwrap().clone());
        line
    };
    write(
        &home,
        &[
            with(round("a", 1, "quick", "reject", json!({})), "10:00:00"),
            with(round("b", 1, "quick", "improve", json!({})), "10:10:00"),
            person("t", "accept", "10:10:30", &json!({})),
            with(handed_over("b", 2, "disagreement"), "10:11:00"),
        ],
    );
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["b"]);
    assert_eq!(each(&found(&home, "override:accept -family:override"), "run"), ["a"]);
}

#[test]
fn override_that_names_a_record_settles_its_run_for_everybody_until_it_is_taken_back() {
    let home = Home::new();
    let mut lines =
        vec![round("a", 1, "quick", "improve", json!({})), handed_over("a", 2, "limit")];
    write(&home, &lines);
    let record = found(&home, "is:escalation")[0]["id"].clone();
    // The clock of another operator is behind.
    let of = |more: Value| {
        let mut named = json!({"record": record, "reviewer": "bob"});
        named.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        named
    };
    lines.push(person("task-a", "accept", "09:00:00", &of(json!({"id": "e1"}))));
    write(&home, &lines);
    assert_eq!(found(&home, "is:escalation").len(), 0);
    assert_eq!(each(&found(&home, "override:accept -family:override"), "run"), ["a"]);
    lines.push(person("task-a", "reject", "11:00:00", &of(json!({"id": "e2", "undoes": "e1"}))));
    write(&home, &lines);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["a"]);
    assert_eq!(found(&home, "override:any -family:override").len(), 0);
}

#[test]
fn task_of_this_machine_is_decided_in_its_log_where_no_box_is_configured() {
    let home = Home::new();
    let log = home.path().join("logs/verdicts.jsonl").display().to_string();
    home.write("c.toml", format!("[reviewer]\nname = \"anna\"\n[task]\nlog = \"{log}\"\n"));
    write(&home, &[round("a", 1, "quick", "improve", json!({})), handed_over("a", 2, "limit")]);
    let read = || std::fs::read_to_string(&log).unwrap();
    let before = read();
    let with = |args: &[&str]| home.good(&[&["override"], args, &["--config", "c.toml"]].concat());
    with(&["--task=task-a", "accept"]);
    let decided = read();
    let line = decided.strip_prefix(&before).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&line["task_id"], &line["verdict"]), (&json!("task-a"), &json!("accept")));
    assert!(with(&[]).contains("confirmed"));
    assert_eq!(found(&home, "is:escalation").len(), 0);
    with(&["undo", line["id"].as_str().unwrap()]);
    assert!(read().starts_with(&decided) && read().len() > decided.len());
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["a"]);
}
