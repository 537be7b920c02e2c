//! What is a record and what is foreign, as a reader counts it.

use super::Named;
use crate::domain::{Accounting, RecordId};
use crate::jsonl::{Settings, read, read_one};
use std::collections::HashSet;

fn counts(line: &str) -> [u64; 3] {
    let reading = read(line.as_bytes(), &Settings::default());
    assert!(reading.accounting.balances(), "{line}: {:?}", reading.accounting);
    let Accounting { records, foreign, rejected, .. } = reading.accounting;
    [records, foreign, rejected]
}

#[test]
fn every_form_of_a_record_is_one() {
    for line in [
        // A verdict, whatever it is and whatever else is there.
        r#"{"verdict":"GO"}"#,
        r#"{"verdict":null}"#,
        r#"{"verdict":""}"#,
        r#"{"verdict":["GO"],"job":"build"}"#,
        r#"{"verd\u0069ct":"GO"}"#,
        // A push without one, and its parts.
        r#"{"commit":"a","judge_model":"m"}"#,
        r#"{"commit":null,"scores":{}}"#,
        r#"{"commit":"a","files_evaluated":[]}"#,
        // A task.
        r#"{"task_id":"unknown","judge_tier":"quick"}"#,
        r#"{"task_id":"t","human_override":true}"#,
        r#"{"task_id":"t","scores":null,"findings":"x"}"#,
        // What this program writes, of any version.
        r#"{"schema":"foureyes/push/1"}"#,
        r#"{"schema":"foureyes/task/9","round":1}"#,
        r#"{"schema":"foureyes/pick/1","cost":4}"#,
        r#"{"schema":"foureyes/pick-text/1"}"#,
    ] {
        assert_eq!(counts(line), [1, 0, 0], "{line}");
    }
}

#[test]
fn a_line_of_another_program_is_foreign_whatever_it_shares() {
    for line in [
        // A build, a linter, a trace, a deployment.
        r#"{"commit":"bbbbbbb1","timestamp":"2026-11-28T11:00:00Z","status":"success","job":"build"}"#,
        r#"{"commit":"a","author":"b","findings":["unused"],"latency_ms":4}"#,
        r#"{"task_id":"build-7","state":"done"}"#,
        r#"{"scores":{"semantic":4}}"#,
        r#"{"judge_model":"m","latency_ms":3}"#,
        r#"{"files_evaluated":["a.md"],"timestamp":"2026-11-28T11:00:00Z"}"#,
        r#"{"level":"info","msg":"verdict: GO"}"#,
        r#"{"data":{"verdict":"GO","commit":"inner"}}"#,
        r#"{"Verdict":"GO","commit":"a"}"#,
        r#"{"schema":"foureyes/triage/1","counts":{}}"#,
        r#"{"schema":["foureyes/push/1"]}"#,
        "{}",
        // Its faults are its own.
        r#"{"msg":"\ud800"}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"commit":"a","job":{"b":1,"b":2}}"#,
    ] {
        assert_eq!(counts(line), [0, 1, 0], "{line}");
    }
    let keys: Vec<String> = (0..5_000).map(|n| format!("\"k{n}\":{n}")).collect();
    assert_eq!(counts(&format!("{{{}}}", keys.join(","))), [0, 1, 0]);
    assert_eq!(counts(&format!("{{\"verdict\":1,{}}}", keys.join(","))), [0, 0, 1]);
}

#[test]
fn a_record_with_a_fault_is_rejected_and_not_foreign() {
    for line in [
        r#"{"verdict":"GO","verdict":"NO-GO"}"#,
        r#"{"commit":"a","commit":"b","scores":1}"#,
        r#"{"verdict":"GO","findings":"\ud800"}"#,
        r#"{"schema":"foureyes/push/1","schema":"x"}"#,
        r#"{"schema":"x","schema":"foureyes/push/1"}"#,
        r#"{"task_id":"t","judge_tier":{"a":1,"a":2}}"#,
    ] {
        assert_eq!(counts(line), [0, 0, 1], "{line}");
    }
}

#[test]
fn a_reason_quotes_no_more_than_the_beginning_of_a_key() {
    let key = "k".repeat(1 << 20);
    let line = format!("{{\"verdict\":1,\"{key}\":1,\"{key}\":2}}");
    let reading = read(line.as_bytes(), &Settings::default());
    assert!(reading.rejects[0].reason.len() < 200, "{}", reading.rejects[0].reason.len());
}

#[test]
fn a_line_that_a_ledger_names_is_a_record() {
    let build = br#"{"commit":"bbbbbbb1","status":"success"}"#;
    let other = br#"{"commit":"bbbbbbb2","status":"success"}"#;
    let id = read_one(build, &Settings::default()).unwrap().id;
    let settings =
        |ids: HashSet<RecordId>| Settings { named: Named::new(move || ids), ..Settings::default() };
    let named = settings(HashSet::from([id]));
    let both = [&build[..], b"\n", other].concat();
    let reading = read(&both, &named);
    assert_eq!((reading.accounting.records, reading.accounting.foreign), (1, 1));
    assert_eq!(reading.found[0].record.id, id);
    let reading = read(&both, &settings(HashSet::new()));
    assert_eq!((reading.accounting.records, reading.accounting.foreign), (0, 2));
    // What has no key of a record never was one.
    assert_eq!(read_one(b"{\"job\":1}", &named), None);
}

/// A head that was torn takes no record along that stands behind it, whatever makes it one.
#[test]
fn record_behind_a_torn_head_is_one_without_a_verdict_too() {
    for record in [
        r#"{"schema":"foureyes/pick/1","timestamp":"2026-02-10T10:00:00Z"}"#,
        r#"{"commit":"bbbbbbb1","human_override":true,"timestamp":"2026-02-10T10:00:00Z"}"#,
        r#"{"task_id":"t","judge_tier":"quick"}"#,
        r#"{"commit":"bbbbbbb1","verdict":"GO"}"#,
    ] {
        for between in ["", &"\0".repeat(4_096)] {
            let line = format!("{{\"verdict\":\"GO\",\"comm{between}{record}\n");
            assert_eq!(counts(&line), [1, 0, 1], "{line}");
        }
    }
    // What stands inside a record is none of its own.
    let inner = r#"{"commit":"b","verdict":"GO","previous_rounds":[{"round":1,"verdict":"GO"},"#;
    assert_eq!(counts(&format!("{inner}\n")), [0, 0, 1]);
}
