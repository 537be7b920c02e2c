//! Sending what the store lacks.

use super::connection::Store;
use super::error::FleetError;
use super::ledgers;
use super::plan::{Plan, plan, rests};
use super::row_binary::Rows;
use super::schema;
use super::write::{self, OfLog};
use super::{Known, Nodes, Operator};
use crate::domain::{RejectRow, Timestamp};
use crate::store::cache::{Collection, FileReport, Occurrence};
use std::collections::HashMap;
use std::ops::Range;
use tokio::task::JoinHandle;

/// Records that are sent at once, at most.
const RECORDS: u64 = 20_000;
/// Bytes after which no more are added.
const BYTES: usize = 32 << 20;
/// Records that are read at once.
const READ: usize = 10_000;
/// Rejects and logs that are sent at once.
const SMALL: u64 = 20_000;

/// What was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Published {
    /// Records where they are in logs, doubles among them.
    pub occurrences: u64,
    /// Logs of which the store had less.
    pub files: u64,
    /// Logs in all.
    pub known_files: u64,
    /// Pieces that are no record.
    pub rejects: u64,
    /// Entries of ledgers.
    pub entries: u64,
    /// Entries that this machine knows.
    pub known_entries: u64,
    /// Boxes whose state was sent.
    pub boxes: u64,
}

/// Sends what the store lacks of what this machine knows, or all of it. `sent` is called with the records
/// that were sent since the last call; `clock` tells when it ended.
///
/// # Errors
/// A node that does not answer or refuses, a store of another version, or logs that cannot be read. What
/// was sent until then stays, and the next run goes on behind it.
pub async fn publish(
    nodes: Nodes,
    known: Known<'_>,
    by: &Operator,
    all: bool,
    clock: &(dyn Fn() -> Timestamp + Sync),
    sent: &(dyn Fn(u64) + Sync),
) -> Result<Published, FleetError> {
    let began = clock();
    let store = nodes.connect_to_all().await?.checked()?;
    let plan = plan(&store, known, all).await?;
    let done = Published {
        known_files: plan.identities.len() as u64,
        known_entries: known.ledger.ledgers().map(|(_, entries)| entries.len() as u64).sum(),
        ..Published::default()
    };
    let rejects = rejects(known.archive, &plan)?;
    let (store, plan) = (&store, &plan);
    let mut sender =
        Sender { store, known, by, now: began, plan, sent, rejects, sending: None, done };
    sender.logs(all).await?;
    sender.entries().await?;
    sender.boxes().await?;
    let done = sender.done;
    let mut rows = Rows::default();
    rows.text(&by.name).text(&by.machine).i64(began.0).i64(clock().0);
    rows.text(env!("CARGO_PKG_VERSION"))
        .text(&known.archive.reading())
        .u64(done.occurrences)
        .u64(done.files)
        .u64(done.entries);
    rows.end_row();
    store.insert(&schema::PUBLISHES, rows).await?;
    Ok(done)
}

/// A record: the place of its log in the plan, whether it is at the end of that, and where it is.
type ToSend<'o> = (usize, bool, &'o Occurrence);

struct Sender<'a> {
    store: &'a Store,
    known: Known<'a>,
    by: &'a Operator,
    now: Timestamp,
    plan: &'a Plan<'a>,
    sent: &'a (dyn Fn(u64) + Sync),
    /// What is to be sent of each log, by its index.
    rejects: HashMap<usize, Vec<RejectRow>>,
    /// Rows that are on their way, and how many.
    sending: Option<(u64, JoinHandle<Result<(), FleetError>>)>,
    done: Published,
}

/// Rejects that the store lacks, by the index of their log.
fn rejects(
    archive: &Collection,
    plan: &Plan<'_>,
) -> Result<HashMap<usize, Vec<RejectRow>>, FleetError> {
    let done: HashMap<usize, u64> = plan.behind.iter().map(|b| (b.file, b.done)).collect();
    let mut lacking: HashMap<usize, Vec<RejectRow>> = HashMap::new();
    for (file, reject) in archive.rejects_of_files()? {
        let file = file as usize;
        let (Some(done), Some(report)) = (done.get(&file), archive.files().get(file)) else {
            continue;
        };
        if reject.byte >= *done || is_tail(report, &reject) {
            lacking.entry(file).or_default().push(reject);
        }
    }
    Ok(lacking)
}

/// Whether a reject is at the end of a log that may be read anew.
fn is_tail(report: &FileReport, reject: &RejectRow) -> bool {
    !report.gzip && reject.byte >= report.done
}

