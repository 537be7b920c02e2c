//! The steps from one version of the tables to the next. A new column of a table is a line of [`added`], wherever it
//! stands among the steps.

use super::replicas::Replica;
use super::schema::{ARRIVALS, FILES, TABLES, Table, VERSION};
use super::sql::{self, Names};

/// The tables that a step makes.
fn made(version: u32) -> &'static [&'static Table] {
    match version {
        1 => &TABLES,
        2 => &[&ARRIVALS],
        _ => &[],
    }
}

/// The columns that a step adds to tables of earlier ones.
fn added(version: u32) -> &'static [(&'static Table, &'static [&'static str])] {
    match version {
        3 => &[(&FILES, &["foreign_lines", "digest", "epoch", "repeated", "unkept"])],
        _ => &[],
    }
}

/// What leads to a version from the one before it.
pub(super) struct Step {
    /// Statements that may run however often.
    pub(super) tables: Vec<String>,
    /// Columns that are added where they are not there.
    pub(super) columns: Vec<Added>,
    /// How many columns of this step and those before must be there then; asked for by [`Step::count`].
    pub(super) all: u64,
    /// The statement that counts these.
    pub(super) count: String,
}

/// A column that is added.
pub(super) struct Added {
    /// The statement that tells how many there are of it: 0 or 1.
    pub(super) count: String,
    /// The statement that adds it.
    pub(super) statement: String,
}

/// The step to a version, on a node or the replica that it is. A table of a step has all columns of this
/// program, so one that adds columns finds them where the store is new.
pub(super) fn step(version: u32, names: &Names, replica: Option<Replica>) -> Step {
    let tables = made(version).iter().flat_map(|table| create(table, names, replica)).collect();
    let columns =
        added(version).iter().flat_map(|(table, names)| names.iter().map(move |n| (*table, *n)));
    let columns = columns.flat_map(|(table, column)| add(table, column, names)).collect();
    let (mut all, mut asked) = (0, Vec::new());
    for table in (1..=version).flat_map(made) {
        let later = (version + 1..=VERSION).flat_map(added).filter(|(of, _)| of.name == table.name);
        let later: Vec<&str> = later.flat_map(|(_, names)| names.iter().copied()).collect();
        let due = table.columns.iter().map(|(name, _)| *name).filter(|name| !later.contains(name));
        let due: Vec<String> = due.map(sql::text).collect();
        all += 2 * due.len() as u64;
        let both = [format!("{}_local", table.name), table.name.to_owned()].map(sql::text);
        asked.push(format!("(table IN ({}) AND name IN ({}))", both.join(","), due.join(",")));
    }
    let count = format!(
        "SELECT toUInt64(count()) FROM system.columns WHERE database = {} AND ({})",
        sql::text(&names.database),
        asked.join(" OR ")
    );
    Step { tables, columns, all, count }
}

/// Adds a column to a table, first to the part of it on the node.
fn add(table: &Table, column: &str, names: &Names) -> Vec<Added> {
    let kind = table.columns.iter().find(|(name, _)| *name == column).map(|(_, kind)| *kind);
    let tables = [format!("{}_local", table.name), table.name.to_owned()];
    let of = |kind: &str, name: &String| Added {
        count: format!(
            "SELECT toUInt64(count()) FROM system.columns WHERE database = {} AND table = {} AND name = {}",
            sql::text(&names.database),
            sql::text(name),
            sql::text(column)
        ),
        statement: format!("ALTER TABLE {}.{name} ADD COLUMN {column} {kind}", names.database),
    };
    kind.map_or_else(Vec::new, |kind| tables.iter().map(|name| of(kind, name)).collect())
}

fn create(table: &Table, names: &Names, replica: Option<Replica>) -> [String; 2] {
    let mut columns: Vec<String> =
        table.columns.iter().map(|(name, kind)| format!("{name} {kind}")).collect();
    let now = "Int64 DEFAULT toInt64(now()) * 1000000";
    columns.extend(table.stamped.map(|name| format!("{name} {now}")));
    let columns = columns.join(", ");
    let Names { database, cluster } = names;
    let Table { name, order, shard, .. } = table;
    let engine = replica
        .map_or_else(|| "ReplacingMergeTree()".to_owned(), |replica| replica.engine(names, name));
    [
        format!(
            "CREATE TABLE IF NOT EXISTS {} ({columns}) ENGINE = {engine} ORDER BY {order}",
            names.part(name)
        ),
        format!(
            "CREATE TABLE IF NOT EXISTS {} ({columns}) \
             ENGINE = Distributed({cluster}, {database}, {name}_local, {shard})",
            names.table(name)
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_its_step() {
        let names = Names { database: "d".into(), cluster: "c".into() };
        let statements = |version| {
            let Step { tables, columns, .. } = step(version, &names, None);
            tables.len() + columns.len()
        };
        assert!((1..=VERSION).all(|version| statements(version) > 0));
        assert_eq!(statements(VERSION + 1), 0);
    }

    #[test]
    fn columns_of_later_steps_are_not_due_before() {
        let names = Names { database: "d".into(), cluster: "c".into() };
        let due = |version| step(version, &names, None).all;
        assert_eq!(due(2) - due(1), 2, "arrivals");
        for version in 3..=VERSION {
            let columns: usize = added(version).iter().map(|(_, names)| names.len()).sum();
            assert_eq!(due(version) - due(version - 1), 2 * columns as u64);
        }
        let all: usize = TABLES.iter().chain([&&ARRIVALS]).map(|table| table.columns.len()).sum();
        assert_eq!(due(VERSION), 2 * all as u64);
        let first = &step(3, &names, None).columns[0].statement;
        assert_eq!(first, "ALTER TABLE d.files_local ADD COLUMN foreign_lines UInt64");
    }

    #[test]
    fn every_table_of_rows_is_copied_to_replicas() {
        let names = Names { database: "d".into(), cluster: "c".into() };
        let replica = Some(Replica { shard: 2, number: 1 });
        let all = (1..=VERSION).flat_map(|version| step(version, &names, replica).tables);
        let (parts, whole): (Vec<String>, Vec<String>) =
            all.partition(|one| one.contains("_local ("));
        assert_eq!((parts.len(), whole.len()), (TABLES.len() + 1, TABLES.len() + 1));
        assert!(parts.iter().all(|one| one.contains(" ENGINE = ReplicatedReplacingMergeTree('")));
        assert!(parts.iter().all(|one| one.contains("/c/d/2/") && one.contains(", '1') ORDER BY")));
    }
}
