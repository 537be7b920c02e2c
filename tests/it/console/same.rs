//! Every number on a screen is the one that `--json` prints.

use super::person::{Home, leave, queue};
use serde_json::Value;
use std::process::Command;

/// Verdicts of two days and every kind, one of them said twice, one undated, two lines of no use.
fn log() -> String {
    let push = |number, time: &str, verdict| crate::cli::push(number, time, verdict);
    let mut text = String::new();
    for number in 0..7 {
        text.push_str(&push(number, &format!("2026-02-10T10:0{number}:00Z"), "GO"));
    }
    for number in 7..12 {
        text.push_str(&push(number, &format!("2026-02-11T10:{number:02}:00Z"), "NO-GO"));
    }
    for number in 12..15 {
        text.push_str(&push(number, &format!("2026-02-11T11:{number}:00Z"), "UNDETERMINED"));
    }
    // The same commit, judged again.
    text.push_str(&push(0, "2026-02-12T10:00:00Z", "GO"));
    text.push_str(&push(99, "yesterday", "NO-GO"));
    text.push_str("no record\n\n{\"neither\": 1}\n");
    text
}

fn json(home: &Home, logs: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    let output = command
        .args(["triage", "--from", logs, "--json"])
        .env("HOME", home.path())
        .env("FOUREYES_DATA", home.at("foureyes"))
        .env("XDG_CONFIG_HOME", home.at("config"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The number at a place of a document.
fn number(document: &Value, place: &str) -> u64 {
    document.pointer(place).and_then(Value::as_u64).unwrap_or_else(|| panic!("{place}"))
}

#[test]
fn screen_numbers_equal_json() {
    let home = Home::new();
    home.write("logs/2026.jsonl", log());
    let logs = home.at("logs").into_os_string().into_string().unwrap();
    let told = json(&home, &logs);
    let count = |name: &str| number(&told, &format!("/counts/{name}"));
    let mut session = home.console(&["--from", &logs]).size(160, 100).run();
    let (waiting, screen) = session.wait_until("the overview", |s| {
        let text = s.contents();
        queue(s).filter(|_| text.contains("Causes of UNDETERMINED")).map(|waiting| (waiting, text))
    });
    let verdicts = count("go") + count("no_go") + count("undetermined");
    let mut wanted = vec![
        format!("{} of {verdicts} verdicts flagged.", number(&told, "/flagged_total")),
        format!("✔ GO {} ", count("go")),
        format!("✖ NO-GO {} ", count("no_go")),
        format!("? UNDET {} ", count("undetermined")),
        format!("override {} ", count("overrides")),
        format!("records {}", count("in_window")),
        format!("repeats {}", count("repeats")),
        format!("lines {} + split {}", count("lines"), count("split")),
        format!("rejected {}", count("rejected")),
        format!("foreign {}", count("foreign")),
        format!("blank {}", count("blank")),
        format!("undated records: {}", count("undated")),
    ];
    let kpis = told["kpis"].as_array().unwrap();
    for kpi in kpis.iter().filter(|k| !k["estimate"].is_null()) {
        wanted.push(format!("{} of {}", kpi["numerator"], kpi["denominator"]));
    }
    assert!(wanted.len() > 13, "{wanted:?}");
    for text in wanted {
        assert!(screen.contains(&text), "{text} is not in\n{screen}");
    }
    assert_eq!((count("repeats"), count("undated")), (1, 1));
    assert_eq!((count("rejected"), count("foreign")), (1, 1));
    // None of the flagged is a repeat, and of given logs undated ones are in the window.
    assert_eq!(waiting as u64, number(&told, "/flagged_total"), "{screen}");
    session.press("2");
    session.wait_for(&format!("Triage 1 of {waiting} "));
    session.press("7");
    let first = &told["boxes"][0];
    let holds = format!(
        "{} records in {} file, 1 line from other programs",
        first["records"], first["files"]
    );
    session.wait_for(&holds);
    let boxes = told["boxes"].as_array().unwrap().len();
    session.wait_for(&format!("─ Boxes {boxes} "));
    leave(&mut session, &home);
}
