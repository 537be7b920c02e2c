//! The contents of the window, with what labels say of them and how they were chosen.

use super::days::{DayState, Judged};
use super::input::Input;
use super::reader::Reader;
use super::second_words::rulings_under_rules;
use super::weights::weights;
use super::{Evaluation, Word};
use crate::domain::RecordId;
use rayon::prelude::*;
use std::collections::HashMap;

/// One content of the window with its first verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Content {
    /// The record of that verdict.
    pub id: RecordId,
    /// Whether it said NO-GO.
    pub flagged: bool,
    /// What its labels say.
    pub word: Option<Word>,
    /// Probability with which it was chosen; `None` where it was not, or nobody knows.
    pub pi: Option<f64>,
    /// Whether what passed was looked at when it was judged: else its label says nothing on misses.
    pub covered: bool,
    /// Whether its day is of the unbroken run of closed days.
    pub closed: bool,
    /// How many contents of those days its label stands for in estimates; 0 where none of it decides.
    pub weight: f64,
    /// The same with all that the rates need.
    pub(super) judged: Judged,
}

impl Content {
    pub(super) fn new(judged: Judged) -> Self {
        let Judged { id, flagged, word, pi, .. } = judged;
        let covered = judged.covered && judged.smallest > 0.0;
        Self { id, flagged, word, pi, covered, closed: false, weight: 0.0, judged }
    }

    /// Whether it would be in a sample that is drawn at this rate: such contents are one sample, whatever
    /// the rates at which they were drawn.
    pub fn is_drawn_at(&self, rate: f64) -> bool {
        self.pi.is_some_and(|pi| pi >= rate) && self.judged.draw < rate
    }
}

/// The contents of the window, of open days too.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// Each one with a label, and of the others those that decide something else.
    pub distinct: Vec<Content>,
    /// Which of them each content is, in order of time.
    numbers: Vec<u32>,
    /// The place of each content's evaluation among those that it was read from.
    pub places: Vec<u32>,
}

impl Contents {
    /// Each content, in order of time. Of those without a label that decide the same, it is the first one.
    pub fn each(&self) -> impl Iterator<Item = &Content> {
        self.numbers.iter().filter_map(|number| self.distinct.get(*number as usize))
    }
}

/// What contents without a label have in common that decide the same: verdict, stratum, probabilities, what
/// is known of them, and for how many each stands.
type Key = ([bool; 4], u16, [Option<u64>; 4], u64);

/// Contents, each with how many there are.
#[derive(Default)]
struct Kinds {
    all: Vec<(Judged, u64)>,
    unlabelled: HashMap<Key, u32>,
}

impl Kinds {
    /// Takes so many contents that are alike; gives the number of their kind.
    fn take(&mut self, j: &Judged, count: u64) -> u32 {
        let next = self.all.len() as u32;
        let number = match j.word {
            Some(_) => next,
            None => {
                let bits = [j.pi, Some(j.rate), Some(j.smallest), Some(j.stopped)];
                let bits = bits.map(|of| of.map(f64::to_bits));
                let what = [j.flagged, j.undetermined, j.covered, j.planned];
                let key = (what, j.stratum, bits, j.times);
                *self.unlabelled.entry(key).or_insert(next)
            }
        };
        match self.all.get_mut(number as usize) {
            Some((_, known)) => *known += count,
            None => self.all.push((*j, count)),
        }
        number
    }
}

/// The contents of the window.
pub fn contents(input: &Input<'_>) -> Contents {
    let rulings = rulings_under_rules(input);
    let reader = Reader::new(input, &rulings);
    let read = |rows: &[Evaluation]| {
        let (mut kinds, mut numbers) = (Kinds::default(), Vec::new());
        let number = rows.first().map_or(i32::MIN, |e| e.at.day());
        let day = reader.read(number, rows, |_| {}, |j| numbers.push(kinds.take(j, 1)));
        (day.state != DayState::Open, kinds.all, numbers)
    };
    let days = input.in_window().par_chunk_by(|a, b| a.at.day() == b.at.day());
    let (mut kinds, mut numbers, mut closed) = (Kinds::default(), Vec::new(), None);
    for (is_closed, of_day, of_contents) in days.map(read).collect::<Vec<_>>() {
        if !is_closed && closed.is_none() {
            closed = Some(kinds.all.len());
            kinds.unlabelled.clear();
        }
        let of_day: Vec<u32> = of_day.iter().map(|(j, count)| kinds.take(j, *count)).collect();
        let of_contents = of_contents.into_iter();
        numbers.extend(of_contents.filter_map(|number| of_day.get(number as usize)));
    }
    let mut distinct: Vec<Content> = kinds.all.iter().map(|(j, _)| Content::new(*j)).collect();
    let closed = kinds.all.get(..closed.unwrap_or(kinds.all.len())).unwrap_or_default();
    for (content, weight) in distinct.iter_mut().zip(weights(closed)) {
        (content.closed, content.weight) = (true, weight);
    }
    let draws = input.draws();
    let judged = input.window().filter(|at| draws.counts(&input.evaluations[*at]));
    Contents { distinct, numbers, places: judged.map(|at| at as u32).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{input, plan};
    use crate::domain::Outcome;

    #[test]
    fn unlabelled_contents_that_decide_the_same_are_held_once() {
        let outcomes = [Outcome::Go, Outcome::NoGo, Outcome::Undetermined, Outcome::Go];
        let rows: Vec<_> =
            (0..400).map(|n| evaluation(n, (n / 100) as i32, outcomes[n as usize % 4])).collect();
        let judged: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].is_judged()).collect();
        let labels: Vec<_> =
            rows[..20].iter().map(|e| label(e.id, "a", 1, Word::Acceptable)).collect();
        let all = contents(&input(&rows, &labels, &plan(0.5)));
        let labelled = all.distinct.iter().filter(|c| c.word.is_some()).count();
        assert_eq!(labelled, judged.iter().filter(|at| **at < 20).count());
        // Flagged, drawn, and neither.
        assert_eq!(all.distinct.len() - labelled, 3);
        let places: Vec<usize> = all.places.iter().map(|at| *at as usize).collect();
        assert_eq!((places, all.each().count()), (judged.clone(), judged.len()));
        for (content, at) in all.each().zip(judged) {
            assert_eq!(content.flagged, rows[at].outcome == Outcome::NoGo);
            assert_eq!(content.word.is_some(), at < 20);
            assert!(at >= 20 || content.id == rows[at].id);
        }
    }
}
