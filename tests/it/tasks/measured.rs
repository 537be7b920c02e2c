//! KPIs of tasks beside those of pushes, which contain nothing else.

use super::{Home, RUNNER, each, found, handed_over, round, write};
use crate::cli::push;
use foureyes::engine::panel::Reason;
use serde_json::{Value, json};

fn document(home: &Home, args: &[&str]) -> Value {
    let args = [args, &["--json", "--from", "logs"]].concat();
    serde_json::from_str(&home.good(&args)).unwrap()
}

/// Numerator and denominator of each KPI that needs no label, and whether it is known.
fn kpis(kpis: &Value) -> Vec<(u64, u64, bool)> {
    let one = |kpi: &Value| {
        let number = |name: &str| kpi[name].as_u64().unwrap();
        (number("numerator"), number("denominator"), !kpi["estimate"].is_null())
    };
    kpis.as_array().unwrap().iter().take(4).map(one).collect()
}

#[test]
fn task_kpis_are_of_last_rounds_and_push_kpis_do_not_change() {
    let home = Home::new();
    let pushes =
        [push(1, "2026-02-15T09:00:00Z", "GO"), push(2, "2026-02-15T09:01:00Z", "NO-GO")].concat();
    home.write("logs/2026-02-15.jsonl", &pushes);
    let before = document(&home, &["triage"]);
    assert!(before.get("families").is_none(), "{before}");
    let trend = document(&home, &["trend"]);
    home.write("logs/verdicts.jsonl", RUNNER);
    let after = document(&home, &["triage"]);
    assert_eq!(after["kpis"], before["kpis"]);
    let of_day = |trend: &Value| {
        let mut row = trend["rows"].as_array().unwrap().iter();
        row.find(|row| row["key"] == "2026-02-15").cloned().unwrap()
    };
    assert_eq!(of_day(&document(&home, &["trend"])), of_day(&trend));
    let families = after["families"].as_array().unwrap();
    assert_eq!((families.len(), families[0]["family"].as_str()), (1, Some("task")));
    // Six runs: three accepted, one undecided. The runner tells nothing of outages and durations.
    let expected = [(3, 6, true), (1, 6, true), (0, 0, false), (0, 0, false)];
    assert_eq!(kpis(&families[0]["kpis"]), expected);
    let reason = families[0]["kpis"][2]["reason"].as_str().unwrap();
    assert!(reason.contains("only 0 of 6 evaluations record whether"), "{reason}");
    let plain = home.good(&["triage", "--from", "logs"]);
    assert!(plain.contains("\nKPIs of tasks (the last round of each run of a task)\n"), "{plain}");
}

#[test]
fn outage_of_a_run_counts_although_a_person_closes_it() {
    let home = Home::new();
    let failed = json!({"error": "timeout", "verdict": "escalate", "scores": {}, "average": null});
    write(
        &home,
        &[
            round("1", 1, "quick", "improve", json!({"latency_ms": 9000})),
            round("1", 2, "deep", "accept", json!({"decision": "accept"})),
            round("2", 1, "quick", "escalate", failed),
            handed_over("2", 2, "timeout"),
            round("3", 1, "quick", "improve", json!({})),
            round("3", 2, "deep", "improve", json!({})),
            handed_over("3", 3, "disagreement"),
        ],
    );
    let families = document(&home, &["triage"])["families"].clone();
    // Of three runs one is accepted, two go to a person, and in one of these the judge was away. Each has the
    // duration of its rounds, whoever closes it.
    let expected = [(1, 3, true), (2, 3, true), (2, 3, true), (3, 3, true)];
    assert_eq!(kpis(&families[0]["kpis"]), expected);
    assert_eq!(each(&found(&home, "evaluation:task"), "run"), ["1", "2", "3"]);
    assert_eq!(each(&found(&home, "error:timeout repeat:no"), "run"), ["2"]);
    let trend = document(&home, &["trend", "--family", "task", "--by", "model"]);
    assert_eq!(trend["family"], "task");
    // No judge is called `human`: it is the last one that the run asked.
    let rows = trend["rows"].as_array().unwrap().iter();
    let rows: Vec<_> = rows
        .map(|row| (&row["key"], &row["evaluations"], &row["availability"]["numerator"]))
        .collect();
    assert_eq!(json!(rows), json!([["deep", 2, 2], ["quick", 1, 0]]));
}

#[test]
fn scripted_answers_are_no_evaluations_of_tasks() {
    let home = Home::new();
    write(&home, &[round("1", 1, "quick", "accept", json!({"caveats": ["scripted"]}))]);
    let triage = document(&home, &["triage"]);
    assert!(triage.get("families").is_none(), "{triage}");
    assert_eq!(triage["counts"]["scripted"], 1);
}

