//! Which runs a person's overrides settle.

use super::{At, Run, Turn};
use crate::domain::review::OverrideWord;
use crate::domain::{Timestamp, sort_by_writing};
use crate::frame::{Answer, Role, Step};
use std::collections::{BTreeSet, HashMap, HashSet};

/// An override that holds.
type Word = (Turn, Answer, OverrideWord);

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

/// Brings lines into the order in which they were written.
fn order<T>(lines: &mut [T], turn: impl Fn(&T) -> &Turn) {
    sort_by_writing(lines, |line| {
        let Turn { ts, place, .. } = turn(line);
        (ts.map(Timestamp), *place)
    });
}

/// Whether a line was written no later than an override, as far as their times tell.
fn precedes(line: i64, word: i64) -> bool {
    line <= word || word.rem_euclid(SECOND) == 0 && line.div_euclid(SECOND) * SECOND == word
}

/// The last rounds of runs that an override answers, and what it says; the last word on each last.
///
/// One that names a record answers the run which that ends. One that names only the task answers the last
/// run on its box that had ended before it: by time, unless it or the round before it has no time. Then
/// their file tells. A run that went on after the override is not answered by it.
pub(super) fn settled(turns: &[Turn], runs: &[Run]) -> Vec<(At, OverrideWord)> {
    let words = in_force(turns);
    if words.is_empty() {
        return Vec::new();
    }
    let boxes: BTreeSet<u32> = words.iter().map(|(turn, ..)| turn.box_index).collect();
    let (mut placed, mut dated) = (Vec::new(), Vec::new());
    for box_index in boxes {
        let of_box = words
            .iter()
            .filter(|(turn, answer, _)| turn.box_index == box_index && answer.record == 0);
        let runs: Vec<&Run> = runs.iter().filter(|run| run.is_on(box_index)).collect();
        let (by_place, by_time) = of_task(of_box, &runs, box_index);
        placed.extend(by_place);
        dated.extend(by_time);
    }
    dated.extend(of_records(&words, runs));
    order(&mut dated, |(turn, ..)| turn);
    placed.into_iter().chain(dated).map(|(_, at, word)| (at, word)).collect()
}

/// The decisions among the lines of people that are not taken back, in their order.
fn in_force(turns: &[Turn]) -> Vec<Word> {
    let answer = |turn: &Turn| match turn.role {
        Role::Override(answer) => Some((*turn, answer)),
        Role::None | Role::Round(_) => None,
    };
    let mut answers: Vec<(Turn, Answer)> = turns.iter().filter_map(answer).collect();
    order(&mut answers, |(turn, _)| turn);
    let mut back: HashSet<u64> = HashSet::new();
    for (_, answer) in &answers {
        match answer.step {
            Step::TakesBack => {
                back.insert(answer.entry);
            }
            Step::Restores => {
                back.remove(&answer.entry);
            }
            Step::Decides(_) => {}
        }
    }
    let holds = |(turn, answer): (Turn, Answer)| match answer.step {
        Step::Decides(word) if answer.entry == 0 || !back.contains(&answer.entry) => {
            Some((turn, answer, word))
        }
        _ => None,
    };
    answers.into_iter().filter_map(holds).collect()
}

/// What an override settles: the override, the last round, the word.
type Settles = (Turn, At, OverrideWord);

/// Those that name a record: it is the last of its run, or the run had ended.
fn of_records(words: &[Word], runs: &[Run]) -> Vec<Settles> {
    let lines = runs.iter().flat_map(|run| run.lines.iter().map(move |line| (line.head, run)));
    let of_head: HashMap<u64, &Run> = lines.collect();
    let settles = |(turn, answer, word): &Word| {
        let run = of_head.get(&answer.record).filter(|_| answer.record != 0)?;
        let is_before = |line: &Turn| match (line.ts, turn.ts) {
            (Some(line), Some(own)) => precedes(line, own),
            _ => true,
        };
        let ended = run.end.head == answer.record || run.lines.iter().all(is_before);
        ended.then_some((*turn, run.end.at, *word))
    };
    words.iter().filter_map(settles).collect()
}

/// Those that name only the task, on a box: by their place in a file, and by time.
fn of_task<'a>(
    words: impl Iterator<Item = &'a Word>,
    runs: &[&Run],
    box_index: u32,
) -> (Vec<Settles>, Vec<Settles>) {
    let events = |is: &dyn Fn(&Turn) -> bool| -> Vec<Event> {
        let of_run = |run: &Run, number: usize| -> Vec<Event> {
            let lines = run.lines.iter().filter(|line| is(line));
            lines.map(|line| (*line, Part::Line(number))).collect()
        };
        runs.iter().enumerate().flat_map(|(number, run)| of_run(run, number)).collect()
    };
    let mut by_place = events(&|line| line.box_index == box_index);
    let mut by_time = events(&|line| line.ts.is_some() && !line.double);
    let words = words.map(|(turn, _, word)| (*turn, Part::Word(*word)));
    by_place.extend(words);
    by_place.sort_unstable_by_key(|(turn, _)| turn.place);
    let mut found = Vec::new();
    for file in by_place.chunk_by(|(a, _), (b, _)| a.place.0 == b.place.0) {
        let mut before: Option<Turn> = None;
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for event in file {
            match event.1 {
                Part::Line(_) => before = Some(event.0),
                Part::Word(_) => {
                    let near = before.filter(|near| near.ts.is_none() || event.0.ts.is_none());
                    let list = if near.is_some() { &mut here } else { &mut elsewhere };
                    list.push(*event);
                    continue;
                }
            }
            here.push(*event);
        }
        found.extend(after_ends(&here, runs));
        by_time.extend(elsewhere.into_iter().filter(|(turn, _)| turn.ts.is_some()));
    }
    order(&mut by_time, |(turn, _)| turn);
    (found, after_ends(&by_time, runs))
}

/// A line of a run, or an override, in an order.
type Event = (Turn, Part);

#[derive(Debug, Clone, Copy)]
enum Part {
    /// A line of the run with this number.
    Line(usize),
    /// An override.
    Word(OverrideWord),
}

/// What the overrides settle where lines have this order: the run that ended last before each.
fn after_ends(events: &[Event], runs: &[&Run]) -> Vec<Settles> {
    let mut open: HashMap<usize, usize> = HashMap::new();
    for (_, part) in events {
        if let Part::Line(run) = part {
            *open.entry(*run).or_default() += 1;
        }
    }
    let (mut found, mut ended) = (Vec::new(), None);
    for (turn, part) in events {
        match part {
            Part::Line(run) => {
                let left = open.entry(*run).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 {
                    ended = runs.get(*run).map(|run| run.end.at);
                }
            }
            Part::Word(word) => found.extend(ended.map(|at| (*turn, at, *word))),
        }
    }
    found
}
