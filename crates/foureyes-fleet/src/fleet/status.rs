//! How complete the store is.

use super::connection::Store;
use super::counts::{counts, places};
use super::error::{FleetError, Unanswered};
use super::fold;
use super::plan::{plan, rests};
use super::row_binary::{Columns, Torn};
use super::schema;
use super::{Known, Nodes};
use crate::domain::{Accounting, Timestamp};

/// What the store holds, over all operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetStatus {
    /// Addresses of the nodes that answered: at least one of each shard.
    pub nodes: Vec<String>,
    /// Replicas that cannot answer: nothing can be published.
    pub down: Vec<Unanswered>,
    /// The version of its tables.
    pub schema_version: u32,
    /// Where every line of every log went.
    pub accounting: Accounting,
    /// Places of records in logs, doubles among them.
    pub occurrences: u64,
    /// Distinct records without a usable time.
    pub undated: u64,
    /// Logs.
    pub files: u64,
    /// Boxes.
    pub boxes: u64,
    /// Entries of ledgers.
    pub entries: u64,
    /// The last publish of each operator.
    pub operators: Vec<LastPublish>,
    /// What this machine knows and the store does not.
    pub lag: Lag,
}

/// The last publish of an operator. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPublish {
    /// Who.
    pub name: String,
    /// On which machine.
    pub machine: String,
    /// The version of the program.
    pub program: String,
    /// When it ended, by the clock of that machine.
    pub ended: Timestamp,
    /// It read logs as this machine does, so that the same log has the same rows.
    pub same_reading: bool,
}

/// What this machine knows and the store does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lag {
    /// Logs of which the store has less.
    pub files: u64,
    /// Bytes of logs.
    pub bytes: u64,
    /// Places of records.
    pub occurrences: u64,
    /// Entries of ledgers.
    pub entries: u64,
}

/// Asks the store what it holds, and compares it with what this machine knows.
///
/// # Errors
/// A node that does not answer, a store of another version, or logs that cannot be read.
pub async fn status(nodes: Nodes, known: Known<'_>) -> Result<FleetStatus, FleetError> {
    let store = nodes.connect().await?.checked()?;
    let (mut accounting, files) = accounting(&store).await?;
    let counts = counts(&store).await?;
    // A log's own accounting counts doubles as records, as on one machine.
    accounting.duplicates = accounting.records.saturating_sub(counts.records);
    accounting.records = counts.records;
    Ok(FleetStatus {
        nodes: store.versions().into_iter().map(|(address, _)| address).collect(),
        down: store.survey().down.clone(),
        schema_version: schema::VERSION,
        accounting,
        occurrences: places(&store).await?,
        undated: counts.undated,
        files,
        boxes: count(&store, "box", &schema::BOXES).await?,
        entries: count(&store, "hash", &schema::ENTRIES).await?,
        operators: operators(&store, &known.archive.reading()).await?,
        lag: lag(&store, known).await?,
    })
}

pub(super) async fn accounting(store: &Store) -> Result<(Accounting, u64), FleetError> {
    let select = format!(
        "SELECT toUInt64(sum(lines)), toUInt64(sum(split)), toUInt64(sum(records)), \
         toUInt64(sum(rejected)), toUInt64(sum(incomplete)), toUInt64(sum(joined)), \
         toUInt64(sum(blank)), toUInt64(sum(foreign_lines)), toUInt64(count()) FROM ({})",
        fold::files(store.names())
    );
    let read = |row: &mut Columns<'_>| Ok((lines(row)?, row.u64()?));
    let rows = store.rows("count the lines of logs", &select, read).await?;
    Ok(rows.into_iter().next().unwrap_or_default())
}

/// The counts of lines, in the order in which every statement selects them. Doubles are counted by whoever
/// knows all records.
pub(super) fn lines(row: &mut Columns<'_>) -> Result<Accounting, Torn> {
    Ok(Accounting {
        lines: row.u64()?,
        split: row.u64()?,
        records: row.u64()?,
        rejected: row.u64()?,
        incomplete: row.u64()?,
        joined: row.u64()?,
        blank: row.u64()?,
        foreign: row.u64()?,
        duplicates: 0,
    })
}

async fn count(store: &Store, column: &str, table: &schema::Table) -> Result<u64, FleetError> {
    let table = store.names().table(table.name);
    let select = format!("SELECT toUInt64(uniqExact({column})) FROM {table}");
    let rows = store.rows("count rows", &select, |row| row.u64()).await?;
    Ok(rows.into_iter().next().unwrap_or_default())
}

async fn operators(store: &Store, reading: &str) -> Result<Vec<LastPublish>, FleetError> {
    let select = format!(
        "SELECT operator, machine, argMax(program, ended), toInt64(max(ended)), \
         argMax(reading, ended) FROM {} \
         GROUP BY operator, machine ORDER BY operator, machine",
        store.names().table(schema::PUBLISHES.name)
    );
    let read = |row: &mut Columns<'_>| {
        Ok(LastPublish {
            name: row.text()?,
            machine: row.text()?,
            program: row.text()?,
            ended: Timestamp(row.i64()?),
            same_reading: row.text()? == reading,
        })
    };
    store.rows("ask who published", &select, read).await
}

async fn lag(store: &Store, known: Known<'_>) -> Result<Lag, FleetError> {
    let plan = plan(store, known, false).await?;
    let files = known.archive.files();
    let bytes = plan.behind.iter().map(|behind| {
        files.get(behind.file).map_or(0, |file| file.bytes.saturating_sub(behind.bytes))
    });
    let mut records = 0;
    for group in plan.groups(known.archive) {
        let occurrences = plan.occurrences(known.archive, group.clone())?;
        let rests = rests(store, known.archive, &plan, group, &occurrences, false).await?;
        records += rests.iter().map(|rest| rest.settled.len() + rest.tail.len()).sum::<usize>();
    }
    Ok(Lag {
        files: plan.behind.len() as u64,
        bytes: bytes.sum(),
        occurrences: records as u64,
        entries: plan.entries.len() as u64,
    })
}
