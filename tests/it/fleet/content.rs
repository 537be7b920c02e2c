//! Logs are compared by their content, what is half there counts nowhere, and what is gone has a name.

use super::{Desk, SHARED, database, generated};
use crate::cli::{Home, push};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A box with one log.
struct One {
    made: Home,
    desk: Desk,
    name: String,
}

/// A line of a log.
fn line(number: u32, verdict: &str) -> String {
    push(number, &format!("2026-02-10T10:{:02}:00Z", number % 60), verdict)
}

fn lines(numbers: std::ops::Range<u32>, verdict: &str) -> String {
    numbers.map(|number| line(number, verdict)).collect()
}

impl One {
    fn new(log: &str) -> Self {
        let (made, name) = (Home::new(), database());
        std::fs::create_dir_all(made.path().join("boxes/attic")).unwrap();
        std::fs::write(made.path().join("boxes/attic/a.jsonl"), log).unwrap();
        let desk = Desk::new("anna", &made.path().join("boxes"), &SHARED.ports, &name);
        desk.good(&["fleet", "init"]);
        Self { made, desk, name }
    }

    fn log(&self) -> PathBuf {
        self.made.path().join("boxes/attic/a.jsonl")
    }

    fn write(&self, log: &str) {
        std::fs::write(self.log(), log).unwrap();
    }

    /// Publishes; gives how many records the store has then, and how many of them are doubles. It lacks nothing, and
    /// the accounting balances.
    fn published(&self) -> [u64; 2] {
        self.desk.publish();
        let status = self.desk.json(&["fleet", "status"]);
        assert_eq!(status["lag"]["files"], 0, "{status}");
        self.balanced(&status)
    }

    fn balanced(&self, status: &Value) -> [u64; 2] {
        let of = |name: &str| status["accounting"][name].as_u64().unwrap();
        let right = ["records", "duplicates", "rejected", "incomplete", "joined", "blank"].map(of);
        assert_eq!(of("lines") + of("split"), right.iter().sum::<u64>(), "{status}");
        assert_eq!(status["lacking"], json!({"records": 0, "rejects": 0}), "{status}");
        [of("records"), of("duplicates")]
    }

    /// Runs a statement on both nodes.
    fn both(&self, statement: &str) {
        for node in [0, 1] {
            SHARED.sql(node, &statement.replace("{}", &self.name));
        }
    }

    /// How many rows of `files` a node finds.
    fn files(&self, node: usize) -> Vec<u8> {
        SHARED.sql(node, &format!("SELECT count() FROM {}.files", self.name))
    }

