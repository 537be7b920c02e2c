//! A judgement that is followed by server-sent events.

use super::models::Gated;
use super::{Service, body, model, posted, push, says};
use crate::http::{PATIENCE, Server, reply};
use crate::pty::{Session, Start};
use foureyes::engine::judgements::JudgementRequest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;

/// A stream of events.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(service: &Service, token: &str, request: &JudgementRequest) -> Self {
        let mut stream = TcpStream::connect(service.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let text = posted(token, &body(request));
        let text = text.replacen("content-type", "accept: text/event-stream\r\ncontent-type", 1);
        stream.write_all(text.as_bytes()).unwrap();
        Self(BufReader::new(stream))
    }

    /// The next event, with what it carries; none after the end.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // Between them are the sizes of chunks.
            if let Some(of) = line.strip_prefix("event: ") {
                name = of.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// The next event of another name.
    fn next_but(&mut self, name: &str) -> Option<(String, Value)> {
        std::iter::from_fn(|| self.next()).find(|(of, _)| of != name)
    }
}

#[test]
fn place_call_and_judgement_are_events_and_nobody_who_does_not_read_holds_a_worker() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "workers = 1\n");
    let token = service.token("box");
    let unread = Stream::open(&service, &token, &push("first"));
    service.wait_metric("judgements_running", 1.0);
    let _second = Stream::open(&service, &token, &push("second"));
    service.wait_metric("queue_length", 1.0);
    let request = push("third");
    let mut third = Stream::open(&service, &token, &request);
    assert_eq!(third.next(), Some(("queued".to_owned(), json!({"place": 2}))));
    gated.open();
    let (name, data) = third.next_but("queued").unwrap();
    assert_eq!((name.as_str(), data), ("judging", json!({"attempt": 1, "model": "north-1"})));
    let (name, data) = third.next_but("judging").unwrap();
    assert_eq!(name, "judgement");
    let reply = super::Reply { status: 200, headers: String::new(), body: data.to_string() };
    let judgement = service.verified(&reply, &request);
    assert_eq!((judgement.evaluation.verdict.as_str(), third.next()), ("GO", None));
    // All three are judged and logged, whoever reads it. A plain request gets the same.
    assert_eq!(service.log().len(), 3);
    let plain = service.judged(&token, "third");
    assert_eq!((plain.id, plain.reused), (judgement.id, true));
    drop(unread);
}

#[test]
fn another_call_of_the_judge_is_an_event() {
    let mut calls = 0;
    let model = Server::start(move |request| {
        calls += 1;
        match calls {
            1 => reply(503, &[("retry-after", "0")], "{}"),
            _ => says(request),
        }
    });
    let service = Service::start(&model, "");
    let mut stream = Stream::open(&service, &service.token("box"), &push("a"));
    let attempts: Vec<Value> = std::iter::from_fn(|| stream.next())
        .filter(|(name, _)| name == "judging")
        .map(|(_, data)| data["attempt"].clone())
        .collect();
    assert_eq!(attempts.last(), Some(&json!(2)), "{attempts:?}");
}

#[test]
fn stream_that_is_closed_is_judged_to_its_end_and_a_service_that_ends_says_so() {
    let gated = Gated::start();
    let mut service = Service::start(&gated.server, "workers = 1\n");
    let token = service.token("box");
    let mut gone = Stream::open(&service, &token, &push("gone"));
    assert_eq!(gone.next_but("queued").unwrap().0, "judging");
    gone.0.get_ref().shutdown(Shutdown::Both).unwrap();
    drop(gone);
    let mut waiting = Stream::open(&service, &token, &push("waiting"));
    assert_eq!(waiting.next().unwrap().0, "queued");
    let mut late = push("late");
    late.deadline_ms = Some(50);
    let mut late = Stream::open(&service, &token, &late);
    let (name, data) = late.next_but("queued").unwrap();
    assert_eq!((name.as_str(), &data["status"]), ("error", &json!(504)));
    service.signal("-TERM");
    let (name, data) = waiting.next_but("queued").unwrap();
    assert_eq!(name, "error");
    assert_eq!(
        (&data["error"]["code"], &data["status"], &data["retry_after_s"]),
        (&json!("shutdown"), &json!(503), &json!(5))
    );
    assert_eq!(waiting.next(), None);
    // The one whose client is gone was paid for: it is logged, and nothing else is asked.
    gated.open();
    assert!(service.ended().success());
    assert_eq!((service.log().len(), service.calls().len()), (1, 1));
    assert_eq!(gated.server.requests().len(), 1);
}

