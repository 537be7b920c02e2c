//! What the shared store holds, and what was sent to it, as documents.

use crate::domain::{Accounting, Timestamp};
use crate::fleet::{FleetStatus, LastPublish, Published, Unanswered};
use crate::page::number::age;
use crate::report::{PlainOrJson, counted};
use crate::store::cache::Lacking;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// What was published.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PublishDocument {
    /// `foureyes/fleet-publish/1`.
    schema: &'static str,
    /// Places of records in logs that were sent, duplicates among them.
    occurrences: u64,
    /// Logs of which the store had less.
    files: u64,
    /// Logs in all.
    known_files: u64,
    /// Pieces that are no record.
    rejects: u64,
    /// Entries of ledgers that were sent.
    entries: u64,
    /// Entries of ledgers in all.
    known_entries: u64,
    /// Boxes whose state was sent.
    boxes: u64,
    /// Logs that took the place of rows whose own records the store does not have.
    superseded: u64,
}

impl PublishDocument {
    /// Of what was sent.
    pub fn new(done: Published) -> Self {
        let Published { occurrences, files, known_files, rejects, entries, .. } = done;
        let Published { known_entries, boxes, superseded, .. } = done;
        Self {
            schema: "foureyes/fleet-publish/1",
            occurrences,
            files,
            known_files,
            rejects,
            entries,
            known_entries,
            boxes,
            superseded,
        }
    }
}

impl PlainOrJson for PublishDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let records = counted(self.occurrences, "record", "records");
        let files = counted(self.known_files, "log", "logs");
        writeln!(out, "published {records} from {} of {files}", self.files)?;
        writeln!(out, "published {}", counted(self.rejects, "reject", "rejects"))?;
        let entries = counted(self.known_entries, "ledger entry", "ledger entries");
        writeln!(out, "published {} of {entries}", self.entries)?;
        writeln!(out, "published the state of {}", counted(self.boxes, "box", "boxes"))?;
        if self.superseded > 0 {
            let logs = counted(self.superseded, "log", "logs");
            writeln!(out, "replaced what the store said of {logs}: it did not have their records")?;
        }
        Ok(())
    }
}

