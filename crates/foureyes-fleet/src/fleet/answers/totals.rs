//! What the store holds in all: accounting, boxes, logs, and what is no record.

use super::super::connection::Store;
use super::super::counts::{self, Whole, lines};
use super::super::identity::Key;
use super::super::row_binary::{Columns, Torn};
use super::super::{FleetError, fold, schema, sql};
use crate::collect::SourceBox;
use crate::domain::{Accounting, BoxState, JudgementKind, RejectRow, Timestamp};
use crate::frame::LogSpan;
use crate::store::cache::{FileReport, Totals};
use std::collections::BTreeMap;

/// Logs that are asked about at once.
const LOGS: usize = 250;

/// What there is in all, with the keys of its logs.
pub(super) async fn totals(store: &Store) -> Result<(Totals, Vec<Key>), FleetError> {
    let Whole { accounting, lacking, counts, .. } = counts::whole(store).await?;
    let seen = counts.on_box.into_iter().map(|(name, seen)| (name, (seen, 0)));
    let (mut on_box, undated): (BTreeMap<String, (u64, u64)>, u64) =
        (seen.collect(), counts.undated);
    let files = fold::files(store.names());
    let logs = format!("SELECT box, toUInt64(count()) FROM ({files}) GROUP BY box");
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    for (name, logs) in store.rows("count logs by box", &logs, read).await? {
        on_box.entry(name).or_default().1 = logs;
    }
    let (keys, files) = noteworthy(store).await?.into_iter().unzip();
    let boxes = on_box.keys().cloned().collect();
    Ok((Totals { boxes, accounting, lacking, undated, on_box, files }, keys))
}

/// Logs with rejects, lines of other programs, an incomplete line, lines that do not follow each other, or more than was read.
async fn noteworthy(store: &Store) -> Result<Vec<(Key, FileReport)>, FleetError> {
    let select = format!(
        "SELECT file, box, name, bytes, done, gzip, cut, broken_lines, broken_at, foreign_between, lines, \
         split, records, rejected, incomplete, joined, blank, foreign_lines FROM ({}) WHERE rejected > 0 OR \
         foreign_lines > 0 OR incomplete > 0 OR cut = 1 OR broken_lines > 0 OR foreign_between > 0",
        fold::files(store.names())
    );
    store.rows("look at logs", &select, log).await
}

fn log(row: &mut Columns<'_>) -> Result<(Key, FileReport), Torn> {
    let key = row.fixed()?;
    let (box_name, name) = (row.text()?, row.text()?);
    let (bytes, done) = (row.u64()?, row.u64()?);
    let (gzip, cut) = (row.u8()? != 0, row.u8()? != 0);
    let mut report = FileReport {
        box_name,
        name,
        path: Default::default(),
        bytes,
        done,
        gzip,
        settled: bytes,
        accounting: Accounting::default(),
        print: Default::default(),
        cut,
        chain: Default::default(),
        repeated: 0,
        blocks: Default::default(),
    };
    report.chain.broken = row.u64()?;
    report.chain.places = row.text()?.split(' ').filter_map(|place| place.parse().ok()).collect();
    report.chain.between = row.u64()?;
    report.accounting = lines(row)?;
    Ok((key, report))
}

/// The boxes. Of what several operators know of one, what is known to be complete for longest counts, and
/// of that what was published last.
pub(super) async fn sources(store: &Store) -> Result<Vec<SourceBox>, FleetError> {
    let select = format!(
        "SELECT box, state, complete, error, notices, clock_ahead FROM {} ORDER BY box, \
         ifNull(complete, toInt64({})) DESC, published DESC, operator, machine LIMIT 1 BY box",
        store.names().table(schema::BOXES.name),
        i64::MIN
    );
    let read = |row: &mut Columns<'_>| {
        let (name, state) = (row.text()?, row.text()?);
        Ok(SourceBox {
            name,
            state: match state.as_str() {
                "ok" => BoxState::Ok,
                "stale" => BoxState::Stale,
                _ => BoxState::Empty,
            },
            complete: row.nullable(Columns::i64)?.map(Timestamp),
            error: row.nullable(Columns::text)?,
            notices: serde_json::from_str(&row.text()?).unwrap_or_default(),
            clock_ahead_s: row.nullable(Columns::i64)?,
            // Not published: the notices say which files these are.
            listed: None,
            lacking: 0,
        })
    };
    store.rows("ask how fresh the boxes are", &select, read).await
}

/// Pieces of logs that are no record, the first `most` in the order of the logs.
pub(super) async fn rejects(store: &Store, most: usize) -> Result<Vec<RejectRow>, FleetError> {
    let names = store.names();
    let select = format!(
        "SELECT box, name, line, byte, len, reason FROM {} GROUP BY file, box, name, base, line, byte, len, reason \
         ORDER BY base, box, name, byte, line LIMIT {}",
        fold::rejects(names),
        most.min(u32::MAX as usize)
    );
    let read = |row: &mut Columns<'_>| {
        Ok(RejectRow {
            box_name: row.text()?,
            file: row.text()?,
            line: row.u64()?,
            byte: row.u64()?,
            len: row.u64()?,
            reason: row.text()?,
        })
    };
    store.rows("list what is no record", &select, read).await
}

/// The times of verdicts of a kind in some logs, by their numbers; doubles are among them.
pub(super) async fn log_spans(
    store: &Store,
    of: JudgementKind,
    logs: &[(u32, &Key)],
) -> Result<BTreeMap<u32, LogSpan>, FleetError> {
    let numbers: BTreeMap<&Key, u32> = logs.iter().map(|(at, key)| (*key, *at)).collect();
    let families = sql::list(of.families().map(|family| family.code().to_string()));
    let mut spans = BTreeMap::new();
    for some in logs.chunks(LOGS) {
        let of_logs = format!("file IN ({})", super::keys_list(some));
        let select = format!(
            "SELECT file, toUInt64(countIf(isNotNull(ts))), min(ifNull(ts, toInt64({}))), \
             toUInt64(maxIf(byte, isNotNull(ts))), argMaxIf(ifNull(ts, 0), byte, isNotNull(ts)) \
             FROM {} WHERE {} AND family IN ({families}) AND {of_logs} GROUP BY file",
            i64::MAX,
            store.names().table(schema::OCCURRENCES.name),
            fold::counts(store.names(), &of_logs)
        );
        let read = |row: &mut Columns<'_>| {
            let (key, dated) = (row.fixed::<16>()?, row.u64()? > 0);
            let (first, byte, last) = (row.i64()?, row.u64()?, row.i64()?);
            let first = dated.then_some(Timestamp(first));
            Ok((key, LogSpan { first, last: dated.then_some((byte, Timestamp(last))) }))
        };
        for (key, span) in store.rows("look at the days of logs", &select, read).await? {
            spans.extend(numbers.get(&key).map(|at| (*at, span)));
        }
    }
    Ok(spans)
}
