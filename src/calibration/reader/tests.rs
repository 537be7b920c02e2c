//! Labels that state how their records were chosen.

use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::tests::label;
use crate::calibration::readiness::tests::input;
use crate::calibration::{
    Drawn, Evaluation, KpiResult, Labelled, Measure, Plan, Readiness, Word, readiness,
};
use crate::domain::Outcome;
use crate::stats::{binomial, sample};
use rayon::prelude::*;

/// Numbers in [0, 1), other ones for each seed.
fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let key = blake3::derive_key("tests of stated selections", &seed.to_be_bytes());
    let mut count = 0_u64;
    move || {
        count += 1;
        sample::draw(&key, &count.to_be_bytes())
    }
}

/// A label that states how its record was chosen.
fn stated(e: &Evaluation, word: Word, drawn: Drawn) -> Labelled {
    Labelled { stated: Some(drawn), ..label(e.id, "a", 1, word) }
}

fn result(r: &Readiness, m: Measure) -> KpiResult {
    r.kpis.iter().find(|k| k.id == m).unwrap().result
}

/// Thirty evaluations a day, of which 15 % are poor and 5 % of those pass: a judge on the threshold.
/// A twentieth of what passes is drawn with .1, the rest with .5, and all misses are of the former.
fn misses_in_the_thin_part(seed: u32, days: i32) -> (Vec<Evaluation>, Vec<Labelled>) {
    let mut draw = numbers(seed);
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for day in 0..days {
        for n in 0..30 {
            let (poor, missed, thin, drawn) = (draw() < 0.15, draw() < 0.05, draw() < 0.05, draw());
            let flagged = poor && !missed;
            let outcome = if flagged { Outcome::NoGo } else { Outcome::Go };
            let number = u64::from(seed) * 1_000_000 + day as u64 * 100 + n;
            let e = evaluation(number, day, outcome);
            let word = if poor { Word::Poor } else { Word::Acceptable };
            let pi = if poor || thin { 0.1 } else { 0.5 };
            if flagged {
                labels.push(label(e.id, "a", 1, word));
            } else if drawn < pi {
                labels.push(stated(&e, word, Drawn::Audit(pi)));
            }
            rows.push(e);
        }
    }
    (rows, labels)
}

#[test]
fn misses_where_little_is_drawn_are_seldom_called_met_whatever_else_is_stated() {
    const RUNS: u32 = 200;
    let plan = Plan::default();
    let wrong = |seed: u32| {
        let (rows, labels) = misses_in_the_thin_part(seed, 90);
        // Whoever looks sees what there is until then.
        [14, 30, 60, 90].into_iter().any(|day| {
            let until = rows.partition_point(|e| e.at.day() < day);
            let r = readiness(&input(&rows[..until], &labels, &plan));
            result(&r, Measure::FalseNegativeRate) == KpiResult::Met
        })
    };
    let count = (0..RUNS).into_par_iter().filter(|seed| wrong(*seed)).count() as u64;
    let lower = binomial::lower(count, RUNS.into(), 0.999);
    assert!(lower <= 0.05, "{count} of {RUNS}");
}