/// `foureyes judge` on a terminal, about a file with this text.
fn judged_on_a_terminal(service: &Service, token: &str, more: &[&str], text: &str) -> Session {
    let arguments = [&["judge", "note.md", "--config", "c.toml"], more].concat();
    let start = Start::foureyes(&arguments).env("FOUREYES_TOKEN", token);
    let (address, key) = (service.address, &service.key);
    let config = format!(
        "[judge]\nkind = \"service\"\nendpoint = \"http://{address}\"\nmodel = \"north-1\"\nservice_key = [\"{key}\"]\n"
    );
    std::fs::write(start.home().join("c.toml"), config).unwrap();
    std::fs::write(start.home().join("note.md"), text).unwrap();
    start.run()
}

#[test]
fn judge_shows_place_and_call_on_a_terminal_and_nothing_of_it_remains() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "workers = 1\n");
    let token = service.token("box");
    let first = judged_on_a_terminal(&service, &token, &[], "first");
    first.wait_until("the call", |s| s.contents().lines().any(|line| line == "judging"));
    let task = ["--task-id", "t", "--description", "write it", "--depth", "quick"];
    let task = judged_on_a_terminal(&service, &token, &task, "second");
    task.wait_until("its place", |s| s.contents().lines().any(|line| line == "queued, place 1"));
    gated.open();
    for session in [first, task] {
        assert_eq!(session.end(), 0, "{}", session.screen());
        session.assert_restored();
        let screen = session.screen();
        assert!(screen.starts_with("asking ") && screen.contains("4"), "{screen}");
        assert!(!screen.contains("judging") && !screen.contains("queued"), "{screen}");
    }
}

#[test]
fn refusal_that_comes_as_an_event_is_that_refusal() {
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token_with("few", |token| token.per_day = Some(0));
    let session = judged_on_a_terminal(&service, &token, &[], "fine");
    assert_eq!(session.end(), 69, "{}", session.screen());
    assert!(session.screen().contains("(429)"), "{}", session.screen());
}

#[test]
fn curl_follows_a_judgement_and_a_refusal_before_it_has_its_status() {
    let model = model();
    let service = Service::start(&model, "");
    let curl = |token: &str, text: &str| {
        let url = format!("http://{}/v1/judgements", service.address);
        let mut command = Command::new("curl");
        command.args(["-sN", "--noproxy", "*", "-w", "status %{http_code} %{content_type}", &url]);
        command.args(["-H", "Accept: text/event-stream", "-d", &body(&push(text))]);
        let output = command.args(["-H", &format!("Authorization: Bearer {token}")]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let token = service.token("box");
    let text = curl(&token, "fine");
    assert!(text.contains("event: judgement\ndata: {\"judgement\":"), "{text}");
    assert!(text.ends_with("\n\nstatus 200 text/event-stream"), "{text}");
    // What is known already has no stages.
    assert!(curl(&token, "fine").starts_with("event: judgement\ndata: {"), "{text}");
    let refused = curl("stolen", "fine");
    assert!(refused.ends_with("status 401 application/json"), "{refused}");
    let capped = service.token_with("few", |token| token.per_day = Some(0));
    let text = curl(&capped, "more");
    assert!(text.starts_with("event: error\ndata: {") && text.contains("\"status\":429"), "{text}");
}
