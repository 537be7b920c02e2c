//! `foureyes peer`: a judge of another family reviews a sample of verdicts.

use crate::cli::{Home, Ran};
use crate::http::{self, PATIENCE, Server, answer};
use crate::report::conforms;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Records of each half; the judge overlooks what is poor in `knowledge/`.
const EACH: usize = 24;

/// A home with a clone, and a log of verdicts on its commits.
struct Desk {
    home: Home,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { home: Home::new() };
        fs::create_dir_all(desk.home.path().join(".config/foureyes")).unwrap();
        desk.git(&["init", "-q", "-b", "main", "clone"]);
        let mut log = String::new();
        let now = jiff::Timestamp::now().as_second();
        for number in 0..2 * EACH {
            let dir = ["knowledge", "research"][number % 2];
            let (path, is_poor) = (format!("{dir}/{number}.md"), number % 4 != 3);
            let text = format!("text {number} {}\n", if is_poor { "POOR" } else { "fine" });
            fs::create_dir_all(desk.home.path().join("clone").join(dir)).unwrap();
            fs::write(desk.home.path().join("clone").join(&path), text).unwrap();
            desk.git(&["-C", "clone", "add", "-A"]);
            desk.git(&["-C", "clone", "commit", "-q", "-m", "a change"]);
            let commit = desk.git(&["-C", "clone", "rev-parse", "HEAD"]);
            let flags = is_poor && dir == "research";
            let at = jiff::Timestamp::from_second(now - 3600 + number as i64).unwrap();
            let record = json!({
                "commit": commit, "timestamp": at.to_string(), "author": "OpenClaw Agent",
                "judge_model": "north-1", "files_evaluated": [path],
                "scores": {"semantic": if flags { 2 } else { 5 }, "pragmatic": 5, "syntactic": 5},
                "verdict": if flags { "NO-GO" } else { "GO" }, "findings": "as it is",
                "revision_suggestions": [],
            });
            log += &(record.to_string() + "\n");
        }
        desk.home.write("logs/2026-01-01.jsonl", log);
        desk.configure(
            "script = \"answers.toml\"\nmodel = \"south-1\"",
            "rate = 1.0\ndoubt_rate = 1.0",
        );
        desk.home.write("answers.toml", answers());
        desk
    }

    fn configure(&self, peer: &str, rates: &str) {
        let peer = match peer {
            "" => String::new(),
            peer => format!("[judges.peer]\n{peer}\n"),
        };
        let config = format!(
            "[judge]\nmodel = \"north-1\"\nendpoint = \"http://127.0.0.1:1\"\n{peer}[peer]\n{rates}\n\
             [reviewer]\nname = \"anna\"\n[[family]]\nname = \"north\"\nmodels = [\"north-*\"]\n\
             [[family]]\nname = \"south\"\nmodels = [\"south-*\"]\n\
             [[repository]]\npath = \"{}\"\n",
            self.home.path().join("clone").display()
        );
        let answers = self.home.path().join("answers.toml").display().to_string();
        self.home.write(".config/foureyes/config.toml", config.replace("answers.toml", &answers));
    }

    fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.home.path()).env_clear().env("HOME", self.home.path());
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "OpenClaw Agent");
            command.env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        let output = command.args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.home.command(&[args, &["--from", "logs"]].concat());
        command.env("TERRAPHIM_API_KEY", "key-of-the-peer").env("NO_PROXY", "127.0.0.1");
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap();
        Ran { code, out: text(output.stdout), err: text(output.stderr) }
    }

    fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        ran.out
    }

    /// Sets up an audit sample, whose key the draws are made by.
    fn audited(self) -> Self {
        self.home.good(&["gate", "audit", "0.5"]);
        self
    }

    fn report(&self) -> Value {
        let text = self.good(&["peer", "report", "--json"]);
        conforms("peer", &text);
        serde_json::from_str(&text).unwrap()
    }

    fn runs(&self) -> usize {
        let text = self.home.good(&["calibration", "runs", "--json"]);
        let document: Value = serde_json::from_str(&text).unwrap();
        document["runs"].as_array().unwrap().len()
    }

    fn matching(&self, filter: &str) -> BTreeSet<String> {
        let lines = self.good(&["records", filter, "--json"]);
        let id = |line: &str| {
            serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
        };
        lines.lines().map(id).collect()
    }
}

fn verdict(score: u8, word: &str) -> String {
    json!({
        "scores": {"semantic": score, "pragmatic": 5, "syntactic": 5},
        "verdict": word, "findings": "as the peer sees it", "revision_suggestions": [],
    })
    .to_string()
}

