//! The runs of a task: which rounds a later one follows, which runs a person's override settles, and
//! which a later run overtook.
//!
//! Where records do not name their run, runs are read off times, places and the numbers of rounds.

mod settled;
#[cfg(test)]
mod tests;

use crate::domain::review::OverrideWord;
use crate::frame::{Role, Round};
use std::collections::{HashMap, HashSet};

/// Microseconds in a millisecond.
const MILLISECOND: i64 = 1000;

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
    /// Index of its box.
    pub(super) box_index: u32,
    /// Head of its id.
    pub(super) head: u64,
    /// The same record stands elsewhere, and is counted there.
    pub(super) double: bool,
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

/// What other rows decide of the rows of a task.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Flagged {
    /// Rounds that a later round of the same run follows.
    pub(super) earlier: Vec<At>,
    /// Last rounds of runs that an override answers, and its word; of several the last one holds.
    pub(super) settled: Vec<(At, OverrideWord)>,
    /// Last rounds of runs after which another run of the task came to an end.
    pub(super) overtaken: Vec<At>,
    /// Last rounds of runs, and milliseconds in which judges were at work on them.
    pub(super) latencies: Vec<(At, u32)>,
}

/// What is decided of the records of a task, on whichever boxes they stand.
///
/// Of a run that its rounds name, the one with the highest number is the last, wherever its lines stand.
/// Else, in the order of time on a box, a round goes on with the run before it where its number is
/// higher, or the same after a round without an answer; else a new run begins. Where one of two has no
/// time, a file tells their order, and the later one must list rounds before it.
pub(super) fn flagged(turns: &[Turn]) -> Flagged {
    let runs = Run::all(turns);
    let ends: HashSet<At> = runs.iter().map(|run| run.end.at).collect();
    let rounds = turns.iter().filter(|turn| turn.round().is_some() && !turn.double);
    Flagged {
        earlier: rounds.map(|turn| turn.at).filter(|at| !ends.contains(at)).collect(),
        settled: settled::settled(turns, &runs),
        overtaken: overtaken(&runs),
        latencies: runs.iter().filter_map(Run::latency).collect(),
    }
}

/// A run: its lines, doubles among them, and the last one.
#[derive(Debug)]
struct Run {
    lines: Vec<Turn>,
    end: Turn,
}

impl Run {
    /// Those of a task.
    fn all(turns: &[Turn]) -> Vec<Self> {
        let mut named: HashMap<u64, Vec<Turn>> = HashMap::new();
        let mut on_box: HashMap<u32, Vec<(Turn, Round)>> = HashMap::new();
        for (turn, round) in turns.iter().filter_map(|turn| Some((*turn, turn.round()?))) {
            if round.run != 0 {
                named.entry(round.run).or_default().push(turn);
            }
            if !turn.double {
                on_box.entry(turn.box_index).or_default().push((turn, round));
            }
        }
        let named = named.into_values().filter_map(Self::named);
        let unnamed = on_box.into_values().flat_map(Self::unnamed);
        let mut all: Vec<Self> = named.chain(unnamed).collect();
        all.sort_unstable_by_key(|run| (run.end.place, run.end.at));
        all
    }

    /// One that its lines name. Of equal numbers the later one is the last.
    fn named(lines: Vec<Turn>) -> Option<Self> {
        let order = |turn: &&Turn| (turn.round().map(|round| round.number), turn.ts, turn.place);
        let end = *lines.iter().filter(|turn| !turn.double).max_by_key(order)?;
        Some(Self { lines, end })
    }

    /// Those that the rounds of a box do not name.
    fn unnamed(mut placed: Vec<(Turn, Round)>) -> Vec<Self> {
        placed.sort_unstable_by_key(|(turn, _)| turn.place);
        let mut dated: Vec<_> =
            placed.iter().filter(|(turn, _)| turn.ts.is_some()).copied().collect();
        dated.sort_unstable_by_key(|(turn, _)| (turn.ts, turn.place));
        let mut next = followed(&placed, |(a, last), (b, round)| {
            let undated = a.ts.is_none() || b.ts.is_none();
            undated && a.place.0 == b.place.0 && round.follows(*last, false)
        });
        next.extend(followed(&dated, |(_, last), (_, round)| round.follows(*last, true)));
        let unnamed = placed.iter().filter(|(_, round)| round.run == 0).map(|(turn, _)| *turn);
        let mut runs: HashMap<At, Self> = HashMap::new();
        let mut ends: HashMap<At, Turn> = HashMap::new();
        for turn in unnamed {
            let end = end(turn, &next, &mut ends);
            runs.entry(end.at).or_insert_with(|| Self { lines: Vec::new(), end }).lines.push(turn);
        }
        runs.into_values().collect()
    }

