//! The columns of a frame of records: names, types, meaning.
//!
//! Fixed-width columns come first: triage reads only those. Text columns are null where the
//! record has no such field.

pub use super::texts::*;

/// Words 0 to 3 of the record id, big-endian: `UInt64`.
pub const ID: [&str; 4] = ["id0", "id1", "id2", "id3"];
/// Index into the archive's list of boxes: `UInt32`.
pub const BOX: &str = "box";
/// Index into the archive's list of files: `UInt32`.
pub const FILE: &str = "file";
/// First line of the record in its file, from 1: `UInt32`.
pub const LINE: &str = "line";
/// Byte offset in its file: `UInt64`.
pub const BYTE: &str = "byte";
/// Length in bytes: `UInt32`.
pub const LEN: &str = "len";
/// Microseconds since 1970 in UTC, null where undated: `Int64`.
pub const TS: &str = "ts";
/// [`crate::domain::Family::code`]: `UInt32`.
pub const FAMILY: &str = "family";
/// [`crate::domain::Outcome::code`], 3 for an override: `UInt32`.
pub const OUTCOME: &str = "outcome";
/// [`crate::domain::Cause::code`], 0 for none: `UInt32`.
pub const CAUSE: &str = "cause";
/// The kind of judgement in whose KPIs the record counts unless a later one replaces it,
/// [`crate::domain::JudgementKind::code`], 0 for none: `UInt32`.
pub const EVALUATION: &str = "evaluation";
/// What the record is one of: within its box hash of commit, asked model and prompt of a push
/// evaluation, or hash of the task; 0 for a verdict on a part of another commit's NO-GO, which is one of
/// nothing: `UInt64`.
pub const UNIT: &str = "unit";
/// What was judged: hash of the content's own hash where it is named, else of the commit; 0 for what
/// names neither: `UInt64`.
pub const CONTENT: &str = "content";
/// How the judge was asked: the first 16 digits of `judge_sha` as a number, else a hash of it; 0 where a
/// record does not say. Of a person's line about a task, [`super::Answer::entry`]: `UInt64`.
pub const JUDGE: &str = "judge";
/// Round of a task's verdict as written, 0 where none is: `UInt32`.
pub const ROUND: &str = "round";
/// What the row is to the runs of a task, [`super::Role::code`]: `UInt32`.
pub const ROLE: &str = "role";
/// Run of a task that it names: a hash, 0 where it names none. Of a person's line about a task,
/// [`super::Answer::record`]: `UInt64`.
pub const RUN: &str = "run";
/// The record says that a person must decide on its task: `Boolean`.
pub const ESCALATION: &str = "escalation";
/// The record would say so if the judge could not be asked: `Boolean`.
pub const REPORTS_OUTAGES: &str = "reports_outages";
/// A later evaluation of the same unit exists, or a later round of the same run; or the row is a
/// verdict on a part of another commit's NO-GO: `Boolean`.
pub const REPEAT: &str = "repeat";
/// The row ends a run of a task that an override in the log answers: 1 accept, 2 reject, 0 none:
/// `UInt32`.
pub const SETTLED: &str = "settled";
/// The row ends a run of a task after which another run of it came to an end: `Boolean`.
pub const OVERTAKEN: &str = "overtaken";
/// The row ends a run of a task on which judges were at work for one millisecond less than this; 0 where it does not end
/// one, or says so itself: `UInt32`.
pub const RUN_LATENCY: &str = "run_latency";
/// The columns that rows of other segments decide.
pub const DECIDED: [&str; 4] = [REPEAT, SETTLED, OVERTAKEN, RUN_LATENCY];
/// Whole call in milliseconds, null where unknown: `Int64`.
pub const LATENCY: &str = "latency";
/// Scores that may enter a mean (1 to 5), null otherwise: `Float32`.
pub const SCORES: [&str; 3] = ["semantic", "pragmatic", "syntactic"];
/// A score was given outside 1 to 5: `Boolean`.
pub const ODD_SCORE: &str = "odd_score";
