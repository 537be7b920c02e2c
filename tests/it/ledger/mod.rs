//! Labels: the ledgers, the commands that write them, and the filters that read them.

mod audit;
mod backup;
mod commands;
mod exchange;
mod faults;
mod filters;
mod machines;
mod moved;
mod processes;
mod repeats;
mod runbook;
mod runs;
mod second_words;

use crate::cli::{Home, push};
use foureyes::domain::RecordId;
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{Act, Label, Word};
use serde_json::Value;
use std::path::PathBuf;

/// 2026-02-20T12:00:00Z.
const NOW: Timestamp = Timestamp(1_771_588_800_000_000);

fn record(n: u64) -> RecordId {
    RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes())
}

fn by(name: &str) -> Reviewer {
    Reviewer { name: name.to_owned(), machine: "desk".to_owned() }
}

fn label(n: u64, word: Word) -> Act {
    Act::Label(Label::new(record(n), word))
}

/// A home with logs, a configured reviewer, and the program to label them.
struct Desk {
    home: Home,
    /// Ids of the records, in the order of their commits.
    ids: Vec<String>,
}

impl Desk {
    fn new(records: u32) -> Self {
        let home = Home::new();
        let line = |n| push(n, &format!("2026-02-10T10:{:02}:00Z", n % 60), "NO-GO");
        home.write("logs/a.jsonl", (1..=records).map(line).collect::<String>());
        home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
        let mut desk = Self { home, ids: Vec::new() };
        let mut rows = desk.records("");
        rows.sort_by_key(|row| row["commit"].as_str().unwrap().to_owned());
        desk.ids = rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
        desk
    }

    fn args<'a>(args: &[&'a str]) -> Vec<&'a str> {
        let reads = ["records", "show"].contains(&args[0])
            || args[0] == "label"
                && !args.iter().any(|a| ["--export", "--undo", "--redo"].contains(a));
        let from: &[&str] = if reads { &["--from", "logs"] } else { &[] };
        [args, &["--config", "c.toml"], from].concat()
    }

    fn run(&self, args: &[&str]) -> crate::cli::Ran {
        self.home.run(&Self::args(args))
    }

    fn good(&self, args: &[&str]) -> String {
        self.home.good(&Self::args(args))
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(&[args, &["--json"]].concat())).unwrap()
    }

    fn records(&self, filter: &str) -> Vec<Value> {
        let listed = self.good(&["records", filter, "--json"]);
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The ids that a filter matches, in the order of their commits.
    fn found(&self, filter: &str) -> Vec<usize> {
        let rows = self.records(filter);
        let at = |row: &Value| self.ids.iter().position(|id| row["id"] == id.as_str()).unwrap();
        let mut found: Vec<usize> = rows.iter().map(at).collect();
        found.sort_unstable();
        found
    }

    fn ledgers(&self) -> PathBuf {
        self.home.path().join("data/ledger")
    }

    fn ledger(&self) -> PathBuf {
        self.ledgers().join("anna@desk.jsonl")
    }
}
