//! `records --fleet` and `show --fleet`: the answers of one machine over the same logs.

use super::{Desk, SHARED, database, generated};
use crate::cli::Home;
use foureyes::domain::review::Reviews;
use foureyes::domain::{RecordId, Timestamp, Window};
use foureyes::frame::query::{Query, Scope};
use foureyes::store::cache::Archive;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Filters that cover every term and operator; all match something.
const FILTERS: [&str; 98] = [
    "",
    "-verdict:go",
    "verdict:go",
    "verdict:no-go | verdict:undetermined",
    "verdict:none",
    "verdict:accept",
    "verdict:=NO-GO",
    "verdict:escalate",
    "family:push",
    "family:task",
    "family:ladder",
    "family:override",
    "evaluation:push",
    "evaluation:task",
    "-evaluation:push family:push",
    "is:evaluation box:attic",
    "is:flagged",
    "-is:flagged",
    "is:flagged -family:push",
    "is:escalation",
    "is:unfinished",
    "is:odd_score",
    "is:unexplained",
    "is:repeat",
    "is:undated",
    "repeat:no family:task",
    "repeat:yes family:push",
    "repeat:yes -family:push",
    "undated:no",
    "error:any",
    "error:none",
    "error:no_judge",
    "cause:timeout",
    "-cause:timeout cause:any",
    "score:<2",
    "score:=3",
    "score.semantic:>=4",
    "score.p:2..3",
    "score.x:<=2.5",
    "latency:>2s",
    "latency:<=1s",
    "latency:500ms..2s",
    "-latency:>0ms",
    "since:2026-11-01",
    "until:2026-11-02",
    "since:2026-11-03T10:00:00Z until:2026-11-12",
    "day:2026-11-05",
    "-since:2026-11-05",
    "round:1",
    "round:>=2",
    "-round:1 family:task",
    "path:research/",
    "path:./",
    "-path:./ has:path",
    "path:=\"it's/ü.md\"",
    "path:\"//\"",
    "box:attic",
    "box:ATT",
    "box:=attic | box:=cellar",
    "-box:attic",
    "box:AR",
    "model:LLAMA",
    "judge:llama",
    "-judge:llama has:judge",
    "author:claw",
    "author:=\"'; DROP TABLE x; --\"",
    "author:\"\\\\'\"",
    "author:=\"\"",
    "author:=\"a\\u{0}b\"",
    "commit:ABC",
    "commit:=abcdef1",
    "commit:k0",
    "commit:i\\u{307}x | commit:\"i\\u{307}x\"",
    "task:t",
    "task:=\"two's\"",
    "mode:advisory",
    "tier:quick",
    "depth:p",
    "consensus:u",
    "reviewer:a",
    "terms:semantic",
    "-terms:semantic has:terms",
    "text:STRASSE",
    "text:\"straße\"",
    "text:ÄRGER",
    "text:\"ärger [^-]\"",
    "text:\"i\\u{307}\"",
    "text:\"\\u{307}s\"",
    "text:\"σ\"",
    "text:\"𝄞\"",
    "text:\"a\\tb\"",
    "\"50% of\" | _x_",
    "Ärger",
    "-Ärger",
    "has:author -has:tier",
    "has:reviewer",
    "has:box",
    "(verdict:no-go box:attic | is:flagged -path:research/) -author:claw",
];

/// A line of a log.
fn line(mut fields: serde_json::Value, more: serde_json::Value) -> String {
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{fields}\n")
}

fn push(at: u32, more: serde_json::Value) -> String {
    let time = format!("2026-11-{:02}T10:00:{:02}Z", 1 + at / 3 % 20, at % 2);
    let own = json!({"commit": format!("abcdef{at:x}"), "author": "claw", "judge_model": "llama3",
        "verdict": "NO-GO", "timestamp": time, "files_evaluated": ["a.md"],
        "scores": {"semantic": 2, "pragmatic": 3, "syntactic": 4}});
    line(own, more)
}

fn round(task: &str, second: u32, more: serde_json::Value) -> String {
    let own = json!({"task_id": task, "model": "llama3", "verdict": "escalate", "round": 1,
        "timestamp": format!("2026-11-05T11:00:{second:02}Z"), "judge_tier": "quick",
        "previous_rounds": [], "reasoning": "odd"});
    line(own, more)
}

