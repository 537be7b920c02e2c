//! What of an answer is thought, what was cut, and what stays said.

use super::*;
use crate::engine::verdict::PushVerdict::{self, Go, NoGo, Undetermined};
use crate::engine::verdict::{PUSH, TASK, TaskVerdict};
use proptest::prelude::*;

const CALL: &str = "abcdefabcdefabcd";

fn object(verdict: &str, score: u8) -> String {
    format!(
        r#"{{"call":"{CALL}","scores":{{"semantic":{score},"pragmatic":4,"syntactic":4}},"verdict":"{verdict}","findings":"as it is"}}"#
    )
}

fn go() -> String {
    object("GO", 4)
}

fn no() -> String {
    object("NO-GO", 2)
}

/// The same without the call word.
fn bare(text: &str) -> String {
    text.replace(&format!("\"call\":\"{CALL}\","), "")
}

fn of(text: &str) -> Reading<PushVerdict> {
    let reading = read(&PUSH, text, &Rubric::embedded().unwrap(), CALL);
    let Lengths { thought, object, rest } = reading.lengths;
    assert_eq!(thought + object + rest, text.len() as u64, "{text}");
    reading
}

fn ended(text: &str, reason: Option<&str>) -> Reading<PushVerdict> {
    of(text).ended(&Finish::read(reason, false), text)
}

