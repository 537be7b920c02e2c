//! The tables of the store. `steps` has the way from one version of them to the next.
//!
//! Every table is a part on each node (`NAME_local`) and a name for all parts together. Rows are only ever
//! added. A row may be there more than once: whoever reads folds by what makes it one, so merges of the
//! engine save room and decide nothing.

use super::sql::Names;

/// The version of the tables that this program writes and reads.
pub(super) const VERSION: u32 = 3;

/// The table of versions. Each node has its own: a step may have failed on one of them.
pub(super) const VERSIONS: &str = "schema";

/// A table over all nodes.
pub(super) struct Table {
    /// Its name.
    pub(super) name: &'static str,
    /// Names and types of its columns, in the order in which rows are written.
    pub(super) columns: &'static [(&'static str, &'static str)],
    /// What makes rows one, in the order in which they are kept.
    pub(super) order: &'static str,
    /// Which node has a row.
    pub(super) shard: &'static str,
    /// A column that no writer fills: the server does, with its own time in microseconds since 1970.
    pub(super) stamped: Option<&'static str>,
}

impl Table {
    /// The names of its columns.
    pub(super) fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
    }
}

const KEY: &str = "FixedString(16)";
const ID: &str = "FixedString(32)";
const TEXT: &str = "String";
const TEXT_OR_NULL: &str = "Nullable(String)";
const SCORE: &str = "Nullable(Float32)";

/// Where records are in logs, and all that is read of them; rows of other logs decide nothing in it.
pub(super) const OCCURRENCES: Table = Table {
    name: "occurrences",
    columns: &[
        // The record.
        ("id", ID),
        ("head", "UInt64"),
        // Where it is: box, log, first line, first byte, length. `upto` is 0 for what is read for good, else
        // the length of the log at whose end it was read for the time being.
        ("box", TEXT),
        ("file", KEY),
        ("line", "UInt32"),
        ("byte", "UInt64"),
        ("len", "UInt32"),
        ("upto", "UInt64"),
        // Microseconds since 1970, and the day of it; the lowest number where undated.
        ("ts", "Nullable(Int64)"),
        ("day", "Int32"),
        // Codes and hashes of `frame::schema`.
        ("family", "UInt8"),
        ("outcome", "UInt8"),
        ("cause", "UInt8"),
        ("evaluation", "UInt8"),
        ("escalation", "UInt8"),
        ("reports_outages", "UInt8"),
        ("unit", "UInt64"),
        ("content", "UInt64"),
        ("judge", "UInt64"),
        ("round", "UInt32"),
        ("run", "UInt64"),
        ("role", "UInt8"),
        ("latency", "Nullable(Int64)"),
        ("semantic", SCORE),
        ("pragmatic", SCORE),
        ("syntactic", SCORE),
        ("odd_score", "UInt8"),
        // Texts of `frame::schema`, in its order.
        ("commit", TEXT_OR_NULL),
        ("task", TEXT_OR_NULL),
        ("author", TEXT_OR_NULL),
        ("model", TEXT_OR_NULL),
        ("served_model", TEXT_OR_NULL),
        ("verdict", TEXT_OR_NULL),
        ("files", TEXT_OR_NULL),
        ("findings", TEXT_OR_NULL),
        ("terms", TEXT_OR_NULL),
        ("mode", TEXT_OR_NULL),
        ("reviewer", TEXT_OR_NULL),
        ("prompt", TEXT_OR_NULL),
        ("consensus", TEXT_OR_NULL),
        ("tier", TEXT_OR_NULL),
        ("depth", TEXT_OR_NULL),
        // What else views of an organisation count.
        ("judge_sha", TEXT_OR_NULL),
        ("format", TEXT_OR_NULL),
        ("prompt_tokens", "Nullable(UInt64)"),
        ("completion_tokens", "Nullable(UInt64)"),
        // The bytes of the record.
        ("record", TEXT),
    ],
    order: "(day, head, id, box, file, byte, upto)",
    shard: "head",
    stamped: None,
};

