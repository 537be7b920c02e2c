//! Overrides: kept here, and written to boxes. And ledgers that are exchanged.

mod exchange;
mod faults;
mod local;
mod many;
mod order;
mod remote;
mod undo;

use crate::cli::{Home, Ran, push};
use crate::pull::{Lab, whoami};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A day whose records every test reads.
const DAY: &str = "2026-02-10T10:00:00Z";

/// A task verdict.
fn task(id: &str, verdict: &str) -> String {
    format!(
        "{{\"task_id\":\"{id}\",\"model\":\"m\",\"mode\":\"quick\",\"verdict\":\"{verdict}\",\"timestamp\":\"{DAY}\",\"round\":1}}\n"
    )
}

/// A home whose one box is a directory of this machine or a real sshd.
struct Bench {
    home: Home,
    /// Holds `logs` and `overrides`, of the box.
    there: PathBuf,
    config: String,
}

const REVIEWER: &str = "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n";

fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_str().unwrap())
}

impl Bench {
    fn local() -> Self {
        let home = Home::new();
        let there = home.path().to_owned();
        let config = format!(
            "{REVIEWER}[[box]]\nname = \"here\"\nlocal = true\nlogs = [{}, {}]\noverrides = {}\n",
            quoted(&there.join("logs")),
            quoted(&there.join("overrides")),
            quoted(&there.join("overrides")),
        );
        Self { home, there, config }.begun()
    }

    /// The box is a lab's, behind a port.
    fn remote(lab: &Lab, port: u16) -> Self {
        let at = |name: &str| quoted(&lab.at(name));
        let config = format!(
            "{REVIEWER}[pull]\nconnect_timeout_s = 10\nidle_timeout_s = 10\n[[box]]\nname = \"box\"\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {port}\nssh_config = {}\nidentity = {}\nknown_hosts = {}\nlogs = [{}, {}]\noverrides = {}\n",
            whoami(),
            at("ssh_config"),
            at("key"),
            at("known_hosts"),
            at("logs"),
            at("overrides"),
            at("overrides"),
        );
        let there = lab.dir.path().to_owned();
        let bench = Self { home: Home::new(), there, config }.begun();
        bench.good(&["pull"]);
        bench
    }

    fn begun(self) -> Self {
        let line = |n| push(n, DAY, "NO-GO");
        self.put("logs/a.jsonl", &(1..=5).map(line).collect::<String>());
        self.put("logs/verdicts.jsonl", &(task("t-1", "reject") + &task("t-2", "improve")));
        self.home.write("c.toml", &self.config);
        self
    }

    /// The same box behind another port.
    fn at_port(&self, old: u16, new: u16) {
        self.home
            .write("c.toml", self.config.replace(&format!("= {old}\n"), &format!("= {new}\n")));
    }

    fn at(&self, name: &str) -> PathBuf {
        self.there.join(name)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_default()
    }

    fn args<'a>(args: &[&'a str]) -> Vec<&'a str> {
        [args, &["--config", "c.toml"]].concat()
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&Self::args(args))
    }

    fn good(&self, args: &[&str]) -> String {
        self.home.good(&Self::args(args))
    }

    fn json(&self, args: &[&str]) -> Value {
        let text = self.good(&[args, &["--json"]].concat());
        crate::report::conforms("override", &text);
        serde_json::from_str(&text).unwrap()
    }

    /// The id of the record of a commit.
    fn id(&self, commit: u32) -> String {
        let rows = self.good(&["records", &format!("commit:{commit:07x} family:push"), "--json"]);
        let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        row["id"].as_str().unwrap().to_owned()
    }

    fn found(&self, filter: &str) -> usize {
        self.good(&["records", filter, "--json"]).lines().count()
    }

    fn status(&self) -> Value {
        self.json(&["override"])
    }

    /// The states of all overrides, in their order.
    fn states(&self) -> Vec<String> {
        let status = self.status();
        let all = status["overrides"].as_array().unwrap().iter();
        all.map(|one| one["state"].as_str().unwrap().to_owned()).collect()
    }

    fn ledger(&self) -> String {
        let path = self.home.path().join("data/ledger/anna@desk.jsonl");
        std::fs::read_to_string(path).unwrap_or_default()
    }
}
