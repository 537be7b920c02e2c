//! What counts of the rows of the store, as parts of statements: each row once, of a log the row with the
//! most bytes of the last epoch, of its records what that row speaks of, and of the end of a log what was read with
//! those bytes. So what a publisher left who was ended in the middle counts nowhere.

use super::schema;
use super::spans::Span;
use super::sql::Names;

/// Logs, each once. One without a whole first line is known by directory and name until it has one: from
/// then on the other counts.
pub(super) fn files(names: &Names) -> String {
    files_of(names, ALL)
}

/// The order of the rows of a log: the first one counts. Where each record has a row of its own, that is known by
/// whoever had it unpacked.
pub(super) const TOP: &str =
    "file, epoch DESC, bytes DESC, repeated, gzip DESC, done DESC, digest DESC, name";

/// The condition that holds for all rows.
pub(super) const ALL: &str = "1";

/// The logs of rows that hold a condition, each once: there may be very many logs, and few of some days.
fn files_of(names: &Names, rows: &str) -> String {
    let table = names.table(schema::FILES.name);
    let own = match rows {
        ALL => String::new(),
        _ => {
            let places = names.table(schema::OCCURRENCES.name);
            format!("WHERE file GLOBAL IN (SELECT file FROM {places} WHERE {rows}) ")
        }
    };
    format!(
        "SELECT * FROM (SELECT * FROM {table} {own}ORDER BY {TOP} LIMIT 1 BY file) WHERE begun = 1 OR (box, stem) GLOBAL NOT IN \
         (SELECT box, stem FROM {table} WHERE begun = 1 AND stem GLOBAL IN \
         (SELECT stem FROM {table} WHERE begun = 0))"
    )
}

/// The order of places of records, the same as on one machine: by the name of the log, box, path, offset.
pub(super) const ORDER: &str = "base, box, name, byte";

/// The order in which places own a record, the same as on one machine.
const OWNERS: &str = "box, base, name, byte";

/// Places of records that count and hold a condition on their own columns: `columns`, with `id`, `at` (the
/// time, the lowest number where undated) and [`ORDER`]'s. A place may be there more than once. `days` is a
/// condition that holds for all of them, and for few others.
pub(super) fn places(names: &Names, columns: &str, condition: &str, days: &str) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    // Logs are looked up for their names: whether a row counts is seen there too.
    format!(
        "SELECT * FROM (SELECT id, ifNull(ts, toInt64({})) AS at, box, file, byte, upto{columns} FROM {table} \
         WHERE {condition}) AS p ANY LEFT JOIN ({}) AS l USING (file) WHERE {COUNTING}",
        i64::MIN,
        names_of(names, days)
    )
}

/// The names of logs, by their keys, and the last part of each as `base`.
pub(super) fn log_names(names: &Names) -> String {
    names_of(names, ALL)
}

fn names_of(names: &Names, rows: &str) -> String {
    format!(
        "SELECT file, name, arrayElement(splitByChar('/', name), -1) AS base, done, bytes FROM ({})",
        files_of(names, rows)
    )
}

/// Whether a record or a reject counts that stands beside its log of [`log_names`].
pub(super) const COUNTING: &str = "((upto = 0 AND byte < done) OR (upto != 0 AND upto = bytes))";

/// Records that hold a condition on their own columns, each once, at the place that owns it; `days` as for
/// [`places`].
pub(super) fn first_places(names: &Names, columns: &str, condition: &str, days: &str) -> String {
    let places = places(names, columns, condition, days);
    format!("SELECT * FROM ({places}) ORDER BY id, {OWNERS} LIMIT 1 BY id")
}

/// Whether a later one of the same unit replaces a record of [`first_places`] with `id`, `unit`,
/// `evaluation` and `cause`, which is no line of a run of a task: those are decided by `tasks`. All records
/// that are looked at are of a span.
pub(super) fn repeat(names: &Names, among: &Span) -> String {
    let superseded = superseded(names, among);
    format!(
        "((unit = 0 AND NOT {}) OR (unit != 0 AND evaluation != 0 AND id IN ({superseded})))",
        super::filter::no_judge()
    )
}

/// What is an evaluation of a push, or of a task without rounds.
pub(super) const EVALUATION: &str = "evaluation != 0 AND role = 0 AND unit != 0";

