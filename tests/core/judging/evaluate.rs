//! From a content to a verdict, with a scripted provider.

use super::{GO, NO, answer, asked, evaluated, item, judge, judge_by, now};
use foureyes::domain::Improvement;
use foureyes::engine::PushVerdict::{Go, NoGo, Undetermined};
use foureyes::engine::four_eyes::{Decision, Rule};
use foureyes::engine::prompt::Limits;
use foureyes::engine::record::{Caveat, RecordError};
use foureyes::engine::verdict::PUSH;
use foureyes::judging::{Item, Settings, evaluate};
use foureyes::provider::Provider;
use foureyes::provider::scripted::{Answer, Scripted};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

#[test]
fn answer_becomes_verdict_with_provenance() {
    let judge = judge(vec![answer(NO)]);
    let evaluation = evaluated(&judge, &item("# Signal\n"));
    assert_eq!(evaluation.verdict, NoGo);
    assert_eq!(evaluation.findings, "a fact is wrong");
    assert_eq!(evaluation.suggestions, [Improvement::text("mend it")]);
    assert_eq!((evaluation.error, evaluation.attempts), (None, 1));
    assert_eq!(evaluation.served_model.as_deref(), Some("south-1"));
    assert_eq!(evaluation.prompt_sha, Some(judge.prompt_sha()));
    assert_eq!(evaluation.cost, Some(0.004));
    assert!(matches!(evaluation.four_eyes, Some(Decision::Apart { .. })));
    assert!(evaluation.caveats.is_empty() && evaluation.answer.is_none());
    assert!(evaluation.raw.unwrap().ends_with(&NO[1..]));
}

#[test]
fn every_failure_is_an_undetermined_evaluation_that_names_it() {
    for (word, error) in [
        ("timeout", RecordError::Timeout),
        ("unavailable", RecordError::Unavailable),
        ("unauthorized", RecordError::Unauthorized),
        ("rate_limited", RecordError::RateLimited),
        ("server_error", RecordError::ServerError),
        ("invalid_answer", RecordError::InvalidAnswer),
    ] {
        let fail =
            Answer { fail: Some(word.to_owned()), text: "what happened".into(), ..answer("") };
        let evaluation = evaluated(&judge(vec![fail]), &item("x"));
        assert_eq!((evaluation.verdict, evaluation.error), (Undetermined, Some(error)));
        assert_eq!(evaluation.findings, "What happened.");
        assert_eq!(evaluation.scores, None);
    }
}

#[test]
fn invalid_answer_is_kept_with_cause() {
    let evaluation = evaluated(&judge(vec![answer("I would rather not say.")]), &item("x"));
    assert_eq!(evaluation.error, Some(RecordError::InvalidAnswer));
    assert_eq!(evaluation.findings, "The answer has no JSON object with scores or a verdict.");
    assert_eq!(evaluation.answer.as_deref(), Some("I would rather not say."));
    let cut = Answer { cut: true, ..answer("{\"scores\":{\"sem") };
    let evaluation = evaluated(&judge(vec![cut]), &item("x"));
    assert_eq!(evaluation.findings, "The model stopped at its limit of tokens.");
    let cut = |text| Answer { cut: true, ..answer(text) };
    let evaluation = evaluated(&judge(vec![cut(GO)]), &item("x"));
    assert_eq!((evaluation.verdict, evaluation.scores), (Undetermined, None));
    assert_eq!(evaluation.exchange().finish.as_deref(), Some("length"));
    assert_eq!(evaluated(&judge(vec![cut(NO)]), &item("x")).verdict, NoGo);
}

#[test]
fn no_answer_in_time_is_a_timeout() {
    let judge = judge(vec![Answer { delay_ms: 60_000, ..answer(GO) }]);
    let until = Duration::from_millis(30);
    let evaluation = now(async { evaluate(&judge, &item("x"), Instant::now() + until).await });
    assert_eq!(evaluation.error, Some(RecordError::Timeout));
    assert!(evaluation.latency.unwrap() >= until);
}

#[test]
fn a_judge_of_the_authors_family_is_not_asked() {
    let mut judge = judge(vec![answer(GO)]);
    judge.model = "proxy/north-2".to_owned();
    let evaluation = evaluated(&judge, &item("x"));
    assert_eq!(asked(&judge), 0);
    assert_eq!((evaluation.verdict, evaluation.attempts), (Undetermined, 0));
    assert_eq!(evaluation.error, Some(RecordError::FamilyRefused));
    assert_eq!(evaluation.caveats, [Caveat::SameFamily]);
    assert_eq!(evaluation.findings, "Not asked: author and judge are both of the family north.");
    assert!(evaluation.latency.is_none() && evaluation.prompt_sha.is_some());
    judge.settings.four_eyes = Rule::Caveat;
    let evaluation = evaluated(&judge, &item("x"));
    assert_eq!((evaluation.verdict, evaluation.error), (Go, None));
    assert_eq!(evaluation.caveats, [Caveat::SameFamily]);
}

