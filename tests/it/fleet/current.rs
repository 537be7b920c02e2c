//! The same statements on a current version of the server: the same answers.

use super::wire::Wire;
use super::{Desk, SHARED, database, generated};
use crate::cli::Home;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A statement that is asked over all nodes, without the format of its reply.
fn select(statement: &str) -> Option<String> {
    let select = statement.strip_suffix(" FORMAT RowBinary")?;
    // Rows that are there twice may be merged on one side and not yet on the other.
    let counts = select.strip_prefix("SELECT toUInt64(count()) FROM ");
    let of_rows = counts.is_some_and(|from| !from.starts_with('('))
        || select.starts_with("SELECT toUInt64(count()), toUInt64(uniqExact(cityHash64(")
        || select.starts_with("SELECT toInt64(day) AS number");
    let of_node = ["system.", "schema_local", "INSERT"].iter().any(|part| select.contains(part));
    // What each shard is asked of its own rows is asked of all.
    let select = select.replace("occurrences_local", "occurrences");
    (select.starts_with("SELECT ") && !of_node && !of_rows).then_some(select)
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn current_server_gives_the_same_answers() {
    let (made, name) = (Home::new(), database());
    let boxes = generated(&made, 600, 12);
    let wire = Wire::to(SHARED.ports[0]);
    let desk = Desk::new("anna", &boxes, &[wire.port, SHARED.ports[1]], &name);
    desk.good(&["fleet", "init"]);
    desk.good(&["gate", "window", "2026-11-01"]);
    desk.publish();
    // Asks what it would ask of logs of which a part is there.
    for node in [0, 1] {
        SHARED.sql(node, &format!("TRUNCATE TABLE {name}.files_local"));
    }
    desk.publish();
    desk.good(&["fleet", "status"]);
    desk.good(&["fleet", "work"]);
    desk.good(&["fleet", "usage", "--fleet", "--days", "36500"]);
    for filter in [
        "",
        "\"é i\u{307}\" | commit:a | path:./ | path:=a.md | terms:semantic",
        "is:flagged box:attic | override:any | is:escalation | evaluation:push | -judge:x",
        "score:>=2 latency:>1ms round:0..4 | since:2026-11-01 -id:00 -has:path | is:unexplained",
    ] {
        desk.good(&["records", filter, "--json", "--fleet", "--limit", "40"]);
    }
    for question in [
        "triage --days 36500 --limit 20",
        "trend --by box",
        "trend --by path --depth 2",
        "trend --by path --prefix research/",
        "trend --by model --family task",
        "calibration",
        "calibration --family task",
    ] {
        let words: Vec<&str> = question.split(' ').collect();
        desk.good(&[&words[..], &["--json", "--fleet"]].concat());
    }
    let statements = wire.statements();
    let selects: BTreeSet<String> = statements.iter().filter_map(|s| select(s)).collect();
    assert!(selects.len() >= 30, "{selects:#?}");
    let make = statements.iter().filter(|s| s.contains("_local (") && !s.contains("schema_local"));
    let make: BTreeSet<String> = make.map(|s| s.replace("_local (", " (")).collect();
    assert_eq!(make.len(), 7, "{make:#?}");
    let mut rows = Vec::new();
    for statement in &make {
        let (table, rest) = statement
            .strip_prefix("CREATE TABLE IF NOT EXISTS ")
            .unwrap()
            .split_once(" (")
            .unwrap();
        let structure = rest.split(") ENGINE").next().unwrap();
        let structure = structure.split(" DEFAULT ").next().unwrap();
        for node in [0, 1] {
            let bytes = SHARED.sql(node, &format!("SELECT * FROM {table}_local FORMAT RowBinary"));
            let path = made.write(&format!("{table}{node}"), bytes);
            rows.push((table.to_owned(), structure.to_owned(), path));
        }
    }
    let make: Vec<String> = [format!("CREATE DATABASE {name}")].into_iter().chain(make).collect();
    let work = serde_json::json!({"make": make, "rows": rows, "selects": selects});
    let current = run(&work);
    let mut answered = 0;
    for (select, current) in selects.iter().zip(&current) {
        let ours = SHARED.sql(0, &format!("{select} FORMAT TabSeparated"));
        // Each byte as a character, as the other side does it.
        let ours: String = ours.into_iter().map(char::from).collect();
        answered += usize::from(!ours.trim().is_empty());
        assert_eq!(sorted(&ours), sorted(current), "{select}");
    }
    assert!(answered >= 16, "only {answered} of {} statements have an answer", selects.len());
}

fn run(work: &serde_json::Value) -> Vec<String> {
    let target = Path::new(env!("CARGO_BIN_EXE_foureyes")).ancestors().nth(2).unwrap();
    let python = target.join("tools/chdb/bin/python");
    assert!(python.exists(), "{} is missing: run ./test.sh --only-install", python.display());
    let mut running = Command::new(python)
        .args(["-c", include_str!("current.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    running.stdin.take().unwrap().write_all(work.to_string().as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}
