//! Figures with `--fleet`: those of one machine over the same logs and ledgers.

use super::records::odd;
use super::{Desk, MIDDLE, SHARED, database, generated};
use crate::cli::{Home, begin_window};
use foureyes::domain::JudgementKind;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What differs by its nature: when a document was made and how old logs are by then, what this machine saw
/// last, where the files of its directories went, secrets, which are masked in the store already, and what
/// takes each record without a label, of which a store gives counts alone.
const LOCAL: [&str; 8] = [
    "generated",
    "data_age_s",
    "complete",
    "complete_until",
    "new_since",
    "listed",
    "prices",
    "arriving",
];

/// The questions, without a family.
const QUESTIONS: [&[&str]; 18] = [
    &["triage", "--days", "36500"],
    &["triage", "--days", "20", "--limit", "3"],
    &["trend", "--days", "36500"],
    &["trend", "--by", "week"],
    &["trend", "--by", "box", "--days", "36500"],
    &["trend", "--by", "model", "--days", "36500"],
    &["trend", "--by", "model", "--family", "task", "--days", "36500"],
    &["trend", "--by", "agent", "--days", "21"],
    &["trend", "--by", "path", "--days", "36500"],
    &["trend", "--by", "path", "--depth", "2", "--family", "task", "--days", "36500"],
    &[
        "trend",
        "--by",
        "path",
        "--prefix",
        "research/",
        "--prefix",
        "",
        "--prefix",
        "it's/ü",
        "--days",
        "36500",
    ],
    &["calibration"],
    &["calibration", "drift"],
    &["calibration", "breakdown", "--by", "path"],
    &["calibration", "agents", "--days", "36500"],
    &["calibration", "--family", "task"],
    &["readiness"],
    &["readiness", "--family", "task"],
];

/// Questions about teams and repositories.
const PARTS_OF: [&[&str]; 4] = [
    &["trend", "--by", "team", "--days", "36500"],
    &["trend", "--by", "team", "--family", "task", "--days", "36500"],
    &["calibration", "breakdown", "--by", "team"],
    &["calibration", "breakdown", "--by", "repository"],
];

/// Teams and repositories.
const PARTED: &str = "user = \"default\"\n\
    [fleet.teams.house]\nboxes = [\"garage\"]\n\
    [fleet.teams.lab]\nagents = [\"claw\"]\npaths = [\"research/\", \"it's/\"]\n\
    [[repository]]\npath = \"/nowhere/notes\"\nboxes = [\"attic\", \"garage\"]\n\
    [[repository]]\npath = \"/nowhere/wiki\"";

/// A document without what differs by its nature.
fn comparable(mut document: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                LOCAL.iter().for_each(|name| drop(members.remove(*name)));
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => {
                items.retain(|item| item["id"] != "masked_secrets");
                items.iter_mut().for_each(strip);
            }
            _ => {}
        }
    }
    strip(&mut document);
    document
}

/// Where two documents differ first.
fn difference(a: &Value, b: &Value, at: &str) -> Option<String> {
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> =
                one.keys().chain(other.keys()).collect();
            keys.into_iter().find_map(|key| difference(&a[key], &b[key], &format!("{at}/{key}")))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.into_iter().find_map(|(i, (a, b))| difference(a, b, &format!("{at}/{i}")))
        }
        _ => (a != b).then(|| format!("{at}: {a} and {b}")),
    }
}

fn document(desk: &Desk, question: &[&str], more: &[&str]) -> Value {
    let ran = desk.run(&[question, &["--json"], more].concat());
    assert!(
        ran.code <= 2 && !ran.out.is_empty(),
        "{question:?} {more:?}: {} {}",
        ran.code,
        ran.err
    );
    // Of a log that several know, the path of one is named.
    let text = PARTS.fold(ran.out, |text, part| text.replace(&at(part), "/made/boxes/"));
    comparable(serde_json::from_str(&text).unwrap())
}

/// What a machine says to questions by its own logs.
fn answers(machine: &Desk, questions: &[&[&str]]) -> Vec<Value> {
    let answer = |question: &&[&str]| {
        let no_pull: &[&str] = if question[0] == "triage" { &["--no-pull"] } else { &[] };
        document(machine, question, no_pull)
    };
    questions.iter().map(answer).collect()
}

