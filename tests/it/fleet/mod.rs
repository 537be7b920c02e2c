//! The store that operators share, on real servers.

mod assign;
mod content;
mod current;
mod faults;
mod folded;
mod gateway;
mod hostile;
mod later;
mod many;
mod parts;
mod publish;
mod reads;
mod records;
mod replies;
mod secrets;
mod servers;
mod setup;
mod tls;
mod usage;
mod wire;

use crate::cli::{Home, Ran};
use foureyes::collect::configured;
use foureyes::config::Config;
use foureyes::domain::Timestamp;
use foureyes::files::paths::DataDir;
use foureyes::fleet::{Nodes, SharedStore};
use foureyes::jsonl::Settings;
use foureyes::store::cache::Archive;
pub(crate) use records::logs;
use serde_json::Value;
pub(crate) use servers::{SHARED, Servers, database};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};

/// A day in the middle of the generated logs, which span three weeks and end with the present.
pub(crate) static MIDDLE: LazyLock<String> = LazyLock::new(|| {
    let day = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(14 * 24);
    day.strftime("%Y-%m-%d").to_string()
});

/// What all logs hold, each row once and in an order: two stores with the same knowledge give the same.
const ROWS: &str = "SELECT hex(file), byte, hex(id), head, box, line, len, ts, day, family, \
    outcome, cause, evaluation, escalation, reports_outages, unit, content, judge, round, run, role, \
    latency, semantic, pragmatic, syntactic, odd_score, hex(commit), hex(task), hex(author), hex(model), \
    hex(served_model), hex(verdict), hex(files), hex(findings), hex(terms), hex(mode), hex(reviewer), \
    hex(prompt), hex(consensus), hex(tier), hex(depth), judge_sha, format, prompt_tokens, \
    completion_tokens, hex(record)";

/// An operator with a configuration of their own.
pub(crate) struct Desk {
    pub(crate) home: Home,
    name: String,
}

impl Desk {
    /// One whose boxes are the directories below `boxes`, each with the logs of a box.
    pub(crate) fn new(name: &str, boxes: &Path, ports: &[u16], database: &str) -> Self {
        let home = Home::new();
        let desk = Self { home, name: name.to_owned() };
        desk.configure(boxes, ports, database, "user = \"default\"");
        desk
    }

    fn configure(&self, boxes: &Path, ports: &[u16], database: &str, more: &str) {
        let addresses: Vec<String> =
            ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect();
        self.configure_at(boxes, &addresses, database, more);
    }

    fn configure_at(&self, boxes: &Path, addresses: &[String], database: &str, more: &str) {
        let addresses: Vec<String> = addresses.iter().map(|one| format!("{one:?}")).collect();
        let mut config = format!(
            "[fleet]\naddresses = [{}]\ndatabase = \"{database}\"\n{more}\n[reviewer]\nname = {:?}\nmachine = \"desk\"\n",
            addresses.join(", "),
            self.name
        );
        let mut names: Vec<_> =
            std::fs::read_dir(boxes).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names {
            let name = path.file_name().unwrap().to_str().unwrap();
            let logs: Vec<String> =
                directories(&path).iter().map(|dir| format!("{dir:?}")).collect();
            config += &format!(
                "[[box]]\nname = \"{name}\"\nlocal = true\nlogs = [{}]\n",
                logs.join(", ")
            );
        }
        self.home.write("c.toml", config);
    }

    fn command(&self, args: &[&str]) -> Command {
        self.home.command(&[args, &["--config", "c.toml"]].concat())
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&[args, &["--config", "c.toml"]].concat())
    }

    pub(crate) fn good(&self, args: &[&str]) -> String {
        self.home.good(&[args, &["--config", "c.toml"]].concat())
    }

    /// A document that a command prints.
    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(&[args, &["--json"]].concat())).unwrap()
    }

    /// Its configuration.
    pub(crate) fn config(&self) -> Config {
        let text = std::fs::read(self.home.path().join("c.toml")).unwrap();
        foureyes::config::check(&text, Some(self.home.path())).0
    }

    /// The logs here, and those of the store, to be asked many things at once.
    fn archives(&self) -> (Archive, Archive) {
        let config = self.config();
        let settings = settings();
        let data = DataDir::at(self.home.path().join("data"));
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        let here = configured(&data, &config, now).open(&settings, &|_| {}).unwrap();
        // In parts that are small enough for there to be many.
        let nodes = Nodes::new(&config.fleet).unwrap().fetching(41);
        let store = SharedStore::open(nodes, settings).unwrap();
        (here, Archive::shared(Arc::new(store)))
    }

    /// Publishes, and gives what was sent.
    pub(crate) fn publish(&self) -> Value {
        self.json(&["fleet", "publish"])
    }
}

/// How logs are read by default.
pub(crate) fn settings() -> Settings {
    let terms = foureyes::thesaurus_files::load(None).thesaurus;
    Settings { thesaurus: Some(terms), ..Settings::default() }
}

/// The directories with logs in and below one.
fn directories(top: &Path) -> Vec<std::path::PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![top.to_owned()]);
    while let Some(dir) = left.pop() {
        let mut has_log = false;
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => left.push(path),
                false => has_log |= path.to_str().unwrap().contains(".jsonl"),
            }
        }
        found.extend(has_log.then_some(dir));
    }
    found.sort();
    found
}

/// Logs of the generator, with dirt, below `boxes`.
fn generated(home: &Home, records: u32, seed: u32) -> std::path::PathBuf {
    let (records, seed) = (records.to_string(), seed.to_string());
    home.good(&[
        "generate",
        "--out",
        "made",
        "--records",
        &records,
        "--dirt",
        "0.1",
        "--seed",
        &seed,
    ]);
    home.path().join("made/boxes")
}

/// All that a store holds, each row once and in an order.
fn rows(servers: &Servers, database: &str) -> String {
    let table = format!("{database}.occurrences");
    let logs =
        format!("(SELECT file, max(bytes) FROM {database}.files WHERE begun = 1 GROUP BY file)");
    let columns = ROWS.trim_start_matches("SELECT ");
    servers.ask(&format!(
        "{ROWS} FROM {table} WHERE upto = 0 OR (file, upto) GLOBAL IN {logs} \
         GROUP BY {columns} ORDER BY hex(file), byte, hex(id) FORMAT TabSeparated"
    ))
}
