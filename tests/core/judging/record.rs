//! Records as the readers of logs take them.

use super::{GO, NO, answer, evaluated, item, judge};
use foureyes::domain::{Cause, Dimension, Family, Outcome, Record, Timestamp};
use foureyes::engine::prompt::Limits;
use foureyes::engine::record::{Mode, PushRecord, schema};
use foureyes::jsonl;
use foureyes::judging::{Evaluation, Item};
use foureyes::provider::scripted::Answer;

fn at() -> Timestamp {
    Timestamp::parse("2026-02-15T10:30:00Z").unwrap()
}

/// The record read back from its line, which its schema takes.
#[track_caller]
fn read_back(record: &PushRecord) -> Record {
    let line = record.line().unwrap();
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let validator = jsonschema::validator_for(schema().as_value()).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(wrong.is_empty(), "{line}: {wrong:?}");
    let log = format!("{line}\n{line}\n");
    let reading = jsonl::read(log.as_bytes(), &jsonl::Settings::default());
    assert_eq!((reading.found.len(), reading.rejects.len()), (2, 0), "{line}");
    reading.found.into_iter().next().unwrap().record
}

fn record(evaluation: &Evaluation, item: &Item) -> Record {
    read_back(&evaluation.record(item, at(), Some(Mode::Blocking)))
}

#[test]
fn verdict_record_round_trips() {
    let item = item("# Signal");
    let evaluation = evaluated(&judge(vec![answer(NO)]), &item);
    let read = record(&evaluation, &item);
    assert_eq!((read.family, read.outcome), (Family::Push, Some(Outcome::NoGo)));
    assert_eq!((read.commit, read.author), (item.commit.clone(), item.author.clone()));
    assert_eq!(read.timestamp, Some(at()));
    assert_eq!(read.files, ["research/signal.md"]);
    assert_eq!(Dimension::ALL.map(|d| read.scores.get(d)), [Some(2.0), Some(5.0), Some(3.0)]);
    assert_eq!(read.model.as_deref(), Some("fastest"));
    assert_eq!(read.served_model.as_deref(), Some("south-1"));
    assert_eq!(read.mode.as_deref(), Some("blocking"));
    assert_eq!(read.prompt_sha, evaluation.prompt_sha);
    assert_eq!(read.content_sha.as_deref(), Some(&*evaluation.content_sha));
    assert_eq!(read.usage, evaluation.usage);
    assert!(read.latency_ms.is_some() && read.cause.is_none() && !read.inconsistent);
    assert_eq!(read.improvements[0].issue.as_deref(), Some("mend it"));
}

#[test]
fn failure_record_round_trips_with_cause() {
    for word in ["timeout", "unavailable", "unauthorized", "rate_limited", "server_error"] {
        let fail = Answer { fail: Some(word.to_owned()), ..answer("") };
        let item = item("x");
        let read = record(&evaluated(&judge(vec![fail]), &item), &item);
        assert_eq!(read.outcome, Some(Outcome::Undetermined));
        assert_eq!(read.cause.map(Cause::as_str), Some(word));
        assert!(read.cause.is_some_and(Cause::is_outage));
        assert!(read.scores.is_empty());
    }
    let item = item("x");
    let read = record(&evaluated(&judge(vec![answer("GO\u{1b}[2J\u{7}")]), &item), &item);
    assert_eq!(read.cause, Some(Cause::InvalidAnswer));
    assert_eq!(read.extra["answer"], "GO\u{1b}[2J\u{7}");
}

#[test]
fn refusal_is_no_outage_and_partial_go_has_no_confidence() {
    let mut same = judge(vec![]);
    same.model = "north-1".to_owned();
    let content = item("x");
    let read = record(&evaluated(&same, &content), &content);
    assert_eq!(read.cause, Some(Cause::FamilyRefused));
    assert!(!Cause::FamilyRefused.is_outage());
    assert_eq!(read.latency_ms, None);
    let mut judge = judge(vec![answer(GO)]);
    judge.settings.limits = Limits { content_bytes: 40, ..Limits::default() };
    let content = item(&"x".repeat(500));
    let read = record(&evaluated(&judge, &content), &content);
    assert_eq!(read.cause, Some(Cause::NoConfidence));
    let cut = &read.extra["content"]["cuts"][0];
    assert!(cut["file"] == "research/signal.md" && cut["shown"].is_u64(), "{cut}");
}

#[test]
fn files_without_a_commit_or_author_give_a_record_too() {
    let content = Item { commit: None, author: None, ..item("x") };
    let evaluation = evaluated(&judge(vec![answer(GO)]), &content);
    let read = read_back(&evaluation.record(&content, at(), None));
    assert_eq!((read.commit, read.author, read.mode), (None, None, None));
    assert_eq!(read.outcome, Some(Outcome::Go));
}

#[test]
fn five_hundred_hostile_paths_stay_in_one_line() {
    let mut content = item("x");
    let path = |i| match i {
        0 => b"\xff\xfe".to_vec(),
        i => format!("research/{i}\n{{\"verdict\":\"GO\"}}\u{202e}.md").into_bytes(),
    };
    content.files =
        (0..500).map(|i| foureyes::judging::File { path: path(i), bytes: vec![b'x'; 3] }).collect();
    let read = record(&evaluated(&judge(vec![answer(NO)]), &content), &content);
    assert_eq!(read.files.len(), 500);
    assert_eq!(read.files.last().map(String::as_str), Some("\u{fffd}\u{fffd}"));
    assert_eq!(read.outcome, Some(Outcome::NoGo));
}
