//! What other rows decide of lines of tasks that are in no archive.

use super::flags::{self, Run};
use super::wanted::Wanted;
use crate::domain::{Cause, RecordId};
use crate::frame::{Flags, Keys, LogIndex, Role};
use std::collections::BTreeMap;

/// A line of a task where it is in a log. Codes and hashes are those of [`crate::frame::schema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskLine {
    /// The record.
    pub id: RecordId,
    /// Microseconds since 1970; `None` where undated.
    pub ts: Option<i64>,
    /// Number of its box in the order of their names.
    pub box_index: u32,
    /// Where its log stands among all.
    pub rank: u32,
    /// Offset there.
    pub byte: u64,
    /// What it is one of.
    pub unit: u64,
    /// What it is to the runs of the task.
    pub role: u32,
    /// Round as written.
    pub round: u32,
    /// Why it is UNDETERMINED.
    pub cause: u8,
    /// The run that it names, or the record that it answers.
    pub run: u64,
    /// How the judge was asked, or the entry that it is.
    pub judge: u64,
    /// Milliseconds of the round, where it says so.
    pub latency: Option<i64>,
}

/// The flags of all lines of some tasks, by the same rules as in an archive.
pub fn decided(lines: &[TaskLine]) -> Flags {
    let mut keys = Keys::default();
    for line in lines {
        let round = (line.round, Cause::from_code(line.cause), line.run, line.latency);
        keys.id.push(u128::from(line.id.word(0)) << 64 | u128::from(line.id.word(1)));
        keys.unit.push(Some(line.unit));
        keys.part_of.push(false);
        keys.role.push(Role::from_code(line.role, round, (line.judge, line.run)));
        keys.ts.push(line.ts);
        keys.logs.push(LogIndex { box_index: line.box_index, file: line.rank });
        keys.byte.push(line.byte);
    }
    let logs: BTreeMap<u32, u32> = lines.iter().map(|line| (line.rank, line.box_index)).collect();
    let most = logs.last_key_value().map_or(0, |(rank, _)| *rank);
    let ranks: Vec<u32> = (0..=most).collect();
    let mut by_owner: Vec<(u32, u32)> = logs.into_iter().map(|(rank, on)| (on, rank)).collect();
    by_owner.sort_unstable();
    let mut owners = vec![u32::MAX; ranks.len()];
    for (owner, (_, rank)) in (0..).zip(by_owner) {
        owners[rank as usize] = owner;
    }
    let mut runs = [Run::new(keys)];
    flags::assign(&mut runs, &Wanted::default(), (&ranks, &owners));
    let [run] = runs;
    run.flags
}
