//! What counts of the rows of the store, as parts of statements: each row once, of a log the row with the
//! most bytes, and of the end of a log what was read with those bytes.

use super::schema;
use super::sql::Names;

/// Logs, each once. One without a whole first line is known by directory and name until it has one: from
/// then on the other counts.
pub(super) fn files(names: &Names) -> String {
    let table = names.table(schema::FILES.name);
    format!(
        "SELECT * FROM (SELECT * FROM {table} ORDER BY file, bytes DESC, gzip DESC, done DESC \
         LIMIT 1 BY file) WHERE begun = 1 OR (box, stem) GLOBAL NOT IN \
         (SELECT box, stem FROM {table} WHERE begun = 1)"
    )
}

/// Whether an occurrence or a reject counts.
fn counts(names: &Names) -> String {
    let files = files(names);
    format!("(upto = 0 OR (file, upto) GLOBAL IN (SELECT file, bytes FROM ({files})))")
}

/// Records, each once: `id`, in how many places, and whether it has no time.
pub(super) fn records(names: &Names) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    let counts = counts(names);
    format!(
        "SELECT id, toUInt64(count()) AS places, toUInt64(any(without)) AS undated FROM \
         (SELECT id, file, byte, any(isNull(ts)) AS without FROM {table} WHERE {counts} \
         GROUP BY id, file, byte) GROUP BY id"
    )
}
