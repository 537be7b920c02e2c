//! `runs`: what was judged again, as ledgers tell it.

use super::{Desk, NOW, by, record};
use crate::report::conforms;
use foureyes::domain::review::{
    Act, EntryId, Evaluated, ItemLeft, PromptSource, PromptUsed, RunBegun, RunEnded, RunItem,
    RunTask,
};
use foureyes::domain::{JudgementKind, Outcome, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::Ledger;
use serde_json::{Value, json};

/// Two runs that share no digit: one of a box's question that ended, one that nobody ended.
const WHOLE: EntryId = EntryId([0xab; 16]);
const OPEN: EntryId = EntryId([0xcd; 16]);

fn prompt() -> PromptUsed {
    let sha = "12345678".repeat(8);
    PromptUsed { source: PromptSource::Box, name: Some("north".to_owned()), sha }
}

fn item(n: u64, was: Option<Outcome>, file: &str) -> RunItem {
    let commit = Some(format!("{n:040x}"));
    RunItem { record: Some(record(n)), was, commit, files: vec![file.to_owned()] }
}

fn evaluated(run: EntryId, item: u32, cost: Option<f64>, evaluation: Value) -> Act {
    let record = Some(record(u64::from(item) + 1));
    Act::Evaluation(Box::new(Evaluated {
        run,
        item,
        record,
        prompt: prompt(),
        cost,
        family: JudgementKind::Push,
        evaluation,
    }))
}

fn verdict(word: &str, semantic: u8) -> Value {
    json!({
        "timestamp": "2026-02-20T12:01:00Z", "judge_model": "fastest", "served_model": "south-9",
        "scores": {"semantic": semantic, "pragmatic": 4, "syntactic": 5}, "verdict": word,
        "findings": "key sk-ant-api03-AAAABBBBCCCCDDDDEEEE \u{1b}[2J", "revision_suggestions": [],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50}, "files_evaluated": ["a.md"],
    })
}

fn desk() -> Desk {
    let desk = Desk::new(1);
    let data = DataDir::at(desk.home.path().join("data"));
    let mut ledger = Ledger::load(&data).unwrap();
    let mut minute = 0;
    let mut say = |who: &str, id: EntryId, act: Act| {
        minute += 1;
        let time = Timestamp(NOW.0 + minute * 60_000_000);
        ledger.append(&by(who), id, time, &act).unwrap();
    };
    let mut next = 0_u8;
    let mut id = || {
        next += 1;
        EntryId([next; 16])
    };
    let items = vec![
        item(1, Some(Outcome::NoGo), "research/one.md"),
        item(2, Some(Outcome::Go), "research/two.md"),
        item(3, None, "research/three.md"),
    ];
    let (model, cap) = ("fastest".to_owned(), Some(2.5));
    let begun = RunBegun { model, prompt: prompt(), cap, items, ..RunBegun::default() };
    say("anna", WHOLE, Act::Run(Box::new(begun.clone())));
    say("anna", id(), evaluated(WHOLE, 0, Some(0.25), verdict("GO", 4)));
    let failed = json!({"timestamp": "2026-02-20T12:02:00Z", "judge_model": "fastest",
        "scores": {}, "verdict": "UNDETERMINED", "findings": "Late.", "error": "timeout",
        "revision_suggestions": [], "files_evaluated": ["a.md"]});
    say("anna", id(), evaluated(WHOLE, 1, None, failed));
    let left = vec![ItemLeft { item: 2, why: ItemLeft::CUT.to_owned() }];
    say("anna", id(), Act::RunEnd(RunEnded { run: WHOLE, left }));
    let model = "fast\u{1b}]52;c;QQ==\u{7}est".to_owned();
    let items = begun.items[..1].to_vec();
    let begun = RunBegun { model, prompt: PromptUsed::default(), items, ..RunBegun::default() };
    say("berta", OPEN, Act::Run(Box::new(begun)));
    desk
}

