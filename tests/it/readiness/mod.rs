//! The gate from logs and ledgers to a report: the command, its forms, its proof.

mod attacks;
mod calibration;
mod clusters;
mod damage;
mod drift;
mod exposures;
mod forms;
mod golden;
mod looks;
mod natural;
mod parts;
mod planted;
mod policies;
mod risk;
mod rules;
mod stated;
mod verify;
mod watch;
mod window;
mod words;

use crate::cli::{Home, Ran};
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{
    Act, AuditRate, ContentHash, EntryId, Label, Seed, Shown, WindowStart, Word,
};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// Thresholds that the generated judge keeps, and waivers of its change of model and of a census that
/// is imported. Half of the generated records carry no latency.
const LENIENT: &str = "\
[policy]
false_positive = \"fpr\"
false_positive_below = 0.15
false_negative_below = 0.15
hook_timeout_s = 25
[[policy.waivers]]
what = \"fingerprint\"
name = \"Ada\"
reason = \"the provider renamed its model\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"stated_alone\"
name = \"Ada\"
reason = \"the planted truth is imported\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"labels_elsewhere\"
name = \"Ada\"
reason = \"lines are torn that have labels\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"double_labels_missing\"
name = \"Ada\"
reason = \"the planted truth is imported once\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"blind_share\"
name = \"Ada\"
reason = \"imported labels only state that they are blind\"
until = \"2200-01-01\"
";

/// So many days ago, `YYYY-MM-DD`.
fn day(ago: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as i64;
    Timestamp(now - ago * 86_400_000_000).day_text()
}

/// The beginning of the day so many days ago.
fn midnight(ago: i64) -> Timestamp {
    Timestamp::parse_day(&day(ago)).unwrap()
}

/// A record that may be labelled, with what is true of it.
#[derive(Clone)]
struct Truth {
    id: String,
    commit: String,
    time: String,
    day: String,
    outcome: String,
    truth: String,
}