fn answers() -> String {
    format!(
        "[[answer]]\nwhen = \"POOR\"\nalways = true\ntext = '{}'\n[[answer]]\nalways = true\ntext = '{}'\n",
        verdict(2, "NO-GO"),
        verdict(5, "GO")
    )
}

#[test]
fn review_finds_where_the_judge_is_weak_and_asks_about_each_verdict_once() {
    let desk = Desk::new().audited();
    let planned = desk.good(&["peer", "review", "--dry-run"]);
    let all = 2 * EACH;
    assert!(
        planned
            .starts_with(&format!("{all} of {all} verdicts are drawn: 0 reviewed, {all} waiting")),
        "{planned}"
    );
    assert_eq!(desk.runs(), 0);
    // In two goes.
    assert!(desk.good(&["peer", "review", "--limit", "10"]).contains("10 of 10 reviewed"));
    let rest = desk.good(&["peer", "review"]);
    assert!(rest.contains(&format!("{} of {} reviewed", all - 10, all - 10)), "{rest}");
    let again = desk.good(&["peer", "review"]);
    assert!(again.contains("0 waiting"), "{again}");
    assert_eq!(desk.runs(), 2);
    let report = desk.report();
    let figures = &report["figures"];
    // All that the judge overlooked, and nothing else.
    assert_eq!((&figures["only_judge"], &figures["only_peer"]), (&json!(0), &json!(EACH)));
    let strata: Vec<_> = figures["strata"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["reviewed"].as_u64().unwrap())
        .collect();
    assert_eq!(strata.iter().sum::<u64>(), all as u64);
    let at = report["by"].as_array().unwrap().iter().position(|by| by == "path").unwrap();
    let parts = figures["parts"][at].as_array().unwrap();
    let stands_out: Vec<_> = parts
        .iter()
        .filter(|part| part["stands_out"] == true)
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert_eq!(stands_out, ["knowledge"]);
    let semantic = &figures["dimensions"][0];
    assert_eq!((&semantic["lower"], &semantic["stands_out"]), (&json!(EACH), &json!(true)));
    let queue: BTreeSet<String> = report["queue"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(queue, desk.matching("peer:differs"));
    assert_eq!(desk.matching("peer:agrees").len(), EACH);
    assert!(desk.matching("peer:none").is_empty() && desk.matching("peer:undetermined").is_empty());
    // What a person labelled waits no longer.
    let first = queue.iter().next().unwrap();
    desk.good(&["label", first, "poor"]);
    assert_eq!(desk.report()["queue"].as_array().unwrap().len(), EACH - 1);
    assert_eq!(desk.matching("peer:differs label:none").len(), EACH - 1);
    let plain = desk.good(&["peer", "report"]);
    assert!(
        plain.contains("knowledge")
            && plain.contains("23 records on which the two differ have no label"),
        "{plain}"
    );
    // Beside the KPIs of the same verdicts.
    let triage = desk.good(&["triage", "--days", "36500", "--json"]);
    crate::report::conforms("triage", &triage);
    let triage: Value = serde_json::from_str(&triage).unwrap();
    let disagreement = &desk.report()["figures"]["disagreement"];
    for end in ["estimate", "lower", "upper"] {
        assert_eq!(triage["peer"][end], disagreement[end], "{end}");
    }
    let counts = ["differ", "reviewed", "unlabelled"].map(|key| triage["peer"][key].clone());
    assert_eq!(counts, [EACH, all, EACH - 1].map(|n| json!(n)));
    let plain = desk.good(&["triage", "--days", "36500"]);
    let line = format!("{EACH} of {all} reviews differ, {} without a label", EACH - 1);
    assert!(plain.contains(&line), "{plain}");
    // No verdict and no rate is changed.
    assert_eq!(desk.matching("verdict:no-go").len(), EACH / 2);
}

#[test]
fn what_is_missing_is_named_before_anybody_is_asked() {
    let desk = Desk::new();
    let no_key = desk.run(&["peer", "review"]);
    assert!(
        no_key.code != 0 && no_key.err.contains("no audit sample was set up"),
        "{}",
        no_key.err
    );
    desk.configure("", "rate = 1.0");
    let none = desk.run(&["peer", "review"]);
    assert!(none.code == 64 && none.err.contains("no peer is configured"), "{}", none.err);
    let desk = desk.audited();
    let report = desk.run(&["peer", "report"]);
    assert!(report.code != 0 && report.err.contains(" peer review`"), "{}", report.err);
    desk.configure(
        "script = \"answers.toml\"\nmodel = \"north-2\"",
        "rate = 1.0\ndoubt_rate = 1.0",
    );
    let same = desk.good(&["peer", "review"]);
    assert!(same.contains(&format!("{} by a judge of the same family", 2 * EACH)), "{same}");
    assert_eq!(desk.runs(), 0);
}

#[test]
fn doubtful_verdicts_are_drawn_at_a_rate_of_their_own() {
    let desk = Desk::new().audited();
    desk.configure(
        "script = \"answers.toml\"\nmodel = \"south-1\"",
        "rate = 0.0\ndoubt_rate = 1.0",
    );
    let planned = desk.good(&["peer", "review", "--dry-run"]);
    assert!(
        planned.starts_with(&format!("{} of {} verdicts are drawn", EACH / 2, 2 * EACH)),
        "{planned}"
    );
    // Where a stratum has no review, the share of all is not known.
    desk.good(&["peer", "review"]);
    let report = desk.report();
    assert_eq!(report["figures"]["disagreement"]["estimate"], Value::Null);
    assert!(desk.good(&["peer", "report"]).contains("not known"));
    // The same ledger draws the same, and another key about as many.
    desk.configure(
        "script = \"answers.toml\"\nmodel = \"south-1\"",
        "rate = 0.5\ndoubt_rate = 0.5",
    );
    let drawn = |desk: &Desk| desk.good(&["peer", "review", "--dry-run"]);
    let other = Desk::new().audited();
    other.configure(
        "script = \"answers.toml\"\nmodel = \"south-1\"",
        "rate = 0.5\ndoubt_rate = 0.5",
    );
    assert_eq!(drawn(&desk), drawn(&desk));
    let count = |text: &str| text.split(' ').next().unwrap().parse::<usize>().unwrap();
    assert!((8..=40).contains(&count(&drawn(&other))), "{}", drawn(&other));
}

#[test]
fn outage_is_no_opinion_and_a_killed_review_loses_no_answer() {
    let down = Server::start(|_| http::reply(401, &[], "down"));
    let desk = Desk::new().audited();
    let peer = |server: &Server| {
        format!(
            "kind = \"chat\"\nmodel = \"south-1\"\nendpoint = \"{}\"\ntimeout_s = 20",
            server.url()
        )
    };
    desk.configure(&peer(&down), "rate = 1.0\ndoubt_rate = 1.0");
    let failed = desk.run(&["peer", "review", "--limit", "3"]);
    assert_eq!(failed.code, 69, "{}", failed.err);
    assert!(failed.out.contains("0 of 3 reviewed"), "{}", failed.out);
    assert_eq!(desk.matching("peer:undetermined").len(), 3);
    let planned = desk.good(&["peer", "review", "--dry-run"]);
    assert!(planned.contains(&format!("0 reviewed, {} waiting", 2 * EACH)), "{planned}");
    // It answers five, and then hangs until the review is killed.
    let mut asked = 0;
    let hanging = Server::start(move |_| {
        asked += 1;
        if asked > 5 { vec![http::Action::Hang] } else { answer(&verdict(5, "GO")) }
    });
    desk.configure(&peer(&hanging), "rate = 1.0\ndoubt_rate = 1.0");
    let mut command = desk.home.command(&["peer", "review", "--from", "logs"]);
    command.env("TERRAPHIM_API_KEY", "k").env("NO_PROXY", "127.0.0.1");
    let mut child = command.spawn().unwrap();
    hanging.wait_for(6, PATIENCE);
    let reviewed = || {
        let text = desk.good(&["peer", "review", "--dry-run"]);
        text.split(": ").nth(1).unwrap().split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    let end = std::time::Instant::now() + PATIENCE;
    while reviewed() < 5 {
        assert!(std::time::Instant::now() < end, "{} are in the ledger", reviewed());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(reviewed(), 5);
    // What follows asks about the rest alone.
    let good = Server::start(|_| answer(&verdict(5, "GO")));
    desk.configure(&peer(&good), "rate = 1.0\ndoubt_rate = 1.0");
    let rest = desk.good(&["peer", "review"]);
    assert!(rest.contains(&format!("{} of {} reviewed", 2 * EACH - 5, 2 * EACH - 5)), "{rest}");
    assert_eq!(good.requests().len(), 2 * EACH - 5);
}
