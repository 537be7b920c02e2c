//! Runs of a task by hand-made turns.

use super::*;
use crate::frame::{Answer, Step};

/// Turns of a task by file, time and role; the row is the place in the list.
fn turns(of: &[(u32, Option<i64>, Role)]) -> Vec<Turn> {
    let turn = |(at, (file, ts, role)): (u32, &(u32, Option<i64>, Role))| Turn {
        ts: *ts,
        place: (*file, u64::from(at)),
        at: (0, at),
        box_index: 0,
        head: u64::from(at) + 1,
        double: false,
        role: *role,
    };
    (0..).zip(of).map(turn).collect()
}

const fn round(number: u8, continues: bool) -> Role {
    Role::Round(Round { number, continues, answered: true, run: 0, closes: true, latency_ms: None })
}

const fn decides(word: OverrideWord) -> Role {
    Role::Override(Answer { step: Step::Decides(word), entry: 0, record: 0 })
}

const ACCEPT: Role = decides(OverrideWord::Accept);
const REJECT: Role = decides(OverrideWord::Reject);

fn settled(turns: &[Turn]) -> Vec<(At, OverrideWord)> {
    flagged(turns).settled
}

fn rows(turns: &[Turn]) -> Vec<u32> {
    let mut rows: Vec<u32> = flagged(turns).earlier.iter().map(|at| at.1).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn rounds_without_time_form_one_run_when_cumulative() {
    let run = [(0, None, round(1, false)), (0, None, round(2, true)), (0, None, round(3, true))];
    assert_eq!(rows(&turns(&run)), [0, 1]);
    // Only some lack it: a runner writes a time where the model repeated one.
    for (first, second) in [(Some(10), None), (None, Some(10))] {
        let run = [(0, first, round(1, false)), (0, second, round(2, true))];
        assert_eq!(rows(&turns(&run)), [0]);
    }
    // Nothing tells: no list, another file, a number that does not go on.
    for second in [(0, round(2, false)), (1, round(2, true)), (0, round(1, true))] {
        let run = [(0, None, round(1, false)), (second.0, None, second.1)];
        assert_eq!(rows(&turns(&run)), [0; 0]);
    }
}

const fn named(number: u8, run: u64) -> Role {
    Role::Round(Round {
        number,
        continues: false,
        answered: true,
        run,
        closes: true,
        latency_ms: None,
    })
}

#[test]
fn rounds_that_name_their_run_are_one_whatever_their_order() {
    // Deep was faster than quick, and another run of the task began meanwhile.
    let both = [
        (0, Some(10), named(2, 7)),
        (0, Some(11), named(1, 8)),
        (0, Some(12), named(1, 7)),
        (0, None, named(2, 8)),
    ];
    assert_eq!(rows(&turns(&both)), [1, 2]);
    // A run that is named neither goes on with one that is not, nor the other way round.
    let mixed =
        [(0, Some(10), round(1, false)), (0, Some(20), named(2, 7)), (0, Some(30), round(3, true))];
    assert_eq!(rows(&turns(&mixed)), [0; 0]);
    let overridden = [both[0], both[2], (0, Some(40), ACCEPT)];
    assert_eq!(settled(&turns(&overridden)), [((0, 0), OverrideWord::Accept)]);
}

#[test]
fn override_settles_previous_round_only() {
    let undated = [
        (0, None, round(1, false)),
        (0, None, round(2, true)),
        (0, None, ACCEPT),
        (0, None, round(1, false)),
    ];
    assert_eq!(settled(&turns(&undated)), [((0, 1), OverrideWord::Accept)]);
    // By time, whatever file: the later word on the same run holds.
    let dated = [
        (1, Some(10), round(1, false)),
        (1, Some(40), round(1, false)),
        (0, Some(30), REJECT),
        (0, Some(20), ACCEPT),
    ];
    let words = [((0, 0), OverrideWord::Accept), ((0, 0), OverrideWord::Reject)];
    assert_eq!(settled(&turns(&dated)), words);
    // The time of the override alone does not reach past an undated round before it.
    let mixed = [(0, Some(10), round(1, false)), (0, None, round(1, false)), (0, Some(30), ACCEPT)];
    assert_eq!(settled(&turns(&mixed)), [((0, 1), OverrideWord::Accept)]);
    // Where nothing tells what was before, nothing is settled.
    for alone in [
        [(0, Some(20), round(1, false)), (1, None, ACCEPT)],
        [(0, Some(20), round(1, false)), (0, Some(10), ACCEPT)],
    ] {
        assert_eq!(settled(&turns(&alone)), []);
    }
}

#[test]
fn override_before_the_end_of_a_run_settles_the_run_before_it() {
    let under_way = [
        (0, Some(5), named(1, 7)),
        (0, Some(10), named(1, 8)),
        (0, Some(20), REJECT),
        (0, Some(30), named(2, 8)),
    ];
    assert_eq!(settled(&turns(&under_way)), [((0, 0), OverrideWord::Reject)]);
    assert_eq!(settled(&turns(&under_way[1..])), []);
    assert_eq!(settled(&turns(&under_way[..3])), [((0, 1), OverrideWord::Reject)]);
    // Runs without a name are no different, and neither is what only the file puts in order.
    for ts in [Some(10), None] {
        let unnamed = [(0, ts, round(1, false)), (0, None, REJECT), (0, None, round(2, true))];
        assert_eq!(settled(&turns(&unnamed)), []);
    }
}

#[test]
fn override_that_names_a_record_settles_its_run_until_it_is_taken_back() {
    let answer = |step, entry, record| Role::Override(Answer { step, entry, record });
    let accepts = |record| answer(Step::Decides(OverrideWord::Accept), 50, record);
    let mut all = vec![
        (0, Some(10), named(1, 7)),
        (0, Some(11), named(2, 7)),
        (0, Some(20), named(1, 8)),
        // Of the clock of another machine, which is behind.
        (0, Some(9), accepts(2)),
    ];
    assert_eq!(settled(&turns(&all)), [((0, 1), OverrideWord::Accept)]);
    // It was given on a round that the run went on from.
    let early = [all[0], all[1], (0, Some(10), accepts(1))];
    assert_eq!(settled(&turns(&early)), []);
    let late = [all[0], all[1], (0, Some(12), accepts(1))];
    assert_eq!(settled(&turns(&late)), [((0, 1), OverrideWord::Accept)]);
    all.push((0, Some(30), answer(Step::TakesBack, 50, 2)));
    assert_eq!(settled(&turns(&all)), []);
    all.push((0, Some(40), answer(Step::Restores, 50, 2)));
    assert_eq!(settled(&turns(&all)), [((0, 1), OverrideWord::Accept)]);
}

#[test]
fn run_on_two_boxes_is_one() {
    let mut both = turns(&[
        (0, Some(10), named(1, 7)),
        (1, Some(10), named(1, 7)),
        (1, Some(20), named(2, 7)),
        (0, Some(30), REJECT),
    ]);
    // The first line is on both, the second on the other one only.
    (both[1].double, both[1].box_index, both[2].box_index) = (true, 1, 1);
    assert_eq!(rows(&both), [0]);
    assert_eq!(settled(&both), [((0, 2), OverrideWord::Reject)]);
    // A task of the same name, on a box that knows nothing of the run.
    both[3].box_index = 2;
    assert_eq!(settled(&both), []);
}

#[test]
fn run_is_overtaken_by_a_later_one_that_came_to_an_end() {
    let overtaken = |of: &[(u32, Option<i64>, Role)]| {
        let mut rows: Vec<u32> = flagged(&turns(of)).overtaken.iter().map(|at| at.1).collect();
        rows.sort_unstable();
        rows
    };
    let open = |number, run| match named(number, run) {
        Role::Round(round) => Role::Round(Round { closes: false, ..round }),
        role => role,
    };
    let two = [(0, Some(10), named(1, 7)), (0, Some(20), named(1, 8))];
    assert_eq!(overtaken(&two), [0]);
    assert_eq!(overtaken(&[two[1], two[0]]), [1]);
    let under_way = [two[0], (0, Some(20), open(1, 8))];
    assert_eq!(overtaken(&under_way), [0; 0]);
    // Only a file tells the order where there is no time.
    let undated = [(0, None, named(1, 7)), (0, Some(20), named(1, 8)), (1, None, named(1, 9))];
    assert_eq!(overtaken(&undated), [0]);
    let mut apart = turns(&two);
    apart[1].box_index = 1;
    assert_eq!(flagged(&apart).overtaken, []);
}

/// A round of the run 7, with its end in seconds and how many milliseconds it took.
const fn timed(number: u8, ms: Option<u32>) -> Role {
    let (continues, answered, run, closes) = (false, true, 7, true);
    Role::Round(Round { number, continues, answered, run, closes, latency_ms: ms })
}

#[test]
fn latency_of_a_run_is_the_time_in_which_its_judges_were_at_work() {
    let latencies = |of: &[(u32, Option<i64>, Role)]| flagged(&turns(of)).latencies;
    let at = |seconds: f64| Some((seconds * 1e6) as i64);
    // One after the other, and a last line that hands it to a person.
    let sequential = [
        (0, at(10.0), timed(1, Some(4_000))),
        (0, at(31.0), timed(2, Some(21_000))),
        (0, at(31.5), timed(3, None)),
    ];
    assert_eq!(latencies(&sequential), [((0, 2), 25_000)]);
    // At the same time, and the tiebreaker after both: logged when the slower one is done.
    let panel = [
        (0, at(31.0), timed(1, Some(4_000))),
        (0, at(31.0), timed(2, Some(21_000))),
        (0, at(36.5), timed(3, Some(5_500))),
    ];
    assert_eq!(latencies(&panel), [((0, 2), 26_500)]);
    // One round says it itself; of undated ones the sum is all that is known.
    assert_eq!(latencies(&panel[..1]), []);
    let undated = [(0, None, timed(1, Some(1_000))), (0, None, timed(2, Some(2_000)))];
    assert_eq!(latencies(&undated), [((0, 1), 3_000)]);
    assert_eq!(latencies(&[(0, at(1.0), timed(1, None))]), []);
    // The same line on another box is no further round.
    let mut twice = turns(&[sequential[0], sequential[0], sequential[1]]);
    twice[1].double = true;
    assert_eq!(flagged(&twice).latencies, [((0, 2), 25_000)]);
}

#[test]
fn override_of_whole_seconds_is_ordered_by_its_place_within_its_second() {
    let run = |number, seconds: f64| (0, Some((seconds * 1e6) as i64), named(number, 7));
    let word = (0, Some(33_000_000), ACCEPT);
    // The run ended in the second of which another writer gives the beginning.
    let after = [run(1, 30.2), run(2, 33.7), word];
    assert_eq!(settled(&turns(&after)), [((0, 1), OverrideWord::Accept)]);
    // Before the end of the run it decides nothing about it.
    let before = [run(1, 30.2), word, run(2, 33.7)];
    assert_eq!(settled(&turns(&before)), []);
    // What tells the instant is ordered by it.
    let exact = [run(1, 30.2), (0, Some(33_200_000), ACCEPT), run(2, 33.1)];
    assert_eq!(settled(&turns(&exact)), [((0, 2), OverrideWord::Accept)]);
    // A later word of whole seconds holds against an earlier one of the same second.
    let twice = [run(1, 30.2), (0, Some(33_400_000), REJECT), word];
    assert_eq!(settled(&turns(&twice)).last(), Some(&((0, 0), OverrideWord::Accept)));
    // It names a record of the run that is not its last one.
    let mut named_record = turns(&after);
    let answer = Answer { step: Step::Decides(OverrideWord::Reject), entry: 0, record: 1 };
    named_record[2].role = Role::Override(answer);
    assert_eq!(settled(&named_record), [((0, 1), OverrideWord::Reject)]);
}
