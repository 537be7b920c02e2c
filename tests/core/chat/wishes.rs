//! A schema is asked for where a model takes one; that it does not is found out once.

use super::{ask, asked, assert_says, chat};
use crate::http::{Request, Server, answer, json};
use foureyes::provider::{Ask, FailureKind as Kind};
use serde_json::{Value, json as value};

fn with_schema() -> Ask {
    Ask { schema: Some(value!({"type": "object", "additionalProperties": false})), ..ask() }
}

fn error(message: &str) -> Value {
    value!({"error": {"message": message, "type": "invalid_request_error"}})
}

/// A server that refuses a question which has a field, with a status and words.
fn without(field: &'static str, status: u16, words: &'static str) -> Server {
    Server::start(move |request: &Request| match request.json().get(field) {
        Some(_) => json(status, &error(words)),
        None => answer("plain GO"),
    })
}

#[test]
fn schema_is_sent_when_supported() {
    let server = Server::always(answer("GO"));
    let chat = chat(&server);
    assert_eq!(asked(&chat, &with_schema()).unwrap().attempts, 1);
    let format = &server.requests()[0].json()["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["schema"]["type"], "object");
}

#[test]
fn rejected_schema_is_dropped_and_remembered_for_model() {
    for (status, words) in [
        (400, "This response_format type is unavailable now"),
        (422, "body.response_format.type: Input should be 'text' or 'json_object'"),
        (400, "This model does not support response format `json_schema`."),
    ] {
        let server = without("response_format", status, words);
        let chat = chat(&server);
        let first = asked(&chat, &with_schema()).unwrap();
        assert_eq!((first.text.as_str(), first.attempts), ("plain GO", 2));
        assert_eq!(asked(&chat, &with_schema()).unwrap().attempts, 1);
        let other = Ask { model: "deep".to_owned(), ..with_schema() };
        assert_eq!(asked(&chat, &other).unwrap().attempts, 2, "another model may take one");
        assert_eq!(server.requests().len(), 2 + 1 + 2);
    }
}

#[test]
fn asking_plainly_takes_none_of_the_retries() {
    let mut calls = 0;
    let server = Server::start(move |request| {
        calls += 1;
        match (request.json().get("response_format"), calls) {
            (Some(_), _) => json(400, &error("response_format is not supported")),
            (None, 2 | 3) => json(503, &error("busy")),
            _ => answer("GO"),
        }
    });
    let reply = asked(&chat(&server), &with_schema()).unwrap();
    assert_eq!((reply.text.as_str(), reply.attempts), ("GO", 4));
}

#[test]
fn persistent_rejection_is_reported_and_not_remembered() {
    let server = Server::always(json(400, &error("response_format: the prompt is too long")));
    let chat = chat(&server);
    let failure = asked(&chat, &with_schema()).unwrap_err();
    assert_says(&failure, Kind::InvalidAnswer, &["too long"]);
    assert_eq!((failure.attempts, server.requests().len()), (2, 2));
    assert_eq!(asked(&chat, &with_schema()).unwrap_err().attempts, 2, "it is tried again");
    // Without a schema there is nothing to leave out.
    assert_eq!(asked(&chat, &ask()).unwrap_err().attempts, 1);
}

#[test]
fn parameters_fixed_or_renamed_by_newer_models_are_dropped() {
    let fixed = without(
        "temperature",
        400,
        "Unsupported value: 'temperature' does not support 0 with this model.",
    );
    let fixed_chat = chat(&fixed);
    assert_eq!(asked(&fixed_chat, &ask()).unwrap().attempts, 2);
    assert_eq!(asked(&fixed_chat, &ask()).unwrap().attempts, 1);
    let renamed = without(
        "max_tokens",
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
    assert_eq!(asked(&chat(&renamed), &ask()).unwrap().attempts, 2);
    assert_eq!(renamed.requests()[1].json()["max_completion_tokens"], 1024);
}
