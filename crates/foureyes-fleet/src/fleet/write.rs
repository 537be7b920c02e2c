//! Rows of the tables, each column in the order of the schema.

use super::Operator;
use super::evidence::Digest;
use super::identity::{Identity, Key};
use super::mask;
use super::row_binary::Rows;
use crate::collect::SourceBox;
use crate::domain::review::{Act, Entry, WindowStart};
use crate::domain::{BoxState, RejectRow, Timestamp};
use crate::frame::WholeRow;
use crate::store::cache::{FileReport, Located};
use serde_json::Value;

/// What a log is to its occurrences and rejects.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfLog<'a> {
    pub(super) key: Key,
    pub(super) box_name: &'a str,
    /// 0 for what is read for good, else the length of the log.
    pub(super) upto: u64,
}

/// A record where it is.
pub(super) fn occurrence(rows: &mut Rows, log: OfLog<'_>, row: &WholeRow, located: &Located) {
    let place = &row.place;
    let small = |code: u32| u8::try_from(code).unwrap_or(u8::MAX);
    rows.fixed(&place.id.0).u64(place.id.head()).text(log.box_name).fixed(&log.key);
    rows.u32(u32::try_from(place.line).unwrap_or(u32::MAX)).u64(place.byte);
    rows.u32(u32::try_from(place.len).unwrap_or(u32::MAX)).u64(log.upto);
    rows.nullable(place.ts, Rows::i64);
    rows.i32(place.ts.map_or(i32::MIN, |ts| Timestamp(ts).day()));
    rows.u8(small(row.family)).u8(small(row.outcome)).u8(small(row.cause));
    rows.u8(small(row.evaluation)).u8(row.escalation.into()).u8(row.reports_outages.into());
    rows.u64(row.unit).u64(row.content).u64(row.judge).u32(row.round).u64(row.run);
    rows.u8(small(row.role)).nullable(row.latency, Rows::i64);
    for score in row.scores {
        rows.nullable(score, Rows::f32);
    }
    rows.u8(row.odd_score.into());
    for text in &row.texts {
        rows.nullable(text.as_deref(), Rows::text);
    }
    let extra = |name: &str| located.record.extra.get(name).and_then(Value::as_str);
    rows.nullable(extra("judge_sha"), Rows::text).nullable(extra("schema"), Rows::text);
    let usage = located.record.usage.unwrap_or_default();
    rows.nullable(usage.prompt_tokens, Rows::u64).nullable(usage.completion_tokens, Rows::u64);
    rows.record(&located.raw).end_row();
}

/// What else is to be known of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Of its bytes.
    pub(super) digest: Digest,
    pub(super) epoch: u64,
    /// Records without a row.
    pub(super) repeated: u64,
    /// Rejects without a row.
    pub(super) unkept: u64,
}

/// How far a log was read.
pub(super) fn file(
    rows: &mut Rows,
    (identity, report): (&Identity, &FileReport),
    mark: &Mark,
    by: &Operator,
    now: Timestamp,
) {
    rows.fixed(&identity.key()).text(&report.box_name).text(&report.name).text(&identity.stem);
    rows.u8(identity.is_begun().into()).u64(report.bytes).u64(report.done);
    rows.u8(report.gzip.into()).u8(report.cut.into());
    let places: Vec<String> = report.chain.places.iter().map(u64::to_string).collect();
    rows.u64(report.chain.broken).text(&places.join(" ")).u64(report.chain.between);
    let counted = &report.accounting;
    rows.u64(counted.lines).u64(counted.split).u64(counted.records).u64(counted.rejected);
    rows.u64(counted.incomplete).u64(counted.joined).u64(counted.blank);
    rows.text(&by.name).text(&by.machine).i64(now.0).u64(counted.foreign);
    rows.fixed(&mark.digest).u64(mark.epoch).u64(mark.repeated).u64(mark.unkept).end_row();
}

/// A piece that is no record.
pub(super) fn reject(rows: &mut Rows, log: OfLog<'_>, reject: &RejectRow) {
    rows.fixed(&log.key).text(log.box_name).u64(reject.line).u64(reject.byte).u64(reject.len);
    rows.u64(log.upto).text(&reject.reason).end_row();
}

/// How fresh the logs of a box are.
pub(super) fn source(rows: &mut Rows, source: &SourceBox, by: &Operator, now: Timestamp) {
    rows.text(&source.name).text(&by.name).text(&by.machine).i64(now.0);
    rows.text(match source.state {
        BoxState::Ok => "ok",
        BoxState::Stale => "stale",
        BoxState::Empty => "empty",
    });
    rows.nullable(source.complete.map(|at| at.0), Rows::i64);
    rows.nullable(source.error.as_deref(), Rows::text);
    let mut notices = Value::from(source.notices.clone());
    mask::document(&mut notices);
    rows.text(&notices.to_string()).nullable(source.clock_ahead_s, Rows::i64).end_row();
}

/// An entry of a ledger, without the seed of an audit sample: who has it knows what will be drawn.
pub(super) fn entry(rows: &mut Rows, ledger: &str, place: u64, entry: &Entry) {
    let mut body = public(&entry.act).body().unwrap_or_default();
    mask::document(&mut body);
    without_seed(&mut body);
    let hex = |hash: &crate::domain::review::LineHash| hash.to_string();
    let seen: Vec<String> = entry.seen.iter().map(hex).collect();
    rows.fixed(&entry.id.0).fixed(&entry.hash.0);
    rows.text(&entry.prev.as_ref().map(hex).unwrap_or_default()).text(&seen.join(" "));
    rows.text(ledger).u64(place).text(&entry.reviewer).text(&entry.machine);
    rows.i64(entry.time.0).text(entry.act.kind()).text(&body.to_string()).end_row();
}

/// That an entry arrived; the server adds when.
pub(super) fn arrival(rows: &mut Rows, entry: &Entry) {
    rows.fixed(&entry.id.0).end_row();
}

fn public(act: &Act) -> Act {
    match act {
        Act::Rate(rate) => {
            let mut rate = rate.clone();
            rate.withheld |= rate.seed.take().is_some();
            Act::Rate(rate)
        }
        Act::Window(start) => {
            let natural = start.natural.as_ref().map(|natural| Box::new(natural.without_seed()));
            Act::Window(WindowStart { natural, ..start.clone() })
        }
        other => other.clone(),
    }
}

/// Takes every member of that name away: an entry that this version does not know may have one too.
fn without_seed(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("seed");
            members.values_mut().for_each(without_seed);
        }
        Value::Array(items) => items.iter_mut().for_each(without_seed),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
