//! How complete the store is.

use super::connection::Store;
use super::counts;
use super::error::{FleetError, Unanswered};
use super::plan::{plan, rests};
use super::row_binary::Columns;
use super::schema;
use super::{Known, Nodes};
use crate::domain::{Accounting, Timestamp};
use crate::store::cache::Lacking;

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
    /// What logs say that they have, and the store does not.
    pub lacking: Lacking,
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
    let whole = counts::whole(&store).await?;
    Ok(FleetStatus {
        nodes: store.versions().into_iter().map(|(address, _)| address).collect(),
        down: store.survey().down.clone(),
        schema_version: schema::VERSION,
        accounting: whole.accounting,
        lacking: whole.lacking,
        occurrences: whole.counts.places,
        undated: whole.counts.undated,
        files: whole.files,
        boxes: count(&store, "box", &schema::BOXES).await?,
        entries: count(&store, "hash", &schema::ENTRIES).await?,
        operators: operators(&store, &known.archive.reading()).await?,
        lag: lag(&store, known).await?,
    })
}

async fn count(store: &Store, column: &str, table: &schema::Table) -> Result<u64, FleetError> {
    let table = store.names().table(table.name);
    let select = format!("SELECT toUInt64(uniqExact({column})) FROM {table}");
    store.one("count rows", &select, |row| row.u64()).await
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
        let rests = rests(known.archive, &plan, group, &occurrences);
        records += rests.iter().map(|rest| rest.settled.len() + rest.tail.len()).sum::<usize>();
    }
    Ok(Lag {
        files: plan.behind.len() as u64,
        bytes: bytes.sum(),
        occurrences: records as u64,
        entries: plan.entries.len() as u64,
    })
}
