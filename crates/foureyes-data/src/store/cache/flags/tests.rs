//! Flags of rows of several logs.

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

const ROUND: Round =
    Round { number: 1, continues: false, answered: true, run: 0, closes: true, latency_ms: None };

fn sought(runs: &[Run]) -> Wanted {
    Wanted::new(&runs.iter().filter(|r| r.new).map(|r| &r.keys).collect::<Vec<_>>())
}

#[test]
fn the_first_of_equal_records_counts_and_each_box_is_counted_once() {
    let mut runs = [
        run(0, &[(1, 1, 1, 0), (1, 1, 1, 0), (2, 2, 1, 0)]),
        run(1, &[(1, 1, 1, 1), (1, 1, 1, 1)]),
    ];
    let wanted = sought(&runs);
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
    let wanted = sought(&runs);
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
    let wanted = sought(&runs);
    assign(&mut runs, &wanted, (&[0], &[0]));
    assert_eq!(runs[0].flags.repeat, [false, true]);
}

#[test]
fn copy_of_a_round_on_another_box_tells_where_the_run_was() {
    // A later run of the task is on the box of the copy alone.
    let round = |run| Role::Round(Round { run, ..ROUND });
    let mut first = run(0, &[(1, 7, 10, 0)]);
    first.keys.role = [round(5)].into_iter().collect();
    let mut second = run(1, &[(1, 7, 10, 1), (2, 7, 20, 1)]);
    second.keys.role = [round(5), round(6)].into_iter().collect();
    let mut runs = [first, second];
    let wanted = sought(&runs);
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
        Role::Round(Round { number: n as u8, continues: n > 1, answered, ..ROUND })
    };
    first.keys.role = rounds.into_iter().map(|(_, n, answered)| role(n as i64, answered)).collect();
    let mut second = run(1, &[(50, 7, 50, 0), (51, 7, 70, 1)]);
    second.keys.role = [role(2, true); 2].into_iter().collect();
    let expected = [vec![true, false, true, true, false], vec![true, false]];
    let mut runs = [first, second];
    let all = sought(&runs);
    assign(&mut runs, &all, (&[0, 1], &[0, 1]));
    assert_eq!(runs.each_ref().map(|r| r.flags.repeat.clone()), expected);
    // The same in two steps: the older log was flagged without the other.
    let [mut first, second] = runs;
    first.new = false;
    first.flags.repeat = vec![false; 5];
    let mut runs = [first, Run::new(second.keys)];
    let fresh = sought(&runs);
    assign(&mut runs, &fresh, (&[0, 1], &[0, 1]));
    assert_eq!(runs.each_ref().map(|r| r.flags.repeat.clone()), expected);
    assert!(runs[0].touched);
}

#[test]
fn earlier_log_read_later_takes_over_its_records() {
    let mut runs = [run(0, &[(1, 7, 50, 0), (2, 7, 90, 0)]), run(1, &[(2, 7, 90, 1)])];
    runs[0].new = false;
    runs[0].flags.repeat[0] = true;
    let mut wanted = sought(&runs);
    wanted.add_units(wanted.more_units(&runs[0].keys));
    assign(&mut runs, &wanted, (&[0, 1], &[1, 0]));
    assert_eq!(runs[0].flags.duplicate, [false, true]);
    assert_eq!(runs[0].flags.repeat, [false, false]);
    assert_eq!(runs[1].flags.duplicate, [false]);
    assert!(runs[0].touched);
}
