//! `runbook`: what to do step by step, and how far it is done.

use super::Desk;
use crate::report::conforms;
use serde_json::Value;

fn books(desk: &Desk) -> Value {
    let value = desk.json(&["runbook"]);
    conforms("runbook", &value.to_string());
    value
}

fn next(value: &Value, book: usize) -> &str {
    value["runbooks"][book]["next"].as_str().unwrap()
}

#[test]
fn completed_step_is_stored_with_reviewer_and_next_step_shown() {
    let desk = Desk::new(1);
    assert_eq!(next(&books(&desk), 0), "calibrate");
    let saved = desk.json(&["runbook", "done", "enable", "calibrate", "--note", "a\u{1b}[31mb"]);
    conforms("saved", &saved.to_string());
    let value = books(&desk);
    let step = &value["runbooks"][0]["steps"][0];
    assert_eq!((next(&value, 0), &step["by"]), ("ready", &"anna".into()));
    assert_eq!(next(&value, 1), "back", "another runbook is not touched");
    let text = desk.good(&["runbook"]);
    assert!(text.contains("[x] calibrate") && text.contains("[>] ready"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    // Taken back, by its name, like everything one said.
    let entry = saved["entry"].as_str().unwrap();
    let said = desk.good(&["label", "--undo", &entry[..12]]);
    assert!(said.starts_with(&format!("taken back: entry {}", &entry[..12])), "{said}");
    assert_eq!(next(&books(&desk), 0), "calibrate");
    desk.good(&["label", "--redo", &entry[..12]]);
    assert_eq!(next(&books(&desk), 0), "ready");
    desk.good(&["runbook", "begin", "enable"]);
    assert_eq!(next(&books(&desk), 0), "calibrate");
}

#[test]
fn watch_cannot_end_before_it_began_or_its_hours_passed() {
    let desk = Desk::new(1);
    let ran = desk.run(&["runbook", "done", "enable", "watch"]);
    assert!(ran.code == 64 && ran.err.contains("`switch` comes first"), "{}", ran.err);
    desk.good(&["runbook", "done", "enable", "switch"]);
    let ran = desk.run(&["runbook", "done", "enable", "watch"]);
    assert!(ran.code == 64 && ran.err.contains("48 hours after"), "{}", ran.err);
    for (args, said) in [
        (["runbook", "done", "enabel", "switch"], "runbooks are: enable"),
        (["runbook", "done", "enable", "swich"], "its steps are: calibrate"),
    ] {
        let ran = desk.run(&args);
        assert!(ran.code == 64 && ran.err.contains(said), "{}", ran.err);
    }
}
