//! The demo to its end: its judge becomes READY, one of its boxes blocks, and is rolled back. All of it happens
//! below the demo's own data.

use crate::cli::{Home, Ran};
use crate::pty::Start;
use foureyes::domain::review::{Act, ContentHash, Label, Reviewer, Shown, Word};
use foureyes::domain::{RecordId, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

const CTRL_S: &str = "\x13";
/// When the demo begins, by its own clock.
const BEGINS: &str = "2026-11-25T07:10:00Z";

struct Demo {
    home: Home,
}

impl Demo {
    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&[&["--demo"], args].concat())
    }

    fn json(&self, schema: &str, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        assert!(ran.code < 3, "{args:?}: {}{}", ran.out, ran.err);
        crate::report::conforms(schema, &ran.out);
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Where the demo has all that is its own.
    fn dir(&self) -> PathBuf {
        let dirs = std::fs::read_dir(self.home.path().join("data/cache/demo")).unwrap().flatten();
        dirs.map(|entry| entry.path()).find(|path| path.is_dir()).unwrap()
    }

    fn ledger(&self) -> Ledger {
        Ledger::load(&DataDir::at(self.dir().join("foureyes"))).unwrap()
    }

    /// Labels as a sitting writes them, each as the content was planted; `moment` is in microseconds from the
    /// beginning of the demo.
    fn label(&self, who: &str, moment: i64, records: Vec<RecordId>) {
        let listed = self.run(&["records", "--json", "--days", "30"]).out;
        let rows = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let commits: HashMap<RecordId, String> = rows
            .filter_map(|row| Some((row["id"].as_str()?.parse().unwrap(), text(&row["commit"])?)))
            .collect();
        let truth = std::fs::read_to_string(self.dir().join("truth.jsonl")).unwrap();
        let truth = truth.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let words: HashMap<String, Word> = truth
            .filter_map(|line| {
                Some((text(&line["commit"])?, Word::from_name(line["truth"].as_str()?)?))
            })
            .collect();
        let label = |record: RecordId| {
            let word = commits.get(&record).and_then(|commit| words.get(commit)).copied();
            let word = word.unwrap_or(Word::Unsure);
            let shown = Some(Shown::Content(ContentHash([1; 32])));
            Label { blind: true, shown, ..Label::new(record, word) }
        };
        let labels = records.into_iter().map(label).collect();
        let at = Timestamp(Timestamp::parse(BEGINS).unwrap().0 + moment);
        let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
        self.ledger().append(&by, fresh_id(at), at, &Act::Labels { labels, import: None }).unwrap();
    }

    /// Does what the demo's steps say, with a second person for the second words.
    fn make_ready(&self) {
        let waive =
            ["gate", "waive", "fingerprint", "--reason", "compared", "--until", "2026-12-25"];
        assert_eq!(self.run(&waive).code, 0);
        let report = self.json("readiness", &["readiness"]);
        let missing = report["days"].as_array().unwrap().iter();
        let missing = missing.flat_map(|day| day["missing"].as_array().unwrap());
        let missing = missing.map(|id| id.as_str().unwrap().parse().unwrap()).collect();
        self.label("anna", 0, missing);
        let present = self.ledger().present(Timestamp(Timestamp::parse(BEGINS).unwrap().0 + 1));
        let given = present.labels.into_values().flatten();
        self.label("bert", 1, given.map(|given| given.label.record).collect());
        let report = self.json("readiness", &["readiness"]);
        assert_eq!(report["result"], "ready", "{:#}", report["steps"]);
    }

    /// What the ledgers say of the modes of boxes: box, mode, and time.
    fn modes(&self) -> Vec<(String, String, Timestamp)> {
        let ledger = self.ledger();
        let entries = ledger.in_order(Timestamp(i64::MAX / 2)).into_iter();
        let mode = |entry: &foureyes::domain::review::Entry| match &entry.act {
            Act::Mode(set) => Some((set.box_name.clone(), set.mode.clone(), entry.time)),
            _ => None,
        };
        entries.filter_map(mode).collect()
    }
}

/// All files below a directory but those of the demo.
fn other_files(dir: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten().map(|entry| entry.path()) {
        match entry.is_dir() && !entry.is_symlink() {
            true if entry.ends_with("cache/demo") => {}
            true => found.extend(other_files(&entry)),
            false => drop(found.insert(entry)),
        }
    }
    found
}

#[test]
fn demo_ends_with_a_box_that_blocks_and_is_rolled_back() {
    let demo = Demo { home: Home::new() };
    // The configuration and the switch of this home are somebody's own.
    std::fs::create_dir_all(demo.home.path().join(".config/foureyes")).unwrap();
    demo.home.write(".config/foureyes/config.toml", "[judge]\nmodel = \"theirs\"\n");
    let refused = demo.json("hook-enable", &["box", "enable", "attic"]);
    assert_eq!(refused["state"], "refused");
    let before = other_files(demo.home.path());
    demo.make_ready();

    let enabled = demo.json("hook-enable", &["box", "enable", "attic"]);
    assert_eq!(enabled["state"], "blocking", "{enabled:#}");
    let steps = enabled["rehearsal"]["steps"].as_array().unwrap();
    assert!(steps.len() == 2 && steps.iter().all(|step| step["well"] == true), "{enabled:#}");
    let file = enabled["there"]["switch"]["report"]["blake3"].as_str().unwrap();
    assert_eq!(enabled["blake3"], file, "the box has the report");
    let checked = demo.json("box-check", &["box", "check", "attic"]);
    assert_eq!(
        (&checked["well"], &checked["there"]["mode"]["mode"]),
        (&true.into(), &"blocking".into())
    );
    let back = demo.json("hook-rollback", &["box", "rollback", "attic", "--reason", "tried"]);
    assert_eq!(back["there"]["mode"], "advisory");

    // The same with keys.
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mut session = Start::foureyes(&["--demo"])
        .env("HOME", &text(demo.home.path()))
        .env("PATH", "/usr/bin:/bin")
        .env("FOUREYES_DATA", &text(&demo.home.path().join("data")))
        .env("USER", "anna")
        .size(120, 40)
        .run();
    session.wait_for("Overview");
    session.press("5");
    session.wait_for("✔ READY");
    session.press("7");
    session.wait_for("cellar");
    session.press("E");
    session.wait_for("type the name of the box to confirm");
    session.type_text("attic");
    session.wait_for("ctrl-s: begin");
    session.press(CTRL_S);
    session.wait_for("switching for good");
    session.wait_for("● attic blocks, READY");
    let ended = |s: &vt100::Screen| s.contents().lines().any(|line| line.trim() == "done");
    session.wait_until("the end", ended);
    session.press("\x1b[27u");
    session.wait_for("[7 Boxes]");
    session.press("Z");
    session.wait_for("a reason is optional");
    session.type_text("attic");
    session.press(CTRL_S);
    session.wait_for("Roll a box back: attic");
    session.wait_until("the end", ended);
    session.wait_for("○ nothing blocks");
    session.press("\x1b[27u");
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);

    let modes = demo.modes();
    let said: Vec<&str> = modes.iter().map(|(_, mode, _)| mode.as_str()).collect();
    assert_eq!(said, ["blocking", "advisory", "blocking", "advisory"]);
    let begins = Timestamp::parse(BEGINS).unwrap();
    for (name, _, time) in &modes {
        assert_eq!(name, "attic");
        assert!(
            (begins.0..begins.0 + 3_600_000_000).contains(&time.0),
            "by the demo's clock: {time}"
        );
    }
    assert_eq!(other_files(demo.home.path()), before, "nothing but the demo's own data is touched");
}
