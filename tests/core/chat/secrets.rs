//! The key is in the header of a request, and nowhere else.

use super::{KEY, after, ask, asked, block, chat, settings};
use crate::http::{Action, Server, completion, head, json, reply};
use foureyes::provider::Provider;
use foureyes::provider::chat::{Chat, Settings};
use serde_json::json as value;
use std::time::Duration;

/// All that comes out of a question, in every form there is.
fn all_of(server: &Server) -> String {
    let provider = Provider::Chat(chat(server));
    let (answer, models) = block(async {
        let until = after(Duration::from_secs(30));
        (provider.ask(&ask(), until).await, provider.models(until).await)
    });
    format!("{provider:?} {provider:#?} {answer:?} {models:?}")
}

#[test]
fn echoed_key_is_masked() {
    let echo = format!("Incorrect API key provided: {KEY}. You can find yours there. {KEY}");
    let error = value!({"error": {"message": echo, "type": "invalid_request_error", "code": "invalid_api_key"}});
    let mut answer = completion(&format!("GO, and your key is {KEY}"));
    answer["model"] = KEY.into();
    let list = value!({"data": [{"id": KEY}]});
    let stream = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{KEY}\"}}}}]}}\n\n");
    let pad = "x".repeat(480);
    for actions in [
        json(401, &error),
        json(400, &error),
        json(200, &error),
        json(200, &answer),
        json(200, &list),
        reply(500, &[], format!("{pad}{KEY}")),
        reply(403, &[("www-authenticate", KEY)], KEY),
        reply(307, &[("location", &format!("http://{KEY}.example/{KEY}"))], ""),
        reply(200, &[("content-type", KEY)], KEY),
        reply(200, &[("content-encoding", KEY)], KEY),
        reply(200, &[("content-type", "text/event-stream")], stream),
        vec![Action::Send(head(200, &[("content-length", "9999")])), Action::Send(KEY.into())],
        vec![Action::Send(format!("HTTP/1.1 {KEY}\r\n\r\n").into_bytes())],
        vec![Action::Send(format!("HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n").into_bytes())],
    ] {
        let server = Server::always(actions.clone());
        let all = all_of(&server);
        for part in [KEY, &KEY[..20], &KEY.to_uppercase()] {
            assert!(!all.contains(part), "{part} after {actions:?} in {all}");
        }
        let sent = server.requests();
        assert!(!sent.is_empty() && sent.iter().all(|r| r.header("authorization").is_some()));
        assert!(sent.iter().all(|r| !String::from_utf8_lossy(&r.body).contains(KEY)));
    }
}

#[test]
fn truncated_or_escaped_key_in_body_is_masked() {
    let numbered: String = KEY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let half = &KEY[..KEY.len() - 4];
    let begun = format!("{{\"error\":\"this key is not known: {half}");
    let cut = |length: &str, body: &str| {
        vec![
            Action::Send(head(200, &[("content-length", length)])),
            Action::Send(body.as_bytes().to_vec()),
        ]
    };
    let hangs = cut("900", &begun).into_iter().chain([Action::Hang]).collect();
    let stream = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{half}\"}}}}]}}\n\n");
    for actions in [
        cut("900", &begun),
        hangs,
        reply(200, &[], begun.clone()),
        reply(500, &[], begun.clone()),
        reply(401, &[], format!("{{\"error\":{{\"detail\":[\"{numbered}\"]}}}}")),
        reply(400, &[], format!("{{\"error\":\"{{\\\"key\\\":\\\"{numbered}\\\"}}\"")),
        reply(200, &[("content-type", "text/event-stream")], stream),
    ] {
        let server = Server::always(actions.clone());
        let settings = Settings { whole: Duration::from_millis(400), ..settings(&server.url()) };
        let failure = asked(&Chat::new(settings).unwrap(), &ask()).unwrap_err();
        let all = format!("{failure:?}");
        assert!(!all.contains(&KEY[..6]) && !all.contains("u0073"), "{all} after {actions:?}");
        assert!(all.contains("[key]"), "{all} after {actions:?}");
    }
}

#[test]
fn the_rest_of_an_answer_with_the_key_in_it_stays() {
    let server = Server::always(json(200, &completion(&format!("a {KEY} b"))));
    assert_eq!(asked(&chat(&server), &ask()).unwrap().text, "a [key] b");
}

#[test]
fn remote_text_is_escaped_in_errors() {
    let hostile =
        value!({"error": {"message": "no\u{1b}]52;c;eA==\u{7}\r\n\u{202e}OG \u{9b}31m\u{200b}"}});
    let failure = super::failed(&Server::always(json(422, &hostile)));
    assert!(failure.what.chars().all(|c| !c.is_control() && c != '\u{202e}' && c != '\u{200b}'));
    assert!(failure.what.contains("\\u{1b}]52;c;eA==\\u{7} \\u{202e}OG"), "{}", failure.what);
}
