//! Which rows are doubles, which verdicts a later one of their unit or run replaces, which an override of
//! their task settles, and which a later run of it overtakes.

use super::partitions::Partitions;
use super::runs::{self, At, Flagged, Turn};
use super::wanted::{ANY_BOX, ReadyState, Wanted, units};
use crate::frame::{Flags, Keys, Role};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// A run of rows that was there before or is new.
pub(super) struct Run {
    pub(super) keys: Keys,
    pub(super) flags: Flags,
    /// Whether these rows were never judged; of old ones only those are that new ones concern.
    pub(super) new: bool,
    /// Set where a flag of an old row changed.
    pub(super) touched: bool,
    /// Distinct records seen on each box, of new rows.
    pub(super) seen: HashMap<u32, u64>,
}

impl Run {
    pub(super) fn new(keys: Keys) -> Self {
        let mut flags = Flags::none(keys.id.len());
        // Of no unit, so that nothing below sets it again.
        flags.repeat.iter_mut().zip(&keys.part_of).for_each(|(repeat, part)| *repeat = *part);
        Self { keys, flags, new: true, touched: false, seen: HashMap::new() }
    }

    pub(super) fn old(keys: Keys, flags: Flags) -> Self {
        Self { keys, flags, new: false, touched: false, seen: HashMap::new() }
    }
}

/// Flags the new rows of the runs, and those old rows whose content or unit is wanted.
///
/// Of equal records the first counts, in the order of `owners` (a rank a file) and then of bytes;
/// of evaluations of a unit the latest, equal times in the order of `ranks`; of the rounds of a task
/// run the last. So the flags depend on what the logs hold, never on when they were read.
pub(super) fn assign(runs: &mut [Run], wanted: &Wanted, (ranks, owners): (&[u32], &[u32])) {
    let before: Vec<Option<Flags>> =
        runs.iter().map(|run| (!run.new).then(|| run.flags.clone())).collect();
    doubles(runs, wanted, owners);
    repeats(runs, wanted, ranks);
    for (run, before) in runs.iter_mut().zip(before) {
        run.touched = before.is_some_and(|flags| flags != run.flags);
    }
}

/// Where a row stands among all logs.
fn place(runs: &[Run], (run, row): At, ranks: &[u32]) -> (u32, u64) {
    let Some(keys) = runs.get(run as usize).map(|r| &r.keys) else { return (u32::MAX, u64::MAX) };
    let log = keys.logs.get(row as usize);
    let rank = log.and_then(|log| ranks.get(log.file as usize));
    let byte = keys.byte.get(row as usize);
    (rank.copied().unwrap_or(u32::MAX), byte.copied().unwrap_or(u64::MAX))
}

/// The box on which a row stands.
fn box_of(keys: &Keys, row: u32) -> u32 {
    keys.logs.get(row as usize).map_or(u32::MAX, |log| log.box_index)
}

fn new_rows(runs: &[Run]) -> usize {
    runs.iter().filter(|run| run.new).map(|run| run.keys.id.len()).sum()
}

/// A row that may be a double. What else is asked of it stands in its run: there are as many of these as new rows.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    /// Both halves of [`Keys::id`]: a `u128` is aligned to 16 bytes, which would make this 32 bytes.
    id: [u64; 2],
    at: At,
}

/// The rows of a run that may be doubles, each with the hash of its content.
fn occurrences<'r>(
    wanted: &'r Wanted,
    r: u32,
    Run { keys, new, .. }: &'r Run,
) -> impl Iterator<Item = (u64, Occurrence)> + Clone + 'r {
    let rows = (0..).zip(keys.id.iter().copied());
    let rows = rows.filter(|(_, id)| *new || wanted.ids.contains(id));
    rows.map(move |(i, id)| {
        let head = (id >> 64) as u64;
        (head, Occurrence { id: [head, id as u64], at: (r, i) })
    })
}

