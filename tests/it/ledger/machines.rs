//! Exchanges between machines of one name, as host names repeat.

use crate::cli::{Home, Ran, push};
use std::path::Path;

/// A machine of a reviewer: its host name is that of all others here.
struct Machine {
    home: Home,
}

impl Machine {
    fn new(reviewer: &str, exchange: &Path, is_configured: bool) -> Self {
        let home = Home::new();
        let logs = home.path().join("logs");
        home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
        let mut config = format!(
            "[reviewer]\nname = {reviewer:?}\n[[box]]\nname = \"x\"\nlocal = true\nlogs = [{logs:?}]\n"
        );
        if is_configured {
            config += &format!("[exchange]\npath = {exchange:?}\n");
        }
        home.write("c.toml", config);
        Self { home }
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&[args, &["--config", "c.toml"]].concat())
    }

    fn good(&self, args: &[&str]) -> String {
        self.home.good(&[args, &["--config", "c.toml"]].concat())
    }

    fn ledgers(&self) -> Vec<String> {
        names(&self.home.path().join("data/ledger"))
    }

    /// Who labelled the record, and how.
    fn labels(&self) -> Vec<(String, String)> {
        let rows = self.good(&["label", "--export", "--json"]);
        let row = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            (text("reviewer"), text("label"))
        };
        let mut rows: Vec<_> = rows.lines().map(row).collect();
        rows.sort();
        rows
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".jsonl")).collect();
    names.sort();
    names
}

fn both() -> Vec<(String, String)> {
    [("anna", "poor"), ("bert", "acceptable")].map(|(a, b)| (a.into(), b.into())).to_vec()
}

#[test]
fn reviewers_of_one_host_name_exchange_labels() {
    let exchange = tempfile::tempdir().unwrap();
    let via = ["--via", exchange.path().to_str().unwrap()];
    let (anna, bert) = (
        Machine::new("anna", exchange.path(), false),
        Machine::new("bert", exchange.path(), false),
    );
    anna.good(&["label", "0000001", "poor"]);
    bert.good(&["label", "0000001", "acceptable"]);
    for machine in [&anna, &bert] {
        machine.good(&[&["ledger", "push"], &via[..]].concat());
    }
    for machine in [&bert, &anna] {
        machine.good(&[&["ledger", "pull"], &via[..]].concat());
        assert_eq!(machine.labels(), both());
    }
    // What came from elsewhere is neither pushed as one's own nor lost by a second pull.
    let pushed = bert.good(&[&["ledger", "push"], &via[..]].concat());
    assert!(pushed.contains("bert@") && !pushed.contains("anna@"), "{pushed}");
    anna.good(&["label", "0000001", "poor", "--again"]);
    anna.good(&[&["ledger", "push"], &via[..]].concat());
    let pulled = bert.good(&[&["ledger", "pull"], &via[..]].concat());
    assert!(pulled.contains("anna@") && pulled.contains("grown"), "{pulled}");
    // Whoever labels as Anna here does not write into her file.
    bert.good(&["label", "0000001", "unsure", "--reviewer", "anna"]);
    assert_eq!(bert.ledgers().iter().filter(|name| name.starts_with("anna@")).count(), 2);
}

#[test]
fn containers_of_one_image_write_under_names_of_their_own() {
    let exchange = tempfile::tempdir().unwrap();
    let container = || Machine::new("root", exchange.path(), true);
    let (first, second) = (container(), container());
    first.good(&["label", "0000001", "poor"]);
    first.good(&["ledger", "push"]);
    second.good(&["label", "0000001", "acceptable"]);
    second.good(&["ledger", "push"]);
    let there = names(exchange.path());
    assert_eq!(there.len(), 2, "{there:?}");
    first.good(&["ledger", "pull"]);
    second.good(&["ledger", "pull"]);
    assert_eq!((first.ledgers(), second.ledgers()), (there.clone(), there));
    // A name that was drawn is kept.
    second.good(&["label", "0000001", "poor", "--again"]);
    assert_eq!(second.ledgers().len(), 2);
}

#[test]
fn clones_that_write_under_one_name_are_refused_with_what_is_so() {
    let exchange = tempfile::tempdir().unwrap();
    let (original, clone) =
        (Machine::new("anna", exchange.path(), true), Machine::new("anna", exchange.path(), true));
    original.good(&["label", "0000001", "poor"]);
    let name = original.ledgers().pop().unwrap();
    let at = |machine: &Machine| machine.home.path().join("data/ledger").join(&name);
    std::fs::create_dir_all(at(&clone).parent().unwrap()).unwrap();
    std::fs::copy(at(&original), at(&clone)).unwrap();
    original.good(&["label", "0000001", "acceptable"]);
    clone.good(&["label", "0000001", "unsure"]);
    original.good(&["ledger", "push"]);
    let before = std::fs::read(exchange.path().join(&name)).unwrap();
    for (machine, direction) in [(&clone, "push"), (&clone, "pull")] {
        let kept = std::fs::read(at(machine)).unwrap();
        let refused = machine.run(&["ledger", direction]);
        assert_eq!(refused.code, 1, "{direction}: {}", refused.out);
        let said = refused.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("another machine writes under the same reviewer and name"), "{said}");
        assert!(!said.contains("copy it back"), "{said}");
        assert_eq!(std::fs::read(at(machine)).unwrap(), kept);
        assert_eq!(std::fs::read(exchange.path().join(&name)).unwrap(), before);
    }
}

#[test]
fn reviewers_of_one_machine_keep_apart_what_is_its_own_and_what_came() {
    let exchange = tempfile::tempdir().unwrap();
    let via = ["--via", exchange.path().to_str().unwrap()];
    let ledger =
        |machine: &Machine, what: &str| machine.good(&[&["ledger", what], &via[..]].concat());
    let desk = Machine::new("anna", exchange.path(), false);
    let far = Machine::new("dana", exchange.path(), false);
    let config = std::fs::read_to_string(desk.home.path().join("c.toml")).unwrap();
    desk.good(&["label", "0000001", "poor"]);
    far.good(&["label", "0000001", "acceptable"]);
    ledger(&far, "push");
    desk.home.write("c.toml", config.replace("anna", "bert"));
    ledger(&desk, "pull");
    desk.good(&["label", "0000001", "unsure"]);
    let pushed = ledger(&desk, "push");
    assert!(["anna@", "bert@"].iter().all(|name| pushed.contains(name)), "{pushed}");
    assert!(!pushed.contains("dana@"), "{pushed}");
    far.good(&["label", "0000001", "poor", "--again"]);
    ledger(&far, "push");
    desk.home.write("c.toml", config);
    let pulled = ledger(&desk, "pull");
    assert!(pulled.contains("dana@") && pulled.contains("grown"), "{pulled}");
}