/// Logs of more boxes: hostile texts, records on two boxes, runs of tasks, and equal times everywhere.
pub(super) fn odd(boxes: &Path) {
    let texts = [
        "'; DROP TABLE x; --",
        "\\'",
        "",
        "a\0b",
        "A\0b\0",
        "\\N",
        "a\tb\nc",
        "𝄞 x",
        "straße",
        "STRASSE STRAßE ẞ",
        "Ärger [^-] \\d",
        "ärger ]",
        "\u{130}s \u{130}",
        "i\u{307}s",
        "I\u{307}",
        "\u{212a}elvin k",
        "ΣΑΣ",
        "σας",
        "50% of _x_",
        "e\u{301}É",
    ];
    let hostile: Vec<String> = (1..).zip(texts).map(|(at, text)| {
        push(at, json!({"author": text, "findings": text, "files_evaluated": ["it's/ü.md", text, "//", "x/y"]}))
    }).collect();
    let commits = ["\u{212a}0ff", "k0ff", "\u{130}x", "i\u{307}x", "ABCDEF"];
    let commits: Vec<String> =
        (40..).zip(commits).map(|(at, commit)| push(at, json!({"commit": commit}))).collect();
    let same: Vec<String> =
        (60..90).map(|at| push(at % 7, json!({"commit": format!("{at}")}))).collect();
    let again: Vec<String> = (0..8)
        .map(|at| push(at % 2, json!({"commit": "c0ffee", "verdict": if at % 3 == 0 { "GO" } else { "NO-GO" }, "findings": at.to_string()})))
        .collect();
    let person = |task: &str, second: u32, word: &str| {
        line(
            json!({"task_id": task, "human_override": word, "reviewer": "anna", "reason": "so",
            "timestamp": format!("2026-11-05T11:00:{second:02}Z")}),
            json!({}),
        )
    };
    let ours = json!({"schema": "foureyes/task/1", "run": "r1", "depth": "panel"});
    let with = |more: serde_json::Value| {
        let mut all = ours.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let tasks = [
        round("one", 0, json!({})),
        round(
            "one",
            1,
            json!({"round": 2, "verdict": "reject", "consensus": "unanimous", "previous_rounds": [{"round": 1}]}),
        ),
        person("one", 3, "accept"),
        round("two's", 0, json!({})),
        round("two's", 5, json!({"verdict": "accept"})),
        round("three", 1, with(json!({}))),
        round("three", 2, with(json!({"round": 2, "decision": "escalate"}))),
        round("three", 9, with(json!({"run": "r2"}))),
        round("four", 2, with(json!({"run": "r4", "decision": "escalate"}))),
        person("four", 7, "reject"),
        round("five", 2, with(json!({"run": "r5", "decision": "escalate"}))),
    ];
    let write = |box_name: &str, name: &str, lines: &[&[String]]| {
        let dir = boxes.join(box_name);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(name), lines.concat().concat()).unwrap();
    };
    write("attic", "2026-11.jsonl", &[&hostile, &same, &again[..5], &tasks]);
    write("cellar", "2026-11.jsonl", &[&commits, &same, &again[3..], &tasks[..6]]);
    write("cellar", "2026-10.jsonl.1", &[&hostile[..9], &again]);
    write("garage", "2026-10.jsonl", &[&hostile[5..], &tasks[3..]]);
}

/// Logs with everything.
pub(crate) fn logs(made: &Home) -> PathBuf {
    let boxes = generated(made, 900, 21);
    odd(&boxes);
    boxes
}

/// What differs between the answers of this machine and of the store; else how many lines there are.
fn compared(desk: &Desk, args: &[&str]) -> Result<usize, String> {
    let here = desk.run(args);
    let there = desk.run(&[args, &["--fleet"]].concat());
    if (here.code, there.code) != (0, 0) {
        return Err(format!("{args:?}: {} {}, {} {}", here.code, here.err, there.code, there.err));
    }
    // Of a log that two know, another path may be named.
    let there = there.out.replace("/part/", "/made/boxes/");
    let (mut ours, mut theirs) = (here.out.lines(), there.lines());
    for at in 0.. {
        match (ours.next(), theirs.next()) {
            (None, None) => return Ok(at),
            (a, b) if a == b => {}
            (a, b) => return Err(format!("{args:?}, line {at}:\n{a:?}\n{b:?}")),
        }
    }
    Ok(0)
}