/// What is found of some rows.
#[derive(Default)]
struct Doubles {
    /// Rows, and whether they are doubles.
    marks: Vec<(At, bool)>,
    /// Run, box, and distinct records that were met there.
    seen: Vec<(u32, u32, u64)>,
}

fn doubles(runs: &mut [Run], wanted: &Wanted, owners: &[u32]) {
    let all: &[Run] = runs;
    let rows = (0..).zip(all).map(|(at, run)| occurrences(wanted, at, run)).collect();
    let partitions = Partitions::new(new_rows(all), rows);
    for found in partitions.map(|rows| doubles_of(all, rows, owners)) {
        for (run, box_index, records) in found.seen {
            if let Some(run) = runs.get_mut(run as usize) {
                *run.seen.entry(box_index).or_default() += records;
            }
        }
        for (at, duplicate) in found.marks {
            set(runs, at, |flags| &mut flags.duplicate, duplicate);
        }
    }
}

fn doubles_of(runs: &[Run], rows: &[&[Occurrence]], owners: &[u32]) -> Doubles {
    // Per record the row that counts, and the box on which it was met first.
    let count = rows.iter().map(|rows| rows.len()).sum();
    let mut first: HashMap<u128, (u32, At), ReadyState> =
        HashMap::with_capacity_and_hasher(count, ReadyState::default());
    let mut elsewhere: HashSet<(u128, u32), ReadyState> = HashSet::default();
    let mut found = Doubles::default();
    for Occurrence { id: [head, rest], at } in rows.iter().copied().flatten().copied() {
        let id = u128::from(head) << 64 | u128::from(rest);
        let Some(run) = runs.get(at.0 as usize) else { continue };
        let (new, box_index) = (run.new, box_of(&run.keys, at.1));
        let fresh = match first.entry(id) {
            Entry::Vacant(slot) => {
                slot.insert((box_index, at));
                found.marks.extend((!new).then_some((at, false)));
                true
            }
            Entry::Occupied(mut slot) => {
                let (met, kept) = *slot.get();
                if place(runs, at, owners) < place(runs, kept, owners) {
                    slot.insert((met, at));
                    found.marks.extend([(kept, true), (at, false)]);
                } else {
                    found.marks.push((at, true));
                }
                met != box_index && elsewhere.insert((id, box_index))
            }
        };
        if new && fresh {
            match found.seen.last_mut() {
                Some((run, on, records)) if (*run, *on) == (at.0, box_index) => *records += 1,
                _ => found.seen.push((at.0, box_index, 1)),
            }
        }
    }
    found
}

/// A row with a unit. Its time is here, since to look for it in its run, row by row, takes longer than all else.
#[derive(Clone, Copy, Default)]
struct UnitRow {
    unit: u64,
    /// [`UNDATED`] where it has none.
    ts: i64,
    at: At,
}

/// The time of a row that has none: before all others.
const UNDATED: i64 = i64::MIN;

/// The rows of a run with a unit, each with the hash of that; of new ones no doubles, but in runs of tasks.
fn unit_rows<'r>(
    wanted: &'r Wanted,
    r: u32,
    Run { keys, flags, new, .. }: &'r Run,
) -> impl Iterator<Item = (u64, UnitRow)> + Clone + 'r {
    let rows = (0..).zip(units(keys)).zip(flags.duplicate.iter().zip(&keys.ts));
    rows.filter_map(move |((i, unit), (double, ts))| {
        let (on, unit) = unit?;
        let is_asked = match new {
            true => !double || on == ANY_BOX,
            false => wanted.units.contains(&(on, unit)),
        };
        let row = UnitRow { unit, ts: ts.unwrap_or(UNDATED), at: (r, i) };
        is_asked.then_some((unit, row))
    })
}

/// What is found of the units of some rows.
#[derive(Default)]
struct Repeats {
    marks: Vec<(At, bool)>,
    /// Old rows that are looked at again.
    known: Vec<At>,
    tasks: Vec<Flagged>,
}

