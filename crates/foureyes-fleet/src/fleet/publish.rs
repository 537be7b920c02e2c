//! Sending what the store lacks.

use super::connection::Store;
use super::error::FleetError;
use super::evidence::{self, Sum, UNKNOWN};
use super::ledgers;
use super::logs_behind::{is_tail, of_log};
use super::plan::{Plan, plan, rests};
use super::row_binary::Rows;
use super::verify::{self, Due};
use super::write::{self, Mark, OfLog};
use super::{Known, Nodes, Operator, schema, sql};
use crate::domain::{RejectRow, Timestamp};
use crate::store::cache::{Collection, Occurrence};
use std::collections::{BTreeSet, HashMap};
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
    /// Logs that took the place of rows whose own records the store does not have.
    pub superseded: u64,
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
    let (rejects, offered) = rejects(known.archive, &plan)?;
    let (store, plan) = (&store, &plan);
    let mut sender =
        Sender { store, known, by, now: began, plan, sent, rejects, offered, sending: None, done };
    sender.logs().await?;
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
    let there = format!("{} AND began = {}", verify::by(by), sql::i64(began.0));
    verify::rows(store, "publish when it was done", &schema::PUBLISHES, ("began", &there), 1)
        .await?;
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
    /// How many rejects there are of each, those that are read for good and those at its end.
    offered: HashMap<usize, [Sum; 2]>,
    /// Rows that are on their way, and how many.
    sending: Option<(u64, JoinHandle<Result<(), FleetError>>)>,
    done: Published,
}

/// By the index of a log.
type ByLog<T> = HashMap<usize, T>;

/// Rejects that the store lacks, and sums of all, those at the ends of logs apart.
type Rejects = (ByLog<Vec<RejectRow>>, ByLog<[Sum; 2]>);

/// Finds the rejects of logs of which the store has less.
fn rejects(archive: &Collection, plan: &Plan<'_>) -> Result<Rejects, FleetError> {
    let done: ByLog<u64> = plan.behind.iter().map(|b| (b.file, b.done)).collect();
    let (mut lacking, mut offered) = (ByLog::<Vec<_>>::new(), ByLog::<[Sum; 2]>::new());
    for (file, reject) in archive.rejects_of_files()? {
        let file = file as usize;
        let (Some(done), Some(report)) = (done.get(&file), archive.files().get(file)) else {
            continue;
        };
        let is_tail = is_tail(report, &reject);
        let [settled, tail] = offered.entry(file).or_default();
        if is_tail { tail } else { settled }.add(reject.byte, reject.byte);
        if reject.byte >= *done || is_tail {
            lacking.entry(file).or_default().push(reject);
        }
    }
    Ok((lacking, offered))
}

impl Sender<'_> {
    /// Sends the logs, one after the other: records first, then rejects, and last, once both were counted in the
    /// store, how far the log was read. So what says that a log is there is there last, and is true.
    async fn logs(&mut self) -> Result<(), FleetError> {
        for group in self.plan.groups(self.known.archive) {
            self.group(group).await?;
        }
        Ok(())
    }

    async fn group(&mut self, group: Range<usize>) -> Result<(), FleetError> {
        let (archive, first) = (self.known.archive, group.start);
        let occurrences = self.plan.occurrences(archive, group.clone())?;
        let rests = rests(archive, self.plan, group.clone(), &occurrences);
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
                self.end(ended..sent, &occurrences).await?;
                (ended, sent) = (sent, *at);
            }
        }
        self.send(&mut rows).await?;
        self.arrived().await?;
        self.end(ended..group.end, &occurrences).await
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
        Some(OfLog { key: identity.key(), box_name: &report.box_name, upto })
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

    /// Sends the rejects of logs, counts what is there of these, and then sends that they are there.
    async fn end(
        &mut self,
        logs: Range<usize>,
        occurrences: &[Occurrence],
    ) -> Result<(), FleetError> {
        if logs.is_empty() {
            return Ok(());
        }
        self.rejects(logs.clone()).await?;
        let (mut logs_here, mut due, mut bounded) = (Vec::new(), Vec::new(), Vec::new());
        for behind in self.plan.behind.get(logs).unwrap_or_default() {
            let report = self.known.archive.files().get(behind.file);
            let Some((report, identity)) = report.zip(self.plan.identities.get(behind.file)) else {
                continue;
            };
            let (settled, tail) = of_log(occurrences, behind.file, report);
            let rejects = self.offered.get(&behind.file).copied().unwrap_or_default();
            let (bytes, done, epoch) = (report.bytes, report.done, behind.epoch);
            let key = identity.key();
            due.push(Due { key, bytes, done, epoch, settled, tail, rejects });
            let kept: u64 = rejects.iter().map(|sum| sum.count).sum();
            if kept < report.accounting.rejected {
                bounded.push(key);
            }
            logs_here.push((identity, report, behind));
        }
        let more = verify::logs(self.store, &due).await?;
        // Another machine, or this one before it had other logs, may have kept more of the rejects.
        let of_rejects = evidence::listings(self.store, &bounded).await?;
        let mut rows = Rows::default();
        for (identity, report, behind) in logs_here {
            let more = more.get(&identity.key()).copied().unwrap_or_default();
            let mark = Mark {
                digest: report.digest(report.bytes)?.unwrap_or(UNKNOWN),
                epoch: behind.epoch,
                repeated: report.repeated.saturating_sub(more),
                unkept: of_rejects.get(&identity.key()).map_or(0, |listing| {
                    let (_, there) = listing.those_of(report.bytes, report.done);
                    report.accounting.rejected.saturating_sub(there)
                }),
            };
            write::file(&mut rows, (identity, report), &mark, self.by, self.now);
            self.done.superseded += u64::from(behind.superseded);
        }
        self.done.files += rows.count();
        self.store.insert(&schema::FILES, rows).await?;
        verify::marks(self.store, &due).await
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
        self.store.insert(&schema::BOXES, rows).await?;
        let names: BTreeSet<&str> = self.known.boxes.iter().map(|one| one.name.as_str()).collect();
        let there = format!("{} AND published = {}", verify::by(self.by), sql::i64(self.now.0));
        let (what, sent) = ("publish the state of boxes", names.len() as u64);
        verify::rows(self.store, what, &schema::BOXES, ("box", &there), sent).await
    }
}
