//! What a client may have judged on a day is counted before the judge is asked, whatever comes of it.

use super::models::Gated;
use super::{Service, body, configuration, exchange, model, posted, push};
use crate::http::{PATIENCE, Server};
use foureyes::domain::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::net::TcpStream;
use std::time::Instant;

/// Sends a request, and leaves its connection open.
fn sent(service: &Service, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn ids(lines: &[Value]) -> BTreeSet<String> {
    lines.iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

/// What is sent so that nobody waits for it: a plain request, one with a deadline, and one with events.
fn unwanted(token: &str, text: &str, n: usize) -> String {
    let request = posted(token, &body(&push(text)));
    match n % 3 {
        0 => request,
        1 => request.replacen("\r\n", "\r\nX-Deadline-Ms: 1500\r\n", 1),
        _ => request.replacen("\r\n", "\r\nAccept: text/event-stream\r\n", 1),
    }
}

#[test]
fn forty_requests_that_nobody_waits_for_cost_the_three_that_a_cap_allows() {
    let gated = Gated::start();
    let config = configuration(&gated.server.url(), "");
    let service = Service::start_in(crate::cli::Home::new(), &config);
    let token = service.token_with("few", |token| token.per_day = Some(3));
    for n in 0..3 {
        let stream = sent(&service, &unwanted(&token, &format!("c{n}"), n));
        gated.server.wait_for(n + 1, PATIENCE);
        if n == 1 {
            assert_eq!(super::read(stream).status, 504);
        }
        assert_eq!(service.calls().len(), n + 1, "written before the judge is asked");
    }
    for n in 3..40 {
        drop(sent(&service, &unwanted(&token, &format!("c{n}"), n)));
        let capped = service.post(&token, &body(&push(&format!("c{n}"))));
        assert_eq!((capped.status, capped.code().as_str()), (429, "cap"), "{n}");
    }
    assert!(service.log().is_empty());
    gated.open();
    service.wait_metric("judgements_judged_total", 3.0);
    service.wait_metric("judgements_running", 0.0);
    assert_eq!((gated.server.requests().len(), service.log().len()), (3, 3));
    assert_eq!(ids(&service.log()), ids(&service.calls()), "a line each, under the same id");
    service.wait_metric("judgements_cancelled_total", 3.0);
    // Who asks next is answered with it, the client itself and another one.
    let other = service.token("other");
    for (token, n) in [(&token, 0), (&other, 0), (&other, 1), (&token, 2)] {
        assert!(service.judged(token, &format!("c{n}")).reused, "{n}");
    }
    let calls = service.calls();
    let log = service.log();
    for call in &calls {
        let line = log.iter().find(|line| line["id"] == call["id"]).unwrap();
        assert_eq!(
            (&call["client"], &call["kind"], &call["judged_sha"]),
            (&json!("few"), &json!("push"), &line["judged_sha"])
        );
        assert!(call["bytes"].as_u64().unwrap() >= 2 && call["at_us"].is_i64(), "{call}");
    }
    let text = serde_json::to_string(&calls).unwrap();
    assert!(!text.contains("note.md") && !text.contains(&token), "{text}");
    // A start changes nothing.
    let service = service.restarted(&config);
    assert_eq!(service.post(&token, &body(&push("c50"))).code(), "cap");
    assert_eq!(
        (gated.server.requests().len(), service.metric("calls_unlogged_at_start")),
        (3, 0.0)
    );
}

#[test]
fn what_waits_and_is_not_asked_about_costs_nothing() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "workers = 1");
    let token = service.token_with("few", |token| token.per_day = Some(2));
    let first = sent(&service, &posted(&token, &body(&push("first"))));
    gated.server.wait_for(1, PATIENCE);
    for n in 0..3 {
        let waiting = sent(&service, &posted(&token, &body(&push(&format!("waiting {n}")))));
        service.wait_metric("queue_length", 1.0);
        assert_eq!(service.post(&token, &body(&push("more"))).code(), "cap");
        drop(waiting);
        service.wait_metric("queue_length", 0.0);
    }
    gated.open();
    assert_eq!(super::read(first).status, 200);
    service.judged(&token, "second");
    assert_eq!(service.post(&token, &body(&push("third"))).code(), "cap");
    assert_eq!((gated.server.requests().len(), service.calls().len()), (2, 2));
}