fn repeats(runs: &mut [Run], wanted: &Wanted, ranks: &[u32]) {
    let all: &[Run] = runs;
    let rows = (0..).zip(all).map(|(at, run)| unit_rows(wanted, at, run)).collect();
    let partitions = Partitions::new(new_rows(all), rows);
    for found in partitions.map(|rows| repeats_of(all, rows, ranks)) {
        let earlier = found.tasks.iter().flat_map(|task| &task.earlier);
        for (at, repeat) in found.marks.into_iter().chain(earlier.map(|at| (*at, true))) {
            set(runs, at, |flags| &mut flags.repeat, repeat);
        }
        of_tasks(runs, &found.known, found.tasks);
    }
}

fn repeats_of(runs: &[Run], rows: &[&[UnitRow]], ranks: &[u32]) -> Repeats {
    // Per unit its latest evaluation and its time.
    let count = rows.iter().map(|rows| rows.len()).sum();
    let mut latest: HashMap<(u32, u64), (i64, At), ReadyState> =
        HashMap::with_capacity_and_hasher(count, ReadyState::default());
    let mut tasks = Tasks::default();
    let mut found = Repeats::default();
    for UnitRow { unit, ts, at } in rows.iter().copied().flatten().copied() {
        let Some(Run { keys, flags, new, .. }) = runs.get(at.0 as usize) else { continue };
        let row = at.1 as usize;
        if !new {
            found.marks.push((at, false));
            found.known.push(at);
        }
        let is_double = || flags.duplicate.get(row) == Some(&true);
        if keys.role.get(row) != Role::None {
            tasks.entry(unit).or_default().extend(turn(runs, at, is_double(), ranks));
            continue;
        }
        if !new && is_double() {
            continue;
        }
        let kept = match latest.entry((box_of(keys, at.1), unit)) {
            Entry::Vacant(slot) => {
                slot.insert((ts, at));
                continue;
            }
            Entry::Occupied(slot) => slot.into_mut(),
        };
        let later =
            ts > kept.0 || ts == kept.0 && place(runs, at, ranks) > place(runs, kept.1, ranks);
        let earlier = if later { std::mem::replace(kept, (ts, at)).1 } else { at };
        found.marks.push((earlier, true));
    }
    found.tasks = tasks.values().map(|turns| runs::flagged(turns)).collect();
    found
}

/// A row in the runs of its task.
fn turn(runs: &[Run], at: At, double: bool, ranks: &[u32]) -> Option<Turn> {
    let (keys, row) = (&runs.get(at.0 as usize)?.keys, at.1 as usize);
    let (ts, box_index, role) = (*keys.ts.get(row)?, box_of(keys, at.1), keys.role.get(row));
    let head = (*keys.id.get(row)? >> 64) as u64;
    Some(Turn { ts, place: place(runs, at, ranks), at, box_index, head, double, role })
}

/// What people and later runs make of runs; `known` are the old rows that are looked at again.
fn of_tasks(runs: &mut [Run], known: &[At], tasks: Vec<Flagged>) {
    for at in known {
        set(runs, *at, |flags| &mut flags.settled, None);
        set(runs, *at, |flags| &mut flags.overtaken, false);
        set(runs, *at, |flags| &mut flags.run_latency, None);
    }
    for task in tasks {
        for (at, word) in task.settled {
            set(runs, at, |flags| &mut flags.settled, Some(word));
        }
        for at in task.overtaken {
            set(runs, at, |flags| &mut flags.overtaken, true);
        }
        for (at, ms) in task.latencies {
            set(runs, at, |flags| &mut flags.run_latency, Some(ms));
        }
    }
}

fn set<T>(runs: &mut [Run], (r, i): At, list: impl Fn(&mut Flags) -> &mut Vec<T>, to: T) {
    let list = runs.get_mut(r as usize).map(|run| list(&mut run.flags));
    if let Some(flag) = list.and_then(|list| list.get_mut(i as usize)) {
        *flag = to;
    }
}

/// The verdicts and overrides of each task.
type Tasks = HashMap<u64, Vec<Turn>, ReadyState>;

#[cfg(test)]
mod tests;
