//! Answers of a real small model, as `benches/small_judge.py` recorded them.

use foureyes::engine::answer::read;
use foureyes::engine::rubric::Rubric;
use foureyes::engine::verdict::PUSH;
use serde_json::Value;

const RECORDED: &str = include_str!("../../data/answers/small-judge.jsonl");

/// What each line says was reasoned by the script's own reader, never by the one that is tested.
#[test]
fn recorded_answers_of_a_small_model_are_what_their_lines_say() {
    let rubric = Rubric::embedded().unwrap();
    let mut carried = [0; 2];
    for (number, line) in (1..).zip(RECORDED.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().unwrap_or_else(|| panic!("line {number}: {key}"));
        let reading = read(&PUSH, text("text"), &rubric, text("call"));
        let expected = (line["carried"].as_bool().unwrap(), text("verdict"));
        assert_eq!(
            (reading.called, reading.verdict.word()),
            expected,
            "line {number}: {reading:?}"
        );
        carried[usize::from(text("question") == "new")] += usize::from(reading.called);
    }
    // Of 30 answers to the old wording, and of 25 to the new one.
    assert_eq!(carried, [2, 25]);
}