/// The ids of those that a later one of the same unit replaces. What is later is of the days from theirs on, so
/// none before are read; few units have more than one, so only those are compared.
fn superseded(names: &Names, among: &Span) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    let Span { days, onwards, .. } = among;
    let later = format!("{EVALUATION} AND {onwards}");
    let several = format!(
        "{later} AND unit GLOBAL IN (SELECT unit FROM {table} WHERE {later} AND unit GLOBAL IN \
         (SELECT unit FROM {table} WHERE {EVALUATION} AND {days}) \
         GROUP BY unit HAVING min(id) != max(id))"
    );
    let records = first_places(names, ", unit", &several, onwards);
    format!(
        "SELECT tupleElement(replaced, 5) FROM (SELECT arrayJoin(arrayPopBack(arraySort(groupArray(\
         tuple(at, base, name, byte, id))))) AS replaced FROM ({records}) GROUP BY box, unit)"
    )
}

/// The evaluations of those units that have several; `units` is a condition that holds for all records of a unit
/// or for none.
pub(super) fn of_several(names: &Names, units: &str) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    let own = format!("{EVALUATION} AND {units}");
    let several = format!(
        "{own} AND unit GLOBAL IN (SELECT unit FROM {table} WHERE {own} GROUP BY unit \
         HAVING min(id) != max(id))"
    );
    let places = first_places(names, ", unit, outcome", &several, ALL);
    format!("SELECT box, unit, at, base, name, byte, id, outcome FROM ({places})")
}

/// Contents with several verdicts that hold a condition; `contents` is one that holds for all records of a content
/// or for none.
pub(super) fn contents_of_several(names: &Names, condition: &str, contents: &str) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    format!(
        "SELECT content FROM {table} WHERE {condition} AND {contents} GROUP BY content \
         HAVING min(id) != max(id)"
    )
}

/// Whether no other record is of the task of a line of a run, so that nothing is decided of it and it counts
/// as any record does. `among` is a condition that holds for a line of each task that is looked at.
pub(super) fn lone(names: &Names, among: &str) -> String {
    format!("(unit != 0 AND unit GLOBAL NOT IN ({}))", several(names, among, "1"))
}

/// The tasks of which a line holds a condition and that have more than one record. `units` is a condition that
/// holds for all lines of a task or for none.
pub(super) fn several(names: &Names, among: &str, units: &str) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    let asked = match among {
        "1" => String::new(),
        _ => format!(
            " AND unit GLOBAL IN (SELECT unit FROM {table} WHERE role != 0 AND {units} AND ({among}))"
        ),
    };
    format!(
        "SELECT unit FROM {table} WHERE role != 0 AND {units}{asked} GROUP BY unit \
         HAVING min(id) != max(id)"
    )
}

/// The first half of an id, which is enough to tell records apart.
pub(super) const SHORT: &str = "toFixedString(substring(id, 1, 16), 16)";

/// Whether an occurrence counts, of those that hold a condition.
pub(super) fn counts(names: &Names, rows: &str) -> String {
    let settled = settled(names, &names.table(schema::OCCURRENCES.name), rows);
    format!("({settled} OR {})", ends(names, rows))
}

/// Whether an occurrence of a table counts that is read for good. Nearly all do: only logs of which the table has
/// more than the row that counts are looked at, one record after the other.
pub(super) fn settled(names: &Names, table: &str, rows: &str) -> String {
    let logs = format!("(SELECT file, done FROM ({})) AS l USING (file)", files_of(names, rows));
    let unfinished = format!(
        "SELECT file FROM (SELECT file, max(byte) AS last FROM {table} WHERE upto = 0 AND {rows} GROUP BY file) \
         AS p ANY LEFT JOIN {logs} WHERE last >= done"
    );
    format!(
        "(upto = 0 AND (file, byte) GLOBAL NOT IN (SELECT file, byte FROM (SELECT file, byte FROM {table} \
         WHERE upto = 0 AND {rows} AND file GLOBAL IN ({unfinished})) AS p ANY LEFT JOIN {logs} WHERE byte >= done))"
    )
}

/// Whether an occurrence counts that is at the end of a log.
pub(super) fn ends(names: &Names, rows: &str) -> String {
    let files = files_of(names, rows);
    format!("(upto != 0 AND (file, upto) GLOBAL IN (SELECT file, bytes FROM ({files})))")
}

/// Rejects that count with the names of their logs, to be selected from. One may be there more than once.
pub(super) fn rejects(names: &Names) -> String {
    format!(
        "(SELECT file, box, line, byte, len, reason, upto FROM {}) AS p ANY LEFT JOIN ({}) AS l USING (file) \
         WHERE {COUNTING}",
        names.table(schema::REJECTS.name),
        log_names(names)
    )
}

/// Records, each once: `id`, and whether it has no time.
pub(super) fn records(names: &Names) -> String {
    let table = names.table(schema::OCCURRENCES.name);
    let counts = counts(names, ALL);
    format!(
        "SELECT id, toUInt64(any(isNull(ts))) AS undated FROM {table} WHERE {counts} GROUP BY id"
    )
}
