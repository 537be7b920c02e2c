//! Verdicts on tasks: read in full, measured apart from pushes, and asked about.

mod escalations;
mod gated;
mod kept;
mod measured;
mod questions;

pub(crate) use gated::{home_of, ready};

use crate::cli::Home;
use serde_json::{Value, json};

/// The log of the bash runner, `tests/data/tasks`.
const RUNNER: &str = include_str!("../../data/tasks/verdicts.jsonl");

/// A line as this program writes it: a round of a run, which ends with an accept or a reject.
fn round(run: &str, number: u64, tier: &str, verdict: &str, more: Value) -> Value {
    let mut line = json!({
        "schema": "foureyes/task/1", "task_id": format!("task-{run}"), "run": run, "model": tier,
        "mode": tier, "judge_tier": tier, "round": number, "verdict": verdict, "depth": "sequential",
        "timestamp": format!("2026-02-15T10:00:0{number}Z"), "average": 4.0, "reasoning": "",
        "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 4}, "improvements": [],
        "files": ["notes/a.md"], "commit": format!("c{run}"), "latency_ms": 2000,
        "content_sha": format!("content {run}"), "task_sha": "t", "previous_rounds": [],
    });
    let fields = line.as_object_mut().unwrap();
    if ["accept", "reject"].contains(&verdict) {
        fields.insert("decision".to_owned(), json!(verdict));
    }
    fields.extend(more.as_object().unwrap().clone());
    line
}

/// The line that closes a run which a person must decide.
fn handed_over(run: &str, number: u64, reason: &str) -> Value {
    let more = json!({
        "model": "human", "mode": "escalation", "decision": "escalate", "reason": reason,
        "scores": {}, "average": null, "latency_ms": null,
    });
    round(run, number, "human", "escalate", more)
}

fn write(home: &Home, lines: &[Value]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    home.write("logs/verdicts.jsonl", text);
}

/// The records that a filter finds, in the order of their runs.
fn found(home: &Home, filter: &str) -> Vec<Value> {
    let listed = home.good(&["records", filter, "--json", "--from", "logs"]);
    let mut found: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    found.sort_by_key(|record| record["run"].to_string());
    found
}

/// What a field of them holds.
fn each(records: &[Value], field: &str) -> Vec<String> {
    let text = |record: &Value| {
        let value = &record[field];
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    };
    records.iter().map(text).collect()
}
