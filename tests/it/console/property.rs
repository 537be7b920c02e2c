//! Whatever happens in whatever order, the console stands, and a run that only reads writes nothing.

use super::legal::legal;
use super::paper;
use super::random::{Chance, Outside, chance, step};
use super::world::Setup;
use foureyes::tui::judging::JudgingEffect;
use foureyes::tui::{Effect, Message, begin, update};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// Steps of one run.
const STEPS: usize = 2_000;

fn writes(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Disposition { .. }
            | Effect::WriteReport(_)
            | Effect::Export(_)
            | Effect::Review { .. }
            | Effect::SaveDraft { .. }
            | Effect::Judging(JudgingEffect::Begin(_))
            | Effect::Pull
            | Effect::SaveSession(_)
            | Effect::MarkSeen { .. }
    )
}

/// Runs through one sequence; gives the effects that came of it.
fn run(setup: &Setup, steps: &[Chance]) -> Result<Vec<Effect>, TestCaseError> {
    let mut model = setup.model();
    let mut outside = Outside::new();
    let mut all = begin(&mut model);
    outside.hear(all.clone());
    for (at, one) in steps.iter().enumerate() {
        let before = model.generation;
        let message = step(&mut outside, &model, one);
        let what = told(&message);
        let effects = update(&mut model, message);
        // Who left begins again where he was.
        model.ended = false;
        prop_assert!(model.generation >= before, "step {at}, {what}: the generation went back");
        if let Err(why) = legal(&model) {
            prop_assert!(false, "step {at}, {what}: {why}");
        }
        let size = one.frame.unwrap_or(model.size);
        let every = match u32::from(size.0) * u32::from(size.1) {
            0..=1_000 => 1,
            1_001..=6_000 => 10,
            _ => 100,
        };
        if at % every == 0 || one.frame.is_some() && every < 100 {
            paper::harmless(&paper::drawn_on(&model, size), &what);
        }
        all.extend(effects.iter().cloned());
        outside.hear(effects);
    }
    Ok(all)
}

fn told(message: &Message) -> String {
    let mut text = format!("{message:?}");
    text.truncate(text.floor_char_boundary(200));
    text
}

fn check(cases: u32, setup: &Setup, test: impl Fn(Vec<Effect>) -> Result<(), TestCaseError>) {
    let config =
        Config { cases, max_shrink_iters: 30, failure_persistence: None, ..Config::default() };
    let steps = proptest::collection::vec(chance(), STEPS);
    let outcome = TestRunner::new(config).run(&steps, |steps| test(run(setup, &steps)?));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, steps)) => {
            let last: Vec<_> = steps.iter().rev().take(6).collect();
            panic!("{why} after {} steps, the last ones first: {last:?}", steps.len());
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn two_thousand_random_inputs_keep_console_state_valid() {
    let mut setup = Setup::default();
    setup.facts.boxes = true;
    let count = std::cell::Cell::new(0);
    check(3, &setup, |effects| {
        count.set(count.get() + effects.iter().filter(|e| writes(e)).count());
        Ok(())
    });
    // Else the run that only reads would show nothing.
    assert!(count.get() > 0, "nothing was ever written");
}

#[test]
fn read_only_run_requests_no_writes() {
    let mut setup = Setup::default();
    setup.facts.boxes = true;
    setup.facts.read_only = true;
    check(3, &setup, |effects| {
        let written = effects.iter().find(|e| writes(e));
        prop_assert!(written.is_none(), "{written:?}");
        Ok(())
    });
}