/// The same line as another program writes it.
fn foreign(mut line: Value, more: &Value) -> Value {
    let fields = line.as_object_mut().unwrap();
    fields.remove("schema");
    fields.extend(more.as_object().unwrap().clone());
    line
}

#[test]
fn run_of_a_task_without_a_name_counts_once() {
    for task in ["unknown", ""] {
        let home = Home::new();
        write(
            &home,
            &[
                round("1", 1, "quick", "improve", json!({"task_id": task})),
                round("1", 2, "deep", "accept", json!({"task_id": task, "decision": "accept"})),
                round("2", 1, "quick", "improve", json!({"task_id": task})),
                round("2", 2, "deep", "accept", json!({"task_id": task, "decision": "accept"})),
            ],
        );
        let families = document(&home, &["triage"])["families"].clone();
        assert_eq!(kpis(&families[0]["kpis"])[0], (2, 2, true), "{task:?}");
    }
}

#[test]
fn foreign_verdict_on_a_task_is_none_on_a_push() {
    let home = Home::new();
    let more = json!({"commit": "c1", "files_evaluated": ["notes/a.md"]});
    write(&home, &[foreign(round("1", 1, "quick", "looks fine", json!({})), &more)]);
    assert_eq!(found(&home, "evaluation:push").len(), 0);
    assert_eq!(found(&home, "evaluation:task").len(), 1);
}

#[test]
fn reason_of_another_program_makes_no_escalation() {
    let home = Home::new();
    let one = |run: &str, verdict: &str, reason: &str| {
        foreign(round(run, 1, "quick", verdict, json!({})), &json!({"reason": reason}))
    };
    let (accept, reject) = (one("1", "accept", "timeout"), one("2", "reject", "too slow"));
    write(&home, &[accept, reject, one("3", "improve", "disagreement")]);
    assert_eq!(each(&found(&home, "is:escalation"), "run"), ["3"]);
}

#[test]
fn each_reason_of_a_run_makes_an_escalation_in_any_log() {
    let home = Home::new();
    let runs = Reason::ALL.map(Reason::name);
    let line = |reason: &str| {
        foreign(round(reason, 1, "quick", "improve", json!({})), &json!({"reason": reason}))
    };
    write(&home, &runs.map(line));
    assert_eq!(found(&home, "is:escalation").len(), runs.len());
}

#[test]
fn unfinished_run_is_no_evaluation_whatever_its_last_round_says() {
    let home = Home::new();
    let open = json!({"decision": null});
    write(
        &home,
        &[
            round("1", 1, "quick", "accept", open.clone()),
            round("2", 1, "quick", "reject", open),
            round("3", 1, "quick", "improve", json!({})),
            round("3", 2, "deep", "accept", json!({})),
        ],
    );
    let triage = document(&home, &["triage"]);
    assert_eq!(kpis(&triage["families"][0]["kpis"])[0], (1, 1, true), "{triage}");
    let caveat = triage["caveats"].as_array().unwrap().iter().find(|c| c["id"] == "unfinished");
    assert_eq!(
        caveat.unwrap()["text"],
        "2 runs of tasks are unfinished and count in no KPI: see `records is:unfinished`"
    );
    assert_eq!(each(&found(&home, "is:unfinished"), "run"), ["1", "2"]);
    let trend = document(&home, &["trend", "--family", "task"]);
    let evaluations = |row: &Value| row["evaluations"].as_u64().unwrap();
    assert_eq!(trend["rows"].as_array().unwrap().iter().map(evaluations).sum::<u64>(), 1);
    let readiness = home.run(&["readiness", "--family", "task", "--json", "--from", "logs"]).out;
    assert!(readiness.contains("2 runs of tasks are unfinished, and no evidence"), "{readiness}");
}

#[test]
fn run_that_two_boxes_know_counts_once() {
    let home = Home::new();
    let (first, last) =
        (round("1", 1, "quick", "improve", json!({})), round("1", 2, "deep", "accept", json!({})));
    for place in ["a", "b"] {
        std::fs::create_dir(home.path().join(place)).unwrap();
    }
    // One copy was made before the run ended.
    for (place, first) in [("a", &first), ("b", &first)] {
        home.write(&format!("{place}/verdicts.jsonl"), format!("{first}\n"));
    }
    home.write("a/verdicts.jsonl", format!("{first}\n{last}\n"));
    let both = ["triage", "--json", "--from", "b", "--from", "a"];
    let triage: Value = serde_json::from_str(&home.good(&both)).unwrap();
    assert_eq!(kpis(&triage["families"][0]["kpis"])[0], (1, 1, true), "{triage}");
    assert!(!triage["caveats"].to_string().contains("unfinished"), "{triage}");
}
