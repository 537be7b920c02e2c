//! The judge of the demo: it reads nothing and sends nothing, and answers as one would.

use crate::config::Config;
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Families, ModelFamily};
use crate::provider::scripted::{Answer, Scripted};
use crate::provider::{Ask, Provider};
use crate::tui::JudgeEndpoint;
use serde_json::json;
use std::sync::Arc;

/// What it is called.
const MODEL: &str = "demo-judge";
/// Bytes of a token.
const TOKEN: usize = 4;

/// What it finds, by the lowest score that it gives.
const FINDINGS: [&str; 5] = [
    "Two of the figures contradict each other, and the source that is named does not hold them. As it \
     stands it would mislead whoever acts on it.",
    "The task asks for a decision, and the text ends before it names one. The table has no units.",
    "Adequate: the facts hold, and the structure is what the task asks for. The summary repeats the \
     first section.",
    "Sound and usable. One link in the second section leads nowhere.",
    "Accurate, actionable and well structured.",
];

/// What it suggests, by the same.
const SUGGESTIONS: [&str; 3] = [
    "Take the figure from the source that is named, or say why it differs.",
    "End with the decision and who is to act on it.",
    "Give each column of the table its unit.",
];

/// Puts the demo's judge in the place of whoever is configured.
pub(in crate::cli) fn take_over(config: &mut Config) -> JudgeEndpoint {
    config.judge.model = MODEL.to_owned();
    (config.judge.script, config.judge.via) = (None, None);
    let price = Price { model: "demo-*".to_owned(), prompt: 0.25, completion: 2.0 };
    config.prices = Prices(vec![price]);
    let family = |name: &str, authors: &[&str], models: &[&str]| {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        ModelFamily { name: name.to_owned(), authors: texts(authors), models: texts(models) }
    };
    config.families = Families(vec![
        family("claw", &["OpenClaw*", "Heron*", "Lantern*"], &["claw-*"]),
        family("demo", &[], &["demo-*"]),
    ]);
    let description = "the demo's own judge: nothing leaves this machine".to_owned();
    let make = |_| Ok(Provider::Scripted(Scripted::by(answer).listing(MODELS)));
    JudgeEndpoint { description, make: Arc::new(make) }
}

/// The models of the demo. One is of the family that writes.
const MODELS: [&str; 3] = [MODEL, "demo-judge-large", "claw-writer"];

/// The same answer to the same content, after a while.
fn answer(ask: &Ask) -> Answer {
    let mut hasher = blake3::Hasher::new();
    hasher.update(ask.model.as_bytes());
    let mut length = 0;
    for line in ask.messages.iter().flat_map(|message| message.text.lines()) {
        length += line.len();
        // Delimiters have a mark that is drawn anew for each question, and the rules a call word.
        let drawn = ["===", "- `call`"].iter().any(|start| line.starts_with(start));
        if !drawn && !line.contains("the mark") {
            hasher.update(line.as_bytes());
        }
    }
    let hash = *hasher.finalize().as_bytes();
    let dice = |at: usize, sides: u8| hash.get(at).copied().unwrap_or_default() % sides;
    let prompt_tokens = Some((length / TOKEN) as u64);
    let delay_ms = 600 + 12 * u64::from(dice(0, 200));
    if dice(1, 16) == 0 {
        let text = "I would rather not score this without its sources.".to_owned();
        return Answer {
            text,
            delay_ms,
            prompt_tokens,
            completion_tokens: Some(14),
            ..Answer::default()
        };
    }
    // Most content is fine.
    let score = |at: usize| match dice(at, 20) {
        0 => 1,
        1 | 2 => 2,
        3..=6 => 3,
        7..=13 => 4,
        _ => 5,
    };
    let scores = [score(2), score(3), score(4)];
    let lowest = scores.iter().copied().min().unwrap_or(3);
    let finding = FINDINGS.get(lowest - 1).copied().unwrap_or_default();
    let suggestion = SUGGESTIONS.get(lowest - 1).map(|text| vec![*text]).unwrap_or_default();
    let text = json!({
        "scores": {"semantic": scores[0], "pragmatic": scores[1], "syntactic": scores[2]},
        "verdict": if lowest < 3 { "NO-GO" } else { "GO" },
        "findings": finding,
        "revision_suggestions": suggestion,
    });
    let text = text.to_string();
    let completion_tokens = Some((text.len() / TOKEN) as u64);
    let served_model = Some(format!("{}-2026-02", ask.model));
    Answer { text, delay_ms, served_model, prompt_tokens, completion_tokens, ..Answer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::answer;
    use crate::engine::prompt::{JudgedFile, Limits, Material, Nonce, Template};
    use crate::engine::rubric::Rubric;
    use crate::engine::verdict::PUSH;
    use crate::provider::{Message, Role};

    #[test]
    fn same_content_gets_same_answer_and_most_are_verdicts() {
        let (template, rubric) = (Template::embedded().unwrap(), Rubric::embedded().unwrap());
        let (mut verdicts, mut answers) = (0, std::collections::BTreeSet::new());
        for number in 0..=255_u8 {
            let bytes = format!("# Note {number}\n").into_bytes();
            let files = [JudgedFile { path: b"a.md".to_vec(), bytes }];
            let ask = |nonce: u8| {
                let limits = Limits::default();
                let nonce = Nonce::new([nonce; Nonce::BYTES]);
                let prompt =
                    template.render(&PUSH, &rubric, &Material::new(&files), &nonce, limits);
                let message =
                    |(_, text): &(_, String)| Message { role: Role::User, text: text.clone() };
                let messages = prompt.messages.iter().map(message).collect();
                let model = MODEL.to_owned();
                let ask = Ask {
                    model,
                    messages,
                    temperature: None,
                    max_tokens: None,
                    schema: None,
                    call: None,
                    calls: None,
                };
                (answer(&ask), prompt)
            };
            let ((one, prompt), (other, _)) = (ask(1), ask(2));
            assert_eq!(one, other);
            let called = answer::with_call(&one.text, &prompt.call);
            let reading = answer::read(&PUSH, &called, &rubric, &prompt.call);
            verdicts += usize::from(reading.fault.is_none());
            answers.insert(one.text);
        }
        assert!(answers.len() > 20, "{answers:?}");
        assert!((220..256).contains(&verdicts), "{verdicts}");
    }
}
