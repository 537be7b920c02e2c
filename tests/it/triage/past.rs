//! Content that got past a judge: without a verdict, or by asking again.

use super::world::World;
use foureyes::domain::Triage;
use serde_json::json;

/// A push record, with more fields.
fn line(commit: u8, minute: u8, verdict: &str, more: serde_json::Value) -> String {
    let mut record = json!({
        "commit": format!("{commit:040}"), "timestamp": format!("2026-02-18T10:{minute:02}:00Z"),
        "author": "OpenClaw Agent", "judge_model": "fastest", "prompt_sha": "p",
        "files_evaluated": ["research/a.md"], "verdict": verdict, "findings": "",
        "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 4}, "revision_suggestions": [],
    });
    let fields = record.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    format!("{record}\n")
}

fn caveat<'a>(triage: &'a Triage, id: &str) -> Option<&'a str> {
    triage.caveats.iter().find(|caveat| caveat.id == id).map(|caveat| caveat.text.as_str())
}

fn said(lines: &[String]) -> Triage {
    let world = World::new();
    world.write("a.jsonl", lines.concat());
    world.check().all
}

#[test]
fn passes_without_verdict_on_blocking_hook_are_counted() {
    let id = "unjudged_while_blocking";
    let blocking = |error: &str| json!({"mode": "blocking", "error": error});
    let one = |n, more| line(n, n, "UNDETERMINED", more);
    let triage = said(&[
        one(1, blocking("timeout")),
        one(2, blocking("bypassed")),
        one(3, json!({"mode": "advisory", "error": "timeout"})),
        line(4, 4, "GO", json!({"mode": "blocking"})),
    ]);
    let text = caveat(&triage, id).unwrap();
    assert!(text.starts_with("1 push evaluation passed without a verdict"), "{text}");
    let triage = said(&[one(1, blocking("timeout")), one(2, json!({"mode": "blocking"}))]);
    assert!(caveat(&triage, id).unwrap().starts_with("2 push evaluations"));
    assert_eq!(caveat(&said(&[one(2, blocking("bypassed"))]), id), None);
}

#[test]
fn judge_asked_until_go_is_named() {
    let id = "asked_until_go";
    let of = |sha: &str| json!({"content_sha": sha.repeat(64)});
    let other = json!({"content_sha": "a".repeat(64), "prompt_sha": "q"});
    let (poor, fine) = (line(1, 1, "NO-GO", of("a")), line(2, 2, "GO", of("a")));
    let text = caveat(&said(&[poor.clone(), fine.clone()]), id).unwrap().to_owned();
    assert!(text.starts_with("re-asked until GO: 1 content was NO-GO first"), "{text}");
    for lines in [
        vec![line(1, 1, "GO", of("a")), line(2, 2, "NO-GO", of("a"))],
        vec![poor.clone(), line(2, 2, "GO", of("b"))],
        vec![poor, line(2, 2, "GO", other)],
    ] {
        assert_eq!(caveat(&said(&lines), id), None, "{lines:?}");
    }
}

#[test]
fn reconfigured_judge_is_a_change_and_two_at_once_a_finding() {
    let (change, mixed) = ("judge_changed", "judge_mixed");
    let by = |minute: u8, sha: &str| line(minute, minute, "GO", json!({"judge_sha": sha}));
    let (old, new) = ("0123456789abcdef".repeat(4), "fedcba9876543210".repeat(4));
    let triage = said(&[by(1, &old), by(2, &old)]);
    assert_eq!((caveat(&triage, change), caveat(&triage, mixed)), (None, None), "one");
    let triage = said(&[by(1, &old), by(2, &old), by(3, &new), line(4, 4, "GO", json!({}))]);
    let text = caveat(&triage, change).unwrap();
    let end = "0123456789ab, 2 records since 2026-02-18T10:01:00Z; fedcba987654, 1 record since 2026-02-18T10:03:00Z";
    assert!(
        text.contains("the configuration of the judge changed: ") && text.ends_with(end),
        "{text}"
    );
    assert_eq!(caveat(&triage, mixed), None, "a change is not a finding");
    let triage = said(&[by(1, &old), by(2, &new), by(3, &old)]);
    let text = caveat(&triage, mixed).unwrap();
    assert!(text.contains("2 configurations of the judge (endpoint, model or settings)"), "{text}");
    assert!(text.contains("0123456789ab, 2 records since 2026-02-18T10:01:00Z"), "{text}");
    assert_eq!(caveat(&triage, change), None);
    // A script is a configuration too; words that are no hash are told apart as well.
    let triage = said(&[by(1, "x"), by(2, "y"), by(3, "x")]);
    assert!(caveat(&triage, mixed).is_some());
}