impl Sender<'_> {
    /// Sends the logs, one after the other: records first, then rejects, and last how far the log was
    /// read. So what says that a log is there is there last.
    async fn logs(&mut self, all: bool) -> Result<(), FleetError> {
        for group in self.plan.groups(self.known.archive) {
            self.group(group, all).await?;
        }
        Ok(())
    }

    async fn group(&mut self, group: Range<usize>, all: bool) -> Result<(), FleetError> {
        let (archive, first) = (self.known.archive, group.start);
        let occurrences = self.plan.occurrences(archive, group.clone())?;
        let rests = rests(self.store, archive, self.plan, group.clone(), &occurrences, all).await?;
        let mut all = rests.iter().enumerate().flat_map(|(at, rest)| {
            let at = first + at;
            let settled = rest.settled.iter().map(move |one| (at, false, one));
            settled.chain(rest.tail.iter().map(move |one| (at, true, one)))
        });
        // Logs before `ended` are there as a whole, and those before `sent` will be, once what is on its way
        // has arrived.
        let (mut rows, mut ended, mut sent) = (Rows::default(), first, first);
        loop {
            let some: Vec<ToSend<'_>> = all.by_ref().take(READ).collect();
            let Some((at, ..)) = some.last() else { break };
            self.write(&mut rows, &some)?;
            if rows.count() >= RECORDS || rows.size() >= BYTES {
                self.send(&mut rows).await?;
                self.end(ended..sent).await?;
                (ended, sent) = (sent, *at);
            }
        }
        self.send(&mut rows).await?;
        self.arrived().await?;
        self.end(ended..group.end).await
    }

    fn write(&self, rows: &mut Rows, some: &[ToSend<'_>]) -> Result<(), FleetError> {
        let places: Vec<_> = some.iter().map(|(.., one)| one.row).collect();
        let archive = self.known.archive;
        let whole = archive.whole_rows(&places)?;
        let records = archive.records_there(&places)?;
        for ((at, is_tail, _), (row, located)) in some.iter().zip(whole.iter().zip(&records)) {
            if let Some(log) = self.of_log(*at, *is_tail) {
                write::occurrence(rows, log, row, located);
            }
        }
        Ok(())
    }

    fn of_log(&self, at: usize, is_tail: bool) -> Option<OfLog<'_>> {
        let file = self.plan.behind.get(at)?.file;
        let (report, identity) =
            (self.known.archive.files().get(file)?, self.plan.identities.get(file)?);
        let upto = if is_tail { report.bytes } else { 0 };
        Some(OfLog { key: &identity.key, box_name: &report.box_name, upto })
    }

    /// Waits for the rows that are on their way, and sends these: meanwhile the next can be read.
    async fn send(&mut self, rows: &mut Rows) -> Result<(), FleetError> {
        self.arrived().await?;
        let full = std::mem::take(rows);
        let count = full.count();
        let sending = self.store.inserting(&schema::OCCURRENCES, full)?;
        self.sending = Some((count, tokio::spawn(sending)));
        Ok(())
    }

    /// Waits until all rows that were sent are there.
    async fn arrived(&mut self) -> Result<(), FleetError> {
        let Some((count, sending)) = self.sending.take() else { return Ok(()) };
        sending.await.map_err(FleetError::Task)??;
        self.done.occurrences += count;
        (self.sent)(count);
        Ok(())
    }

    /// Sends the rejects of logs, and then that these are there.
    async fn end(&mut self, logs: Range<usize>) -> Result<(), FleetError> {
        if logs.is_empty() {
            return Ok(());
        }
        self.rejects(logs.clone()).await?;
        let mut rows = Rows::default();
        for behind in self.plan.behind.get(logs).unwrap_or_default() {
            let report = self.known.archive.files().get(behind.file);
            if let Some((report, identity)) = report.zip(self.plan.identities.get(behind.file)) {
                write::file(&mut rows, identity, report, self.by, self.now);
            }
        }
        self.done.files += rows.count();
        self.store.insert(&schema::FILES, rows).await
    }

    async fn rejects(&mut self, logs: Range<usize>) -> Result<(), FleetError> {
        let mut rows = Rows::default();
        for at in logs {
            let Some(behind) = self.plan.behind.get(at) else { continue };
            let Some(report) = self.known.archive.files().get(behind.file) else { continue };
            for reject in self.rejects.remove(&behind.file).unwrap_or_default() {
                let is_tail = is_tail(report, &reject);
                if let Some(log) = self.of_log(at, is_tail) {
                    write::reject(&mut rows, log, &reject);
                }
            }
            if rows.count() >= SMALL {
                self.done.rejects += rows.count();
                self.store.insert(&schema::REJECTS, std::mem::take(&mut rows)).await?;
            }
        }
        self.done.rejects += rows.count();
        self.store.insert(&schema::REJECTS, rows).await
    }

    async fn entries(&mut self) -> Result<(), FleetError> {
        self.done.entries += ledgers::send(self.store, &self.plan.entries).await?;
        Ok(())
    }

    async fn boxes(&mut self) -> Result<(), FleetError> {
        let mut rows = Rows::default();
        for source in self.known.boxes {
            write::source(&mut rows, source, self.by, self.now);
        }
        self.done.boxes = rows.count();
        self.store.insert(&schema::BOXES, rows).await
    }
}
