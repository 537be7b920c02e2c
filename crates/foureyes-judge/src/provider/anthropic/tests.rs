use super::answer::read;
use super::question::{body, unwanted};
use crate::engine::finish::Finish;
use crate::provider::http::{Completion, Wish, Without, Wrong};
use crate::provider::{Ask, Message, Role};
use proptest::prelude::*;
use serde_json::{Value, json};

fn ask() -> Ask {
    let message = |role, text: &str| Message { role, text: text.to_owned() };
    Ask {
        model: "claude".to_owned(),
        messages: vec![
            message(Role::System, "rules"),
            message(Role::User, "content \u{1b}"),
            message(Role::System, "more rules"),
        ],
        temperature: Some(0.0),
        call: None,
        calls: None,
        paid: None,
        max_tokens: None,
        schema: Some(json!({"type": "object", "properties": {}})),
    }
}

fn sent(ask: &Ask, without: Without) -> Value {
    serde_json::from_slice(&body(ask, without)).unwrap()
}

#[test]
fn question_has_rules_apart_and_a_tool_for_the_answer() {
    assert_eq!(
        sent(&ask(), Without::default()),
        json!({
            "model": "claude", "max_tokens": 8192, "temperature": 0.0, "system": "rules\n\nmore rules",
            "messages": [{"role": "user", "content": "content \u{1b}"}],
            "tools": [{"name": "answer", "description": "Gives the answer.",
                "input_schema": {"type": "object", "properties": {}}}],
            "tool_choice": {"type": "tool", "name": "answer"},
        })
    );
    let list = Ask { schema: Some(json!({"type": "array"})), max_tokens: Some(9), ..ask() };
    let sent = sent(&list, Without::default());
    assert!(sent["tools"].is_null() && sent["tool_choice"].is_null(), "no tool has a list: {sent}");
    assert_eq!(sent["max_tokens"], 9);
}

#[test]
fn refused_parameter_is_left_out() {
    let without = Without { schema: true, temperature: true, max_tokens: true };
    let sent = sent(&ask(), without);
    for name in ["tools", "tool_choice", "temperature"] {
        assert!(sent[name].is_null(), "{name}: {sent}");
    }
    assert_eq!(sent["max_tokens"], 8192, "it is never left out");
    for (body, wish) in [
        (
            "tool_choice: Thinking may not be enabled when tool_choice forces tool use.",
            Some(Wish::Schema),
        ),
        ("tools.0.custom.input_schema: JSON schema is invalid", Some(Wish::Schema)),
        ("`temperature` is deprecated for this model.", Some(Wish::Temperature)),
        ("`temperature` may only be set to 1 when thinking is enabled", Some(Wish::Temperature)),
        ("temperature: range: 0..1", None),
        ("max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens", None),
        ("prompt is too long: 208310 tokens > 200000 maximum", None),
    ] {
        assert_eq!(unwanted(body), wish, "{body}");
    }
}

fn parse(body: &Value) -> Result<Completion, Wrong> {
    read(body.to_string().as_bytes(), "application/json")
}

#[test]
fn input_of_the_tool_is_the_answer_as_it_was_written() {
    let body = br#"{"model":"claude-x","stop_reason":"tool_use","content":[
        {"type":"thinking","thinking":"x"},{"type":"text","text":"Here it is."},
        {"type":"tool_use","id":"t","name":"other","input":{"verdict":"GO"}},
        {"type":"tool_use","id":"t","name":"answer","input":{"verdict":"NO-GO", "verdict":"GO"}}],
        "usage":{"input_tokens":7,"cache_read_input_tokens":3,"output_tokens":4}}"#;
    let completion = read(body, "").unwrap();
    assert_eq!(completion.text, r#"{"verdict":"NO-GO", "verdict":"GO"}"#);
    assert_eq!((completion.model.as_deref(), completion.finish), (Some("claude-x"), Finish::Whole));
    let usage = completion.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(10), Some(4)));
}

#[test]
fn text_is_the_answer_where_no_tool_was_called() {
    let blocks =
        json!([{"type": "text", "text": "a"}, {"type": "thinking"}, {"type": "text", "text": "b"}]);
    let of = |reason: &str| parse(&json!({"content": blocks, "stop_reason": reason})).unwrap();
    assert_eq!((of("end_turn").text.as_str(), of("end_turn").usage), ("ab", None));
    assert_eq!(of("max_tokens").finish, Finish::Limit("max_tokens".to_owned()));
    assert_eq!(
        of("model_context_window_exceeded").finish,
        Finish::Limit("model_context_window_exceeded".to_owned())
    );
    assert_eq!(of("refusal").refusal.as_deref(), Some("ab"));
}

#[test]
fn other_bodies_are_no_answers() {
    assert!(matches!(parse(&json!({"error": {"type": "api_error"}})), Err(Wrong::Error(_))));
    for body in
        [json!({}), json!({"content": "a"}), json!({"content": [{"type": "text"}]}), json!([])]
    {
        assert!(matches!(parse(&body), Err(Wrong::Shape(..))), "{body}");
    }
    assert!(matches!(read(b"event: message_start\ndata: {}\n\n", ""), Err(Wrong::Shape(..))));
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_fault(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&body, "");
    }
}
