//! Labels of the calibration queue on another machine: what they are evidence for goes with them.

use super::{Desk, by};
use crate::cli::push;
use foureyes::domain::Timestamp;
use foureyes::domain::review::{Act, AuditRate, Seed, WindowStart};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::Value;

/// Sixty contents of one day, a third of them flagged, and a window over it.
fn desk(rate: Option<f64>) -> Desk {
    let mut desk = Desk::new(1);
    let line = |n: u32| {
        let verdict = if n.is_multiple_of(3) { "NO-GO" } else { "GO" };
        push(n, &format!("2026-02-11T09:{:02}:00Z", n % 60), verdict)
    };
    desk.home.write("logs/b.jsonl", (100..160).map(line).collect::<String>());
    desk.ids = Vec::new();
    // Said before the day came, as it is to be.
    let from = Timestamp::parse_day("2026-02-11").unwrap();
    let by = by("lead");
    let mut ledger = Ledger::load(&DataDir::at(desk.home.path().join("data"))).unwrap();
    let mut acts = vec![Act::Window(WindowStart::new(from))];
    if let Some(rate) = rate {
        acts.push(Act::Rate(AuditRate::new(from, None, rate, Some(Seed([3; 32])))));
    }
    for (n, act) in acts.iter().enumerate() {
        let said = Timestamp(from.0 - 1_000_000 * (9 - n as i64));
        ledger.append(&by, fresh_id(said), said, act).unwrap();
    }
    desk
}

fn calibration(desk: &Desk) -> Value {
    desk.json(&["calibration", "--from", "logs"])
}

/// The error rates: numerator and denominator of each.
fn rates(document: &Value) -> Vec<(String, Value, Value)> {
    let rates = document["rates"].as_array().unwrap();
    let one = |rate: &Value| {
        let name = rate["id"].as_str().unwrap_or_default().to_owned();
        (name, rate["numerator"].clone(), rate["denominator"].clone())
    };
    rates.iter().map(one).collect()
}

#[test]
fn queue_selection_is_exported_and_counts_when_imported() {
    let here = desk(Some(0.5));
    let status = here.json(&["gate", "audit", "--from", "logs"]);
    let due: Vec<&str> =
        status["next"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    for (n, id) in due.iter().enumerate() {
        here.good(&["label", id, if n % 4 == 0 { "poor" } else { "acceptable" }, "--blind"]);
    }
    let exported = here.good(&["label", "--export", "--json", "--from", "logs"]);
    let rows: Vec<Value> =
        exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let flagged: Vec<Value> = here.records("verdict:no-go");
    let flagged: Vec<&str> = flagged.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(rows.len(), due.len());
    for row in &rows {
        let (selection, pi) = match flagged.contains(&row["record"].as_str().unwrap()) {
            true => ("census", Value::Null),
            false => ("audit", 0.5.into()),
        };
        assert_eq!((&row["selection"], &row["pi"]), (&selection.into(), &pi), "{row}");
    }
    // A machine with the same logs and window, and no rate of its own.
    let there = desk(None);
    there.home.write("labels.jsonl", &exported);
    there.good(&["label", "--import", "labels.jsonl"]);
    let [ours, theirs] = [&here, &there].map(|desk| rates(&calibration(desk)));
    assert!(ours.iter().any(|(_, n, _)| n.as_u64().is_some_and(|n| n > 0)), "{ours:?}");
    assert_eq!(ours, theirs);
}

#[test]
fn a_label_of_somebodys_choice_is_exported_as_that() {
    let here = desk(Some(0.2));
    let status = here.json(&["gate", "audit", "--from", "logs"]);
    let due = status["next"].to_string();
    let passed = here.records("verdict:go");
    let beside = passed.iter().map(|row| row["id"].as_str().unwrap()).find(|id| !due.contains(id));
    here.good(&["label", beside.unwrap(), "poor"]);
    let exported = here.good(&["label", "--export", "--json", "--from", "logs"]);
    let row: Value = serde_json::from_str(exported.trim()).unwrap();
    assert_eq!((&row["selection"], &row["pi"]), (&"picked".into(), &Value::Null), "{row}");
}
