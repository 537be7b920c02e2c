//! The documents that tests render: full, and empty.

use foureyes::answers::triage::page;
use foureyes::calibration::Policy;
use foureyes::calibration::kpi::kpis;
use foureyes::domain::EvaluationTally as Tally;
use foureyes::domain::{Counts, JudgementKind, Record, TRIAGE_SCHEMA, Timestamp, Triage, Window};
use foureyes::page::write;
use foureyes::report::records::{Listing, Records};
use foureyes::report::{Masking, Options, json};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Texts as they are, for tests that look at more than masking.
pub(crate) static BARE: LazyLock<Options> =
    LazyLock::new(|| Options { masking: Masking::Off, ..Options::default() });

/// Collects what a renderer writes.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The triage document in every form, with the name of the form.
pub(crate) fn documents(triage: &Triage, options: &Options) -> [(&'static str, String); 4] {
    let pretty = Options { pretty: true, ..*options };
    let page = page(triage, options.masking.is_on());
    [
        ("plain", plain(triage, options)),
        ("markdown", text(|out| write::markdown(out, &page, &options.page()))),
        ("json", text(|out| json::write(out, triage, options))),
        ("json", text(|out| json::write(out, triage, &pretty))),
    ]
}

/// The triage document as plain text.
pub(crate) fn plain(triage: &Triage, options: &Options) -> String {
    let page = page(triage, options.masking.is_on());
    text(|out| write::plain(out, &page, &options.page()))
}

/// A listing of records in one form.
pub(crate) fn listing(rows: &[Record], listing: Listing, options: &Options) -> String {
    text(|out| {
        let mut records = Records::begin(out, listing, *options, None)?;
        rows.iter().try_for_each(|row| records.row(row))?;
        records.finish().map(|_| ())
    })
}

/// A record with every field set.
pub(crate) fn full_record() -> Value {
    let of_task = json!({
        "run": "run-1", "depth": "panel", "decision": "reject", "advice": "only at night",
        "previous_rounds": [{"round": 1, "model": "first", "verdict": "improve", "average": 3.25}],
        "task_sha": "task hash", "run_sha": "run hash",
        "terms": ["semantic: wrong"], "unexplained": ["syntactic"], "missing": ["evidence"],
    });
    let mut record = json!({
        "id": "3f2ab8c91d0244556677889900aabbccddeeff00112233445566778899aabbcc",
        "box": "small", "timestamp": "2026-02-15T10:30:00Z", "timestamp_text": "gestern",
        "family": "push", "outcome": "no_go", "verdict": "nogo", "commit": "abcdef", "task_id": "task-x",
        "author": "OpenClaw Agent", "model": "fastest", "served_model": "served",
        "files": ["research/a.md", "research/b.md"],
        "scores": {"semantic": 2.0, "pragmatic": 3.5, "syntactic": 7.0}, "scores_out_of_range": true,
        "average": 4.25, "findings": "Too thin.\n\tNo source.",
        "improvements": [{"dimension": "semantic", "location": "top", "issue": "thin", "suggestion": "cite"}],
        "cause": "timeout", "error": "timeout", "latency_ms": 31007, "mode": "advisory", "judge_tier": "quick",
        "round": 3, "consensus": "majority", "part_of": "whole", "prompt_sha": "prompt", "content_sha": "content",
        "inconsistent": true, "usage": {"prompt_tokens": 1201, "completion_tokens": 87},
        "reviewer": "ann", "reason": "known", "answers": "other", "extra": {"colour": {"deep": ["blue"]}},
        "origins": [{"box": "small", "file": "/logs/a.jsonl", "line": 211, "byte": 41011, "len": 523}],
    });
    record.as_object_mut().unwrap().extend(of_task.as_object().unwrap().clone());
    record
}

/// A document with every field set, and numbers that differ from one another.
pub(crate) fn full() -> Triage {
    let counts = json!({
        "lines": 1080, "split": 13, "records": 907, "duplicates": 53, "rejected": 17, "foreign": 71,
        "incomplete": 2, "joined": 24, "blank": 19, "undated": 6, "in_window": 931, "go": 701, "no_go": 97,
        "undetermined": 61, "overrides": 4, "picks": 31, "prompts": 37, "bypassed": 8, "history": 43,
        "scripted": 47, "empty": 59, "repeats": 29, "earlier_rounds": 11,
    });
    let tally = Tally {
        evaluations: 821,
        go: 673,
        undetermined: 59,
        reporting: 821,
        outages: 41,
        latencies_ms: (0..603).map(|i| 1_000 + i * 61).collect(),
    };
    let tasks = Tally { evaluations: 31, go: 18, undetermined: 3, ..Tally::default() };
    let policy = Policy::for_family(JudgementKind::Task);
    let families = json!([{"family": "task", "kpis": kpis(&tasks, &policy)}]);
    let document = json!({
        "schema": TRIAGE_SCHEMA, "generated": "2026-02-22T07:00:00Z",
        "window": {"from": "2026-02-15T00:00:00Z", "to": "2026-02-22T00:00:00Z"},
        "counts": counts, "kpis": kpis(&tally, &Policy::default()), "families": families,
        "peer": {"differ": 5, "reviewed": 83, "estimate": 0.0625, "lower": 0.0215, "upper": 0.1535, "confidence": 0.95, "unlabelled": 3},
        "flagged": [full_record()], "flagged_total": 151,
        "boxes": [
            {"name": "small", "state": "ok", "data_age_s": 7507, "complete": "2026-02-22T04:54:53Z", "error": null, "records": 499, "files": 7, "foreign": 67, "notices": ["rotated"], "listed": {"offered": 7, "read": 7, "unread": 0}},
            {"name": "far", "state": "stale", "data_age_s": 270011, "complete": "2026-02-19T03:59:49Z", "error": "connection refused", "records": 408, "files": 9, "notices": []},
            {"name": "new", "state": "empty", "data_age_s": null, "error": null, "records": 0, "files": 0, "notices": []},
        ],
        "rejects": [{"box": "small", "file": "/logs/a.jsonl", "line": 307, "byte": 73019, "len": 443, "reason": "no JSON"}],
        "rejects_total": 17, "rejects_left_out": 16,
        "foreign_logs": [{"box": "small", "file": "/logs/build.jsonl", "foreign": 39}], "foreign_logs_total": 2,
        "new_since": {"seen": "2026-02-21T07:00:00Z", "records": 127, "flagged": 23},
        "coverage": [{"box": "small", "day": "2026-02-15", "commits": 45, "judged": 31, "bypassed": 5, "history": 5, "scripted": 1, "empty": 2, "missing": ["fedcba"]}],
        "caveats": [{"id": "stale_box", "text": "The data of far are old."}],
    });
    serde_json::from_value(document).unwrap()
}

/// A document of nothing.
pub(crate) fn empty() -> Triage {
    Triage {
        schema: TRIAGE_SCHEMA.to_owned(),
        generated: Timestamp(0),
        window: Window::ALL,
        counts: Counts::default(),
        kpis: kpis(&Tally::default(), &Policy::default()),
        families: vec![],
        peer: None,
        flagged: vec![],
        flagged_total: 0,
        hidden: 0,
        boxes: vec![],
        rejects: vec![],
        rejects_total: 0,
        rejects_left_out: 0,
        foreign_logs: vec![],
        foreign_logs_total: 0,
        new_since: None,
        coverage: vec![],
        caveats: vec![],
    }
}
