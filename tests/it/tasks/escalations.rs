//! Fields of task records, runs that they name, and runs that wait for a person.

use super::{Home, each, found, handed_over, round, write};
use serde_json::json;

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