#[test]
fn call_counts_that_a_kill_cut_off_and_a_line_that_was_taken_away_is_missed() {
    let gated = Gated::start();
    let config = configuration(&gated.server.url(), "");
    let service = Service::start_in(crate::cli::Home::new(), &config);
    let token = service.token_with("few", |token| token.per_day = Some(2));
    let cut = sent(&service, &posted(&token, &body(&push("cut off"))));
    gated.server.wait_for(1, PATIENCE);
    let service = service.restarted(&config);
    drop(cut);
    assert_eq!(service.metric("calls_unlogged_at_start"), 1.0);
    gated.open();
    service.judged(&token, "whole");
    assert_eq!(service.post(&token, &body(&push("more"))).code(), "cap");
    // The chain does not show that its end is gone; the account does.
    let today = service.log_dir("").read_dir().unwrap().map(|entry| entry.unwrap().path());
    for file in today.filter(|path| path.is_file()) {
        std::fs::write(file, "").unwrap();
    }
    let service = service.restarted(&config);
    assert_eq!(service.metric("log_broken_links_at_start"), 0.0);
    assert_eq!(service.metric("calls_unlogged_at_start"), 2.0);
    assert_eq!(service.post(&token, &body(&push("whole"))).code(), "cap");
}

/// Files of today and tomorrow in a directory, where directories stand in their way.
fn in_the_way(service: &Service, below: &str, suffix: &str) -> Vec<std::path::PathBuf> {
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let days = [now, Timestamp::of_day(now.day() + 1)];
    let name = |day: &Timestamp| format!("{}.{suffix}", day.day_text());
    let paths: Vec<_> = days.iter().map(|day| service.log_dir(below).join(name(day))).collect();
    paths.iter().for_each(|path| std::fs::create_dir(path).unwrap());
    paths
}

/// Waits for the status of an address.
fn wait_status(service: &Service, path: &str, status: u16) {
    let end = Instant::now() + PATIENCE;
    while service.get(path, "").status != status {
        assert!(Instant::now() < end, "{path} is {}", service.get(path, "").status);
    }
}

#[test]
fn log_that_cannot_be_written_ends_the_asking_and_loses_nothing() {
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token("box");
    let way = in_the_way(&service, "", "jsonl");
    let lost = service.post(&token, &body(&push("paid")));
    assert_eq!((lost.status, lost.code().as_str()), (500, "log"));
    assert_eq!(service.get("/readyz", "").status, 503);
    assert_eq!((service.metric("ready"), service.get("/healthz", "").status), (0.0, 200));
    for n in 0..5 {
        let refused = service.post(&token, &body(&push(&format!("more {n}"))));
        assert_eq!((refused.status, refused.code().as_str()), (503, "log"));
        assert!(refused.header("retry-after").is_some());
    }
    assert_eq!(model.requests().len(), 1, "nobody is asked whose answer would be lost");
    way.iter().for_each(|path| std::fs::remove_dir(path).unwrap());
    // Whoever looks whether it is ready has it tried again.
    wait_status(&service, "/readyz", 200);
    assert!(service.judged(&token, "paid").reused, "what was paid for is there");
    service.judged(&token, "more 0");
    assert_eq!((model.requests().len(), service.log().len()), (2, 2));
}

#[test]
fn account_that_cannot_be_written_asks_nobody() {
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token_with("few", |token| token.per_day = Some(1));
    let way = in_the_way(&service, "calls", "calls");
    for _ in 0..3 {
        let refused = service.post(&token, &body(&push("a")));
        assert_eq!((refused.status, refused.code().as_str()), (503, "log"));
        assert_eq!(service.get("/readyz", "").status, 503);
    }
    assert_eq!((model.requests().len(), service.log().len()), (0, 0));
    way.iter().for_each(|path| std::fs::remove_dir(path).unwrap());
    wait_status(&service, "/readyz", 200);
    service.judged(&token, "a");
    assert_eq!((model.requests().len(), service.calls().len()), (1, 1));
}

#[test]
fn judge_that_never_answers_is_waited_for_as_long_as_it_has_and_logged() {
    let model = Server::always(vec![crate::http::Action::Hang]);
    let config = configuration(&model.url(), "").replacen("[judge]", "[judge]\nbudget_s = 2", 1);
    let service = Service::start_in(crate::cli::Home::new(), &config);
    let token = service.token("box");
    let stream = sent(&service, &posted(&token, &body(&push("a"))));
    model.wait_for(1, PATIENCE);
    drop(stream);
    service.wait_metric("judgements_cancelled_total", 1.0);
    let log = service.log();
    assert_eq!((log.len(), service.calls().len()), (1, 1));
    assert!(log[0]["evaluation"]["error"].is_string(), "{log:?}");
    let late = posted(&token, &body(&push("b"))).replacen("\r\n", "\r\nX-Deadline-Ms: 1000\r\n", 1);
    assert_eq!(exchange(service.address, late.as_bytes()).status, 504);
    service.wait_metric("judgements_cancelled_total", 2.0);
    assert_eq!((service.log().len(), service.calls().len()), (2, 2));
}