    /// Adds a row to `files`: a copy of the one in a database, with other values of some columns.
    fn forge(&self, from: &str, others: &[(&str, &str)]) {
        let columns = SHARED.ask(&format!(
            "SELECT name FROM system.columns WHERE database = '{}' AND table = 'files'",
            self.name
        ));
        let other = |name: &str| {
            others.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
        };
        let values: Vec<String> =
            columns.lines().map(|name| other(name).unwrap_or_else(|| name.to_owned())).collect();
        let before = self.files(0);
        SHARED.ask(&format!(
            "INSERT INTO {}.files ({}) SELECT {} FROM {from}.files",
            self.name,
            columns.lines().collect::<Vec<_>>().join(","),
            values.join(",")
        ));
        // A node keeps rows of the other one for a moment, and both are asked.
        let end = std::time::Instant::now() + crate::http::PATIENCE;
        while (0..2).any(|node| self.files(node) == before) {
            assert!(std::time::Instant::now() < end, "the row does not arrive");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

#[test]
fn log_that_went_on_in_another_way_is_published_beside_what_was_there() {
    let one = One::new(&lines(0..20, "GO"));
    assert_eq!(one.published(), [20, 0]);
    // Put back to ten lines, and gone on with others.
    let other = lines(0..10, "GO") + &lines(100..104, "NO-GO");
    one.write(&other);
    let lag = one.desk.json(&["fleet", "status"])["lag"].clone();
    assert_eq!((&lag["files"], &lag["occurrences"]), (&json!(1), &json!(14)), "{lag}");
    assert_eq!(one.published(), [24, 10], "what was published stays");
    assert_eq!(one.published(), [24, 10]);
    let flagged = one.desk.json(&["triage", "--fleet", "--days", "36500"]);
    assert_eq!(flagged["flagged_total"], 4, "{flagged}");
    // It outgrows what was there before, and becomes shorter than either.
    let longer = other.clone() + &lines(200..230, "GO");
    one.write(&longer);
    assert_eq!(one.published(), [54, 10]);
    one.write(&(lines(0..5, "GO") + &line(300, "NO-GO")));
    assert_eq!(one.published(), [55, 15]);
    // As long as the first to the byte, and other lines.
    one.write(&(lines(0..19, "GO") + &line(31, "GO")));
    assert_eq!(one.published()[0], 56);
    // The first again, which is there.
    one.write(&lines(0..20, "GO"));
    let before = one.desk.json(&["fleet", "status"]);
    assert_eq!(before["lag"]["files"], 0, "{before}");
    // Only a part of it: the store has all of that, and keeps the rest.
    one.write(&lines(0..7, "GO"));
    assert_eq!(one.desk.publish()["files"], 0);
    let everything = one.desk.json(&["fleet", "publish", "--all"]);
    assert_eq!(everything["files"], 1, "{everything}");
    assert_eq!(one.published()[0], 56);
}

#[test]
fn other_lines_that_are_no_records_are_another_content_too() {
    for (first, second) in [
        ("what is this\n", "and what is that\n"),
        ("\n\n", "{\"verdict\":\n"),
        ("{\"a\":1", "{\"a\":2"),
    ] {
        let one = One::new(&(lines(0..3, "GO") + first));
        one.published();
        one.write(&(lines(0..3, "GO") + second + &line(4, "GO")));
        let [records, _] = one.published();
        assert!((3..=5).contains(&records), "{records}");
        let again = one.desk.publish();
        assert_eq!(again["files"], 0, "{first:?}: {again}");
    }
}

#[test]
fn row_that_says_more_than_is_there_withholds_no_log() {
    let zeros = [("lines", "toUInt64(0)"), ("records", "toUInt64(0)"), ("rejected", "toUInt64(0)")];
    let long = ("bytes", "toUInt64(9000000000000000000)");
    let done = ("done", "toUInt64(9000000000000000000)");
    for (at, more) in
        [&[][..], &[("records", "toUInt64(5)")], &zeros[..], &[("epoch", "toUInt64(7)")]]
            .into_iter()
            .enumerate()
    {
        // Before anything of the log is there, and after.
        for published in [false, true] {
            let seed = One::new(&lines(0..20, "GO"));
            seed.published();
            let one = One::new(&lines(0..20, "GO"));
            if published {
                one.published();
            }
            one.forge(&seed.name, &[&[long, done][..], more].concat());
            one.write(&(lines(0..20, "GO") + &lines(40..44, "NO-GO")));
            assert_eq!(one.published()[0], 24, "{at}, {published}");
            let triage = one.desk.json(&["triage", "--fleet", "--days", "36500"]);
            assert_eq!(triage["flagged_total"], 4, "{at}, {published}: {triage}");
            assert_eq!(one.desk.publish()["files"], 0);
        }
    }
}

impl One {
    /// Waits until a question has that answer: a change of rows goes on behind its statement.
    fn until(&self, question: &str, answer: &str) {
        let end = std::time::Instant::now() + crate::http::PATIENCE;
        while SHARED.ask(&question.replace("{}", &self.name)) != answer {
            assert!(std::time::Instant::now() < end, "{question}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// What all commands say of the store, without times.
    fn figures(&self) -> Vec<Value> {
        let triage = self.desk.json(&["triage", "--fleet", "--days", "36500"]);
        let trend = self.desk.json(&["trend", "--fleet", "--days", "36500", "--by", "box"]);
        let records = self.desk.good(&["records", "--fleet", "--json"]);
        let status = self.desk.json(&["fleet", "status"]);
        let calls = self.desk.json(&["fleet", "usage", "--fleet", "--days", "36500"]);
        vec![
            triage["counts"].clone(),
            triage["flagged"].clone(),
            triage["rejects"].clone(),
            trend["buckets"].clone(),
            json!(records),
            status["accounting"].clone(),
            status["occurrences"].clone(),
            calls["rows"].clone(),
        ]
    }
}

#[test]
fn what_is_there_without_its_log_or_behind_its_end_counts_nowhere() {
    let first = lines(0..20, "GO") + "no record\n" + &lines(0..3, "GO");
    let one = One::new(&first);
    one.published();
    let before = one.figures();
    // Rows of a log that nothing says is there, and of the same log behind what its row says.
    for (table, file, byte) in [
        ("occurrences", "toFixedString('another log here', 16)", "byte"),
        ("occurrences", "file", "byte + 100000"),
        ("rejects", "toFixedString('another log here', 16)", "byte"),
        ("rejects", "file", "byte + 100000"),
    ] {
        let columns = SHARED.ask(&format!(
            "SELECT name FROM system.columns WHERE database = '{}' AND table = '{table}'",
            one.name
        ));
        let value = |name: &str| match name {
            "file" => file.to_owned(),
            "byte" => byte.to_owned(),
            // Other records, on the shard that they are on.
            "id" => "toFixedString(reverse(toString(id)), 32)".to_owned(),
            "head" if table == "occurrences" => "bitXor(head, 65536)".to_owned(),
            "outcome" => "toUInt8(1)".to_owned(),
            name => name.to_owned(),
        };
        let values: Vec<String> = columns.lines().map(value).collect();
        let columns: Vec<&str> = columns.lines().collect();
        SHARED.ask(&format!(
            "INSERT INTO {0}.{table} ({1}) SELECT {2} FROM {0}.{table}",
            one.name,
            columns.join(","),
            values.join(",")
        ));
        assert_eq!(one.figures(), before, "{table}, {file}, {byte}");
    }
    one.write(&(first + &line(50, "NO-GO")));
    assert_eq!(one.published(), [21, 3]);
}

#[test]
fn rows_that_are_gone_are_named_and_published_again() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 400, 23), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let whole = desk.json(&["fleet", "status"]);
    let all = whole["occurrences"].as_u64().unwrap();
    assert_eq!(whole["lacking"], json!({"records": 0, "rejects": 0}), "{whole}");
    for (tables, lost) in [
        (&["occurrences"][..], "records"),
        (&["rejects"], "rejects"),
        (&["occurrences", "rejects"], "records"),
    ] {
        for table in tables {
            SHARED.sql(1, &format!("TRUNCATE TABLE {name}.{table}_local"));
        }
        let status = desk.json(&["fleet", "status"]);
        let lacking = status["lacking"][lost].as_u64().unwrap();
        assert!(lacking > 0, "{status}");
        assert!(
            status["accounting"]["duplicates"].as_u64()
                <= whole["accounting"]["duplicates"].as_u64()
        );
        if lost == "records" {
            assert_eq!(status["occurrences"].as_u64().unwrap() + lacking, all, "{status}");
        }
        let words = desk.good(&["fleet", "status"]);
        assert!(
            words.contains(&format!("the store lacks {lacking} {}", &lost[..lost.len() - 1])),
            "{words}"
        );
        let triage = desk.json(&["triage", "--fleet", "--days", "36500"]);
        let caveat =
            triage["caveats"].as_array().unwrap().iter().find(|one| one["id"] == "unbalanced");
        let text = caveat.unwrap()["text"].as_str().unwrap();
        assert!(
            text.contains(&lacking.to_string()) && text.contains("fleet publish --all"),
            "{text}"
        );
        for command in ["readiness", "calibration", "trend"] {
            let ran = desk.run(&[command, "--fleet"]);
            let warning = format!("warning: the store lacks {lacking} {}", &lost[..lost.len() - 1]);
            assert!(ran.code < 3 && ran.err.contains(&warning), "{command}: {}", ran.err);
        }
        desk.json(&["fleet", "publish", "--all"]);
        let mended = desk.json(&["fleet", "status"]);
        assert_eq!(mended["accounting"], whole["accounting"], "{mended}");
    }
}

#[test]
fn record_that_cannot_be_read_is_named_and_keeps_nobody_from_the_others() {
    for bytes in ["{\"commit\":\"abc", "", "null"] {
        let one = One::new(&(lines(0..5, "GO") + &lines(5..9, "NO-GO")));
        one.published();
        let id = SHARED.ask(&format!(
            "SELECT lower(hex(id)) FROM {}.occurrences WHERE outcome = 1 ORDER BY id LIMIT 1",
            one.name
        ));
        one.both(&format!(
            "ALTER TABLE {{}}.occurrences_local UPDATE record = unhex('{}') WHERE lower(hex(id)) = '{id}'",
            bytes.bytes().map(|byte| format!("{byte:02x}")).collect::<String>()
        ));
        let hex = "SELECT uniqExact(record) FROM {}.occurrences WHERE lower(hex(id)) = '";
        one.until(&format!("{hex}{id}' AND length(record) = {}", bytes.len()), "1");
        let listed = one.desk.run(&["records", "--fleet", "--json"]);
        assert_eq!(listed.code, 0, "{}", listed.err);
        assert_eq!(listed.out.lines().count(), 8, "{}", listed.out);
        assert!(
            listed.err.contains(&id) && listed.err.contains("cannot be read"),
            "{}",
            listed.err
        );
        let triage = one.desk.json(&["triage", "--fleet", "--days", "36500"]);
        assert_eq!(triage["flagged_total"], 4, "{triage}");
        assert_eq!(triage["flagged"].as_array().unwrap().len(), 3, "{triage}");
        let caveats = triage["caveats"].to_string();
        assert!(
            caveats.contains("1 record of the store cannot be read and is not listed"),
            "{caveats}"
        );
        assert!(caveats.contains(&id[..12]), "{caveats}");
        let shown = one.desk.run(&["show", &id, "--fleet"]);
        assert!(shown.err.contains(&id), "{}", shown.err);
    }
}

/// Packs a text by a program of this machine.
fn packed(program: &str, text: &str) -> Vec<u8> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut run = Command::new(program);
    run.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}

#[test]
fn log_that_is_compressed_with_zstd_goes_on_from_what_was_published() {
    let one = One::new(&lines(0..8, "GO"));
    assert_eq!(one.published(), [8, 0]);
    let rotated = one.log().with_file_name("a.jsonl-20260211.zst");
    std::fs::write(rotated, packed("zstd", &lines(0..12, "GO"))).unwrap();
    std::fs::remove_file(one.log()).unwrap();
    assert_eq!(one.published(), [12, 0]);
}