/// The answers of the store must be these.
fn assert_same(ours: &[Value], questions: &[&[&str]], asking: &Desk) {
    let pairs = questions.iter().zip(ours);
    let found = pairs.filter_map(|(question, ours)| {
        let theirs = document(asking, question, &["--fleet"]);
        difference(ours, &theirs, "").map(|what| format!("{question:?}: {what}"))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Logs with everything: the generator's, and odd ones of more boxes.
pub(super) fn logs(made: &Home) -> PathBuf {
    let boxes = generated(made, 600, 33);
    odd(&boxes);
    // What counts in no rate, a log whose lines do not follow each other, and a contents asked until GO.
    let push = |second: u32, more: Value| {
        let mut line = json!({"commit": "5afe5afe", "author": "claw", "judge_model": "llama3",
            "verdict": "NO-GO", "timestamp": format!("{}T10:00:{second:02}Z", *MIDDLE),
            "files_evaluated": ["a.md", "/etc/motd", "research/x/y.md"], "mode": "blocking",
            "judge_sha": format!("{second:064x}"), "latency_ms": 70 * second, "content_sha": "77"});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{line}\n")
    };
    let lines = [
        push(1, json!({})),
        push(2, json!({"verdict": "GO"})),
        push(3, json!({"commit": "5afe0001", "error": "timeout", "verdict": null})),
        push(4, json!({"commit": "5afe0002", "verdict": null, "error": "bypassed"})),
        push(5, json!({"commit": "5afe0003", "timestamp": "2199-01-01T00:00:00Z"})),
        push(6, json!({"commit": "5afe0003", "timestamp": "never"})),
        push(7, json!({"prev": "0".repeat(64)})),
        "{\"verdict\":\n".to_owned(),
        push(8, json!({"prev": "1".repeat(64)})),
        "{\"commit\":\"torn".to_owned(),
    ];
    let dir = boxes.join("garage");
    std::fs::write(dir.join(format!("{}.jsonl", *MIDDLE)), lines.concat()).unwrap();
    boxes
}

/// Labels records, one after the other with these words.
fn label(desk: &Desk, ids: &[String], words: &[&str]) {
    for (id, word) in ids.iter().zip(words.iter().cycle()) {
        desk.good(&["label", id, word]);
    }
}

fn ids(desk: &Desk, filter: &str) -> Vec<String> {
    let found = desk.good(&["records", filter, "--json"]);
    let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].clone();
    found.lines().map(|line| id(line).as_str().unwrap().to_owned()).collect()
}

/// A machine with all logs and the ledgers of some desks.
fn merged(boxes: &Path, of: &[&Desk]) -> Desk {
    let machine = Desk::new(&of[0].name, boxes, &SHARED.ports, "nothing");
    let ledgers = machine.home.path().join("data/ledger");
    std::fs::create_dir_all(&ledgers).unwrap();
    for desk in of {
        for entry in std::fs::read_dir(desk.home.path().join("data/ledger")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), ledgers.join(entry.file_name())).unwrap();
        }
    }
    machine
}

