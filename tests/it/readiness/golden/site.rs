//! Two boxes with forty days of logs, a clone with each content, and reviewers.

use crate::cli::{Home, Ran};
use foureyes::domain::Timestamp;
use foureyes::domain::review::{Act, ContentHash, Label, Reviewer, Shown, Word};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

/// Days of logs; the last one is yesterday.
pub(super) const DAYS: u32 = 40;
const DAY: i64 = 86_400_000_000;
const BOXES: [&str; 2] = ["attic", "cellar"];

/// What is planted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Poor contents.
    pub(super) poor: u32,
    /// Poor contents that the judge passes.
    pub(super) missed: u32,
    /// Acceptable contents.
    pub(super) acceptable: u32,
    /// Acceptable contents that the judge flags.
    pub(super) blocked: u32,
    /// Whether records say how long the judge took.
    pub(super) latency: bool,
}

impl Plan {
    pub(super) fn records(self) -> u32 {
        self.poor + self.acceptable
    }

    /// Whether the content of a record is poor, and whether the judge flags it. Kinds are spread evenly: each
    /// step is a golden section of the whole, so no day has much more of one kind than another.
    fn kind(self, n: u32) -> (bool, bool) {
        let all = self.records();
        let common = |mut a: u32, mut b: u32| {
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let step = (all * 618 / 1000..).find(|step| common(*step, all) == 1).unwrap();
        let at = u32::try_from(u64::from(n) * u64::from(step) % u64::from(all)).unwrap();
        let is_poor = at < self.poor;
        let is_flagged = match is_poor {
            true => at >= self.missed,
            false => at - self.poor < self.blocked,
        };
        (is_poor, is_flagged)
    }
}

/// A record that is planted.
pub(super) struct Planted {
    pub(super) commit: String,
    pub(super) is_poor: bool,
    pub(super) is_flagged: bool,
}

/// A home with what is planted.
pub(super) struct Site {
    pub(super) home: Home,
    pub(super) records: Vec<Planted>,
}

impl Site {
    pub(super) fn new(plan: Plan) -> Self {
        wait_out_midnight();
        let home = Home::new();
        let commits = contents(&home, plan);
        let mut site = Self { home, records: Vec::new() };
        for (n, commit) in (0..).zip(commits) {
            let (is_poor, is_flagged) = plan.kind(n);
            site.records.push(Planted { commit, is_poor, is_flagged });
        }
        site.log(plan);
        for who in ["anna", "bert"] {
            site.configure(who);
        }
        site
    }

    /// Writes the logs. Each day's records are of its first minutes: before any entry of that day.
    fn log(&self, plan: Plan) {
        let now = jiff::Timestamp::now().as_microsecond();
        let all = plan.records();
        let mut logs = [String::new(), String::new()];
        for (n, record) in (0..).zip(&self.records) {
            let day = n * DAYS / all;
            let in_day = n - (day * all).div_ceil(DAYS);
            let ago = Timestamp(now - i64::from(DAYS - day) * DAY).day_text();
            let midnight = Timestamp::parse_day(&ago).unwrap();
            let time = Timestamp(midnight.0 + i64::from(in_day) * 1_000_000);
            let mut line = json!({
                "commit": record.commit, "timestamp": time.to_string(), "author": "agent",
                "judge_model": "judge-a", "served_model": "judge-a-2026", "prompt_sha": "0".repeat(64),
                "files_evaluated": [file(n)], "verdict": if record.is_flagged { "NO-GO" } else { "GO" },
            });
            if plan.latency {
                line["latency_ms"] = json!(3000);
            }
            writeln!(logs[n as usize % 2], "{line}").unwrap();
        }
        for (name, text) in BOXES.iter().zip(logs) {
            std::fs::create_dir_all(self.home.path().join(format!("logs/{name}"))).unwrap();
            self.home.write(&format!("logs/{name}/a.jsonl"), text);
        }
    }

    fn configure(&self, who: &str) {
        let path = |name: &str| self.home.path().join(name);
        let mut text = format!("[reviewer]\nname = \"{who}\"\nmachine = \"desk\"\n");
        for name in BOXES {
            let logs = path(&format!("logs/{name}"));
            writeln!(text, "[[box]]\nname = \"{name}\"\nlocal = true\nlogs = [{logs:?}]").unwrap();
        }
        writeln!(text, "[[repository]]\npath = {:?}\nboxes = {BOXES:?}", path("clone")).unwrap();
        self.home.write(&format!("{who}.toml"), text);
    }

    /// A run of the program by a reviewer.
    pub(super) fn run(&self, who: &str, args: &[&str]) -> Ran {
        let config = format!("{who}.toml");
        self.home.run(&[args, &["--config", config.as_str()]].concat())
    }

