use super::answer::read;
use super::question::body;
use super::{Chat, Error, Settings, stream};
use crate::engine::finish::Finish;
use crate::provider::http::{Completion, Wish, Without, Wrong};
use crate::provider::{Ask, Message, Role};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};

fn ask() -> Ask {
    Ask {
        model: "fastest".to_owned(),
        messages: vec![
            Message { role: Role::System, text: "rules".to_owned() },
            Message { role: Role::User, text: "content \u{1b} \"x\"".to_owned() },
        ],
        temperature: Some(0.0),
        call: None,
        calls: None,
        paid: None,
        max_tokens: Some(512),
        schema: Some(json!({"type": "object"})),
    }
}

fn sent(without: Without) -> Value {
    serde_json::from_slice(&body(&ask(), without)).unwrap()
}

#[test]
fn a_question_is_sent_whole() {
    assert_eq!(
        sent(Without::default()),
        json!({
            "model": "fastest", "stream": false, "temperature": 0.0, "max_tokens": 512,
            "messages": [{"role": "system", "content": "rules"},
                {"role": "user", "content": "content \u{1b} \"x\""}],
            "response_format": {"type": "json_schema", "json_schema":
                {"name": "verdict", "strict": true, "schema": {"type": "object"}}},
        })
    );
}

#[test]
fn rejected_parameter_is_dropped_once() {
    let mut without = Without::default();
    for wish in [Wish::Schema, Wish::Temperature, Wish::MaxTokens] {
        assert!(without.drop_wish(wish, &ask()) && !without.drop_wish(wish, &ask()));
    }
    let body = sent(without);
    assert!(body["response_format"].is_null() && body["temperature"].is_null(), "{body}");
    assert!(body["max_tokens"].is_null() && body["max_completion_tokens"] == 512, "{body}");
    let bare = Ask { schema: None, ..ask() };
    assert!(!Without::default().drop_wish(Wish::Schema, &bare));
}

fn parse(body: &Value) -> Result<Completion, Wrong> {
    read(body.to_string().as_bytes(), "application/json")
}

fn text(message: &Value) -> Option<String> {
    parse(&json!({"choices": [{"message": message}]})).ok().map(|completion| completion.text)
}

#[test]
fn content_is_read_in_its_shapes() {
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(text(&json!({"content": "a"})), some("a"));
    let parts = json!([{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "x"},
        {"type": "output_text", "text": {"value": "b"}}, "c"]);
    assert_eq!(text(&json!({"content": parts})), some("abc"));
    assert_eq!(text(&json!({"content": null, "tool_calls": []})), some(""));
    assert_eq!(text(&json!({})), some(""));
    for wrong in [json!(1), json!({"a": 1}), json!([1]), json!([{"type": "text"}])] {
        assert_eq!(text(&json!({"content": wrong})), None);
    }
}

#[test]
fn non_answer_is_summarised_briefly() {
    let shape = |body: &str| match read(body.as_bytes(), "") {
        Err(Wrong::Shape(what, _)) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(shape(" \n"), "it is empty");
    assert_eq!(shape("<html>"), "it is a web page, as a login page or a proxy sends one");
    assert_eq!(shape(r#"{"choices": [{"mess"#), "its JSON breaks off");
    assert_eq!(shape("[]"), "it has no choices");
    assert_eq!(shape(r#"{"choices": {}}"#), "it has no choices");
    assert_eq!(shape(r#"{"choices": []}"#), "its list of choices is empty");
    assert_eq!(shape(r#"{"choices": [{"text": "a"}]}"#), "its choice has no message");
    assert_eq!(shape(&"[".repeat(100_000)), "it is not JSON");
    assert!(matches!(parse(&json!({"error": {"message": "no"}})), Err(Wrong::Error(_))));
    assert!(parse(&json!({"error": null, "choices": [{"message": {"content": "a"}}]})).is_ok());
}

#[test]
fn tokens_that_were_not_counted_are_not_zero() {
    let usage = |usage: Value| {
        parse(&json!({"choices": [{"message": {"content": "a"}}], "usage": usage})).unwrap().usage
    };
    let counted = usage(json!({"prompt_tokens": 7, "completion_tokens": 0})).unwrap();
    assert_eq!((counted.prompt_tokens, counted.completion_tokens), (Some(7), None));
    for nothing in
        [json!(null), json!({}), json!({"prompt_tokens": 0}), json!({"prompt_tokens": -1})]
    {
        assert_eq!(usage(nothing), None);
    }
}

fn piece(text: &str) -> String {
    format!("data: {}\n\n", json!({"model": "m", "choices": [{"delta": {"content": text}}]}))
}

fn whole_stream() -> String {
    let last = json!({"choices": [{"delta": {}, "finish_reason": "length"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    format!(
        ": hello\r\n{}event: x\n{}data: {last}\r\n\ndata:{usage}\n\ndata: [DONE]\n\n",
        piece("schön "),
        piece("grün")
    )
}

#[test]
fn a_stream_is_put_together() {
    let stream = whole_stream();
    for content_type in ["text/event-stream", ""] {
        let completion = read(stream.as_bytes(), content_type).unwrap();
        assert_eq!(
            (completion.text.as_str(), completion.finish),
            ("schön grün", Finish::Limit("length".to_owned()))
        );
        assert_eq!(completion.usage.unwrap().completion_tokens, Some(4));
        assert_eq!(completion.model.as_deref(), Some("m"));
    }
    assert!(stream::has_ended(stream.as_bytes()));
}

#[test]
fn truncated_stream_is_rejected_at_every_cut() {
    let stream = whole_stream();
    let end = stream.find("[DONE]").unwrap() + "[DONE]".len();
    for cut in 1..end {
        let completion = read(&stream.as_bytes()[..cut], "text/event-stream");
        assert!(matches!(completion, Err(Wrong::Shape(..))), "cut at {cut}: {completion:?}");
        assert!(!stream::has_ended(&stream.as_bytes()[..cut]), "cut at {cut}");
    }
    let wrong = format!("{}data: {{oops\n\ndata: [DONE]\n\n", piece("half"));
    let wrong = read(wrong.as_bytes(), "text/event-stream");
    assert_eq!(
        wrong,
        Err(Wrong::Shape("a piece of its stream is not JSON", Some("half".to_owned())))
    );
    let error = b"data: {\"error\": {\"code\": 429}}\n\n";
    assert!(matches!(read(error, "text/event-stream"), Err(Wrong::Error(_))));
}

#[test]
fn invalid_header_key_is_rejected_and_debug_hides_keys() {
    let with = |key: &str| {
        Chat::new(Settings {
            key: Some(SecretString::from(key)),
            ..Settings::new("http://127.0.0.1:1")
        })
    };
    assert!(matches!(with("sk-secret\nx"), Err(Error::Key)));
    let chat = with("sk-secret-1").unwrap();
    assert!(!format!("{chat:?}").contains("sk-secret-1"), "{chat:?}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_fault(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&body, "text/event-stream");
        let _ = read(&body, "application/json");
        let _ = stream::has_ended(&body);
    }

    #[test]
    fn any_text_survives_streaming(texts in proptest::collection::vec(".*", 0..6)) {
        let all: String = texts.iter().map(|text| piece(text)).collect();
        let completion = read(format!("{all}data: [DONE]\n").as_bytes(), "text/event-stream").unwrap();
        prop_assert_eq!(completion.text, texts.concat());
    }
}
