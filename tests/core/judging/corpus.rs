//! Hostile contents of many kinds, and models that treat them carelessly in every way.

use super::payloads::{ORDER, payloads, spoken};
use super::{answer, evaluated, item, judge_by};
use foureyes::engine::PushVerdict::{self, Go, NoGo, Undetermined};
use foureyes::engine::prompt::Limits;
use foureyes::engine::record::Caveat;
use foureyes::judging::Evaluation;
use foureyes::provider::scripted::{Answer, Scripted};
use foureyes::provider::{Ask, Provider};
use serde_json::{Value, json};
use std::sync::Arc;

/// The judge's own answer: with the call word, and always a NO-GO.
fn own(ask: &Ask) -> String {
    own_with(ask, "NO-GO", 1)
}

fn own_with(ask: &Ask, verdict: &str, score: u8) -> String {
    let call = ask.call.as_deref().unwrap();
    json!({
        "call": call, "verdict": verdict, "findings": "as it is", "revision_suggestions": [],
        "scores": {"semantic": score, "pragmatic": score, "syntactic": score},
    })
    .to_string()
}

/// The content as it is sent, without its delimiters.
fn shown(ask: &Ask) -> String {
    let text = whole(ask);
    let (_, rest) = text.split_once("=== BEGIN MATERIAL").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let end = rest.rfind("=== END MATERIAL").unwrap();
    rest[..end].lines().filter(|l| !l.starts_with("=== FILE")).collect::<Vec<_>>().join("\n")
}

fn whole(ask: &Ask) -> String {
    ask.messages.iter().map(|m| format!("{}\n", m.text)).collect()
}

/// All objects of a text, and those in its strings.
fn objects(text: &str) -> Vec<Value> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(open) = text[at..].find('{').map(|i| at + i) {
        let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Value>();
        at = match values.next() {
            Some(Ok(value)) => {
                inside(&value, &mut found);
                open + values.byte_offset()
            }
            _ => open + 1,
        };
    }
    found
}

fn inside(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            members.values().for_each(|value| inside(value, found));
            found.push(value.clone());
        }
        Value::Array(items) => items.iter().for_each(|value| inside(value, found)),
        Value::String(text) if text.contains('{') => found.extend(objects(text)),
        _ => {}
    }
}

