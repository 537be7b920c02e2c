//! Flagged verdicts, and what is no record.

use super::{Marks, cut};
use crate::answers::record_fields::{listed, outcome};
use foureyes_core::domain::{ForeignLog, Record, RejectRow, Triage};
use foureyes_page::page::{Block, Item, Mark, Ours, Role, Row, Text, counted, number};
use foureyes_page::text;

/// Flagged verdicts with what they say, as many as the document lists.
pub(super) fn flagged(triage: &Triage, marks: &mut Marks) -> Block {
    let mut block = Block::new("flagged", text!("Flagged: {}", triage.flagged_total))
        .note(cut(triage.flagged.len(), triage.flagged_total));
    for (at, record) in triage.flagged.iter().enumerate() {
        block.add(Row::new(Role::Text, title(record)).mark(Mark::Number(at + 1)));
        block.items.extend(listed(record, 1));
        let rows = marks.rows(record).into_iter().map(|row| Item::Row(row.level(1)));
        block.items.extend(rows);
    }
    block
}

/// Outcome, time, id and family: nothing in it comes from outside.
fn title(record: &Record) -> Text {
    let time = record.timestamp.map_or_else(|| "undated".into(), Ours::from);
    text!("{}  {}  {}  {}", outcome(record), time, record.id, record.family.as_str())
}

/// What is no record, as much of it as the document lists.
pub(super) fn rejects(triage: &Triage, marks: &mut Marks) -> Block {
    let mut block = Block::new("rejected", text!("Rejected: {}", triage.rejects_total))
        .note(cut(triage.rejects.len(), triage.rejects_total));
    let rows = triage.rejects.iter().flat_map(|one| reject(one, marks));
    rows.for_each(|row| block.add(row));
    block
}

/// A piece of a log that is no record: its place, then what is known of it.
pub fn reject(reject: &RejectRow, marks: &mut Marks) -> Vec<Row> {
    let RejectRow { box_name, file, line, byte, len, reason } = reject;
    let place = text!(
        "line {}, byte {}, length {}",
        number::bare(*line),
        number::bare(*byte),
        number::bare(*len)
    );
    let fields = [("reason", reason), ("box", box_name), ("file", file)];
    below(place, &fields, marks.rows(reject))
}

/// Logs with lines of other programs; `None` without any.
pub(super) fn foreign_logs(triage: &Triage, marks: &mut Marks) -> Option<Block> {
    let (logs, total) = (&triage.foreign_logs, triage.foreign_logs_total);
    let title = text!("Logs with lines from other programs: {}", total);
    let mut block = Block::new("foreign", title).note(cut(logs.len(), total));
    for log in logs {
        let fields = [("box", &log.box_name), ("file", &log.file)];
        let rows = below(foreign(log).into(), &fields, marks.rows(log));
        rows.into_iter().for_each(|row| block.add(row));
    }
    (total > 0).then_some(block)
}

/// How many lines of other programs a log holds.
pub fn foreign(log: &ForeignLog) -> Ours {
    counted(log.foreign, "line from another program", "lines from other programs")
}

/// A line of ours, and what comes from outside below it.
fn below(head: Text, fields: &[(&'static str, &String)], marks: Vec<Row>) -> Vec<Row> {
    let fields = fields.iter().map(|(name, text)| Row::field(name, text));
    let rows = fields.chain(marks).map(|row| row.level(1));
    std::iter::once(Row::new(Role::Text, head)).chain(rows).collect()
}
