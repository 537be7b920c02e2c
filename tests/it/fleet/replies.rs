//! Replies that are not those of the node, at each statement of a command: never another number at a good exit code.

use super::gateway::{Fault, Gateway};
use super::{Desk, SHARED, database, generated};
use crate::cli::{Home, Ran, push};
use serde_json::{Value, json};

/// What each statement gets: nothing, and one of the others, which are looked at in one place.
fn faults(at: usize) -> [Fault; 2] {
    [Fault::Lost, [Fault::Cut, Fault::Coded, Fault::Page, Fault::Worded][at % 4]]
}

/// Few logs, with everything that is counted.
fn few(made: &Home) -> std::path::PathBuf {
    let boxes = made.path().join("boxes");
    for (at, name) in ["attic", "garage"].into_iter().enumerate() {
        std::fs::create_dir_all(boxes.join(name)).unwrap();
        let line = |number: u32| push(number, "2026-02-10T10:00:00Z", ["GO", "NO-GO"][at]);
        let lines: String = (0..6).chain([2, 3]).map(line).collect();
        let log = format!("{lines}no record\n\n{}", line(7).trim_end());
        std::fs::write(boxes.join(name).join("a.jsonl"), log).unwrap();
    }
    boxes
}

/// What two answers of a command must have in common: no times and no ages.
fn figures(ran: &Ran) -> Value {
    let Ok(all) = serde_json::from_str::<Value>(&ran.out) else { return json!(ran.out) };
    let keys = [
        "accounting",
        "lacking",
        "occurrences",
        "undated",
        "files",
        "entries",
        "lag",
        "counts",
        "kpis",
        "flagged",
        "flagged_total",
        "rejects_total",
        "rejects",
        "coverage",
        "result",
        "blocks",
        "qualifiers",
        "evaluations",
        "parts",
        "rows",
    ];
    let mut kept: serde_json::Map<String, Value> = all.as_object().unwrap().clone();
    kept.retain(|key, _| keys.contains(&key.as_str()));
    if let Some(boxes) = all["boxes"].as_array() {
        let boxes = boxes.iter().map(|one| json!([one["name"], one["records"], one["files"]]));
        kept.insert("boxes".to_owned(), boxes.collect());
    }
    let texts = all["caveats"].as_array().into_iter().flatten().map(|one| one["text"].clone());
    kept.insert("caveats".to_owned(), texts.collect());
    Value::Object(kept)
}

fn is_refused(ran: &Ran, what: &str) {
    assert_eq!(ran.code, 69, "{what}: {}{}", ran.out, ran.err);
    assert_eq!(ran.out, "", "{what}: {}", ran.err);
    assert!(ran.err.contains("failed to "), "{what}: {}", ran.err);
}

#[test]
fn question_that_is_answered_by_another_is_an_error_or_changes_nothing() {
    let (made, name) = (Home::new(), database());
    let boxes = generated(&made, 120, 21);
    let gateway = Gateway::before(SHARED.ports[0]);
    let desk = Desk::new("anna", &boxes, &[gateway.port, SHARED.ports[1]], &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    desk.good(&["gate", "window", "2026-01-01"]);
    desk.publish();
    for args in [
        &["fleet", "status", "--json"][..],
        &["triage", "--fleet", "--json", "--days", "36500"],
        &["readiness", "--fleet", "--json"],
        &["calibration", "breakdown", "--by", "path", "--fleet", "--json"],
        &["records", "is:flagged", "--fleet", "--json"],
    ] {
        gateway.set(None);
        let good = desk.run(args);
        assert!(good.code < 3, "{args:?}: {}", good.err);
        let statements = gateway.set(None);
        assert!(statements.len() > 4, "{args:?}: {statements:?}");
        let mut refused = 0;
        for (at, statement) in statements.iter().enumerate() {
            for fault in faults(at).into_iter().take(1 + usize::from(at % 3 == 1)) {
                gateway.set(Some((at, fault)));
                let ran = desk.run(args);
                let what = format!("{args:?}, {fault:?} at {at}: {statement}");
                if ran.code != good.code {
                    is_refused(&ran, &what);
                    refused += 1;
                    continue;
                }
                // Nothing where nothing is due is no fault.
                assert!(matches!(fault, Fault::Lost | Fault::Cut), "{what}: {}", ran.out);
                assert_eq!(figures(&ran), figures(&good), "{what}");
            }
        }
        assert!(2 * refused > statements.len(), "{args:?}: {refused} of {}", statements.len());
    }
    gateway.set(None);
}

#[test]
fn statement_that_is_answered_by_another_is_never_taken_for_done() {
    let made = Home::new();
    let (boxes, alone) = (few(&made), database());
    let whole = Desk::new("anna", &boxes, &SHARED.ports, &alone);
    whole.good(&["fleet", "init"]);
    whole.good(&["gate", "window", "2026-01-01"]);
    whole.publish();
    let status = |desk: &Desk| figures(&desk.run(&["fleet", "status", "--json"]));
    let expected = status(&whole);
    assert_eq!(expected["lag"]["files"], 0, "{expected}");
    assert!(expected["accounting"]["rejected"].as_u64() > Some(0), "{expected}");
    let gateway = Gateway::before(SHARED.ports[0]);
    let fresh = || {
        let name = database();
        let desk = Desk::new("anna", &boxes, &[gateway.port, SHARED.ports[1]], &name);
        desk.good(&["gate", "window", "2026-01-01"]);
        gateway.set(None);
        desk
    };
    let desk = fresh();
    desk.good(&["fleet", "init"]);
    let of_init = gateway.set(None);
    desk.publish();
    let of_publish = gateway.set(None);
    assert!(of_publish.iter().any(|one| one.starts_with("INSERT")), "{of_publish:?}");
    for (at, statement) in of_init.iter().enumerate() {
        for fault in faults(at).into_iter().take(1 + usize::from(at % 4 == 1)) {
            let desk = fresh();
            gateway.set(Some((at, fault)));
            let ran = desk.run(&["fleet", "init"]);
            let what = format!("init, {fault:?} at {at}: {statement}");
            // The table of versions is asked for before there is one, and refused.
            if ran.code != 0 {
                is_refused(&ran, &what);
            } else {
                assert_eq!(fault, Fault::Lost, "{what}");
            }
            gateway.set(None);
            desk.good(&["fleet", "init"]);
            desk.publish();
            assert_eq!(status(&desk), expected, "{what}");
        }
    }
    for (at, statement) in of_publish.iter().enumerate() {
        for fault in faults(at).into_iter().take(1 + usize::from(at % 4 == 1)) {
            let desk = fresh();
            desk.good(&["fleet", "init"]);
            gateway.set(Some((at, fault)));
            let ran = desk.run(&["fleet", "publish"]);
            let what = format!("publish, {fault:?} at {at}: {statement}");
            gateway.set(None);
            if ran.code == 0 {
                assert_eq!(fault, Fault::Lost, "{what}");
                assert_eq!(status(&desk), expected, "{what}");
                continue;
            }
            is_refused(&ran, &what);
            // What is missing is named, and nothing else counts.
            let left = status(&desk);
            let lacking = &left["lacking"];
            assert_eq!(
                (&lacking["records"], &lacking["rejects"]),
                (&json!(0), &json!(0)),
                "{what}: {left}"
            );
            desk.publish();
            assert_eq!(status(&desk), expected, "{what}, and published again");
        }
    }
}
