//! Content that is longer than one request shows.

use super::{GO, NO, answer, asked, evaluated, item, judge_by, now};
use foureyes::domain::Improvement;
use foureyes::engine::PushVerdict::{Go, NoGo, Undetermined};
use foureyes::engine::prompt::Limits;
use foureyes::engine::record::{Caveat, RecordError};
use foureyes::judging::{Control, Evaluation, File, Item, Judge, RunLimits, run};
use foureyes::provider::scripted::{Answer, Scripted};
use foureyes::provider::{Ask, Provider};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// Finds what says POOR poor, and fails over what says DOWN.
fn taste(ask: &Ask) -> Answer {
    let says = |word: &str| ask.messages.iter().any(|m| m.text.contains(word));
    match (says("POOR"), says("DOWN")) {
        (true, _) => answer(NO),
        (_, true) => Answer { fail: Some("unavailable".to_owned()), ..answer("") },
        _ => answer(GO),
    }
}

fn judge(content_bytes: usize, max_parts: u32) -> Judge {
    let mut judge = judge_by(Provider::Scripted(Scripted::by(taste)));
    judge.settings.limits = Limits { content_bytes, max_parts, content_characters: None };
    judge
}

/// A content of so many lines, with these words on some of them.
fn long(lines: usize, words: &[(usize, &str)]) -> Item {
    let line = |at: usize| match words.iter().find(|(line, _)| *line == at) {
        Some((_, word)) => format!("{word}\n"),
        None => format!("Line {at} says that prices rose in May.\n"),
    };
    item(&(0..lines).map(line).collect::<String>())
}

fn of(item: &Item) -> (Evaluation, u64) {
    let judge = judge(20_000, 8);
    let evaluation = evaluated(&judge, item);
    (evaluation, asked(&judge))
}

#[test]
fn a_poor_end_of_a_long_content_is_seen() {
    let (evaluation, calls) = of(&long(2_000, &[(1_990, "POOR")]));
    assert_eq!((evaluation.verdict, evaluation.error), (NoGo, None));
    assert_eq!(evaluation.scores.unwrap().all(), [2, 5, 3], "the lowest of all parts");
    assert!(evaluation.parts > 2 && u64::from(evaluation.parts) == calls);
    let parts = evaluation.parts;
    assert_eq!(evaluation.findings, format!("Part {parts} of {parts}: a fact is wrong"));
    assert_eq!(evaluation.suggestions, [Improvement::text("mend it")]);
    assert_eq!(evaluation.attempts, parts);
    assert_eq!(evaluation.usage.unwrap().prompt_tokens, Some(1000 * u64::from(parts)));
    assert!((evaluation.cost.unwrap() - 0.004 * f64::from(parts)).abs() < 1e-9);
    let content = evaluation.content.clone().unwrap();
    assert_eq!((content.shown, content.cut_files), (content.bytes, 0));
    let record = evaluation.record(&item("x"), foureyes::domain::Timestamp(0), None);
    assert_eq!(record.parts, Some(parts));
}

#[test]
fn long_content_is_go_when_all_parts_are() {
    let (evaluation, calls) = of(&long(2_000, &[]));
    assert_eq!((evaluation.verdict, evaluation.error, calls > 2), (Go, None, true));
    assert!(!evaluation.caveats.contains(&Caveat::ContentCut));
    assert_eq!(of(&long(20, &[])).0.parts, 1);
    let (evaluation, _) = of(&long(2_000, &[(1_000, "DOWN")]));
    assert_eq!(evaluation.verdict, Undetermined);
    assert_eq!((evaluation.error, evaluation.scores), (Some(RecordError::Unavailable), None));
    let (evaluation, _) = of(&long(2_000, &[(1_000, "DOWN"), (1_990, "POOR")]));
    assert_eq!((evaluation.verdict, evaluation.error), (NoGo, None), "whatever became of others");
}

#[test]
fn a_word_where_two_parts_meet_is_seen_whole() {
    for line in (0..2_000).step_by(37) {
        let (evaluation, _) = of(&long(2_000, &[(line, "POOR")]));
        assert_eq!(evaluation.verdict, NoGo, "{line}");
    }
}

#[test]
fn content_beyond_part_limit_shows_ends_and_is_never_go() {
    let seen = |words: &[(usize, &str)]| {
        let judge = judge(10_000, 4);
        let evaluation = evaluated(&judge, &long(2_000, words));
        assert_eq!((asked(&judge), evaluation.parts), (1, 1));
        assert!(evaluation.caveats.contains(&Caveat::ContentCut));
        evaluation.verdict
    };
    assert_eq!(seen(&[(3, "POOR")]), NoGo);
    assert_eq!(seen(&[(1_998, "POOR")]), NoGo, "the end is shown too");
    assert_eq!(seen(&[(1_000, "POOR")]), Undetermined);
    assert_eq!(seen(&[]), Undetermined);
}

#[test]
fn the_last_of_more_than_a_thousand_files_is_seen() {
    let file = |at: usize| File {
        path: format!("research/{at:04}.md").into_bytes(),
        bytes: if at == 1_000 { b"POOR\n".to_vec() } else { b"fine\n".to_vec() },
    };
    let files: Vec<File> = (0..1_001).map(file).collect();
    let many = Item { files: files.into(), ..item("") };
    let judge = judge(256 << 10, 8);
    assert_eq!(evaluated(&judge, &many).verdict, NoGo);
}

#[test]
fn all_parts_are_within_the_cap_and_the_time() {
    now(async {
        let judge = judge(20_000, 8);
        let long = long(2_000, &[]);
        let calls = judge.calls_about(&long);
        assert!(calls > 2 * judge.calls());
        let all = judge.most(&long).unwrap() * f64::from(calls);
        let judge = Arc::new(judge);
        for (cap, expected) in [(all * 0.9, 0), (all * 1.1, 1)] {
            let (tell, mut events) = mpsc::channel(8);
            let (_turn, control) = watch::channel(Control::Go);
            let each = Duration::from_secs(5);
            let until = Instant::now() + each;
            let limits = RunLimits { parallel: 1, each, until, cap: Some(cap) };
            let items = vec![long.clone()];
            let running = tokio::spawn(run(Arc::clone(&judge), items, limits, tell, control));
            while events.recv().await.is_some() {}
            assert_eq!(running.await.unwrap().done, expected);
        }
    });
}
