//! `runs ID`: a run compared with the records and beside the run that it repeats.

use super::{Desk, NOW, by, record};
use crate::report::conforms;
use foureyes::domain::JudgementKind;
use foureyes::domain::review::{
    Act, EntryId, Evaluated, ItemLeft, PromptUsed, RunBegun, RunEnded, RunItem, outcome_of,
};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::Ledger;
use serde_json::{Value, json};

const FIRST: EntryId = EntryId([0xab; 16]);
const AGAIN: EntryId = EntryId([0xcd; 16]);

/// What records say, what the first run said, and what its repeat says, so many times.
const KINDS: [(usize, [&str; 3]); 7] = [
    (1, ["NO-GO", "NO-GO", "GO"]),
    (7, ["NO-GO", "GO", "NO-GO"]),
    (4, ["NO-GO", "NO-GO", "NO-GO"]),
    (8, ["GO", "GO", "GO"]),
    (2, ["GO", "GO", "UNDETERMINED"]),
    (1, ["GO", "", "GO"]),
    (1, ["GO", "GO", ""]),
];
const LOST: &str = "its record is not among the open logs";

struct Said {
    run: EntryId,
    /// Which of the three words it gives.
    word: usize,
    model: &'static str,
    repeats: Option<EntryId>,
}

fn say(desk: &Desk, said: &Said) {
    let kinds: Vec<_> = KINDS.iter().flat_map(|(n, kind)| vec![*kind; *n]).collect();
    let item = |(at, kind): (usize, &[&str; 3])| RunItem {
        record: Some(record(at as u64)),
        was: outcome_of(JudgementKind::Push, &json!({"verdict": kind[0]})),
        ..RunItem::default()
    };
    let items = kinds.iter().enumerate().map(item).collect();
    let prompt = PromptUsed { sha: "12345678".repeat(8), ..PromptUsed::default() };
    let (model, repeats) = (said.model.to_owned(), said.repeats);
    let begun = RunBegun { model, repeats, prompt: prompt.clone(), items, ..RunBegun::default() };
    let data = DataDir::at(desk.home.path().join("data"));
    let mut ledger = Ledger::load(&data).unwrap();
    ledger.append(&by("anna"), said.run, NOW, &Act::Run(Box::new(begun))).unwrap();
    let mut left = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let (run, item) = (said.run, at as u32);
        if kind[said.word].is_empty() {
            left.push(ItemLeft { item, why: LOST.to_owned() });
            continue;
        }
        let evaluation = json!({"verdict": kind[said.word], "findings": "x",
            "timestamp": "2026-02-20T12:01:00Z", "judge_model": said.model, "scores": {}});
        let (record, prompt, cost) = (Some(record(at as u64)), prompt.clone(), None);
        let family = JudgementKind::Push;
        let evaluated = Evaluated { run, item, record, prompt, cost, family, evaluation };
        let act = Act::Evaluation(Box::new(evaluated));
        let mut id = said.run;
        (id.0[0], id.0[1]) = (at as u8, said.word as u8);
        ledger.append(&by("anna"), id, NOW, &act).unwrap();
    }
    let mut id = said.run;
    id.0[0] = 0xff;
    let end = Act::RunEnd(RunEnded { run: said.run, left });
    ledger.append(&by("anna"), id, NOW, &end).unwrap();
}

fn desk(model: &'static str) -> Desk {
    let desk = Desk::new(1);
    say(&desk, &Said { run: FIRST, word: 1, model: "fastest", repeats: None });
    say(&desk, &Said { run: AGAIN, word: 2, model, repeats: Some(FIRST) });
    desk
}

fn comparison(document: &Value, with: &str) -> Value {
    let all = document["comparisons"].as_array().unwrap();
    all.iter().find(|row| row["with"] == with).unwrap().clone()
}

#[test]
fn repeat_run_is_compared_with_its_run_and_records() {
    let document = desk("fastest").json(&["calibration", "runs", "cdcd"]);
    conforms("run", &document.to_string());
    assert_eq!(document["run"]["repeats"], FIRST.to_string());
    let run = comparison(&document, "run");
    let counts = |row: &Value| {
        ["pairs", "flagged_only_now", "flagged_only_before", "flagged_both"]
            .map(|name| row[name].as_u64().unwrap())
    };
    assert_eq!((&run["run"], counts(&run)), (&json!(FIRST.to_string()), [20, 7, 1, 4]));
    assert!((run["mid_p"].as_f64().unwrap() - 0.0390625).abs() < 1e-12, "{}", run["mid_p"]);
    assert_eq!((&run["reading"], &run["judges_differ"]), (&json!("more_no_go"), &json!([])));
    let beside = ["items", "undetermined_now", "no_verdict_before", "no_verdict_now"];
    assert_eq!(beside.map(|name| run[name].as_u64().unwrap()), [24, 2, 1, 1]);
    let by = run["flagged_difference"]["estimate"].as_f64().unwrap();
    assert!((by - 0.3).abs() < 1e-12, "{by}");
    let records = comparison(&document, "records");
    assert_eq!((&records["run"], counts(&records)), (&Value::Null, [21, 0, 1, 11]));
    assert_eq!(records["reading"], "not_enough");
    let then = |at: usize| document["items"][at]["then"].clone();
    assert_eq!([then(0), then(1), then(22)], [json!("no_go"), json!("go"), Value::Null]);
}

#[test]
fn plain_p_value_is_beside_its_counts() {
    let said = desk("fastest").good(&["calibration", "runs", "cdcd"]);
    let text = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "repeats: abababababab",
        "compared with the records: 21 of 24 items compared: ",
        "0 went from GO to NO-GO, 1 from NO-GO to GO",
        "compared with run abababababab: 20 of 24 items compared: ",
        "7 went from GO to NO-GO, 1 from NO-GO to GO",
        "not compared: 2 UNDETERMINED now, 1 without a verdict before, 1 not judged now",
        "8 of 20 differ: 40.0 % (19.1 to 63.9 %)",
        "more NO-GO than before: 8 differ, 7 to NO-GO and 1 to GO (McNemar, mid-p 0.0391)",
        "same judge and question, as far as is known: differences are noise",
        "CHANGED, NO-GO in the run before",
        &format!("not judged: {LOST}"),
    ] {
        assert!(text.contains(part), "{part}: {said}");
    }
    assert!(
        desk("other")
            .good(&["calibration", "runs", "cdcd"])
            .contains("another model: differences are noise or due to that")
    );
    let listed = desk("other").good(&["calibration", "runs"]);
    assert!(listed.lines().any(|line| line.ends_with("repeats abababababab")), "{listed}");
}

#[test]
fn run_with_missing_first_run_is_not_compared() {
    let desk = Desk::new(1);
    say(&desk, &Said { run: AGAIN, word: 2, model: "fastest", repeats: Some(FIRST) });
    let said = desk.good(&["calibration", "runs", "cdcd"]);
    assert!(said.contains("run abababababab is in no local ledger"), "{said}");
    let document = desk.json(&["calibration", "runs", "cdcd"]);
    assert_eq!(document["comparisons"].as_array().unwrap().len(), 1);
    assert_eq!(document["items"][0]["then"], Value::Null);
}