/// A home with generated logs of 21 days, and the truth of each push evaluation.
pub(crate) struct World {
    home: Home,
    truth: Vec<Truth>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::judged_by(None)
    }

    /// The same, where one prompt was used and one model answered all the time, if that is said.
    pub(crate) fn judged_by(judge: Option<[&str; 2]>) -> Self {
        let home = Home::new();
        home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
        home.write("nobody.toml", "");
        home.write("lenient.toml", LENIENT);
        let made = ["generate", "--records", "1600", "--dirt", "0", "--families", "push"];
        home.good(&[&made[..], &["--no-repository", "--seed", "7", "--out", "made"]].concat());
        if let Some([prompt, served]) = judge {
            rename(&home, "prompt_sha", prompt);
            rename(&home, "served_model", served);
        }
        let mut world = Self { home, truth: Vec::new() };
        world.truth = world.read_truth();
        world
    }

    fn read_truth(&self) -> Vec<Truth> {
        let planted = std::fs::read_to_string(self.home.path().join("made/truth.jsonl")).unwrap();
        let line = |l: &str| -> (String, String) {
            let l: Value = serde_json::from_str(l).unwrap();
            let text = |key: &str| l[key].as_str().unwrap().to_owned();
            (text("commit"), text("truth"))
        };
        let planted: HashMap<String, String> = planted.lines().map(line).collect();
        let listed = self.home.good(&["records", "--json", "--from", "made/boxes"]);
        let rows = listed.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        let rows = rows.filter(|r| r["cause"] != "bypassed");
        rows.map(|r| Truth {
            id: r["id"].as_str().unwrap().to_owned(),
            commit: r["commit"].as_str().unwrap().to_owned(),
            time: r["timestamp"].as_str().unwrap().to_owned(),
            day: r["timestamp"].as_str().unwrap()[..10].to_owned(),
            outcome: r["outcome"].as_str().unwrap().to_owned(),
            truth: planted[r["commit"].as_str().unwrap()].clone(),
        })
        .collect()
    }

    fn args<'a>(args: &[&'a str]) -> Vec<&'a str> {
        let reads = ["calibration", "readiness", "triage"].contains(&args[0]) || args[0] == "label";
        let from: &[&str] = if reads { &["--from", "made/boxes"] } else { &[] };
        [args, &["--config", "c.toml"], from].concat()
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&Self::args(args))
    }

    fn good(&self, args: &[&str]) -> String {
        self.home.good(&Self::args(args))
    }

    /// Imports what `of` says of each record; `None` leaves it without a label.
    fn label(&self, file: &str, of: impl Fn(&Truth) -> Option<Value>) {
        let line = |t: &Truth| of(t).map(|label| format!("{label}\n"));
        self.home.write(file, self.truth.iter().filter_map(line).collect::<String>());
        self.good(&["label", "--import", file]);
    }

    /// Labels that a reviewer types on this program's screen, where the contents are shown.
    fn typed(&self, who: &str, of: impl Fn(&Truth) -> Option<Label>) -> EntryId {
        let labels: Vec<Label> = self.truth.iter().filter_map(of).collect();
        self.say(who, 0, &Act::Labels { labels, import: None })
    }

    /// Labels everything with the truth, as a census.
    pub(crate) fn label_all(&self) {
        self.label("all.jsonl", |t| Some(census(t, &t.truth)));
    }

    /// Lets the lenient policy hold for all of it: behind the window, before anything is labelled.
    pub(crate) fn lenient(&self) {
        self.good(&["gate", "set", "lenient.toml", "--from", &day(20)]);
    }

    /// Holds the judge to both rates of wrong blocks, which the generated one does not keep; before
    /// anything is labelled.
    pub(crate) fn both(&self) {
        self.home.write("both.toml", "[policy]\nfalse_positive = \"both\"\n");
        self.good(&["gate", "set", "both.toml", "--from", &day(20)]);
    }

    /// A window that was started on its first day, which is that of the first record.
    pub(crate) fn window(&self) {
        self.started(20, 20);
    }

    /// A window that was started so many days ago, with the day of so many days ago.
    fn started(&self, said: i64, from: i64) {
        self.say("anna", said, &Act::Window(WindowStart::new(midnight(from))));
    }

    /// The same as a version before windows shared anything wrote it.
    fn started_by_old(&self, said: i64, from: i64) {
        let start = WindowStart { rules: 0, ..WindowStart::new(midnight(from)) };
        self.say("anna", said, &Act::Window(start));
    }

    /// An entry that was written at the beginning of the day so many days ago, or now.
    fn say(&self, who: &str, ago: i64, act: &Act) -> EntryId {
        let mut ledger = Ledger::load(&DataDir::at(self.home.path().join("data"))).unwrap();
        let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        let at = if ago == 0 { now } else { midnight(ago) };
        ledger.append(&by, fresh_id(at), at, act).unwrap().entry
    }

    /// The home alone, with all that was made and said in it.
    pub(crate) fn into_home(self) -> Home {
        self.home
    }

    /// A rate that was set so many days ago, as a version did in which every rate could reach back.
    fn rated(&self, rate: f64, ago: i64) {
        let (from, seed) = (midnight(ago), Some(Seed([4; 32])));
        let rate = AuditRate {
            family: Default::default(),
            from,
            stratum: None,
            rate,
            seed,
            withheld: false,
            forward: false,
        };
        self.say("anna", ago, &Act::Rate(rate));
    }

    /// The report, with the exit code it must have. Nobody looks at it, as far as ledgers tell: so
    /// entries of earlier days may still be written.
    fn report(&self, code: i32, more: &[&str]) -> Value {
        let args = [&["readiness", "--json"][..], more, &["--from", "made/boxes"]].concat();
        let ran = self.home.run(&[&args[..], &["--config", "nobody.toml"]].concat());
        assert_eq!(ran.code, code, "{}\n{}", ran.err, ran.out);
        crate::report::conforms("readiness", &ran.out);
        serde_json::from_str(&ran.out).unwrap()
    }
}

/// Has each record that has this field have this text in it.
fn rename(home: &Home, field: &str, to: &str) {
    let named = format!("\"{field}\":\"");
    for of in ["attic", "cellar"] {
        let dir = home.path().join(format!("made/boxes/{of}/.openclaw/judge-verdicts"));
        for file in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            let mut parts = text.split(&named);
            let first = parts.next().unwrap_or_default().to_owned();
            let renamed = parts.fold(first, |text, part| {
                let rest = part.split_once('"').unwrap().1;
                format!("{text}{named}{to}\"{rest}")
            });
            std::fs::write(&file, renamed).unwrap();
        }
    }
}

/// A label of a census that was given blind.
fn census(t: &Truth, word: &str) -> Value {
    json!({"record": t.id, "label": word, "selection": "census", "blind": true})
}

/// A label that was typed where the content was shown without its verdict.
fn seen(t: &Truth, word: &str) -> Label {
    let shown = Some(Shown::Content(ContentHash([1; 32])));
    let word = Word::from_name(word).unwrap();
    Label { blind: true, shown, ..Label::new(t.id.parse().unwrap(), word) }
}

/// The row of a KPI.
fn kpi<'a>(report: &'a Value, id: &str) -> &'a Value {
    report["kpis"].as_array().unwrap().iter().find(|k| k["id"] == id).unwrap()
}

/// Tells whether the report has a caveat or a block of that name.
fn names(report: &Value, list: &str, id: &str) -> bool {
    report[list].as_array().unwrap().iter().any(|c| c["id"] == id)
}

const LENIENT_FILE: &[&str] = &["--policy", "lenient.toml"];
