//! What the judges of the demo answer: the same to the same content, after a while.

use crate::provider::Ask;
use crate::provider::scripted::Answer;
use serde_json::json;

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

/// What a judge of the demo makes of a question: the same of the same content.
struct Drawn {
    scores: [usize; 3],
    delay_ms: u64,
    prompt_tokens: Option<u64>,
    /// Whether it gives no scores.
    declines: bool,
}

impl Drawn {
    fn new(ask: &Ask) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(ask.model.as_bytes());
        let mut length = 0;
        for line in ask.messages.iter().flat_map(|message| message.text.lines()) {
            length += line.len();
            // Delimiters have a mark that is drawn anew for each question, and the form a call word.
            let has_call = ask.call.as_ref().is_some_and(|call| line.contains(call));
            let drawn = line.starts_with("===") || line.starts_with("- `call`") || has_call;
            if !drawn && !line.contains("the mark") {
                hasher.update(line.as_bytes());
            }
        }
        let hash = *hasher.finalize().as_bytes();
        let dice = |at: usize, sides: u8| hash.get(at).copied().unwrap_or_default() % sides;
        // Most content is fine.
        let score = |at: usize| match dice(at, 20) {
            0 => 1,
            1 | 2 => 2,
            3..=6 => 3,
            7..=13 => 4,
            _ => 5,
        };
        Self {
            scores: [score(2), score(3), score(4)],
            delay_ms: 600 + 12 * u64::from(dice(0, 200)),
            prompt_tokens: Some((length / TOKEN) as u64),
            declines: dice(1, 16) == 0,
        }
    }

    fn lowest(&self) -> usize {
        self.scores.iter().copied().min().unwrap_or(3)
    }

    fn finding(&self) -> &'static str {
        FINDINGS.get(self.lowest() - 1).copied().unwrap_or_default()
    }

    fn suggestion(&self) -> Option<&'static str> {
        SUGGESTIONS.get(self.lowest() - 1).copied()
    }

    fn answer(&self, ask: &Ask, text: String) -> Answer {
        Answer {
            completion_tokens: Some((text.len() / TOKEN) as u64),
            served_model: Some(format!("{}-2026-02", ask.model)),
            text,
            delay_ms: self.delay_ms,
            prompt_tokens: self.prompt_tokens,
            ..Answer::default()
        }
    }
}

/// The answer to a question about a push, after a while.
pub(super) fn push(ask: &Ask) -> Answer {
    let drawn = Drawn::new(ask);
    if drawn.declines {
        let text = "I would rather not score this without its sources.".to_owned();
        let (delay_ms, prompt_tokens) = (drawn.delay_ms, drawn.prompt_tokens);
        let completion_tokens = Some(14);
        return Answer { text, delay_ms, prompt_tokens, completion_tokens, ..Answer::default() };
    }
    let [semantic, pragmatic, syntactic] = drawn.scores;
    let text = json!({
        "scores": {"semantic": semantic, "pragmatic": pragmatic, "syntactic": syntactic},
        "verdict": if drawn.lowest() < 3 { "NO-GO" } else { "GO" },
        "findings": drawn.finding(),
        "revision_suggestions": drawn.suggestion().map(|text| vec![text]).unwrap_or_default(),
    });
    drawn.answer(ask, text.to_string())
}

/// The answer to a question about a task, after a while. The verdict follows from the scores.
pub(super) fn task(ask: &Ask) -> Answer {
    let drawn = Drawn::new(ask);
    let [semantic, pragmatic, syntactic] = drawn.scores;
    let improvement = |text: &str| json!([{"dimension": "pragmatic", "issue": text}]);
    let text = json!({
        "scores": {"semantic": semantic, "pragmatic": pragmatic, "syntactic": syntactic},
        "reasoning": drawn.finding(),
        "improvements": drawn.suggestion().map_or(json!([]), improvement),
    });
    drawn.answer(ask, text.to_string())
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
                let model = "demo-judge".to_owned();
                let ask = Ask {
                    model,
                    messages,
                    temperature: None,
                    max_tokens: None,
                    schema: None,
                    call: Some(prompt.call.clone()),
                    calls: None,
                    paid: None,
                };
                (push(&ask), prompt)
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
