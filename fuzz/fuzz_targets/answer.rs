//! Whatever a model answers, it is read without a panic, and GO is said by an object that says so.

#![no_main]

use foureyes::engine::PushVerdict;
use foureyes::engine::answer::{Sent, read};
use foureyes::engine::rubric::Rubric;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static RUBRIC: LazyLock<Rubric> = LazyLock::new(|| Rubric::embedded().expect("it is right"));

fuzz_target!(|parts: (&str, &str)| {
    let (text, content) = parts;
    let sent = Sent { mark: "00112233445566778899aabbccddeeff", content };
    let reading = read(text, &RUBRIC, sent);
    assert_eq!(reading.fault.is_some(), reading.beginning.is_some());
    if reading.verdict == PushVerdict::Go {
        let scores = reading.scores.expect("a GO has scores");
        assert!(scores.all().iter().all(|score| (3..=5).contains(score)));
        assert!(text.contains("semantic") && !reading.inconsistent);
        // What stands in the content, too, is no answer.
        assert_ne!(read(text, &RUBRIC, Sent { content: text, ..sent }).verdict, PushVerdict::Go);
    }
});