/// How far logs were read, and where their lines went. Of a log the row with the highest epoch counts, and of
/// these that with the most bytes.
pub(super) const FILES: Table = Table {
    name: "files",
    columns: &[
        ("file", KEY),
        ("box", TEXT),
        ("name", TEXT),
        // Its directory and name without what rotation adds, and whether it has a whole first line: one that
        // has none is known by these alone, until it has.
        ("stem", TEXT),
        ("begun", "UInt8"),
        ("bytes", "UInt64"),
        // Bytes that are read for good.
        ("done", "UInt64"),
        ("gzip", "UInt8"),
        ("cut", "UInt8"),
        // Lines that do not follow the one before, with the places of the first, and lines of other writers
        // between those of the hook.
        ("broken_lines", "UInt64"),
        ("broken_at", TEXT),
        ("foreign_between", "UInt64"),
        // The accounting; doubles count as records here.
        ("lines", "UInt64"),
        ("split", "UInt64"),
        ("records", "UInt64"),
        ("rejected", "UInt64"),
        ("incomplete", "UInt64"),
        ("joined", "UInt64"),
        ("blank", "UInt64"),
        ("operator", TEXT),
        ("machine", TEXT),
        ("published", "Int64"),
        // Objects of other programs.
        ("foreign_lines", "UInt64"),
        // A hash of its bytes, unpacked; zeros where an earlier version published it. What contradicts a row whose
        // records are not there has the next epoch. Records that stand in the log again shortly after, and have
        // no row.
        ("digest", KEY),
        ("epoch", "UInt64"),
        ("repeated", "UInt64"),
        // Rejects that were counted only: of so many in one log no places are kept.
        ("unkept", "UInt64"),
    ],
    order: "(file, bytes, gzip, done, name)",
    shard: "cityHash64(file)",
    stamped: None,
};

/// Pieces of logs that are no record.
pub(super) const REJECTS: Table = Table {
    name: "rejects",
    columns: &[
        ("file", KEY),
        ("box", TEXT),
        ("line", "UInt64"),
        ("byte", "UInt64"),
        ("len", "UInt64"),
        ("upto", "UInt64"),
        ("reason", TEXT),
    ],
    order: "(file, byte, line, len, upto, reason)",
    shard: "cityHash64(file)",
    stamped: None,
};

/// How fresh the logs of a box were when an operator published them.
pub(super) const BOXES: Table = Table {
    name: "boxes",
    columns: &[
        ("box", TEXT),
        ("operator", TEXT),
        ("machine", TEXT),
        ("published", "Int64"),
        // `ok`, `stale` or `empty`, and when its logs were last known to be complete.
        ("state", TEXT),
        ("complete", "Nullable(Int64)"),
        ("error", TEXT_OR_NULL),
        // A JSON list of texts.
        ("notices", TEXT),
        ("clock_ahead", "Nullable(Int64)"),
    ],
    order: "(box, operator, machine, published)",
    shard: "cityHash64(box)",
    stamped: None,
};

/// Entries of ledgers, without the seeds of audit samples.
pub(super) const ENTRIES: Table = Table {
    name: "entries",
    columns: &[
        ("entry", KEY),
        ("hash", ID),
        // The hash of the entry before it, empty for the first; those of others that it names.
        ("prev", TEXT),
        ("seen", TEXT),
        // Its ledger, and its place in it, from 1.
        ("ledger", TEXT),
        ("place", "UInt64"),
        ("reviewer", TEXT),
        ("machine", TEXT),
        ("time", "Int64"),
        ("kind", TEXT),
        // A JSON document.
        ("body", TEXT),
    ],
    order: "(entry, hash, ledger, place)",
    shard: "cityHash64(entry)",
    stamped: None,
};

/// What was published when, by whom.
pub(super) const PUBLISHES: Table = Table {
    name: "publishes",
    columns: &[
        ("operator", TEXT),
        ("machine", TEXT),
        ("began", "Int64"),
        ("ended", "Int64"),
        ("program", TEXT),
        // How its logs were read: columns are the same only where this is.
        ("reading", TEXT),
        ("occurrences", "UInt64"),
        ("files", "UInt64"),
        ("entries", "UInt64"),
    ],
    order: "(operator, machine, ended, began)",
    shard: "cityHash64(operator, machine)",
    stamped: None,
};

/// When the store first received entries whose order its clock decides: those of assignments.
pub(super) const ARRIVALS: Table = Table {
    name: "arrivals",
    columns: &[("entry", KEY)],
    order: "(entry, arrived)",
    shard: "cityHash64(entry)",
    stamped: Some("arrived"),
};

/// Those of the first version.
pub(super) const TABLES: [&Table; 6] =
    [&OCCURRENCES, &FILES, &REJECTS, &BOXES, &ENTRIES, &PUBLISHES];

/// The statements that make the database and its table of versions on a node, however often they run.
pub(super) fn beginning(names: &Names) -> [String; 2] {
    [
        format!("CREATE DATABASE IF NOT EXISTS {}", names.database),
        format!(
            "CREATE TABLE IF NOT EXISTS {} (version UInt32, applied Int64, program String) \
             ENGINE = MergeTree() ORDER BY version",
            names.part(VERSIONS)
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_occurrences_are_those_of_the_frame_in_its_order() {
        let columns: Vec<&str> = OCCURRENCES.columns.iter().map(|(name, _)| *name).collect();
        let first = columns.iter().position(|name| *name == "commit").unwrap();
        let texts = crate::frame::schema::TEXTS;
        assert_eq!(columns[first..first + texts.len()], texts);
    }
}
