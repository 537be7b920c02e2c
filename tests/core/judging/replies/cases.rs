//! Replies and what comes of each.

use crate::http::{Action, json, reply};
use serde_json::{Value, json as value};

/// What is wanted of a row: requests, exit code, verdict, error.
pub(super) type Wanted = (usize, i32, &'static str, Option<&'static str>);

pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) first: Vec<Action>,
    pub(super) later: Vec<Action>,
    pub(super) content: Wanted,
    pub(super) task: Wanted,
}

const CALL: &str = "ca11ca11ca11ca11";

/// An answer of either kind, with the place of the call word: the keys of both stand in it.
fn object(go: bool) -> String {
    let score = if go { 4 } else { 2 };
    value!({
        "call": CALL, "scores": {"semantic": score, "pragmatic": score, "syntactic": 4},
        "findings": "as it is", "reasoning": "as it is", "revision_suggestions": [], "improvements": [],
    })
    .to_string()
}

fn go() -> String {
    object(true)
}

fn no() -> String {
    object(false)
}

fn choice(text: &str, finish: Value) -> Value {
    value!({"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}})
}

fn chat(choices: Value) -> Vec<Action> {
    json(
        200,
        &value!({
            "id": "x", "object": "chat.completion", "model": "m", "choices": choices,
            "usage": {"prompt_tokens": 9, "completion_tokens": 5},
        }),
    )
}

fn says(text: &str) -> Vec<Action> {
    chat(value!([choice(text, value!("stop"))]))
}

fn ends(text: &str, finish: &str) -> Vec<Action> {
    chat(value!([choice(text, value!(finish))]))
}

/// GO and accept.
const PASSES: [Wanted; 2] = [(1, 0, "GO", None), (1, 0, "accept", None)];
/// The same with the second question.
pub(super) const SECOND: [Wanted; 2] = [(2, 0, "GO", None), (2, 0, "accept", None)];
/// NO-GO; a task of that is improved, by two judges.
const FAILS: [Wanted; 2] = [(1, 1, "NO-GO", None), (2, 2, "escalate", None)];
/// No answer, twice.
const NONE: [Wanted; 2] =
    [(2, 2, "UNDETERMINED", Some("invalid_answer")), (2, 2, "escalate", Some("invalid_answer"))];
const CONTRADICTED: [Wanted; 2] = [
    (2, 2, "UNDETERMINED", Some("contradicted_answer")),
    (2, 2, "escalate", Some("contradicted_answer")),
];

fn case(name: &'static str, first: Vec<Action>, later: Vec<Action>, wanted: [Wanted; 2]) -> Case {
    let [content, task] = wanted;
    Case { name, first, later, content, task }
}

/// The same reply to every call.
fn always(name: &'static str, first: Vec<Action>, wanted: [Wanted; 2]) -> Case {
    case(name, first.clone(), first, wanted)
}

pub(super) fn thoughts() -> Vec<Case> {
    let (go, no) = (go(), no());
    let bare = |text: &str| text.replace(&format!("\"call\":\"{CALL}\","), "");
    let harmony = |draft: &str, answer: &str| {
        format!(
            "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>"
        )
    };
    vec![
        always("lone closing tag", says(&format!("Draft: {no} no.</think>\n{go}")), PASSES),
        always(
            "lone closing tag, the other way",
            says(&format!("Draft: {go}</think>\n{no}")),
            FAILS,
        ),
        always("thinking", says(&format!("<thinking>Draft: {no}</thinking>\n{go}")), PASSES),
        always("open late", says(&format!("Sure.\n<think>Draft: {no}</think>\n{go}")), PASSES),
        always("think", says(&format!("<think>Draft: {no}</think>\n{go}")), PASSES),
        always("bracket", says(&format!("[THINK]Draft: {no}[/THINK]\n{go}")), PASSES),
        always("harmony", says(&harmony(&no, &go)), PASSES),
        always("harmony, the other way", says(&harmony(&go, &no)), FAILS),
        always("marks left out", says(&format!("analysisWe see {no}assistantfinal{go}")), PASSES),
        always(
            "draft and prose",
            says(&format!("<think>{go}</think>\nNO-GO, since it is wrong.")),
            NONE,
        ),
        always("never ends", says(&format!("<think>{go}")), NONE),
        case("ended in thoughts", says("<think>hm</think>"), says(&go), SECOND),
        case(
            "GO in thoughts, NO-GO in prose",
            says(&format!("<think>{go}</think>Verdict: NO-GO")),
            says(&bare(&go)),
            NONE,
        ),
    ]
}

pub(super) fn endings() -> Vec<Case> {
    let (go, no) = (go(), no());
    let tail =
        format!("{go}\nThe text contradicts its source in three places, so this must be a NO-G");
    let none = chat(value!([{"index": 0, "message": {"role": "assistant", "content": go}}]));
    let cut_none = chat(
        value!([{"index": 0, "finish_reason": null, "message": {"role": "assistant", "content": tail}}]),
    );
    vec![
        always("GO, then cut", ends(&tail, "length"), NONE),
        always("whole GO at the limit", ends(&go, "max_tokens"), NONE),
        always("whole GO, other reason", ends(&go, "insufficient_system_resource"), NONE),
        always(
            "whole GO, filtered",
            ends(&go, "content_filter"),
            [
                (1, 2, "UNDETERMINED", Some("invalid_answer")),
                (1, 2, "escalate", Some("invalid_answer")),
            ],
        ),
        always("NO-GO, cut", ends(&no, "length"), FAILS),
        always("end_turn", ends(&go, "end_turn"), PASSES),
        always("endturn", ends(&go, "endturn"), PASSES),
        always("STOP", ends(&go, "STOP"), PASSES),
        always("no reason", none, PASSES),
        always("no reason and text behind", cut_none, NONE),
        case("half at the limit", ends(&go[..60], "MAX_TOKENS"), says(&go), SECOND),
        case("half, no known end", ends(&go[..60], "abort"), says(&go), SECOND),
    ]
}

pub(super) fn second_questions() -> Vec<Case> {
    let (go, no) = (go(), no());
    let bare = |text: &str| text.replace(&format!("\"call\":\"{CALL}\","), "");
    let escaped = no.replace("as it is", r"costs \$5, \(x\)");
    let message = |more: Value| {
        let mut message = value!({"role": "assistant", "content": null});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        chat(value!([{"index": 0, "finish_reason": "stop", "message": message}]))
    };
    let choices = |first: &str, second: &str, at: [u32; 2]| {
        let of = |index: u32, text: &str| value!({"index": index, "finish_reason": "stop", "message": {"role": "assistant", "content": text}});
        chat(value!([of(at[0], first), of(at[1], second)]))
    };
    vec![
        case(
            "invalid escape, then NO-GO",
            says(&escaped),
            says(&no),
            [(2, 1, "NO-GO", None), (3, 2, "escalate", None)],
        ),
        case("invalid escape in GO", says(&go.replace("as it is", r"\(x\)")), says(&go), SECOND),
        case("trailing comma", says(&format!("{},}}", &go[..go.len() - 1])), says(&go), SECOND),
        case("raw line break", says(&go.replace("as it is", "as\nit is")), says(&go), SECOND),
        case("single quotes", says(&go.replace('"', "'")), says(&go), SECOND),
        case("typographic quotes", says(&go.replace('"', "\u{201d}")), says(&go), SECOND),
        case("no call word", says(&bare(&go)), says(&go), SECOND),
        case("word with a period", says(&go.replace(CALL, &format!("{CALL}."))), says(&go), SECOND),
        case("empty", says(""), says(&go), SECOND),
        case("prose", says("It looks fine to me."), says(&go), SECOND),
        case(
            "score of 80 %",
            says(&go.replace("\"semantic\":4", "\"semantic\":\"80%\"")),
            says(&go),
            SECOND,
        ),
        case("in its reasoning", message(value!({"reasoning_content": go})), says(&go), SECOND),
        case(
            "in a tool",
            message(value!({"tool_calls": [{"function": {"arguments": go}}]})),
            says(&go),
            SECOND,
        ),
        // It is no lottery.
        case("NO-GO without the word, then GO", says(&bare(&no)), says(&go), CONTRADICTED),
        case(
            "broken NO-GO, then GO",
            says(&escaped.replace("\"call\"", "\"verdict\":\"NO-GO\",\"call\"")),
            says(&go),
            [
                CONTRADICTED[0],
                // The object of its scores is whole.
                CONTRADICTED[1],
            ],
        ),
        case(
            "NO-GO in prose, then GO",
            says("NO-GO: the dates are wrong."),
            says(&go),
            [CONTRADICTED[0], SECOND[1]],
        ),
        case(
            "reject in prose, then accept",
            says("**Verdict:** reject"),
            says(&go),
            [SECOND[0], CONTRADICTED[1]],
        ),
        // Whoever finds a defect in a later answer has found one.
        case(
            "GO without the word, then NO-GO",
            says(&bare(&go)),
            says(&no),
            [(2, 1, "NO-GO", None), (3, 2, "escalate", None)],
        ),
        always("two choices that disagree", choices(&go, &no, [0, 1]), FAILS),
        always("the other one first", choices(&no, &go, [1, 0]), FAILS),
        always("two that agree", choices(&go, &go, [0, 1]), PASSES),
    ]
}

pub(super) fn refusals() -> Vec<Case> {
    let (go, no) = (go(), no());
    let error = |body: Value| json(200, &body);
    let mut all = vec![
        case(
            "429 under 200",
            error(value!({"error": {"code": 429, "message": "upstream"}})),
            says(&go),
            SECOND,
        ),
        case(
            "an error without a number",
            error(value!({"error": "overloaded, try later"})),
            says(&go),
            SECOND,
        ),
        case("a detail", error(value!({"detail": "model is loading"})), says(&go), SECOND),
        case(
            "an old error",
            error(value!({"object": "error", "message": "busy", "code": 40303})),
            says(&go),
            SECOND,
        ),
        case(
            "an error in place of a message",
            chat(value!([{"index": 0, "error": {"code": 502, "message": "upstream"}}])),
            says(&go),
            SECOND,
        ),
        case("an error of a choice", ends("half an ans", "error"), says(&go), SECOND),
        case(
            "NO-GO in a choice with an error",
            ends(&no, "error"),
            says(&go),
            [
                (2, 2, "UNDETERMINED", Some("contradicted_answer")),
                (2, 2, "escalate", Some("contradicted_answer")),
            ],
        ),
        case(
            "a schema that its answer fails",
            json(
                400,
                &value!({"error": {"code": "json_validate_failed", "message": "Failed to generate JSON", "failed_generation": "{"}}),
            ),
            says(&go),
            SECOND,
        ),
        case(
            "a schema refused by a failure",
            json(500, &value!({"error": {"message": "response_format is not supported"}})),
            says(&go),
            SECOND,
        ),
        case("a body of nothing", reply(200, &[], ""), says(&go), SECOND),
        always(
            "an answer under the name of a stream",
            reply(200, &[("content-type", "text/event-stream")], completion(&go)),
            PASSES,
        ),
        always(
            "a wrong key",
            json(401, &value!({"error": "no"})),
            [
                (1, 69, "UNDETERMINED", Some("unauthorized")),
                (1, 2, "escalate", Some("unauthorized")),
            ],
        ),
        always(
            "an unknown model",
            json(404, &value!({"error": "model not found"})),
            [(1, 69, "UNDETERMINED", Some("unavailable")), (1, 2, "escalate", Some("unavailable"))],
        ),
        always(
            "a filter",
            json(400, &value!({"error": {"code": "content_filter", "message": "filtered"}})),
            [
                (1, 2, "UNDETERMINED", Some("invalid_answer")),
                (1, 2, "escalate", Some("invalid_answer")),
            ],
        ),
        always(
            "a login page",
            reply(200, &[("content-type", "text/html")], "<html>sign in"),
            [
                (1, 2, "UNDETERMINED", Some("invalid_answer")),
                (1, 2, "escalate", Some("invalid_answer")),
            ],
        ),
    ];
    for (name, status) in [
        ("408", 408),
        ("409", 409),
        ("425", 425),
        ("498", 498),
        ("500", 500),
        ("501", 501),
        ("520", 520),
        ("522", 522),
        ("524", 524),
        ("529", 529),
    ] {
        all.push(case(
            name,
            json(status, &value!({"error": {"message": "internal"}})),
            says(&go),
            SECOND,
        ));
    }
    all
}

fn completion(text: &str) -> String {
    value!({"choices": [choice(text, value!("stop"))]}).to_string()
}
