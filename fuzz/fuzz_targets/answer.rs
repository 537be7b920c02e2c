//! Whatever a model answers, it is read without a panic, and GO is said by an object that says so.

#![no_main]

use foureyes::engine::PushVerdict;
use foureyes::engine::answer::{read, with_call};
use foureyes::engine::rubric::Rubric;
use foureyes::engine::verdict::PUSH;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static RUBRIC: LazyLock<Rubric> = LazyLock::new(|| Rubric::embedded().expect("it is right"));

const CALL: &str = "abcdefabcdefabcd";

fuzz_target!(|text: &str| {
    let text = &with_call(text, CALL);
    let reading = read(&PUSH, text, &RUBRIC, CALL);
    assert_eq!(reading.fault.is_some(), reading.beginning.is_some());
    if reading.verdict == PushVerdict::Go {
        let scores = reading.scores.expect("a GO has scores");
        assert!(scores.all().iter().all(|score| (3..=5).contains(score)));
        assert!(text.contains("semantic") && !reading.inconsistent);
        // To another request the same is no answer.
        assert_ne!(read(&PUSH, text, &RUBRIC, "abcdefabcdefabce").verdict, PushVerdict::Go);
    }
});