    fn is_on(&self, box_index: u32) -> bool {
        self.lines.iter().any(|line| line.box_index == box_index)
    }

    /// Its last round, and for how many milliseconds judges were at work on it: of rounds at the same time the time
    /// counts once. `None` where it says so itself, or nothing does.
    fn latency(&self) -> Option<(At, u32)> {
        let (mut dated, mut sum) = (Vec::new(), None);
        for line in self.lines.iter().filter(|line| !line.double) {
            let Some(ms) = line.round().and_then(|round| round.latency_ms) else { continue };
            match line.ts {
                Some(ts) => dated.push((ts - i64::from(ms) * MILLISECOND, ts)),
                None => *sum.get_or_insert(0) += i64::from(ms) * MILLISECOND,
            }
        }
        dated.sort_unstable();
        let mut reached = i64::MIN;
        for (from, to) in dated {
            *sum.get_or_insert(0) += (to - from.max(reached)).max(0);
            reached = reached.max(to);
        }
        let ms = u32::try_from(sum? / MILLISECOND).unwrap_or(u32::MAX);
        let own = self.end.round().and_then(|round| round.latency_ms);
        (own != Some(ms)).then_some((self.end.at, ms))
    }

    fn closes(&self) -> bool {
        self.end.round().is_some_and(|round| round.closes)
    }
}

/// Those that the next one of the list goes on with, and that one.
fn followed(
    rounds: &[(Turn, Round)],
    is: impl Fn(&(Turn, Round), &(Turn, Round)) -> bool,
) -> HashMap<At, Turn> {
    let pairs = rounds.iter().zip(rounds.iter().skip(1)).filter(|(a, b)| is(a, b));
    pairs.map(|(a, b)| (a.0.at, b.0)).collect()
}

/// The last round of the run of a round. Times and places may contradict each other: what then goes
/// round in a circle ends where it was entered.
fn end(turn: Turn, next: &HashMap<At, Turn>, ends: &mut HashMap<At, Turn>) -> Turn {
    let (mut at, mut path) = (turn, Vec::new());
    while !ends.contains_key(&at.at) {
        ends.insert(at.at, at);
        path.push(at.at);
        let Some(further) = next.get(&at.at) else { break };
        at = *further;
    }
    let end = ends.get(&at.at).copied().unwrap_or(at);
    ends.extend(path.into_iter().map(|at| (at, end)));
    end
}

/// Ends of runs after which another run on the same box came to an end that is known.
fn overtaken(runs: &[Run]) -> Vec<At> {
    let mut by_time: HashMap<u32, (Option<i64>, (u32, u64))> = HashMap::new();
    // Where one of two has no time, their file tells: the last place of a run, and of one without time.
    let mut by_place: HashMap<u32, [Option<u64>; 2]> = HashMap::new();
    for run in runs.iter().filter(|run| run.closes()) {
        let Turn { ts, place: (file, byte), .. } = run.end;
        let [all, undated] = by_place.entry(file).or_default();
        *all = (*all).max(Some(byte));
        *undated = (*undated).max(ts.is_none().then_some(byte));
        for line in run.lines.iter().filter(|_| ts.is_some()) {
            let latest = by_time.entry(line.box_index).or_default();
            *latest = (*latest).max((ts, run.end.place));
        }
    }
    let is_overtaken = |run: &&Run| {
        let Turn { ts, place: (file, byte), .. } = run.end;
        let later = |line: &Turn| by_time.get(&line.box_index) > Some(&(ts, run.end.place));
        let [all, undated] = by_place.get(&file).copied().unwrap_or_default();
        let behind = if ts.is_none() { all } else { undated };
        behind > Some(byte) || ts.is_some() && run.lines.iter().any(later)
    };
    runs.iter().filter(is_overtaken).map(|run| run.end.at).collect()
}