#[test]
fn draft_in_thoughts_is_no_answer_whatever_it_says() {
    let (go, no) = (go(), no());
    for (open, close) in [
        ("", "</think>"),
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("Sure.\n<think>", "</think>"),
        ("[THINK]", "[/THINK]"),
        ("<reasoning>", "</reasoning>"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
        ("analysisWe see. ", "assistantfinal"),
    ] {
        for (draft, answer, verdict) in [(&no, &go, Go), (&go, &no, NoGo)] {
            let text = format!("{open}Draft: {draft} perhaps.{close}\n{answer}");
            assert_eq!(of(&text).verdict, verdict, "{text}");
            let broken = format!("{open}Draft: {} {close}\n{answer}", &draft[..60]);
            assert_eq!(of(&broken).verdict, verdict, "{broken}");
        }
        for text in [
            format!("{open}Draft: {go}{close}"),
            format!("{open}Draft: {go}{close}\n I think that it passes."),
        ] {
            let reading = of(&text);
            assert_eq!((reading.verdict, reading.fault.is_some()), (Undetermined, true), "{text}");
            assert_eq!(reading.stated, None);
            assert!(reading.lengths.thought > 0 && reading.lengths.object == 0);
        }
    }
    for never in
        [format!("<think>{go}"), format!("[THINK]{go}"), format!("{go}<think>or not: {no}")]
    {
        assert_eq!(of(&never).fault, Some(Fault::OnlyThoughts), "{never}");
    }
    assert_eq!(of(&format!("{no}<think>or not: {go}")).verdict, NoGo, "it stands before them");
}

#[test]
fn tag_inside_a_text_of_the_answer_is_quoted() {
    for (tag, verdict) in [("</think>", "NO-GO"), ("<think>", "NO-GO"), ("[/THINK]", "NO-GO")] {
        let text = no().replace("as it is", &format!("line 3 has a stray {tag}"));
        let reading = of(&text);
        assert_eq!((PUSH.word(reading.verdict), reading.fault), (verdict, None), "{text}");
        let text = format!("<think>{}</think>{text}", go());
        assert_eq!(of(&text).verdict, NoGo, "{text}");
    }
}

#[test]
fn what_was_cut_passes_nothing_and_no_go_stands() {
    for reason in ["length", "max_tokens", "MAX_TOKENS", "content_filter", "abort", "tool_calls"] {
        for text in [go(), format!("{} But the text contra", go())] {
            let reading = ended(&text, Some(reason));
            let Some(Fault::Cut(finish)) = &reading.fault else { panic!("{reason}: {reading:?}") };
            assert_eq!((reading.verdict, finish.reason()), (Undetermined, Some(reason)));
            assert_eq!((reading.scores, reading.findings.as_str()), (None, ""));
            assert_eq!(reading.beginning.as_deref(), Some(&*beginning(&text)));
        }
        assert_eq!(ended(&no(), Some(reason)).verdict, NoGo);
        let half = ended(&go()[..70], Some(reason));
        assert!(matches!(half.fault, Some(Fault::Cut(_))), "the reason is named: {half:?}");
    }
    for reason in ["stop", "end_turn", "STOP", "eos_token"] {
        assert_eq!(ended(&format!("{} Fine.", go()), Some(reason)).verdict, Go);
    }
    let unsure = object("UNDETERMINED", 4);
    assert_eq!(ended(&unsure, Some("length")).fault, None, "nothing passes by it");
}

#[test]
fn without_a_reason_the_object_must_be_the_last_thing() {
    for text in [
        go(),
        format!("Here: {}\n", go()),
        format!("```json\n{}\n```\n", go()),
        format!("{}<|im_end|>", go()),
        format!("[{}]", go()),
    ] {
        for none in [None, Some("")] {
            assert_eq!(ended(&text, none).verdict, Go, "{text}");
        }
    }
    for text in [format!("{} But the", go()), format!("{} {{\"verdict\"", go())] {
        let reading = ended(&text, None);
        assert_eq!((reading.verdict, reading.fault.is_some()), (Undetermined, true), "{text}");
    }
    assert_eq!(ended(&format!("{} But", no()), None).verdict, NoGo);
}

#[test]
fn spelling_of_a_word_does_not_matter_and_scores_decide() {
    for word in ["NO-GO", "no-go", "no_go", "NO GO", "No-Go", "NOGO", "no\u{2011}go"] {
        for score in [2, 4] {
            assert_eq!(of(&object(word, score)).verdict, NoGo, "{word}");
        }
    }
    assert_eq!((of(&object("go", 4)).verdict, of(&object("go", 2)).verdict), (Go, NoGo));
    for word in ["GO \u{2705}", "G0", "PASS", " GO", "NO-GO?"] {
        assert!(matches!(of(&object(word, 4)).fault, Some(Fault::UnknownVerdict { .. })), "{word}");
    }
}

#[test]
fn verdict_among_the_scores_makes_none_milder() {
    let among = |inner: &str, outer: &str| {
        format!(
            r#"{{"call":"{CALL}","scores":{{"semantic":3,"pragmatic":3,"syntactic":3,"verdict":"{inner}"}}{outer}}}"#
        )
    };
    for (inner, outer, verdict) in [
        ("GO", "", Go),
        ("NO-GO", "", NoGo),
        ("no-go", r#","verdict":"GO""#, NoGo),
        ("GO", r#","verdict":"NO-GO""#, NoGo),
        ("UNDETERMINED", "", Undetermined),
    ] {
        let reading = of(&among(inner, outer));
        assert_eq!((reading.verdict, reading.fault), (verdict, None), "{inner} {outer}");
    }
    assert!(matches!(of(&among("fine", "")).fault, Some(Fault::UnknownVerdict { .. })));
}

#[test]
fn of_two_choices_the_stricter_counts() {
    let [go, no, prose] = [go(), no(), "no idea".to_owned()].map(|text| of(&text));
    assert_eq!(go.clone().beside(no.clone()).verdict, NoGo);
    assert_eq!(no.clone().beside(go.clone()).verdict, NoGo);
    assert_eq!(go.clone().beside(prose.clone()).verdict, Go);
    assert!(prose.clone().beside(go).fault.is_some(), "the first one is no answer");
    let beside = prose.beside(no);
    assert_eq!((beside.fault.is_some(), beside.stated), (true, Some(NoGo)));
}

#[test]
fn what_is_said_against_the_content_is_noticed_in_any_form() {
    let no = no();
    for text in [
        bare(&no),
        no.clone(),
        no.replace("as it is", r"costs \$5"),
        bare(&no).replace("as it is", r"costs \$5"),
        no[..no.len() - 3].to_owned(),
        format!("{{\"answer\":{}}}", bare(&no)),
        serde_json::to_string(&bare(&no)).unwrap(),
        bare(&object("GO", 1)),
        "NO-GO".to_owned(),
        "**Verdict:** no_go, the dates are wrong".to_owned(),
        "The verdict is NO-GO.".to_owned(),
        format!("<think>{}</think>{}", go(), bare(&no)),
        "{\"verdict\": \"NO GO\", \"scores\": {".to_owned(),
    ] {
        assert_eq!(of(&text).stated, Some(NoGo), "{text}");
    }
    for text in [
        go(),
        bare(&go()),
        format!("<think>{no}</think>{}", bare(&go())),
        "I cannot say NO-GO or GO.".to_owned(),
        "GO, although a NO-GO was near".to_owned(),
        "no good can come of it".to_owned(),
        "no goal is named".to_owned(),
    ] {
        assert_eq!(of(&text).stated, None, "{text}");
    }
    let task = |text: &str| read(&TASK, text, &Rubric::embedded().unwrap(), CALL).stated;
    assert_eq!(task("Reject: it has no rollback."), Some(TaskVerdict::Reject));
    assert_eq!(task(r#"{"verdict":"improve"}"#), Some(TaskVerdict::Improve));
    assert_eq!(task("The author rejects it."), None);
}

/// Pieces of which answers with thoughts are made.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z<>/{}\"\\[\\] \u{e9}]{0,12}",
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        Just("[/THINK]".to_owned()),
        Just("<|channel|>final<|message|>".to_owned()),
        Just(go()),
        Just(no()),
        Just(bare(&no())),
    ]
}

proptest! {
    #[test]
    fn every_byte_is_thought_object_or_rest(pieces in proptest::collection::vec(piece(), 0..8)) {
        let text = pieces.concat();
        let reading = of(&text);
        // After the last closing tag outside objects nothing but a GO makes a GO.
        let last = pieces.iter().rposition(|p| p.starts_with("</") || p.starts_with("[/") || p.starts_with("<|"));
        let answered = &pieces[last.map_or(0, |at| at + 1)..];
        if reading.verdict == Go {
            prop_assert!(answered.iter().any(|p| *p == go()) && !answered.iter().any(|p| *p == no()), "{text}");
        }
    }
}
