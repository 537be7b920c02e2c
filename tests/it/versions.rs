//! What earlier versions wrote is read for ever, and answers the same. `tests/data/versions` holds it.

use crate::cli::Home;
use crate::picks::{begin, label, pick, prompt};
use foureyes::config::HookMode;
use foureyes::domain::review::{Act, Exposure, Look, ModeSet};
use foureyes::domain::{JudgementKind, RecordId, Timestamp};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn recorded(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/versions/0.1.0")).join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(recorded(name)).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// A home with the configuration and the data of version 0.1.0.
fn home() -> Home {
    let home = Home::new();
    copy(&recorded("data"), &home.path().join("data"));
    let root = home.path().to_str().unwrap();
    home.write("c.toml", text("config.toml").replace("{{root}}", root));
    home.write("answers.toml", text("answers.toml"));
    home
}

fn json(home: &Home, args: &[&str], code: i32) -> Value {
    let ran = home.run(&[args, &["--json", "--config", "c.toml"]].concat());
    assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
    parsed(&ran.out)
}

/// A document without what is of its moment: ages and times of making.
fn lasting(mut document: Value) -> Value {
    document.as_object_mut().unwrap().remove("generated");
    if let Some(window) = document.get_mut("window").and_then(Value::as_object_mut) {
        window.remove("from");
    }
    for one in document["boxes"].as_array_mut().into_iter().flatten() {
        one.as_object_mut().unwrap().remove("data_age_s");
        // A box that is not pulled for long is stale.
        one.as_object_mut().unwrap().remove("state");
    }
    // What is still needed is a forecast, by the rules of now.
    for rate in document["rates"].as_array_mut().into_iter().flatten() {
        rate.as_object_mut().unwrap().remove("labels_needed");
    }
    // What is read by people is worded otherwise now; the numbers in it are the same.
    for kpi in document["kpis"].as_array_mut().into_iter().flatten() {
        if let Value::String(reason) = &mut kpi["reason"] {
            *reason = reason.replace("weighted by stratum size", "adjusted for the sample");
        }
    }
    // Their words tell ages, and which waivers have ended.
    if let Some(caveats) = document["caveats"].as_array_mut() {
        caveats.retain(|caveat| caveat["id"] != "stale");
        caveats.iter_mut().for_each(|caveat| *caveat = caveat["id"].take());
    }
    document
}

/// Asserts that all that stood in a document stands in another.
fn holds(old: &Value, new: &Value, at: &str) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let here = format!("{at}.{key}");
                holds(value, new.get(key).unwrap_or_else(|| panic!("{here} is gone")), &here);
            }
        }
        // What is noticed beyond what was noticed then is no change of what was.
        (Value::Array(old), Value::Array(new)) if at.ends_with(".caveats") => {
            let gone: Vec<_> = old.iter().filter(|id| !new.contains(id)).collect();
            assert!(gone.is_empty(), "{at}: {gone:?} is gone: {new:#?}");
        }
        (Value::Array(old), Value::Array(new)) => {
            assert_eq!(old.len(), new.len(), "{at}: {old:#?} became {new:#?}");
            let pairs = old.iter().zip(new).enumerate();
            pairs.for_each(|(n, (old, new))| holds(old, new, &format!("{at}[{n}]")));
        }
        _ => assert_eq!(old, new, "{at}"),
    }
}

#[test]
fn triage_of_a_mirror_of_0_1_0_counts_the_same() {
    let home = home();
    let mut triage = json(&home, &["triage", "--no-pull", "--days", "36500"], 0);
    // Then one name stood for all that no judge was asked about.
    let parts = ["bypassed", "history", "scripted"];
    let sum = parts.iter().map(|part| triage["counts"][part].as_u64().unwrap()).sum::<u64>();
    triage["counts"]["bypassed"] = sum.into();
    holds(&lasting(parsed(&text("triage.json"))), &lasting(triage), "triage");
}

