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
    }
    for task in tasks {
        for (at, word) in task.settled {
            set(runs, at, |flags| &mut flags.settled, Some(word));
        }
        for at in task.overtaken {
            set(runs, at, |flags| &mut flags.overtaken, true);
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
mod tests {
    use super::*;
    use crate::frame::{LogIndex, Round};

    /// Rows of one file, in the order of their bytes.
    fn run(part: u32, rows: &[(u128, u64, i64, u32)]) -> Run {
        let mut keys = Keys::default();
        for (at, (id, unit, ts, box_index)) in (0..).zip(rows) {
            keys.id.push(*id);
            keys.unit.push(Some(*unit));
            keys.role.push(Role::None);
            keys.ts.push(Some(*ts));
            keys.logs.push(LogIndex { box_index: *box_index, file: part });
            keys.byte.push(at);
        }
        Run::new(keys)
    }

    fn wanted(runs: &[Run]) -> Wanted {
        Wanted::new(&runs.iter().filter(|r| r.new).map(|r| &r.keys).collect::<Vec<_>>())
    }

    #[test]
    fn the_first_of_equal_records_counts_and_each_box_is_counted_once() {
        let mut runs = [
            run(0, &[(1, 1, 1, 0), (1, 1, 1, 0), (2, 2, 1, 0)]),
            run(1, &[(1, 1, 1, 1), (1, 1, 1, 1)]),
        ];
        let wanted = wanted(&runs);
        assign(&mut runs, &wanted, (&[0, 1], &[0, 1]));
        assert_eq!(runs[0].flags.duplicate, [false, true, false]);
        assert_eq!(runs[1].flags.duplicate, [true, true]);
        assert_eq!(runs[0].seen, HashMap::from([(0, 2)]));
        assert_eq!(runs[1].seen, HashMap::from([(1, 1)]));
        assert!(runs.iter().all(|r| !r.flags.repeat.contains(&true)));
    }

    #[test]
    fn latest_evaluation_of_commit_counts_in_any_file() {
        let mut runs =
            [run(0, &[(1, 7, 50, 0), (2, 7, 90, 1)]), run(1, &[(3, 7, 40, 0), (4, 7, 60, 0)])];
        runs[0].new = false;
        let wanted = wanted(&runs);
        assign(&mut runs, &wanted, (&[0, 1], &[0, 1]));
        assert_eq!(runs[0].flags.repeat, [true, false]);
        assert_eq!(runs[1].flags.repeat, [true, false]);
        assert!(runs[0].touched);
    }

    #[test]
    fn undated_evaluation_comes_before_all_dated_ones() {
        let mut run = run(0, &[(1, 7, -90, 0), (2, 7, 60, 0)]);
        run.keys.ts[1] = None;
        let mut runs = [run];
        let wanted = wanted(&runs);
        assign(&mut runs, &wanted, (&[0], &[0]));
        assert_eq!(runs[0].flags.repeat, [false, true]);
    }

    #[test]
    fn copy_of_a_round_on_another_box_tells_where_the_run_was() {
        // A later run of the task is on the box of the copy alone.
        let round = |run| {
            Role::Round(Round { number: 1, continues: false, answered: true, run, closes: true })
        };
        let mut first = run(0, &[(1, 7, 10, 0)]);
        first.keys.role = [round(5)].into_iter().collect();
        let mut second = run(1, &[(1, 7, 10, 1), (2, 7, 20, 1)]);
        second.keys.role = [round(5), round(6)].into_iter().collect();
        let mut runs = [first, second];
        let wanted = wanted(&runs);
        assign(&mut runs, &wanted, (&[0, 1], &[0, 1]));
        assert_eq!(runs[1].flags.duplicate, [true, false]);
        assert_eq!(runs[0].flags.overtaken, [true]);
    }

    #[test]
    fn only_last_round_of_each_task_run_counts() {
        // Time and round: a run of two, a round asked once more for want of an answer, a run
        // that a read of another log completes, and a lone verdict of the same task elsewhere.
        let rounds = [(10, 1, true), (20, 2, true), (30, 1, false), (40, 1, true), (60, 3, true)];
        let mut first = run(0, &rounds.map(|(ts, n, _)| (ts as u128 + n, 7, ts, 0)));
        let role = |n: i64, answered| {
            Role::Round(Round { number: n as u8, continues: n > 1, answered, run: 0, closes: true })
        };
        first.keys.role =
            rounds.into_iter().map(|(_, n, answered)| role(n as i64, answered)).collect();
        let mut second = run(1, &[(50, 7, 50, 0), (51, 7, 70, 1)]);
        second.keys.role = [role(2, true); 2].into_iter().collect();
        let expected = [vec![true, false, true, true, false], vec![true, false]];
        let mut runs = [first, second];
        let all = wanted(&runs);
        assign(&mut runs, &all, (&[0, 1], &[0, 1]));
        assert_eq!(runs.each_ref().map(|r| r.flags.repeat.clone()), expected);
        // The same in two steps: the older log was flagged without the other.
        let [mut first, second] = runs;
        first.new = false;
        first.flags.repeat = vec![false; 5];
        let mut runs = [first, Run::new(second.keys)];
        let fresh = wanted(&runs);
        assign(&mut runs, &fresh, (&[0, 1], &[0, 1]));
        assert_eq!(runs.each_ref().map(|r| r.flags.repeat.clone()), expected);
        assert!(runs[0].touched);
    }

    #[test]
    fn earlier_log_read_later_takes_over_its_records() {
        let mut runs = [run(0, &[(1, 7, 50, 0), (2, 7, 90, 0)]), run(1, &[(2, 7, 90, 1)])];
        runs[0].new = false;
        runs[0].flags.repeat[0] = true;
        let mut wanted = wanted(&runs);
        wanted.add_units(wanted.more_units(&runs[0].keys));
        assign(&mut runs, &wanted, (&[0, 1], &[1, 0]));
        assert_eq!(runs[0].flags.duplicate, [false, true]);
        assert_eq!(runs[0].flags.repeat, [false, false]);
        assert_eq!(runs[1].flags.duplicate, [false]);
        assert!(runs[0].touched);
    }
}