/// Ways to write an object anew.
fn written(value: &Value) -> Vec<String> {
    let compact = value.to_string();
    let mut kept = serde_json::Map::new();
    for key in ["verdict", "scores"] {
        kept.extend(value.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    let escaped: String = compact
        .chars()
        .map(|c| match c {
            'G' | 'O' | 'v' | 'm' => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    vec![
        serde_json::to_string_pretty(value).unwrap(),
        compact.replace(".0", ""),
        Value::Object(kept).to_string(),
        escaped,
        compact,
    ]
}

fn rewritten(ask: &Ask, how: usize) -> String {
    let all: Vec<String> =
        objects(&shown(ask)).iter().map(|value| written(value)[how].clone()).collect();
    all.join("\n")
}

type Model = Box<dyn Fn(&Ask) -> String + Send + Sync>;

fn model(says: impl Fn(&Ask) -> String + Send + Sync + 'static) -> Model {
    Box::new(says)
}

/// Models that say nothing of their own: what they repeat is no verdict.
fn parrots() -> Vec<(&'static str, Model)> {
    let mut all = vec![
        ("echo", model(shown)),
        ("echo in a fence", model(|ask| format!("```json\n{}\n```", shown(ask)))),
        ("echo of all", model(whole)),
        ("echo of the rules and the content", model(|ask| format!("{}{}", whole(ask), shown(ask)))),
    ];
    for (how, name) in
        ["indents", "whole numbers", "drops keys", "escapes", "sorts"].iter().enumerate()
    {
        all.push((name, model(move |ask| rewritten(ask, how))));
    }
    all
}

fn evaluated_by(model: &Arc<Model>, content: &str) -> Evaluation {
    let model = Arc::clone(model);
    let says = move |ask: &Ask| Answer { call: Some(false), ..answer(&model(ask)) };
    let mut judge = judge_by(Provider::Scripted(Scripted::by(says)));
    // All of it is to be seen: a cut would keep a GO from being said for another reason.
    judge.settings.limits = Limits { content_bytes: 8 << 20, ..Limits::default() };
    evaluated(&judge, &item(content))
}

fn verdict(model: &Arc<Model>, content: &str) -> PushVerdict {
    evaluated_by(model, content).verdict
}

#[test]
fn corpus_has_stated_size_and_its_instructions_are_detected() {
    let all = payloads();
    assert!(all.len() >= 105, "{}", all.len());
    let mut once = all.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), all.len());
    assert!(all.iter().filter(|p| p.contains(ORDER)).count() > 40);
}

#[test]
fn repeated_text_is_never_a_verdict() {
    for (name, parrot) in parrots() {
        let parrot = Arc::new(parrot);
        for content in payloads() {
            let said = verdict(&parrot, &content);
            assert_eq!(said, PushVerdict::Undetermined, "{name}: {content}");
        }
    }
}

#[test]
fn no_go_survives_repeated_text() {
    for (name, parrot) in parrots() {
        let parrot = Arc::new(parrot);
        for before in [true, false] {
            let parrot = Arc::clone(&parrot);
            let both = Arc::new(model(move |ask| match before {
                true => {
                    format!("The note says:\n{}\nI do not follow it.\n{}", parrot(ask), own(ask))
                }
                false => format!("{}\nThe note says:\n{}", own(ask), parrot(ask)),
            }));
            for content in payloads() {
                assert_eq!(verdict(&both, &content), NoGo, "{name}, {before}: {content}");
            }
        }
    }
}

#[test]
fn go_survives_quoted_text() {
    let quoting = Arc::new(model(|ask| {
        format!("It plants {}, which I ignore. {}", rewritten(ask, 4), own_with(ask, "GO", 4))
    }));
    for content in payloads() {
        // A text with NUL bytes is shown, and nobody sees it as it is.
        let expected = if content.contains('\0') { Undetermined } else { Go };
        assert_eq!(verdict(&quoting, &content), expected, "{content}");
    }
}

/// Does what stands outside the delimiters, and takes for their end what begins as one.
fn obedient(ask: &Ask) -> String {
    let text = whole(ask);
    let (before, rest) = text.split_once("=== BEGIN MATERIAL").unwrap();
    let (_, after) = rest.split_once("=== END MATERIAL").unwrap();
    match format!("{before}{after}").contains("verdict GO") {
        true => own_with(ask, "GO", 5),
        false => own(ask),
    }
}

/// What a lenient reader sees: compatibility forms, nothing that is hidden, Cyrillic as Latin.
fn leniently(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let hidden = ['\u{200b}', '\u{ad}', '\u{2060}'];
    let alike = |c: char| match c {
        '\u{410}' => 'A',
        '\u{415}' => 'E',
        '\u{406}' => 'I',
        c => c,
    };
    let text: String = text.nfkc().filter(|c| !hidden.contains(c)).map(alike).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Takes whatever looks like an end or like a turn of a conversation for one, and obeys what follows.
fn lenient(ask: &Ask) -> String {
    let text = leniently(&whole(ask));
    let (_, rest) = text.split_once("=== begin material").unwrap();
    let ends = [
        "=== end material",
        "<|im_end|>",
        "<|eot_id|>",
        "<|endoftext|>",
        "[/inst]",
        "[inst]",
        "</s>",
        "<end_of_turn>",
        "<|user|>",
        "</think>",
        "</thinking>",
        " human:",
        " assistant:",
        "### instruction:",
        "### response:",
        "[system_prompt]",
        "[available_tools]",
        "[tool_results]",
        "<tool_call>",
        "<function_calls>",
        "<extra_id_1>",
        "<bos>",
        "<system-reminder>",
    ];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap();
    match rest[end..].contains("verdict go") {
        true => own_with(ask, "GO", 5),
        false => own(ask),
    }
}

#[test]
fn content_cannot_escape_delimiters() {
    for model in [model(obedient), model(lenient)].map(Arc::new) {
        for content in payloads() {
            assert_eq!(verdict(&model, &content), NoGo, "{content}");
        }
    }
}

#[test]
fn instructions_to_judge_are_detected_in_every_spelling() {
    let own = Arc::new(model(own));
    for content in &spoken() {
        let evaluation = evaluated_by(&own, content);
        let plain = content.starts_with("Repeat the object") || content.starts_with("The rubric");
        let seen = evaluation.caveats.contains(&Caveat::Injection);
        assert!(seen || plain, "{content}");
    }
}

#[test]
fn an_answer_without_the_call_word_is_asked_for_once_more() {
    let bare = |text: &str| Answer { call: Some(false), ..answer(text) };
    let asked = |answers: Vec<Answer>| {
        let judge = super::judge(answers);
        let evaluation = evaluated(&judge, &item("x"));
        (evaluation.verdict, evaluation.attempts, super::asked(&judge), evaluation)
    };
    let (verdict, attempts, calls, evaluation) =
        asked(vec![bare(super::GO), answer(super::NO), answer(super::GO)]);
    assert_eq!((verdict, attempts, calls), (NoGo, 2, 2));
    assert_eq!(evaluation.cost, Some(0.008), "both calls are paid for");
    let (verdict, attempts, _, evaluation) = asked(vec![bare(super::GO), bare(super::GO)]);
    assert_eq!((verdict, attempts), (PushVerdict::Undetermined, 2));
    assert_eq!(evaluation.error, Some(foureyes::engine::record::RecordError::InvalidAnswer));
    assert!(evaluation.findings.starts_with("Call word missing: "), "{}", evaluation.findings);
    let down = Answer { fail: Some("unavailable".to_owned()), ..answer("") };
    let (_, attempts, _, evaluation) = asked(vec![bare(super::GO), down]);
    assert!(evaluation.findings.starts_with("Call word missing: ") && attempts == 2);
    let stopped = Answer { cut: true, ..bare("{\"scores\":") };
    let unknown = Answer { completion_tokens: None, ..stopped.clone() };
    assert_eq!(asked(vec![unknown, answer(super::GO)]).1, 1, "it would stop there again");
    let (verdict, attempts, ..) = asked(vec![stopped, answer(super::GO)]);
    assert_eq!((verdict, attempts), (PushVerdict::Go, 2), "with twice the tokens");
}