    /// A run that must succeed; gives what it printed.
    pub(super) fn good(&self, who: &str, args: &[&str]) -> String {
        let ran = self.run(who, args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        ran.out
    }

    /// The answer, its exit code, and what is read first.
    pub(super) fn report(&self, who: &str) -> (Value, i32, String) {
        let ran = self.run(who, &["readiness", "--json"]);
        crate::report::conforms("readiness", &ran.out);
        let report = serde_json::from_str(&ran.out).unwrap();
        let plain = self.run(who, &["readiness", "--plain"]);
        assert_eq!(plain.code, ran.code, "{}", plain.out);
        let first = plain.out.split("\n\n").next().unwrap().split_whitespace();
        (report, ran.code, first.collect::<Vec<_>>().join(" "))
    }

    /// Everything that waits for a first word gets one, as if a reviewer had typed it where the content is
    /// shown: without the time that a sitting takes. Gives the number of labels.
    pub(super) fn type_first_words(&self, who: &str) -> usize {
        let listed = self.good(who, &["records", "--json", "--days", "100"]);
        let rows = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let commits: HashMap<_, _> = rows.map(|r| (text(&r["id"]), text(&r["commit"]))).collect();
        let is_poor: HashMap<_, _> =
            self.records.iter().map(|record| (record.commit.as_str(), record.is_poor)).collect();
        let label = |id: &Value| {
            let id = id.as_str().unwrap();
            let word = if is_poor[commits[id].as_str()] { Word::Poor } else { Word::Acceptable };
            let shown = Some(Shown::Content(ContentHash([1; 32])));
            Label { blind: true, shown, ..Label::new(id.parse().unwrap(), word) }
        };
        let (report, ..) = self.report(who);
        let days = report["days"].as_array().unwrap().iter();
        let labels: Vec<Label> =
            days.flat_map(|day| day["missing"].as_array().unwrap()).map(label).collect();
        let given = labels.len();
        let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        let mut ledger = Ledger::load(&DataDir::at(self.home.path().join("data"))).unwrap();
        ledger.append(&by, fresh_id(now), now, &Act::Labels { labels, import: None }).unwrap();
        given
    }

    /// A night passes. The program reads the machine's clock, so what was said moves a day into the past.
    /// The logs stay: they end with yesterday, before and after that night.
    pub(super) fn night(&self) {
        let data = DataDir::at(self.home.path().join("data"));
        let old = Ledger::load(&data).unwrap();
        let entries: Vec<_> = old.in_order(Timestamp(i64::MAX / 2)).into_iter().cloned().collect();
        std::fs::remove_dir_all(old.dir()).unwrap();
        let mut ledger = Ledger::load(&data).unwrap();
        for entry in entries {
            let by = Reviewer { name: entry.reviewer, machine: entry.machine };
            ledger.append(&by, entry.id, Timestamp(entry.time.0 - DAY), &entry.act).unwrap();
        }
    }

    /// Keeps a copy of what was said so far, or goes back to it.
    pub(super) fn keep(&self) {
        self.copy("data", "kept");
    }

    pub(super) fn go_back(&self) {
        self.copy("kept", "data");
    }

    fn copy(&self, from: &str, to: &str) {
        let path = |name: &str| self.home.path().join(name);
        if path(to).exists() {
            std::fs::remove_dir_all(path(to)).unwrap();
        }
        let copied = Command::new("cp").arg("-R").args([path(from), path(to)]).status().unwrap();
        assert!(copied.success());
    }
}

/// Logs end with yesterday, and the program says itself what day it is: both must say the same for as long as a
/// test takes.
fn wait_out_midnight() {
    const MINUTE: i64 = 60_000_000;
    let into_day = || jiff::Timestamp::now().as_microsecond().rem_euclid(DAY);
    while !(MINUTE..DAY - 2 * MINUTE).contains(&into_day()) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

fn file(n: u32) -> String {
    format!("research/note{n}.md")
}

/// Makes a clone with a commit for each content; each says what is true of it. Gives the commits.
fn contents(home: &Home, plan: Plan) -> Vec<String> {
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(args).env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
        git.env("GIT_CONFIG_NOSYSTEM", "1");
        git
    };
    let made = git(&["init", "-q", "-b", "main", "clone"]).current_dir(home.path()).status();
    assert!(made.unwrap().success());
    let mut stream = String::new();
    for n in 0..plan.records() {
        let word = if plan.kind(n).0 { "poor" } else { "acceptable" };
        let text = format!("Note {n}.\n\nIt is {word}.\n");
        let (name, size) = (file(n), text.len());
        write!(
            stream,
            "commit refs/heads/main\ncommitter agent <a@example.org> {} +0000\ndata 5\nnote\ndeleteall\n\
             M 100644 inline {name}\ndata {size}\n{text}\n",
            1_700_000_000 + n
        )
        .unwrap();
    }
    let clone = home.path().join("clone");
    let mut import = git(&["fast-import", "--quiet"]);
    let mut import = import.current_dir(&clone).stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut import.stdin.take().unwrap(), stream.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    let listed = git(&["rev-list", "--reverse", "main"]).current_dir(&clone).output().unwrap();
    let commits = String::from_utf8(listed.stdout).unwrap();
    commits.lines().map(str::to_owned).collect()
}
