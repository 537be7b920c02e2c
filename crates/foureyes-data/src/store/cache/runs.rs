//! The runs of a task: which rounds a later one follows, and which a person's override settles.
//!
//! Where records do not name their run, runs are read off times, places and the numbers of rounds.

use crate::domain::review::OverrideWord;
use crate::frame::{Role, Round};
use std::collections::HashMap;

/// A row: its run of rows and its number there.
pub(super) type At = (u32, u32);

/// A verdict or an override of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    /// Microseconds since 1970; `None` where undated.
    pub(super) ts: Option<i64>,
    /// Rank of its file, and offset there.
    pub(super) place: (u32, u64),
    /// Its row.
    pub(super) at: At,
    /// A round, or an override.
    pub(super) role: Role,
}

impl Turn {
    fn round(&self) -> Option<Round> {
        match self.role {
            Role::Round(round) => Some(round),
            Role::None | Role::Override(_) => None,
        }
    }
}

/// The rounds of a task that a later round of the same run follows.
///
/// Of a run that its rounds name, the one with the highest number is the last. Else, in the order of
/// time, a round goes on with the run before it where its number is higher, or the
/// same after a round without an answer; else a new run begins. Where one of two has no time, a
/// file tells their order, and the later one must list rounds before it.
pub(super) fn earlier(turns: &[Turn]) -> impl Iterator<Item = At> + use<> {
    let rounds = turns.iter().filter_map(|turn| Some((*turn, turn.round()?)));
    let mut placed: Vec<(Turn, Round)> = rounds.collect();
    placed.sort_unstable_by_key(|(turn, _)| turn.place);
    let mut dated: Vec<_> = placed.iter().filter(|(turn, _)| turn.ts.is_some()).copied().collect();
    dated.sort_unstable_by_key(|(turn, _)| (turn.ts, turn.place));
    let by_time = followed(&dated, |_, _| true);
    let by_place = followed(&placed, |(a, _), (b, round)| {
        (a.ts.is_none() || b.ts.is_none()) && a.place.0 == b.place.0 && round.continues
    });
    let last = last_of_named(&placed);
    let is_last = |(turn, round): &(Turn, Round)| last.get(&round.run) == Some(&turn.at);
    let named = placed.iter().filter(|(_, round)| round.run != 0);
    let by_name: Vec<At> = named.filter(|row| !is_last(row)).map(|(turn, _)| turn.at).collect();
    by_time.into_iter().chain(by_place).chain(by_name)
}

/// The last round of each run that its rounds name. Of equal numbers the later one counts.
fn last_of_named(rounds: &[(Turn, Round)]) -> HashMap<u64, At> {
    let mut last: HashMap<u64, (Turn, Round)> = HashMap::new();
    for (turn, round) in rounds.iter().filter(|(_, round)| round.run != 0) {
        let order = |t: &Turn, r: &Round| (r.number, t.ts, t.place);
        let kept = last.entry(round.run).or_insert((*turn, *round));
        if order(turn, round) > order(&kept.0, &kept.1) {
            *kept = (*turn, *round);
        }
    }
    last.into_iter().map(|(run, (turn, _))| (run, turn.at)).collect()
}

/// Those that the next one of the list goes on with.
fn followed(
    rounds: &[(Turn, Round)],
    is: impl Fn(&(Turn, Round), &(Turn, Round)) -> bool,
) -> Vec<At> {
    let pairs = rounds.iter().zip(rounds.iter().skip(1));
    pairs.filter(|(a, b)| is(a, b) && b.1.follows(a.1)).map(|(a, _)| a.0.at).collect()
}

/// The last rounds of runs that an override answers, and what it says; the last word on each last.
///
/// An override answers the round before it: the one by time, unless one of the two has no time.
/// Then it is the last one that stands before it in the same file.
pub(super) fn settled(turns: &[Turn]) -> Vec<(At, OverrideWord)> {
    if !turns.iter().any(|turn| matches!(turn.role, Role::Override(_))) {
        return Vec::new();
    }
    let mut placed = turns.to_vec();
    placed.sort_unstable_by_key(|turn| turn.place);
    let mut found = Vec::new();
    let (mut dated, mut last): (Vec<Turn>, Option<Turn>) = (Vec::new(), None);
    for turn in placed {
        let Role::Override(word) = turn.role else {
            last = Some(turn);
            dated.extend(turn.ts.map(|_| turn));
            continue;
        };
        let near = last.filter(|last| last.place.0 == turn.place.0);
        match near.filter(|near| near.ts.is_none() || turn.ts.is_none()) {
            Some(near) => found.push((near.at, word)),
            None => dated.extend(turn.ts.map(|_| turn)),
        }
    }
    dated.sort_unstable_by_key(|turn| (turn.ts, turn.place));
    let mut last = None;
    for turn in dated {
        match turn.role {
            Role::Override(word) => found.extend(last.map(|at| (at, word))),
            Role::Round(_) | Role::None => last = Some(turn.at),
        }
    }
    ends_of_runs(turns, found)
}

/// The same words on the last rounds of the runs that were met: two judges may answer in any order.
fn ends_of_runs(turns: &[Turn], words: Vec<(At, OverrideWord)>) -> Vec<(At, OverrideWord)> {
    let rounds: Vec<_> = turns.iter().filter_map(|turn| Some((*turn, turn.round()?))).collect();
    let last = last_of_named(&rounds);
    let runs: HashMap<At, u64> = rounds.iter().map(|(turn, round)| (turn.at, round.run)).collect();
    let end = |at: At| runs.get(&at).and_then(|run| last.get(run)).copied().unwrap_or(at);
    words.into_iter().map(|(at, word)| (end(at), word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of a task by file, time and role; the row is the place in the list.
    fn turns(of: &[(u32, Option<i64>, Role)]) -> Vec<Turn> {
        let turn = |(at, (file, ts, role)): (u32, &(u32, Option<i64>, Role))| Turn {
            ts: *ts,
            place: (*file, u64::from(at)),
            at: (0, at),
            role: *role,
        };
        (0..).zip(of).map(turn).collect()
    }

    const fn round(number: u8, continues: bool) -> Role {
        Role::Round(Round { number, continues, answered: true, run: 0 })
    }

    const ACCEPT: Role = Role::Override(OverrideWord::Accept);
    const REJECT: Role = Role::Override(OverrideWord::Reject);

    fn rows(turns: &[Turn]) -> Vec<u32> {
        let mut rows: Vec<u32> = earlier(turns).map(|at| at.1).collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn rounds_without_time_form_one_run_when_cumulative() {
        let run =
            [(0, None, round(1, false)), (0, None, round(2, true)), (0, None, round(3, true))];
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
        Role::Round(Round { number, continues: false, answered: true, run })
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
        let mixed = [
            (0, Some(10), round(1, false)),
            (0, Some(20), named(2, 7)),
            (0, Some(30), round(3, true)),
        ];
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
        let mixed =
            [(0, Some(10), round(1, false)), (0, None, round(1, false)), (0, Some(30), ACCEPT)];
        assert_eq!(settled(&turns(&mixed)), [((0, 1), OverrideWord::Accept)]);
        // Where nothing tells what was before, nothing is settled.
        for alone in [
            [(0, Some(20), round(1, false)), (1, None, ACCEPT)],
            [(0, Some(20), round(1, false)), (0, Some(10), ACCEPT)],
        ] {
            assert_eq!(settled(&turns(&alone)), []);
        }
    }
}
