//! Which rows are doubles, which verdicts a later one of their unit or run replaces, which an override of
//! their task settles, and which a later run of it overtakes.

use super::runs::{self, At, Flagged, Turn};
use super::wanted::{ANY_BOX, ReadyState, Wanted, units};
use crate::frame::{Flags, Keys, Role};
use rayon::prelude::*;
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
    let rank = keys.part.get(row as usize).and_then(|part| ranks.get(*part as usize));
    let byte = keys.byte.get(row as usize);
    (rank.copied().unwrap_or(u32::MAX), byte.copied().unwrap_or(u64::MAX))
}

/// So many parts of the rows are looked at side by side, each with a table of its own: a smaller one is
/// nearer to the processor.
const PARTS: u64 = 8;

/// Does something for each part of the rows, which are told apart by bits of a hash that no table goes by.
fn in_parts<T: Send>(of: impl Fn(&(dyn Fn(u64) -> bool + Sync)) -> T + Sync) -> Vec<T> {
    (0..PARTS).into_par_iter().map(|part| of(&move |hash| (hash >> 32) % PARTS == part)).collect()
}

fn new_rows(runs: &[Run]) -> usize {
    runs.iter().filter(|run| run.new).map(|run| run.keys.id.len()).sum()
}

/// What is found of some rows.
#[derive(Default)]
struct Doubles {
    /// Rows, and whether they are doubles.
    marks: Vec<(At, bool)>,
    /// Distinct records of each box, by runs.
    seen: HashMap<(u32, u32), u64, ReadyState>,
}

fn doubles(runs: &mut [Run], wanted: &Wanted, owners: &[u32]) {
    let rows: &[Run] = runs;
    for found in in_parts(|is_here| doubles_of(rows, wanted, owners, is_here)) {
        for ((run, box_index), records) in found.seen {
            if let Some(run) = runs.get_mut(run as usize) {
                *run.seen.entry(box_index).or_default() += records;
            }
        }
        for (at, duplicate) in found.marks {
            set(runs, at, |flags| &mut flags.duplicate, duplicate);
        }
    }
}

fn doubles_of(
    runs: &[Run],
    wanted: &Wanted,
    owners: &[u32],
    is_here: &(dyn Fn(u64) -> bool + Sync),
) -> Doubles {
    // Per record the row that counts, and the box on which it was met first.
    let mut first: HashMap<u128, (u32, At), ReadyState> =
        HashMap::with_capacity_and_hasher(new_rows(runs) / PARTS as usize, ReadyState::default());
    let mut elsewhere: HashSet<(u128, u32), ReadyState> = HashSet::default();
    let mut found = Doubles::default();
    for (r, run) in (0..).zip(runs) {
        for (i, (id, box_index)) in (0..).zip(run.keys.id.iter().zip(&run.keys.boxes)) {
            if !is_here((*id >> 64) as u64) || !run.new && !wanted.ids.contains(id) {
                continue;
            }
            let at = (r, i);
            let fresh = match first.entry(*id) {
                Entry::Vacant(slot) => {
                    slot.insert((*box_index, at));
                    found.marks.extend((!run.new).then_some((at, false)));
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
                    met != *box_index && elsewhere.insert((*id, *box_index))
                }
            };
            if run.new && fresh {
                *found.seen.entry((r, *box_index)).or_default() += 1;
            }
        }
    }
    found
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
    let rows: &[Run] = runs;
    for found in in_parts(|is_here| repeats_of(rows, wanted, ranks, is_here)) {
        let earlier = found.tasks.iter().flat_map(|task| &task.earlier);
        for (at, repeat) in found.marks.into_iter().chain(earlier.map(|at| (*at, true))) {
            set(runs, at, |flags| &mut flags.repeat, repeat);
        }
        of_tasks(runs, &found.known, found.tasks);
    }
}

fn repeats_of(
    runs: &[Run],
    wanted: &Wanted,
    ranks: &[u32],
    is_here: &(dyn Fn(u64) -> bool + Sync),
) -> Repeats {
    // Per unit its latest evaluation and its time.
    let mut latest: HashMap<(u32, u64), (i64, At), ReadyState> =
        HashMap::with_capacity_and_hasher(new_rows(runs) / PARTS as usize, ReadyState::default());
    let mut tasks = Tasks::default();
    let mut found = Repeats::default();
    for (r, run) in (0..).zip(runs) {
        for (i, unit) in units(&run.keys).enumerate() {
            let Some(unit) = unit.filter(|(_, unit)| is_here(*unit)) else { continue };
            if !run.new && !wanted.units.contains(&unit) {
                continue;
            }
            let at = (r, i as u32);
            if !run.new {
                found.marks.push((at, false));
                found.known.push(at);
            }
            let double = run.flags.duplicate.get(i) == Some(&true);
            let ts = run.keys.ts.get(i).copied().flatten();
            if let Some(role) = run.keys.role.get(i).filter(|role| **role != Role::None) {
                let box_index = run.keys.boxes.get(i).copied().unwrap_or(ANY_BOX);
                let head = run.keys.id.get(i).map_or(0, |id| (*id >> 64) as u64);
                let place = place(runs, at, ranks);
                let turn = Turn { ts, place, at, box_index, head, double, role: *role };
                tasks.entry(unit.1).or_default().push(turn);
                continue;
            }
            if double {
                continue;
            }
            let ts = ts.unwrap_or(i64::MIN);
            let kept = match latest.entry(unit) {
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
    }
    found.tasks = tasks.values().map(|turns| runs::flagged(turns)).collect();
    found
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
    use crate::frame::Round;

    /// Rows of one file, in the order of their bytes.
    fn run(part: u32, rows: &[(u128, u64, i64, u32)]) -> Run {
        let mut keys = Keys::default();
        for (at, (id, unit, ts, box_index)) in (0..).zip(rows) {
            keys.id.push(*id);
            keys.unit.push(Some(*unit));
            keys.role.push(Role::None);
            keys.ts.push(Some(*ts));
            keys.boxes.push(*box_index);
            keys.part.push(part);
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
    fn only_last_round_of_each_task_run_counts() {
        // Time and round: a run of two, a round asked once more for want of an answer, a run
        // that a read of another log completes, and a lone verdict of the same task elsewhere.
        let rounds = [(10, 1, true), (20, 2, true), (30, 1, false), (40, 1, true), (60, 3, true)];
        let mut first = run(0, &rounds.map(|(ts, n, _)| (ts as u128 + n, 7, ts, 0)));
        let role = |n: i64, answered| {
            Role::Round(Round { number: n as u8, continues: n > 1, answered, run: 0, closes: true })
        };
        first.keys.role = rounds.map(|(_, n, answered)| role(n as i64, answered)).to_vec();
        let mut second = run(1, &[(50, 7, 50, 0), (51, 7, 70, 1)]);
        second.keys.role = vec![role(2, true); 2];
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