#[test]
fn readiness_report_of_0_1_0_verifies() {
    let home = home();
    let report = recorded("readiness.json");
    let args = ["readiness", "verify", report.to_str().unwrap(), "--config", "c.toml"];
    let ran = home.run(&args);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// READY of 0.2.0 with sixteen open days. What has been added since can take READY away now, and takes
/// nothing from what was said then.
#[test]
fn ready_report_of_0_2_0_verifies_and_is_ready_no_more() {
    let home = Home::new();
    let at = |name: &str| {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/versions/0.2.0")).join(name)
    };
    copy(&at("data"), &home.path().join("data"));
    let (report, logs) = (at("readiness.json"), at("logs"));
    let from = ["--from", logs.to_str().unwrap()];
    let ran = home.run(&[&["readiness", "verify", report.to_str().unwrap()], &from[..]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("same: READY, blake3:"), "{}", ran.out);
    let written = parsed(&std::fs::read_to_string(&report).unwrap());
    assert_eq!((&written["result"], written.get("rules")), (&"ready".into(), None));
    // Computed as of this version, the same inputs are not READY.
    let mut now = written;
    now["rules"] = 2.into();
    home.write("now.json", now.to_string());
    let ran = home.run(&[&["readiness", "verify", "now.json"], &from[..]].concat());
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("NOT ENOUGH EVIDENCE"), "{}", ran.out);
}

#[test]
fn ledgers_of_0_1_0_are_sound_and_hold_the_same_labels() {
    let home = home();
    let verified = json(&home, &["ledger", "verify"], 0);
    holds(&parsed(&text("ledger-verify.json")), &verified, "ledger verify");
    let lines = |text: &str| text.lines().map(parsed).collect::<Vec<_>>();
    let labels = home.good(&["label", "--export", "--json", "--config", "c.toml"]);
    holds(&lines(&text("labels.jsonl")).into(), &lines(&labels).into(), "labels");
    let overrides = json(&home, &["override"], 0);
    holds(&parsed(&text("overrides.json")), &overrides, "overrides");
    let calibration = json(&home, &["calibration"], 0);
    let old = lasting(parsed(&text("calibration.json")));
    holds(&old, &lasting(calibration), "calibration");
}

/// The kinds of entries that version 0.1.0 counts. It keeps any other, and counts it in nothing.
const KNOWN: [&str; 15] = [
    "label",
    "labels",
    "override",
    "undo",
    "redo",
    "window",
    "window_undo",
    "policy",
    "audit_rate",
    "runbook_step",
    "hook_mode",
    "look",
    "run",
    "evaluation",
    "run_end",
];

/// Kinds and bodies of all entries of the ledgers.
fn entries(home: &Home) -> Vec<(String, Value)> {
    let files = std::fs::read_dir(home.path().join("data/ledger")).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let lines: Vec<Value> = texts.flat_map(|t| t.lines().map(parsed).collect::<Vec<_>>()).collect();
    let of = |line: Value| (line["kind"].as_str().unwrap().to_owned(), line["body"].clone());
    lines.into_iter().map(of).collect()
}

#[test]
fn rules_of_tasks_are_kinds_that_0_1_0_counts_in_nothing() {
    let home = home();
    let code = match parsed(&text("readiness.json"))["result"].as_str() {
        Some("ready") => 0,
        Some("not_ready") => 1,
        _ => 2,
    };
    let report = |home: &Home| {
        [("readiness", code), ("calibration", 0)].map(|(command, code)| {
            let mut document = json(home, &[command], code);
            document.as_object_mut().unwrap().remove("generated");
            document
        })
    };
    let (before, known) = (report(&home), entries(&home).len());
    home.write("p.toml", "[policy]\nfalse_negative_below = 0.02\n");
    for args in [
        &["set", "p.toml"][..],
        &["window", "2026-01-01"],
        &["audit", "0.5"],
        &["window", "--undo"],
    ] {
        let task = ["--family", "task", "--config", "c.toml"];
        home.good(&[&["gate"], args, &task].concat());
    }
    let new: Vec<String> = entries(&home).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(new.len(), known + 4);
    let unknown: Vec<&String> = new.iter().filter(|kind| !KNOWN.contains(&kind.as_str())).collect();
    let expected = ["task_policy", "task_window", "task_audit_rate", "task_window_undo"];
    assert_eq!(unknown, expected);
    // Figures of pushes and their evidence are what they were.
    assert_eq!(report(&home), before);
    json(&home, &["ledger", "verify"], 0);
}

#[test]
fn claims_labels_and_looks_of_tasks_change_nothing_that_0_1_0_counts() {
    let home = home();
    let line = |task: &str, more: Value| {
        let mut line = serde_json::json!({
            "schema": "foureyes/task/1", "task_id": task, "run": task, "model": "m", "mode": "deep",
            "judge_tier": "deep", "round": 1, "verdict": "accept", "depth": "sequential",
            "timestamp": "2026-11-20T10:00:00Z", "average": 4.0, "reasoning": "", "improvements": [],
            "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 4}, "files": ["a.md"],
            "previous_rounds": [], "content_sha": task, "decision": "accept",
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    };
    let handed_over = serde_json::json!({
        "mode": "escalation", "verdict": "escalate", "decision": "escalate", "reason": "tries",
    });
    let lines = [line("done", serde_json::json!({})), line("open", handed_over)];
    home.write("logs/verdicts.jsonl", lines.map(|line| format!("{line}\n")).concat());
    let figures = |home: &Home| {
        let mut calibration = json(home, &["calibration"], 0);
        let fields = calibration.as_object_mut().unwrap();
        // The hash of all that was put in, and what is said of labels on other records.
        fields.retain(|name, _| name != "generated" && name != "evidence");
        let caveats = fields["caveats"].as_array_mut().unwrap();
        caveats.retain(|caveat| caveat["id"] != "labels_elsewhere");
        calibration
    };
    let (before, known) = (figures(&home), entries(&home).len());
    let with = |args: &[&str]| {
        home.good(&[args, &["--config", "c.toml", "--reviewer", "ada", "--from", "logs"]].concat())
    };
    with(&["override", "--task", "open", "--claim"]);
    with(&["override", "--task", "open", "--release"]);
    let listed = home.good(&["records", "task:done", "--json", "--from", "logs"]);
    with(&["label", parsed(listed.trim())["id"].as_str().unwrap(), "acceptable"]);
    let new: Vec<String> = entries(&home).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(new.len(), known + 3);
    let count = |kind: &str| new.iter().filter(|new| *new == kind).count();
    assert_eq!((count("claim"), count("release")), (1, 1));
    assert!(!KNOWN.contains(&"claim") && !KNOWN.contains(&"release"));
    // A label is one of a record that no push evaluation has.
    assert_eq!(figures(&home), before);
    json(&home, &["ledger", "verify"], 0);
    // What is written of boxes that block for tasks, and of looks at their readiness.
    let (task, mode) = (JudgementKind::Task, ModeSet::new("b", HookMode::Blocking));
    let mode = Act::Mode(ModeSet { family: task, ..mode });
    let look = Look { family: task, shown: "readiness".to_owned(), window: Timestamp(0) };
    let look = Act::Look(look);
    assert_eq!((mode.kind(), look.kind()), ("task_hook_mode", "task_look"));
    assert!([mode.kind(), look.kind()].iter().all(|kind| !KNOWN.contains(kind)));
    // And of verdicts that were shown.
    let exposure = Exposure { shown: "records".to_owned(), records: vec![RecordId([7; 32])] };
    let exposure = Act::Exposure(exposure);
    assert!(!KNOWN.contains(&exposure.kind()));
    assert_eq!(Act::read(exposure.kind(), exposure.body().unwrap()), exposure);
}

#[test]
fn picks_and_their_labels_are_lines_and_a_kind_that_0_1_0_counts_in_nothing() {
    let home = home();
    let figures = |home: &Home| {
        let mut calibration = json(home, &["calibration"], 0);
        calibration.as_object_mut().unwrap().remove("generated");
        calibration
    };
    let (before, known) = (figures(&home), entries(&home).len());
    let line = pick(1, &[1], &[1]);
    // What 0.1.0 took for a record had one of these.
    let fields = line.as_object().unwrap();
    assert!(["verdict", "human_override"].iter().all(|name| !fields.contains_key(*name)));
    home.write("logs/picks.jsonl", format!("{line}\n"));
    home.write("logs/prompts.jsonl", format!("{}\n", prompt(1, "what now")));
    label(&home, &[]);
    begin(&home, &[]);
    let new: Vec<String> = entries(&home).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(new.len(), known + 2);
    let unknown: Vec<&String> = new.iter().filter(|kind| !KNOWN.contains(&kind.as_str())).collect();
    assert_eq!(unknown, ["relevance", "pick_window"]);
    assert_eq!(figures(&home), before);
    json(&home, &["ledger", "verify"], 0);
}

/// A clone with the hook script of version 0.1.0, and the log that its pushes left.
struct Clone(Home);

impl Clone {
    fn new() -> Self {
        let clone = Self(home());
        for args in [
            &["init", "-q", "--bare", "-b", "main", "remote"][..],
            &["init", "-q", "-b", "main", "work"],
            &["-C", "work", "remote", "add", "origin", "../remote"],
        ] {
            assert!(clone.git(args).status.success(), "{args:?}");
        }
        let hook = clone.0.path().join("work/.git/hooks/pre-push");
        let script = text("pre-push").replace("{{binary}}", env!("CARGO_BIN_EXE_foureyes"));
        std::fs::write(&hook, script).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
        // Verdicts stand for some days: it is a log of today.
        let files = clone.0.path().join("data/mirror/attic/files");
        let of_pushes = std::fs::read_dir(files).unwrap().map(|entry| entry.unwrap().path());
        let mut of_pushes = of_pushes.filter(|p| p.to_str().unwrap().ends_with("2026-11-23.jsonl"));
        std::fs::create_dir_all(clone.log()).unwrap();
        let today = format!("{}.jsonl", jiff::Timestamp::now().strftime("%F"));
        std::fs::copy(of_pushes.next().unwrap(), clone.log().join(today)).unwrap();
        clone
    }

    fn log(&self) -> PathBuf {
        self.0.path().join("boxes/attic/.openclaw/judge-verdicts")
    }

    fn git(&self, args: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Heron Agent", "-c", "user.email=heron@example.org"]);
        git.args(args).env_clear().current_dir(self.0.path());
        git.env("HOME", self.0.path()).env("PATH", "/usr/bin:/bin:/usr/local/bin");
        git.env("FOUREYES_CONFIG", self.0.path().join("c.toml"));
        git.env("FOUREYES_DATA", self.0.path().join("data")).env("GIT_CONFIG_NOSYSTEM", "1");
        git.output().unwrap()
    }

    /// Pushes a file; gives whether it went on, and the record of it.
    fn push(&self, name: &str, content: &str) -> (bool, Value) {
        let dir = self.0.path().join("work/research");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(name), content).unwrap();
        assert!(self.git(&["-C", "work", "add", "-A"]).status.success());
        assert!(self.git(&["-C", "work", "commit", "-qm", name]).status.success());
        let pushed = self.git(&["-C", "work", "push", "-q", "origin", "main"]).status.success();
        let id = self.git(&["-C", "work", "rev-parse", "HEAD"]).stdout;
        let id = String::from_utf8(id).unwrap().trim().to_owned();
        let files = std::fs::read_dir(self.log()).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
        let lines: Vec<Value> = files
            .flat_map(|path| {
                let text = std::fs::read_to_string(path).unwrap();
                text.lines().map(parsed).collect::<Vec<_>>()
            })
            .collect();
        (pushed, lines.into_iter().find(|line| line["commit"] == *id).expect("a record"))
    }
}

#[test]
fn hook_script_of_0_1_0_judges_anew_by_the_new_question_and_honours_its_mode() {
    let clone = Clone::new();
    // The same content was judged by version 0.1.0 and by this judge, with an earlier question.
    let (pushed, record) = clone.push("good.md", "a good note\n");
    let hashes = ["prompt_sha", "content_sha", "judge_sha"].map(|k| record[k].as_str().unwrap());
    assert_eq!(hashes[1..], GOLDEN[1..], "content and judge are the same");
    assert_ne!(hashes[0], GOLDEN[0]);
    assert!(record.get("reused").is_none(), "an earlier question is no verdict: {record:#}");
    assert!(pushed && record["verdict"] == "GO");
    let (pushed, record) = clone.push("worse.md", "INVENTED claims of today\n");
    assert!(!pushed && record["verdict"] == "NO-GO", "the mode file says blocking: {record:#}");
}

/// Of the push of `good.md`: prompt, content and judge.
const GOLDEN: [&str; 3] = [
    "c0ec83ef9910dfef93cd6431d40bb5e021a1ed33b31d21d119bab6dbc8cbb0b6",
    "ec2311c014dd8f19a3754cf931eba5f94ec39011b22affdd2af2588015ae6c9b",
    "1657bbb6e331a2bc724989fa6865a1e374bf8c6c39281d76499d554755712e9c",
];
