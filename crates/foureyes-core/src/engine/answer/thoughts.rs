//! Where a model thinks in its answer, and where it answers.
//!
//! All up to the last closing tag of thoughts is thought, with or without an opening tag; and what an
//! opening tag begins that nothing closes. Servers that open the thoughts in their own prompt return the
//! closing tag alone.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Names of tags that hold thoughts.
pub(in crate::engine) const THOUGHTS: &str = r"(?:seed:|ant)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|inner[_ ]monologue)";

/// What begins thoughts and what ends them, as models and servers write it. A channel that is not `final`
/// is thought, too.
static TAGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let closes = [
        format!(r"<\s*/\s*{THOUGHTS}\s*>"),
        r"\[\s*/\s*think(?:ing)?\s*\]".to_owned(),
        r"<[|\x{ff5c}]\s*(?:/\s*think(?:ing)?|end[_ ]of[_ ]thoughts?|end[_ ]thinking|thinking[_ ]end)\s*[|\x{ff5c}]>".to_owned(),
        r"\x{25c1}\s*/\s*think(?:ing)?\s*\x{25b7}".to_owned(),
        r"<\|channel\|>\s*final\b[^<]{0,80}(?:<\|constrain\|>[^<]{0,80})?<\|message\|>".to_owned(),
        r"<\|start\|>\s*assistant\s*<\|message\|>".to_owned(),
        r"<channel\|>".to_owned(),
    ];
    let opens = [
        format!(r"<\s*{THOUGHTS}(?:\s[^<>]{{0,80}})?>"),
        r"\[\s*think(?:ing)?\s*\]".to_owned(),
        r"<[|\x{ff5c}]\s*(?:think(?:ing)?|begin[_ ]of[_ ]thoughts?|start[_ ]thinking|thinking[_ ]start)\s*[|\x{ff5c}]>".to_owned(),
        r"\x{25c1}\s*think(?:ing)?\s*\x{25b7}".to_owned(),
        r"<\|channel\|?>\s*(?:analysis|commentary|thoughts?|thinking|reasoning)\b".to_owned(),
    ];
    let all = format!("(?i)(?P<close>{})|{}", closes.join("|"), opens.join("|"));
    Regex::new(&all).ok()
});

/// Channels whose marks a server left out: `analysis…assistantfinal…`.
static PLAIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^\s*(?:analysis|commentary)\s?(?:[A-Z{"'<\[]|$)"#).ok());
const PLAIN_FINAL: &str = "assistantfinal";

/// The parts of an answer. What is thought is all that is not in `answered`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// What was answered.
    pub(super) answered: Range<usize>,
    /// Whether thoughts began that never end.
    pub(super) open: bool,
}

/// Parts an answer. `objects` are the places of its whole objects: a tag inside a text of one is quoted.
pub(super) fn parts(text: &str, objects: &[Range<usize>]) -> Parts {
    let quoted = |at: usize| {
        let before = objects.partition_point(|object| object.end <= at);
        objects.get(before).is_some_and(|object| object.start < at)
    };
    let (mut start, mut opened) = (0, None);
    if PLAIN.as_ref().is_some_and(|plain| plain.is_match(text)) {
        match text.rfind(PLAIN_FINAL) {
            Some(at) => start = at + PLAIN_FINAL.len(),
            None => opened = Some(0),
        }
    }
    let tags = TAGS.iter().flat_map(|tags| tags.captures_iter(text));
    for tag in tags {
        let Some(whole) = tag.get(0).filter(|tag| !quoted(tag.start())) else { continue };
        match tag.name("close") {
            Some(_) => (start, opened) = (start.max(whole.end()), None),
            None => opened = opened.or(Some(whole.start())),
        }
    }
    let end = opened.filter(|opened| *opened >= start);
    Parts { answered: start..end.unwrap_or(text.len()), open: end.is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(text: &str) -> (&str, bool) {
        let parts = parts(text, &[]);
        (&text[parts.answered.clone()], parts.open)
    }

    #[test]
    fn all_up_to_the_last_closing_tag_is_thought() {
        for text in [
            "draft</think>answer",
            "<think>draft</think>answer",
            "<thinking>draft</thinking>answer",
            "Sure.\n<think>draft</think>answer",
            "[THINK]draft[/THINK]answer",
            "a</think>b<think>c</think>answer",
            "<THINK>draft</ Think >answer",
            "<think time=\"3\">draft</think>answer",
            "<reasoning>draft</reasoning>answer",
            "<thought>draft</thought>answer",
            "<seed:think>draft</seed:think>answer",
            "\u{25c1}think\u{25b7}draft\u{25c1}/think\u{25b7}answer",
            "<|begin_of_thought|>draft<|end_of_thought|>answer",
            "<|START_THINKING|>draft<|END_THINKING|>answer",
            "<|channel|>analysis<|message|>draft<|end|><|start|>assistant<|channel|>final<|message|>answer",
            "<|channel|>commentary<|message|>draft<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>answer",
            "<|channel|>analysis<|message|>draft<|end|><|start|>assistant<|message|>answer",
            "<|channel>thought\ndraft<channel|>answer",
            "analysisWe draft.assistantfinalanswer",
        ] {
            assert_eq!(answered(text), ("answer", false), "{text}");
        }
    }

    #[test]
    fn thoughts_that_never_end_are_no_answer() {
        for text in [
            "<think>draft",
            "<thinking>draft",
            "[THINK]draft",
            "<|channel|>analysis<|message|>draft<|end|>",
            "a</think><think>draft",
            "analysisWe draft",
            "<|START_THINKING|>",
        ] {
            assert_eq!(answered(text), ("", true), "{text}");
        }
        assert_eq!(answered("answer<think>and more"), ("answer", true));
        assert_eq!(answered("draft</think>"), ("", false));
    }

    #[test]
    fn what_is_no_tag_is_answered() {
        for text in [
            "answer",
            "analysis: answer",
            "Analysis of it",
            "<thinker>answer",
            "< 3 and > 2",
            "I think> answer",
        ] {
            assert_eq!(answered(text), (text, false), "{text}");
        }
        let quoted = r#"{"findings":"it says </think>"}"#;
        let range = 0..quoted.len();
        assert_eq!(parts(quoted, std::slice::from_ref(&range)).answered, range);
    }
}
