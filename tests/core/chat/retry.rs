//! Which calls are made again, and when.

use super::{after, ask, asked, assert_says, block, chat, failed, settings};
use crate::http::{Action, Server, answer, json, reply};
use foureyes::engine::retry::Policy;
use foureyes::provider::FailureKind as Kind;
use foureyes::provider::chat::{Chat, Settings};
use serde_json::json as value;
use std::time::{Duration, SystemTime};

fn busy(status: u16, headers: &[(&str, &str)]) -> Vec<Action> {
    reply(status, headers, r#"{"error":{"message":"slow down","code":"429"}}"#)
}

/// Time between the first and the second request.
fn gap(server: &Server) -> Duration {
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    requests[1].at - requests[0].at
}

#[test]
fn trouble_that_passes_is_outlasted() {
    for status in [408, 409, 425, 429, 498, 500, 502, 503, 504, 522, 529] {
        let server = Server::in_order(vec![busy(status, &[]), busy(status, &[]), answer("GO")]);
        let reply = asked(&chat(&server), &ask()).unwrap();
        assert_eq!((reply.text.as_str(), reply.attempts), ("GO", 3), "{status}");
        let all: Vec<_> = server.requests().iter().map(|request| request.body.clone()).collect();
        assert!(all.iter().all(|body| *body == all[0]), "the same question three times");
    }
}

#[test]
fn persistent_failure_is_reported_after_last_call() {
    for (status, kind, told) in [
        (408, Kind::Timeout, "gave up waiting (408)"),
        (429, Kind::RateLimited, "reports too many requests (429): slow down; asked 8 times"),
        (503, Kind::ServerError, "failed (503)"),
    ] {
        let server = Server::always(busy(status, &[]));
        let failure = failed(&server);
        assert_says(&failure, kind, &[told]);
        assert_eq!((failure.attempts, server.requests().len()), (8, 8));
    }
}

#[test]
fn retry_after_in_seconds_is_waited() {
    let server = Server::in_order(vec![busy(429, &[("Retry-After", "1")]), answer("GO")]);
    assert_eq!(asked(&chat(&server), &ask()).unwrap().attempts, 2);
    let gap = gap(&server);
    assert!(gap >= Duration::from_secs(1), "{gap:?}");
}

#[test]
fn retry_after_as_a_date_is_waited() {
    // A date has whole seconds: what is asked for lies between 1 and 2 seconds ahead.
    let mut first = true;
    let server = Server::start(move |_| {
        if !std::mem::replace(&mut first, false) {
            return answer("GO");
        }
        let then = SystemTime::now() + Duration::from_secs(2);
        busy(503, &[("retry-after", &httpdate::fmt_http_date(then))])
    });
    assert_eq!(asked(&chat(&server), &ask()).unwrap().attempts, 2);
    let gap = gap(&server);
    assert!(gap >= Duration::from_millis(900), "{gap:?}");
}

#[test]
fn the_finer_header_counts_where_both_are_there() {
    let both = [("retry-after", "3600"), ("retry-after-ms", "150")];
    let server = Server::in_order(vec![busy(429, &both), answer("GO")]);
    asked(&chat(&server), &ask()).unwrap();
    let gap = gap(&server);
    assert!(gap >= Duration::from_millis(150), "{gap:?}");
}

#[test]
fn an_hour_is_not_waited() {
    let server = Server::always(busy(429, &[("retry-after", "3600")]));
    let failure = failed(&server);
    assert_says(
        &failure,
        Kind::RateLimited,
        &["asks to wait 3600 s, and 180 s are waited at most"],
    );
    assert_eq!(server.requests().len(), 1);
    let never = Server::always(busy(429, &[("retry-after", "999999999999999999999999")]));
    assert_eq!((failed(&never).attempts, never.requests().len()), (1, 1));
}

#[test]
fn exhausted_quota_is_not_retried() {
    for (status, body) in [
        (
            429,
            value!({"error": {"message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "code": "insufficient_quota"}}),
        ),
        (
            429,
            value!({"error": {"message": "Insufficient balance or no resource package. Please recharge.", "code": "1113"}}),
        ),
        (402, value!({"error": {"message": "Payment Required"}})),
        (400, value!({"error": {"message": "Your credit balance is too low"}})),
    ] {
        let server = Server::always(json(status, &body));
        let failure = failed(&server);
        assert_eq!(failure.kind, Kind::RateLimited, "{failure:?}");
        assert_eq!((failure.attempts, server.requests().len()), (1, 1), "{failure:?}");
        if status == 429 {
            assert_says(&failure, Kind::RateLimited, &["quota or balance is gone"]);
        }
    }
}

#[test]
fn wait_beyond_deadline_is_not_started() {
    let server = Server::always(busy(503, &[("retry-after", "30")]));
    let chat = chat(&server);
    let failure = block(async { chat.ask(&ask(), after(Duration::from_secs(5))).await });
    assert_says(&failure.unwrap_err(), Kind::ServerError, &["does not fit into the"]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_question_past_its_time_is_not_asked() {
    let server = Server::always(answer("GO"));
    let chat = chat(&server);
    let failure = block(async { chat.ask(&ask(), tokio::time::Instant::now()).await }).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["no time was left to ask"]);
    assert_eq!((failure.attempts, server.connections()), (0, 0));
}

#[test]
fn single_attempt_policy_makes_one_call() {
    let server = Server::always(busy(503, &[]));
    let once = Settings { retry: Policy::once(), ..settings(&server.url()) };
    let failure = asked(&Chat::new(once).unwrap(), &ask()).unwrap_err();
    assert_eq!((failure.attempts, server.requests().len()), (1, 1));
}

#[test]
fn concurrent_failures_retry_with_jitter() {
    let server = Server::always(busy(503, &[]));
    let slow = Policy {
        attempts: 2,
        first: Duration::from_millis(1000),
        most: Duration::from_secs(8),
        ..Policy::default()
    };
    let chat = Chat::new(Settings { retry: slow, ..settings(&server.url()) }).unwrap();
    block(async {
        let one = || async { chat.ask(&ask(), after(Duration::from_secs(30))).await };
        let _ = tokio::join!(one(), one(), one(), one(), one(), one(), one(), one());
    });
    let mut times: Vec<_> = server.requests().iter().map(|request| request.at).collect();
    times.sort();
    assert_eq!(times.len(), 16);
    // Eight draws from a sixth of a second: that all fall into 10 ms has a chance below 1 in a million.
    assert!(times[15] - times[8] > Duration::from_millis(10), "{times:?}");
}