#[test]
fn every_filter_finds_what_one_machine_finds() {
    let (made, name) = (Home::new(), database());
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let whole = compared(&desk, &["records", "--json"]);
    assert!(whole.as_ref().is_ok_and(|lines| *lines > 900), "{whole:?}");
    let (here, there) = desk.archives();
    let (mut without, mut differ) = (Vec::new(), Vec::new());
    for filter in FILTERS {
        let found = [&here, &there].map(|archive| listed(archive, filter));
        if found[0] != found[1] {
            let [ours, theirs] = found.map(|ids| ids.len());
            differ.push(format!(
                "{filter}: {ours} records here, {theirs} there, or in another order"
            ));
        } else if found[0].is_empty() {
            without.push(filter);
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert_eq!(without, [""; 0], "no record matches these");
}

/// The ids of the records that a filter finds, in order.
fn listed(archive: &Archive, filter: &str) -> Vec<RecordId> {
    let query = Query::parse(filter).unwrap();
    let rows = archive.list(&query, &scope(archive), Window::ALL, &|| false).unwrap().unwrap();
    archive.ids(&rows).unwrap()
}

/// What a filter refers to: nothing that is not in the logs.
fn scope(archive: &Archive) -> Scope<'_> {
    let now = Timestamp::parse("2026-11-20T00:00:00Z").unwrap();
    Scope { boxes: archive.boxes(), now, reviews: Reviews::none() }
}

#[test]
fn what_the_console_asks_of_rows_is_the_same_on_the_store() {
    let (made, name) = (Home::new(), database());
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let asked = |archive: &Archive| {
        let query = Query::parse("is:flagged").unwrap();
        let count = |filter: &str| {
            let query = Query::parse(filter).unwrap();
            archive.count(&query, &scope(archive), Window::ALL, &|| false).unwrap().unwrap()
        };
        let rows = archive.list(&query, &scope(archive), Window::ALL, &|| false).unwrap().unwrap();
        let ids = archive.ids(&rows).unwrap();
        assert!(ids.len() > 100, "{}", ids.len());
        let own: Vec<_> =
            ids.iter().map(|id| archive.find_row(*id).unwrap().unwrap()).take(3).collect();
        let grades: Vec<String> =
            archive.grades(&rows).unwrap().iter().map(|grade| format!("{grade:?}")).collect();
        let texts = ["files", "task", "model"].map(|column| {
            archive.texts(&rows, column).unwrap().iter().cloned().collect::<Vec<_>>()
        });
        (
            [
                count("is:flagged"),
                count("verdict:go"),
                count("is:escalation"),
                count("author:nobody"),
            ],
            [9, 140].map(|most| {
                let first = archive.tally(Window::ALL, most).unwrap().first;
                assert_eq!(first.len(), most);
                archive.ids(&first).unwrap()
            }),
            archive.ids(&own).unwrap(),
            archive.position(&rows, ids[7]).unwrap(),
            (archive.find_row(RecordId([7; 32])).unwrap().is_none(), ids, grades, texts),
        )
    };
    let (here, there) = desk.archives();
    assert_eq!(asked(&here), asked(&there));
}

#[test]
fn first_records_and_single_ones_are_those_of_one_machine() {
    let (made, name) = (Home::new(), database());
    let boxes = logs(&made);
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    // Somebody knows two boxes, and publishes them first or last.
    let part = made.path().join("part");
    for name in ["attic", "cellar"] {
        let to = part.join(name);
        std::fs::create_dir_all(&to).unwrap();
        for file in ["2026-11.jsonl", "2026-10.jsonl.1"] {
            let _ = std::fs::copy(boxes.join(name).join(file), to.join(file));
        }
    }
    let other = Desk::new("ben", &part, &SHARED.ports, &name);
    other.publish();
    desk.publish();
    other.json(&["fleet", "publish", "--all"]);
    let mut differ = Vec::new();
    for args in [
        &["records", "--limit", "7"][..],
        &["records", "--limit", "0"],
        &["records", "is:flagged", "--limit", "9", "--csv"],
        &["records", "box:attic", "--limit", "12", "--markdown"],
        &["records", "day:2026-11-01", "--days", "36500"],
        &["records", "author:nobody"],
    ] {
        differ.extend(compared(&desk, args).err());
    }
    let json = desk.good(&["records", "task:t | path:\"//\" | c0ffee", "--json"]);
    let ids: Vec<String> = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .map(|id| id.as_str().unwrap()[..20].to_owned())
        .collect();
    assert!(ids.len() > 40, "{}", ids.len());
    for id in ids.iter().step_by(3) {
        differ.extend(compared(&desk, &["show", id]).err());
        differ.extend(compared(&desk, &["show", id, "--json"]).err());
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    let absent = desk.run(&["show", "0123456789abcdef0", "--fleet"]);
    assert_eq!(absent.code, 64, "{}", absent.err);
    assert!(absent.err.contains("no record id or commit starts with"), "{}", absent.err);
    let refused = desk.run(&["records", "terms:=\"a\\u{0}b\"", "--fleet"]);
    assert_eq!(refused.code, 64, "{}", refused.err);
    assert!(refused.err.contains("`terms:` with a NUL"), "{}", refused.err);
}

#[test]
fn labels_and_overrides_of_this_machine_select_records_of_the_store() {
    let (made, name) = (Home::new(), database());
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let newest = desk.good(&["records", "family:push verdict:no-go", "--json", "--limit", "3"]);
    let ids: Vec<serde_json::Value> = newest
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .collect();
    desk.good(&["label", ids[0].as_str().unwrap(), "poor"]);
    desk.good(&["label", ids[1].as_str().unwrap(), "acceptable"]);
    for filter in [
        "label:poor",
        "label:none verdict:no-go",
        "label:any | is:escalation",
        "reviewer:anna",
        "has:reviewer",
        "override:none is:flagged",
        "override:any",
        "override:accept",
        "claimed:none is:escalation",
    ] {
        let found = compared(&desk, &["records", filter, "--json"]);
        assert!(found.as_ref().is_ok_and(|found| *found > 0), "{filter}: {found:?}");
    }
}