#[test]
fn runs_are_listed_with_reviewer_question_and_result() {
    let desk = desk();
    let said = desk.good(&["calibration", "runs"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    // The newest first.
    assert!(lines[1].starts_with("cdcdcdcdcdcd  2026-02-20 12:05  berta  fast␛]52;c;QQ==␇est"));
    assert!(lines[1].contains("0 of 1") && lines[1].ends_with("end not recorded"), "{said}");
    assert!(lines[2].starts_with("abababababab  2026-02-20 12:01  anna   fastest"), "{said}");
    for part in ["12345678 the prompt of north", "1 of 3", "1 failed (timeout)", "at least 0.2500"]
    {
        assert!(lines[2].contains(part), "{part}: {said}");
    }
    let document = desk.json(&["calibration", "runs"]);
    conforms("runs", &document.to_string());
    let run = &document["runs"][1];
    let figure = |name: &str| run[name].as_u64().unwrap();
    assert_eq!([figure("items"), figure("judged"), figure("changed")], [3, 1, 1]);
    assert_eq!((figure("failed"), &run["failures"]), (1, &json!({"timeout": 1})));
    assert_eq!([figure("errors"), figure("cost_unknown"), figure("cut_off")], [1, 1, 1]);
    assert_eq!((figure("tokens"), &run["tokens_complete"]), (1050, &json!(false)));
    assert_eq!((&run["cost"], &run["cap"]), (&json!(0.25), &json!(2.5)));
    assert_eq!(run["prompt"], json!({"source": "box", "name": "north", "sha": prompt().sha}));
    assert_eq!(run["ended"], "2026-02-20T12:04:00Z");
    assert_eq!(document["runs"][0]["ended"], Value::Null);
}

#[test]
fn a_run_lists_its_contents_with_the_verdict_before_and_now() {
    let desk = desk();
    let document = desk.json(&["calibration", "runs", "abab"]);
    conforms("run", &document.to_string());
    let items = document["items"].as_array().unwrap();
    let row = |at: usize| [&items[at]["was"], &items[at]["now"], &items[at]["changed"]];
    assert_eq!(row(0), [&json!("no_go"), &json!("go"), &json!(true)]);
    assert_eq!(row(1), [&json!("go"), &json!(null), &json!(false)]);
    assert_eq!(row(2), [&json!(null), &json!(null), &json!(false)]);
    assert_eq!(
        (&items[1]["error"], &items[2]["not_judged"]),
        (&json!("timeout"), &json!(ItemLeft::CUT))
    );
    assert_eq!(items[0]["scores"]["semantic"], 4.0);
    assert_eq!(
        (&items[0]["record"], &items[0]["number"]),
        (&json!(record(1).to_string()), &json!(1))
    );
    let findings = items[0]["findings"].as_str().unwrap();
    assert!(!findings.contains("AAAABBBB"), "{findings}");
    let said = desk.good(&["calibration", "runs", &WHOLE.to_string().to_uppercase()]);
    assert!(
        said.contains("spent: at least 1,050 tokens, cost at least 0.2500, 1 call cut off"),
        "{said}"
    );
    let line = |n: &str| said.lines().find(|line| line.starts_with(n)).unwrap().to_owned();
    for (line, parts) in [
        (line("1  "), &["NO-GO", "GO", "semantic 4", "research/one.md", "CHANGED"][..]),
        (line("2  "), &["GO", "failed", "research/two.md", "error: timeout"]),
        (line("3  "), &["-", "research/three.md", "not judged: cut off while it was asked"]),
    ] {
        assert!(parts.iter().all(|part| line.contains(part)), "{parts:?}: {line}");
    }
    let open = desk.good(&["calibration", "runs", "cdcd"]);
    assert!(open.contains("no end was recorded") && open.contains("no answer"), "{open}");
    assert!(!open.contains('\u{1b}'), "{open:?}");
}

#[test]
fn unmatched_run_is_reported() {
    let desk = desk();
    for (id, part) in [
        ("abc", "is not a run id"),
        ("xyzxyz", "is not a run id"),
        ("0000", "no run id starts with"),
    ] {
        let ran = desk.run(&["calibration", "runs", id]);
        assert_eq!(ran.code, 64, "{}", ran.err);
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    let fresh = Desk::new(1);
    assert!(fresh.good(&["calibration", "runs"]).starts_with("nothing was re-judged"));
    assert_eq!(fresh.json(&["calibration", "runs"])["runs"], json!([]));
}

#[test]
fn run_on_a_task_lists_its_rounds_and_its_decision() {
    let desk = Desk::new(1);
    let mut ledger = Ledger::load(&DataDir::at(desk.home.path().join("data"))).unwrap();
    let task = RunTask { id: "issue-7".to_owned(), depth: "sequential".to_owned() };
    let items = vec![item(1, Some(Outcome::NoGo), "research/one.md")];
    let (model, task) = ("gpt-5-nano, deepseek-v4".to_owned(), Some(task));
    let begun = RunBegun { model, prompt: prompt(), task, items, ..RunBegun::default() };
    let round = |n: u64, tier: &str, verdict: &str, decision: Option<&str>| {
        let mut line = json!({"task_id": "issue-7", "model": "gpt-5-nano", "mode": tier,
            "judge_tier": tier, "verdict": verdict, "round": n, "run": "r", "improvements": [],
            "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 5}, "average": 4.33,
            "reasoning": "\u{1b}[2J", "timestamp": "2026-02-20T12:01:00Z",
            "schema": "foureyes/task/1"});
        if let Some(decision) = decision {
            line["decision"] = json!(decision);
        }
        let Act::Evaluation(mut evaluated) = evaluated(WHOLE, 0, Some(0.25), line) else {
            panic!()
        };
        evaluated.family = JudgementKind::Task;
        Act::Evaluation(evaluated)
    };
    let acts = [
        Act::Run(Box::new(begun)),
        round(1, "quick", "improve", None),
        round(2, "deep", "accept", Some("accept")),
        Act::RunEnd(RunEnded { run: WHOLE, left: Vec::new() }),
    ];
    for (n, act) in acts.iter().enumerate() {
        let id = if n == 0 { WHOLE } else { EntryId([n as u8; 16]) };
        ledger.append(&by("anna"), id, NOW, act).unwrap();
    }
    let document = desk.json(&["calibration", "runs", "abab"]);
    conforms("run", &document.to_string());
    assert_eq!(
        document["run"]["task"],
        json!({"id": "issue-7", "depth": "sequential", "rounds": 2})
    );
    let one = &document["items"][0];
    assert_eq!([&one["was"], &one["now"], &one["decision"]], ["no_go", "go", "accept"]);
    assert_eq!((&one["changed"], &document["run"]["judged"]), (&json!(true), &json!(1)));
    let verdicts: Vec<_> =
        one["rounds"].as_array().unwrap().iter().map(|r| &r["verdict"]).collect();
    assert_eq!(verdicts, ["improve", "accept"]);
    assert_eq!(document["comparisons"], json!([]), "one task is not a sample");
    let said = desk.good(&["calibration", "runs", "abab"]);
    assert!(said.contains("task: issue-7, sequential"), "{said}");
    let line = |n: &str| said.lines().rfind(|line| line.starts_with(n)).unwrap().to_owned();
    assert!(line("1 ").contains("quick") && line("1 ").contains("improve"), "{said}");
    assert!(line("2 ").contains("deep") && line("2 ").contains("semantic 4"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}