#[test]
fn figures_of_several_publishers_and_reviewers_are_those_of_one_machine() {
    let (made, name) = (Home::new(), database());
    let boxes = logs(&made);
    let anna = Desk::new("anna", &boxes, &SHARED.ports, &name);
    let ben = Desk::new("ben", &boxes, &SHARED.ports, &name);
    anna.good(&["fleet", "init"]);
    for family in JudgementKind::ALL {
        begin_window(&anna.home.path().join("data"), "anna", family, &MIDDLE);
        let family = family.as_str();
        anna.good(&["gate", "audit", "1", "--since", &MIDDLE, "--family", family]);
    }
    // A day that is labelled as a whole by both of them together, and not by one alone.
    let day = ids(&anna, &format!("family:push day:{} (verdict:go | verdict:no-go)", *MIDDLE));
    let (hers, his) = day.split_at(day.len() / 2);
    label(&anna, hers, &["acceptable", "poor", "acceptable", "unsure"]);
    anna.publish();
    label(&ben, his, &["acceptable", "acceptable", "poor"]);
    label(&ben, &hers[..3], &["poor"]);
    label(&ben, &ids(&ben, "evaluation:task")[..3], &["poor", "acceptable"]);
    ben.publish();
    let machine = merged(&boxes, &[&anna, &ben]);
    let closed = |desk: &Desk, more: &[&str]| {
        document(desk, &["calibration"], more)["window"]["closed_days"].clone()
    };
    assert_eq!((closed(&anna, &[]), closed(&anna, &["--fleet"])), (json!(0), json!(1)));
    assert_same(&answers(&machine, &QUESTIONS), &QUESTIONS, &anna);
    // By what the configuration tells apart.
    for desk in [&machine, &anna] {
        desk.configure(&boxes, &SHARED.ports, &name, PARTED);
    }
    let ours = answers(&machine, &PARTS_OF);
    let rows = |at: usize, key: &str| ours[at][key].as_array().map_or(0, Vec::len);
    assert_eq!([rows(0, "rows"), rows(1, "rows")], [3, 3], "{:?}", &ours[..2]);
    assert_same(&ours, &PARTS_OF, &anna);
    // Who does not have the seed is told so, and draws nothing.
    let report = ben.run(&["readiness", "--fleet"]).out;
    let words: Vec<&str> = report.split_whitespace().collect();
    assert!(words.join(" ").contains("its seed was not published"), "{report}");
    assert_ne!(ben.run(&["readiness", "--fleet"]).code, 0);
    // That all was drawn is known without it, and with it when the window begins.
    let window = |desk: &Desk| document(desk, &["calibration"], &["--fleet"])["window"].clone();
    assert_eq!(window(&ben)["from"], window(&anna)["from"]);
}

/// Operators who know a part of the logs each.
const PARTS: std::ops::Range<usize> = 0..6;

fn at(part: usize) -> String {
    format!("/part{part}/")
}

#[test]
fn any_partition_and_order_of_publishing_gives_the_same_figures() {
    let made = Home::new();
    let boxes = logs(&made);
    let machine = Desk::new("anna", &boxes, &SHARED.ports, "nothing");
    let ours = answers(&machine, &QUESTIONS);
    for (seed, parts) in [(1, 0..3), (2, 3..6)] {
        let (name, mut draw) = (database(), Draw(seed));
        let dir = |part: usize| made.path().join(at(part).trim_matches('/'));
        let publisher = |part: usize| {
            share(&boxes, &dir(part), &mut Draw(part as u64));
            Desk::new(&format!("operator{part}"), &dir(part), &SHARED.ports, &name)
        };
        let first = parts.start;
        let mut desks: Vec<Desk> = parts.map(publisher).collect();
        // Logs that nobody drew are published as well, at whatever time.
        desks.push(Desk::new("rest", &boxes, &SHARED.ports, &name));
        desks[0].good(&["fleet", "init"]);
        for at in (1..desks.len()).rev() {
            desks.swap(at, draw.below(at + 1));
        }
        desks.iter().chain(&desks[..1]).for_each(|desk| drop(desk.publish()));
        let asking = Desk::new("asks", &dir(first), &SHARED.ports, &name);
        assert_same(&ours, &QUESTIONS, &asking);
    }
}

/// Numbers that look random.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Copies a share of the logs of all boxes, some of which one does not have at all; a log that may grow was
/// read before it grew.
fn share(boxes: &Path, to: &Path, draw: &mut Draw) {
    let mut left = vec![boxes.to_owned()];
    std::fs::create_dir_all(to).unwrap();
    while let Some(dir) = left.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                left.push(path);
            } else if draw.below(3) > 0 && path.to_str().unwrap().contains(".jsonl") {
                let own = to.join(path.strip_prefix(boxes).unwrap());
                std::fs::create_dir_all(own.parent().unwrap()).unwrap();
                let mut bytes = std::fs::read(&path).unwrap();
                let lines: Vec<usize> =
                    (0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1).collect();
                let is_last = path.extension().is_some_and(|ending| ending == "jsonl");
                if let (true, true, Some(most)) =
                    (is_last, draw.below(2) == 0, lines.len().checked_sub(1))
                {
                    bytes.truncate(lines[draw.below(most.max(1))]);
                }
                std::fs::write(own, bytes).unwrap();
            }
        }
    }
}