#[test]
fn an_answer_by_a_model_of_the_authors_family_does_not_count() {
    let served = |model: &str| Answer { served_model: Some(model.to_owned()), ..answer(GO) };
    let evaluation = evaluated(&judge(vec![served("north-7")]), &item("x"));
    assert_eq!((evaluation.verdict, evaluation.scores), (Undetermined, None));
    assert_eq!(evaluation.error, Some(RecordError::FamilyRefused));
    assert!(evaluation.findings.contains("of the author's family north. It said: fine"));
    assert!(evaluation.latency.is_some() && evaluation.cost.is_some());
    let evaluation = evaluated(&judge(vec![served("east-7")]), &item("x"));
    assert_eq!((evaluation.verdict, &*evaluation.caveats), (Go, &[Caveat::FamilyUnknown][..]));
    let mut lenient = judge(vec![served("north-7")]);
    lenient.settings.four_eyes = Rule::Caveat;
    let evaluation = evaluated(&lenient, &item("x"));
    assert_eq!((evaluation.verdict, &*evaluation.caveats), (Go, &[Caveat::SameFamily][..]));
}

#[test]
fn truncated_content_is_never_go() {
    let limits = Limits { content_bytes: 100, ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let mut judge = judge(vec![answer(GO), answer(NO)]);
    judge.settings = settings;
    let long = item(&"word ".repeat(1_000));
    let evaluation = evaluated(&judge, &long);
    assert_eq!((evaluation.verdict, evaluation.error), (Undetermined, None));
    assert_eq!(evaluation.caveats, [Caveat::ContentCut]);
    assert!(evaluation.findings.ends_with("so there is no GO. It said: fine"));
    assert!(evaluation.scores.is_some());
    assert_eq!(evaluated(&judge, &long).verdict, NoGo);
}

#[test]
fn the_question_masks_secrets_and_every_question_has_its_own_mark() {
    let secret = format!("ghp_{}", "a1".repeat(18));
    let (sent, seen) = std::sync::mpsc::channel();
    let judge = judge_by(Provider::Scripted(Scripted::by(move |ask| {
        sent.send(ask.clone()).unwrap();
        answer(GO)
    })));
    let content = item(&format!("token {secret}\n"));
    let evaluation = evaluated(&judge, &content);
    evaluated(&judge, &content);
    assert_eq!(evaluation.caveats, [Caveat::SecretsMasked]);
    assert_eq!(evaluation.content.unwrap().masked, 1);
    let [one, two] = [seen.recv().unwrap(), seen.recv().unwrap()];
    assert!(!format!("{one:?}").contains(&secret));
    assert_eq!(one.messages.len(), 2);
    assert_ne!(one.messages[1], two.messages[1]);
    assert_eq!(one.schema, Some(foureyes::engine::answer::schema(&PUSH)));
}

#[test]
fn text_of_another_encoding_and_an_empty_file_list_are_judged() {
    let with = |content: &[u8]| {
        let mut bytes = item("");
        Arc::get_mut(&mut bytes.files).unwrap()[0].bytes = content.to_vec();
        bytes
    };
    let latin = evaluated(&judge(vec![answer(GO)]), &with(b"Gr\xf6\xdfe\n"));
    assert_eq!(latin.verdict, Go);
    assert!(latin.caveats.contains(&Caveat::NotUtf8));
    let none = Item { files: [].into(), ..item("") };
    assert_eq!(evaluated(&judge(vec![answer(GO)]), &none).verdict, Go);
    for (content, error) in [
        (b"\xff\0\xfe".as_slice(), RecordError::PromptMissing),
        (b"\x7fELF\x02\x01\x01\0\0", RecordError::PromptMissing),
        (b"", RecordError::Empty),
        (b"\xef\xbb\xbf\r\n", RecordError::Empty),
    ] {
        let (judge, item) = (judge(vec![answer(GO)]), with(content));
        let evaluation = evaluated(&judge, &item);
        assert_eq!((evaluation.verdict, evaluation.error), (Undetermined, Some(error)));
        assert_eq!((asked(&judge), evaluation.attempts, evaluation.latency), (0, 0, None));
        assert_eq!(evaluation.content_sha, item.material().sha());
    }
}
