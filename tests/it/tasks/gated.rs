//! Window, policy, audit sample and gate of tasks, beside those of pushes.

use super::{Home, round};
use crate::cli::push;
use foureyes::domain::review::{
    Act, AuditRate, ContentHash, Label, Reviewer, Seed, Shown, WindowStart, Word,
};
use foureyes::domain::{JudgementKind, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::{Value, json};

/// Days of the log, tasks of a day, and those of them that the panel rejects.
const DAYS: i64 = 20;
const TASKS: i64 = 30;
const REJECTED: i64 = 4;

/// The beginning of the day so many days ago.
fn midnight(ago: i64) -> Timestamp {
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    Timestamp::of_day(now.day() - ago as i32)
}

/// A home with tasks of twenty days, in which quick asks deep about every other one, and pushes.
fn home() -> Home {
    home_of(|_| json!({}))
}

/// The same, whose rounds also say this of a tier.
pub(crate) fn home_of(more: impl Fn(&str) -> Value) -> Home {
    let home = Home::new();
    home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
    let mut tasks = String::new();
    for day in 1..=DAYS {
        for n in 0..TASKS {
            let run = format!("{day}-{n}");
            let at = |second: i64| {
                let time = Timestamp(midnight(day).0 + (n * 60 + second) * 1_000_000);
                json!({"timestamp": time.to_string(), "latency_ms": 9_000})
            };
            let at = |tier: &str, second: i64| {
                let mut line = at(second);
                line.as_object_mut().unwrap().extend(more(tier).as_object().unwrap().clone());
                line
            };
            let verdict = if n < REJECTED { "reject" } else { "accept" };
            if n % 2 == 0 {
                tasks += &format!("{}\n", round(&run, 1, "quick", verdict, at("quick", 1)));
            } else {
                tasks += &format!("{}\n", round(&run, 1, "quick", "improve", at("quick", 1)));
                tasks += &format!("{}\n", round(&run, 2, "deep", verdict, at("deep", 9)));
            }
        }
    }
    home.write("logs/verdicts.jsonl", tasks);
    let of_day = |day| push(day as u32, &midnight(day).to_string(), "GO");
    home.write("logs/pushes.jsonl", (1..=DAYS).map(of_day).collect::<String>());
    home
}

fn append(home: &Home, ago: i64, act: &Act) {
    let mut ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let at = midnight(ago);
    ledger.append(&by, fresh_id(at), at, act).unwrap();
}

fn run(home: &Home, args: &[&str], code: i32) -> Value {
    let ran = home.run(&[args, &["--json", "--config", "c.toml"]].concat());
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.err, ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

fn readiness(home: &Home, more: &[&str], code: i32) -> Value {
    let report = run(home, &[&["readiness", "--from", "logs"], more].concat(), code);
    crate::report::conforms("readiness", &report.to_string());
    report
}

/// A report without what is of its moment.
fn lasting(mut report: Value) -> Value {
    report.as_object_mut().unwrap().remove("generated");
    report.as_object_mut().unwrap().remove("complete_until");
    report
}

const TASK: &[&str] = &["--family", "task"];

/// Labels each run as the panel judged it, but the first so many accepted ones of each day as poor.
pub(crate) fn label(home: &Home, missed: usize) {
    let listed = home.good(&["records", "evaluation:task", "--json", "--from", "logs"]);
    let mut day = (String::new(), 0);
    let mut labels = Vec::new();
    for row in listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let of = row["timestamp"].as_str().unwrap()[..10].to_owned();
        let passed = row["outcome"] == "go";
        day = if day.0 == of { day } else { (of, 0) };
        day.1 += usize::from(passed);
        let word = if passed && day.1 > missed { Word::Acceptable } else { Word::Poor };
        let shown = Some(Shown::Content(ContentHash([1; 32])));
        let record = row["id"].as_str().unwrap().parse().unwrap();
        labels.push(Label { blind: true, shown, ..Label::new(record, word) });
    }
    append(home, 0, &Act::Labels { labels, import: None });
}

/// Another reviewer labels each run again: what is called poor has a second word, and what is drawn for a
/// double label has two.
fn second_words(home: &Home) {
    let mut ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let given = ledger.present(now).labels.into_values().flatten();
    let labels = given.map(|given| given.label).collect();
    let by = Reviewer { name: "bert".to_owned(), machine: "desk".to_owned() };
    ledger.append(&by, fresh_id(now), now, &Act::Labels { labels, import: None }).unwrap();
}

/// Rules under which the labels of all tasks make the panel READY, once there are second words.
pub(crate) fn ready(home: &Home) {
    let start = WindowStart::new(midnight(DAYS)).of(JudgementKind::Task);
    append(home, DAYS, &Act::Window(start));
    let rate = AuditRate::new(midnight(DAYS), None, 1.0, Some(Seed([4; 32])));
    append(home, DAYS, &Act::Rate(rate.of(JudgementKind::Task)));
    label(home, 0);
}

#[test]
fn task_gate_has_its_own_window_sample_and_policy_and_leaves_push_gate_alone() {
    let home = home();
    let before = readiness(&home, &[], 2);
    assert!(before.get("family").is_none());
    ready(&home);
    // What nobody confirmed is not enough.
    let alone = readiness(&home, TASK, 2);
    assert_eq!(alone["blocks"][0]["id"], "double_labels_missing");
    second_words(&home);
    let task = readiness(&home, TASK, 0);
    assert_eq!((task["family"].as_str(), task["result"].as_str()), (Some("task"), Some("ready")));
    let gated: Vec<&str> = task["kpis"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|kpi| kpi["gated"] == true)
        .map(|kpi| kpi["id"].as_str().unwrap())
        .collect();
    assert_eq!(gated, ["undetermined_rate", "availability", "false_negative_rate"]);
    // Of each run only its last round counts, and each tier has one judge.
    assert_eq!(task["kpis"][1]["denominator"], DAYS * TASKS);
    assert_eq!(task["judges"].as_array().unwrap().len(), 2);
    assert_eq!(task["steps"][0]["title"], "Trust what the panel accepts");
    assert_eq!(lasting(readiness(&home, &[], 2)), lasting(before));
    let triage = run(&home, &["triage", "--from", "logs"], 0);
    let misses = &triage["families"][0]["kpis"][5];
    assert_eq!((misses["numerator"].as_u64(), misses["estimate"].as_f64()), (Some(0), Some(0.0)));
    assert_eq!(triage["kpis"][5]["reason"], "no labels yet");
    let calibration = run(&home, &["calibration", "--from", "logs", "--family", "task"], 0);
    assert_eq!(calibration["family"], "task");
    let plain =
        home.good(&["readiness", "--from", "logs", "--family", "task", "--config", "c.toml"]);
    assert!(plain.starts_with("May what the judges of tasks accept be trusted?\nREADY"), "{plain}");
}

#[test]
fn missed_poor_tasks_make_the_task_gate_not_ready() {
    let home = home();
    let start = WindowStart::new(midnight(DAYS)).of(JudgementKind::Task);
    append(&home, DAYS, &Act::Window(start));
    let rate = AuditRate::new(midnight(DAYS), None, 1.0, Some(Seed([4; 32])));
    append(&home, DAYS, &Act::Rate(rate.of(JudgementKind::Task)));
    label(&home, 3);
    second_words(&home);
    let task = readiness(&home, TASK, 1);
    let title = task["steps"][0]["title"].as_str().unwrap();
    assert!(title.contains("false negative rate is not met"), "{title}");
    let line = task["steps"][0]["ways"][0]["lines"][0].as_str().unwrap();
    assert!(
        line.starts_with("foureyes gate window ") && line.ends_with(" --family task"),
        "{line}"
    );
}

#[test]
fn gate_commands_write_rules_of_the_family_that_is_named() {
    let home = home();
    let gate = |args: &[&str]| home.good(&[&["gate"], args, &["--config", "c.toml"]].concat());
    let push = gate(&["show"]);
    let shown = gate(&["show", "--family", "task"]);
    assert!(shown.contains("reported = [") && !push.contains("reported"), "{shown}");
    home.write("p.toml", "[policy]\nfalse_negative_below = 0.02\n");
    gate(&["set", "p.toml", "--family", "task"]);
    gate(&[
        "waive",
        "availability",
        "--reason",
        "trial",
        "--until",
        "2200-01-01",
        "--family",
        "task",
    ]);
    gate(&["window", &midnight(0).day_text(), "--family", "task"]);
    // The secret of another family's sample is none of this one's.
    gate(&["audit", "0", "--family", "push"]);
    gate(&["audit", "0.5", "--family", "task"]);
    let shown = gate(&["show", "--family", "task"]);
    for text in ["false_negative_below = 0.02", "what = \"availability\"", "reported = ["] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert_eq!(gate(&["show"]), push);
    let sample = run(&home, &["gate", "audit", "--family", "task", "--from", "logs"], 0);
    assert_eq!(sample["rates"][0]["rate"], 0.5);
    let sample = run(&home, &["gate", "audit", "--from", "logs"], 0);
    assert_eq!(
        (sample["rates"][0]["rate"].as_f64(), sample["window"].is_null()),
        (Some(0.0), true)
    );
    gate(&["window", "--undo", "--family", "task"]);
    let ran = home.run(&["gate", "window", "--undo", "--config", "c.toml"]);
    assert_ne!(ran.code, 0, "no window of pushes was started");
}

/// A home in whose tasks quick and deep both judge, and another quick judge from a day on.
fn panel_home(changed: i64) -> Home {
    let home = Home::new();
    home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
    let mut tasks = String::new();
    for day in 1..=DAYS {
        for n in 0..TASKS {
            let line = |tier: &str, number: u64| {
                let time = Timestamp(midnight(day).0 + (n * 60 + number as i64) * 1_000_000);
                let verdict = if n < REJECTED { "reject" } else { "accept" };
                let new = day <= changed;
                let model = if new && tier == "quick" { "another" } else { tier };
                let depth = if new { "panel" } else { "sequential" };
                let more = json!({
                    "timestamp": time.to_string(), "latency_ms": 9_000, "model": model, "depth": depth,
                });
                round(&format!("{day}-{n}"), number, tier, verdict, more)
            };
            tasks += &format!("{}\n{}\n", line("quick", 1), line("deep", 2));
        }
    }
    home.write("logs/verdicts.jsonl", tasks);
    home
}

#[test]
fn change_of_a_judge_that_ends_no_run_blocks_and_a_change_of_depth_is_named() {
    let blocks = |changed| {
        let home = panel_home(changed);
        ready(&home);
        second_words(&home);
        let ran = home.run(&[
            "readiness",
            "--from",
            "logs",
            "--family",
            "task",
            "--json",
            "--config",
            "c.toml",
        ]);
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        let texts = |list: &Value| -> Vec<String> {
            let all = list.as_array().unwrap().iter();
            all.map(|one| one["text"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(report["judges"].as_array().unwrap().len(), if changed > 0 { 3 } else { 2 });
        (texts(&report["blocks"]), texts(&report["caveats"]))
    };
    let names_depth = |caveats: &[String]| caveats.iter().any(|c| c.contains("depth of runs"));
    let (same, caveats) = blocks(0);
    assert!(same.is_empty() && !names_depth(&caveats), "{same:?} {caveats:?}");
    let (changed, caveats) = blocks(5);
    let [text] = &changed[..] else { panic!("{changed:?}") };
    assert!(text.starts_with("another model in tier quick since "), "{text}");
    assert!(names_depth(&caveats), "{caveats:?}");
}

#[test]
fn label_on_a_round_that_did_not_end_its_run_is_named() {
    let home = home();
    ready(&home);
    second_words(&home);
    let listed = home.good(&["records", "is:repeat", "--json", "--from", "logs"]);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    let label =
        json!({"record": first["id"], "label": "poor", "selection": "census", "blind": true});
    home.write("more.jsonl", format!("{label}\n"));
    home.good(&["label", "--import", "more.jsonl", "--config", "c.toml", "--from", "logs"]);
    let caveats = readiness(&home, TASK, 0)["caveats"].to_string();
    assert!(caveats.contains("1 label is on rounds that did not end their run"), "{caveats}");
    assert!(!caveats.contains("labels_elsewhere"), "{caveats}");
}
