//! Whatever a model answers, it is read without a panic, and GO is said only by an object that says so.
//!
//! What `fuzz/fuzz_targets/answer.rs` holds, on texts that are made of what answers are made of: bytes drawn
//! at random are hardly ever near to an object.

use foureyes::engine::PushVerdict;
use foureyes::engine::answer::{read, with_call};
use foureyes::engine::rubric::Rubric;
use foureyes::engine::verdict::PUSH;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

static RUBRIC: LazyLock<Rubric> = LazyLock::new(|| Rubric::embedded().unwrap());

const CALL: &str = "abcdefabcdefabcd";

/// Pieces of answers, whole and broken, and of what is put around them.
const PIECES: &[&str] = &[
    r#"{"scores":{"semantic":4,"pragmatic":5,"syntactic":3},"verdict":"GO","findings":"fine"}"#,
    r#"{"scores":{"semantic":1,"pragmatic":5,"syntactic":3},"verdict":"NO-GO","findings":"poor"}"#,
    r#"{"semantic":"4","pragmatic":5.0,"syntactic":3}"#,
    r#"{"semantic":4,"pragmatic":5,"syntactic":33}"#,
    r#""scores":{"semantic":4,"pragmatic":4,"syntactic":4}"#,
    r#""call":"abcdefabcdefabcd","#,
    "abcdefabcdefabcd",
    r#""verdict":"GO""#,
    r#""verdict":"NO-GO""#,
    r#""verdict":"UNDETERMINED""#,
    r#""verdict":null"#,
    r#""findings":""#,
    r#""revision_suggestions":["#,
    r#"\"verdict\":\"GO\""#,
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0022",
    "\\ud83d",
    "null",
    "1e999",
    "-0",
    "4",
    "```json\n",
    "```",
    "\n",
    "\n> ",
    " ",
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "=== BEGIN MATERIAL 00112233445566778899aabbccddeeff ===",
    "=== END MATERIAL 00112233445566778899aabbccddeeff ===",
    "00112233445566778899aabbccddeeff",
    "GO",
    "\u{feff}",
    "\u{0}",
    "\u{202e}",
    "ü😀",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
}

/// What holds of every answer.
fn check(text: &str) -> Result<(), TestCaseError> {
    let reading = read(&PUSH, text, &RUBRIC, CALL);
    prop_assert_eq!(reading.fault.is_some(), reading.beginning.is_some());
    if let Some(beginning) = &reading.beginning {
        prop_assert!(beginning.chars().count() <= 500);
        prop_assert_eq!(reading.verdict, PushVerdict::Undetermined);
    }
    if let Some(scores) = &reading.scores {
        prop_assert!(scores.all().iter().all(|score| (1..=5).contains(score)));
    }
    if reading.verdict == PushVerdict::Go {
        let scores = reading.scores;
        prop_assert!(scores.is_some_and(|s| s.all().iter().all(|score| *score >= 3)));
        prop_assert!(text.contains("semantic") && !reading.inconsistent);
        // To another request the same is no answer.
        let other = read(&PUSH, text, &RUBRIC, "abcdefabcdefabce");
        prop_assert_ne!(other.verdict, PushVerdict::Go);
        prop_assert!(reading.called && !other.called);
    }
    // The same is read twice.
    prop_assert_eq!(read(&PUSH, text, &RUBRIC, CALL), reading);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_answer_is_read_without_panic_and_go_requires_object(text in text(12)) {
        check(&text)?;
        check(&with_call(&text, CALL))?;
    }

    #[test]
    fn deep_and_long_answers_are_read(piece in piece(), times in 1_usize..2_000, end in text(4)) {
        prop_assume!(piece.len() < 64);
        let text = format!("{}{end}", piece.repeat(times));
        check(&text)?;
        check(&with_call(&text, CALL))?;
    }
}

#[test]
fn the_pieces_make_answers_of_each_kind() {
    // Else the properties above would hold of nothing.
    let verdict = |text: &str| read(&PUSH, &with_call(text, CALL), &RUBRIC, CALL).verdict;
    assert_eq!(verdict(PIECES[0]), PushVerdict::Go);
    assert_eq!(verdict(PIECES[1]), PushVerdict::NoGo);
    assert_eq!(verdict(&format!("{}{}", PIECES[0], PIECES[1])), PushVerdict::NoGo);
    assert_eq!(verdict(&format!("{{{},{}}}", PIECES[4], PIECES[7])), PushVerdict::Go);
}