/// What the store holds.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusDocument {
    /// `foureyes/fleet-status/1`.
    schema: &'static str,
    /// Addresses of the nodes that answered: at least one of each shard.
    nodes: Vec<String>,
    /// Replicas that cannot answer. Until they can, nothing can be published.
    down: Vec<DownRow>,
    /// Version of the tables.
    schema_version: u32,
    /// Where every line of every log went: `lines + split = records + duplicates + rejected + foreign +
    /// incomplete + joined + blank`.
    #[schemars(with = "std::collections::BTreeMap<String, u64>")]
    accounting: Accounting,
    /// What logs say that they have, and the store does not.
    lacking: LackingRow,
    /// Places of records in logs, duplicates among them.
    occurrences: u64,
    /// Distinct records without a usable time.
    undated: u64,
    /// Logs.
    files: u64,
    /// Boxes.
    boxes: u64,
    /// Entries of ledgers.
    entries: u64,
    /// The last publish of each operator and machine.
    operators: Vec<OneOperator>,
    /// What this machine knows and the store does not.
    lag: LagRow,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DownRow {
    /// Its address.
    address: String,
    /// Why it cannot answer.
    why: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OneOperator {
    /// The name of the reviewer.
    name: String,
    /// The machine.
    machine: String,
    /// The version of the program.
    program: String,
    /// When its last publish ended, by its clock.
    #[schemars(with = "String", extend("format" = "date-time"))]
    published: Timestamp,
    /// Seconds since then.
    age_s: i64,
    /// It read logs as this machine does: with the same version of columns, aliases, limits and terms.
    same_reading: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LackingRow {
    /// Places of records.
    records: u64,
    /// Pieces that are no record.
    rejects: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LagRow {
    /// Logs of which the store has less.
    files: u64,
    /// Bytes of logs.
    bytes: u64,
    /// Places of records.
    occurrences: u64,
    /// Entries of ledgers.
    entries: u64,
}

impl StatusDocument {
    /// Of a status at a time.
    pub fn new(status: FleetStatus, now: Timestamp) -> Self {
        let operator = |last: LastPublish| OneOperator {
            age_s: now.seconds_since(last.ended).max(0),
            name: last.name,
            machine: last.machine,
            program: last.program,
            published: last.ended,
            same_reading: last.same_reading,
        };
        let lag = status.lag;
        let down = |one: Unanswered| DownRow { address: one.address, why: one.why };
        Self {
            schema: "foureyes/fleet-status/1",
            nodes: status.nodes,
            down: status.down.into_iter().map(down).collect(),
            schema_version: status.schema_version,
            accounting: status.accounting,
            lacking: LackingRow {
                records: status.lacking.records,
                rejects: status.lacking.rejects,
            },
            occurrences: status.occurrences,
            undated: status.undated,
            files: status.files,
            boxes: status.boxes,
            entries: status.entries,
            operators: status.operators.into_iter().map(operator).collect(),
            lag: LagRow {
                files: lag.files,
                bytes: lag.bytes,
                occurrences: lag.occurrences,
                entries: lag.entries,
            },
        }
    }
}

impl PlainOrJson for StatusDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let nodes: Vec<_> = self.nodes.iter().map(|node| visible(node)).collect();
        writeln!(out, "nodes       {} ({})", self.nodes.len(), nodes.join(", "))?;
        for DownRow { address, why } in &self.down {
            writeln!(out, "down        {} ({})", visible(address), visible(why))?;
            writeln!(out, "  its replicas answer, and nothing can be published until it is back")?;
        }
        writeln!(out, "schema      version {}", self.schema_version)?;
        let Accounting { records, duplicates, rejected, foreign, .. } = self.accounting;
        let duplicates = counted(duplicates, "duplicate", "duplicates");
        let rejected = counted(rejected, "reject", "rejects");
        write!(out, "records     {records}, {duplicates}, {rejected}")?;
        match foreign {
            0 => writeln!(out)?,
            n => writeln!(out, ", {} from other programs", counted(n, "line", "lines"))?,
        }
        let LackingRow { records, rejects } = self.lacking;
        let lacking = Lacking { records, rejects };
        if lacking != Lacking::default() {
            let (words, next) = (lacking.described(), "run `foureyes fleet publish --all`");
            writeln!(
                out,
                "  the store lacks {words} of its logs: {next} on each machine that has them"
            )?;
        } else if !self.accounting.balances() {
            writeln!(out, "  the accounting does not balance: run `foureyes fleet publish --all`")?;
        }
        let boxes = counted(self.boxes, "box", "boxes");
        writeln!(out, "logs        {} of {boxes}", self.files)?;
        writeln!(out, "ledgers     {}", counted(self.entries, "entry", "entries"))?;
        if self.operators.is_empty() {
            writeln!(out, "published   never")?;
        }
        for one in &self.operators {
            let (name, machine) = (visible(&one.name), visible(&one.machine));
            let (ago, program) = (age(one.age_s), visible(&one.program));
            writeln!(out, "published   {ago} by {name} on {machine} (version {program})")?;
            if !one.same_reading {
                let why = "with other aliases, limits or terms than here, or another version";
                writeln!(out, "  its logs were read {why}: figures may differ by who published")?;
            }
        }
        let LagRow { files, bytes, occurrences, entries } = self.lag;
        if (files, entries) == (0, 0) {
            return writeln!(out, "lag         none: the store has all that this machine knows");
        }
        let files = counted(files, "log", "logs");
        let (bytes, records) =
            (counted(bytes, "byte", "bytes"), counted(occurrences, "record", "records"));
        let entries = counted(entries, "ledger entry", "ledger entries");
        writeln!(out, "lag         {files} ({bytes}, {records}), {entries}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let publish = schemars::schema_for!(PublishDocument);
        crate::asset_tests::assert_bundled("fleet.schema.json", "fleet-publish", &publish);
        let status = schemars::schema_for!(StatusDocument);
        crate::asset_tests::assert_bundled("fleet.schema.json", "fleet-status", &status);
    }

    #[test]
    fn lag_and_texts_of_others_are_shown_safely() {
        let last = LastPublish {
            name: "an\u{1b}na".into(),
            machine: "desk".into(),
            program: "0.2.0".into(),
            ended: Timestamp(0),
            same_reading: false,
        };
        let status = FleetStatus {
            nodes: vec!["http://127.0.0.1:1".into()],
            down: vec![Unanswered {
                address: "http://127.0.0.1:2".into(),
                why: "sl\u{1b}ow".into(),
            }],
            schema_version: 1,
            accounting: Accounting { lines: 3, records: 2, duplicates: 1, ..Default::default() },
            lacking: Lacking { records: 1, rejects: 2 },
            occurrences: 3,
            undated: 0,
            files: 1,
            boxes: 1,
            entries: 0,
            operators: vec![last],
            lag: Default::default(),
        };
        let mut text = Vec::new();
        let document = StatusDocument::new(status, Timestamp(120_000_000));
        document.write_plain(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("records     2, 1 duplicate, 0 rejects\n"), "{text}");
        assert!(
            text.contains("  the store lacks 1 record and 2 rejects of its logs: run"),
            "{text}"
        );
        assert!(text.contains("2 min ago by an") && !text.contains('\u{1b}'), "{text}");
        assert!(text.contains("down        http://127.0.0.1:2 (sl"), "{text}");
        assert!(text.contains("lag         none"), "{text}");
        assert!(text.contains("its logs were read with other aliases"), "{text}");
    }
}
