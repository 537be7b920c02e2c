//! Bodies that are slow, huge, broken, or something else than an answer.

use super::{after, ask, asked, assert_says, block, chat, failed, settings};
use crate::http::PATIENCE;
use crate::http::{Action, Server, answer, chunk, completion, head, reply};
use foureyes::provider::FailureKind as Kind;
use foureyes::provider::chat::{Chat, Settings};
use std::time::Duration;

const SOON: Duration = Duration::from_millis(300);
const JSON: (&str, &str) = ("content-type", "application/json");
const STREAM: (&str, &str) = ("content-type", "text/event-stream");

/// An endpoint of little patience, once.
fn hurried(server: &Server) -> Chat {
    Chat::new(Settings { first_byte: SOON, whole: SOON * 2, ..settings(&server.url()) }).unwrap()
}

fn sent(bytes: &[u8]) -> Action {
    Action::Send(bytes.to_vec())
}

#[test]
fn slow_body_is_read_and_endless_one_times_out() {
    let body = completion("slow GO").to_string().into_bytes();
    let slow = |pause| {
        let drip = Action::Drip { bytes: body.clone(), at_once: 40, pause };
        vec![sent(&head(200, &[JSON])), drip]
    };
    let patient = Server::always(slow(Duration::from_millis(15)));
    assert_eq!(asked(&chat(&patient), &ask()).unwrap().text, "slow GO");

    let server = Server::always(slow(Duration::from_millis(150)));
    let failure = asked(&hurried(&server), &ask()).unwrap_err();
    assert_says(
        &failure,
        Kind::Timeout,
        &["0.6 s waiting for the whole reply", "bytes were received"],
    );
    assert_eq!(failure.attempts, 1);
    assert!(failure.beginning.unwrap().starts_with('{'));
    assert!(server.closed(0, PATIENCE).is_some());
}

#[test]
fn silence_before_the_first_byte_ends_the_wait() {
    let server = Server::always(vec![Action::Hang]);
    let failure = asked(&hurried(&server), &ask()).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["0.3 s waiting for the first byte"]);
    let halves = Server::always(vec![sent(b"HTTP/1.1 200 OK\r\ncontent-"), Action::Hang]);
    let failure = asked(&hurried(&halves), &ask()).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["waiting for the first byte"]);
    let body = Server::always(vec![sent(&head(200, &[JSON])), Action::Hang]);
    let failure = asked(&hurried(&body), &ask()).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["waiting for the whole reply"]);
}

#[test]
fn remaining_time_limits_the_wait() {
    let server = Server::always(vec![Action::Hang]);
    let chat = chat(&server);
    let failure = block(async { chat.ask(&ask(), after(SOON)).await }).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["(the time that was left)"]);
}

#[test]
fn two_hundred_megabytes_are_not_taken() {
    const TOTAL: u64 = 200 << 20;
    let length = TOTAL.to_string();
    let block = vec![b' '; 1 << 16];
    let endless = |headers: &[(&str, &str)]| {
        let body = Action::Repeat { bytes: block.clone(), total: TOTAL };
        Server::always(vec![sent(&head(200, headers)), body])
    };
    let before = memory();
    // As it comes, and as it says from the start.
    for headers in [vec![JSON], vec![JSON, ("content-length", &length)], vec![STREAM]] {
        let server = endless(&headers);
        let failure = failed(&server);
        assert_says(&failure, Kind::InvalidAnswer, &["larger than 8388608 bytes"]);
        assert_eq!(failure.attempts, 1);
        assert!(server.closed(0, PATIENCE).is_some());
        // What was read, and what the system holds between the two.
        assert!(server.sent(0) < 40 << 20, "{} bytes were sent", server.sent(0));
    }
    let grown = memory().saturating_sub(before);
    assert!(grown < 150 << 20, "{grown} bytes more");
}

/// Most memory that this process ever had, in bytes; 0 where the system does not tell.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
fn wrong_content_length_is_rejected() {
    let body = completion("GO").to_string();
    let more = (body.len() + 10).to_string();
    let server = Server::always(vec![
        sent(&head(200, &[JSON, ("content-length", &more)])),
        sent(body.as_bytes()),
    ]);
    let failure = failed(&server);
    assert_says(&failure, Kind::InvalidAnswer, &["breaks off after"]);
    assert!(failure.beginning.unwrap().contains("chatcmpl-1"));
    // Too short a length: what comes after it belongs to no reply.
    let server = Server::always(vec![
        sent(&head(200, &[JSON, ("content-length", "20")])),
        sent(body.as_bytes()),
    ]);
    assert_says(&failed(&server), Kind::InvalidAnswer, &["its JSON breaks off"]);
}

#[test]
fn json_truncated_anywhere_is_rejected() {
    let body = completion("GO").to_string();
    for part in [1, body.len() / 3, body.len() - 1] {
        let server = Server::always(reply(200, &[JSON], &body[..part]));
        let failure = failed(&server);
        assert_says(&failure, Kind::InvalidAnswer, &["its JSON breaks off"]);
        assert_eq!(failure.beginning.as_deref(), body[..part].get(..500.min(part)));
    }
}

#[test]
fn chunks_are_put_together_and_missed_where_they_lack() {
    let body = completion("schön").to_string().into_bytes();
    let mut actions = vec![sent(&head(200, &[JSON, ("transfer-encoding", "chunked")]))];
    actions.extend(body.iter().map(|byte| chunk(&[*byte])));
    let cut = actions[..actions.len() - 1].to_vec();
    actions.push(chunk(b""));
    assert_eq!(asked(&chat(&Server::always(actions)), &ask()).unwrap().text, "schön");
    assert_says(&failed(&Server::always(cut)), Kind::InvalidAnswer, &["breaks off after"]);
}

#[test]
fn a_compressed_body_is_not_unpacked() {
    // Ten times 1 MiB of zeros would come of it; not one byte of that is made.
    let bomb = include_bytes!("../../data/bomb.gz");
    for coding in ["gzip", "br", "zstd"] {
        let server = Server::always(reply(200, &[JSON, ("content-encoding", coding)], *bomb));
        let failure = failed(&server);
        assert_says(
            &failure,
            Kind::InvalidAnswer,
            &[&format!("compressed ({coding}), which was not requested")],
        );
    }
    let silent = Server::always(reply(200, &[JSON], *bomb));
    assert_says(&failed(&silent), Kind::InvalidAnswer, &["compressed (gzip)"]);
    let refusal = Server::always(reply(404, &[("content-encoding", "gzip")], *bomb));
    assert_says(&failed(&refusal), Kind::Unavailable, &["(404)"]);
    let same = [JSON, ("content-encoding", "identity")];
    let plain = Server::always(reply(200, &same, completion("GO").to_string()));
    assert_eq!(asked(&chat(&plain), &ask()).unwrap().text, "GO");
}

#[test]
fn html_page_is_rejected_and_wrong_content_type_accepted() {
    let html = [("content-type", "text/html; charset=utf-8")];
    let page = Server::always(reply(200, &html, "<html>Log in</html>"));
    let failure = failed(&page);
    assert_says(&failure, Kind::InvalidAnswer, &["it is a web page", "(text/html)"]);
    assert_eq!(failure.beginning.as_deref(), Some("<html>Log in</html>"));
    let body = completion("GO").to_string();
    for headers in [&html[..], &[("content-type", "text/plain")], &[]] {
        let server = Server::always(reply(200, headers, body.as_str()));
        assert_eq!(asked(&chat(&server), &ask()).unwrap().text, "GO");
    }
    assert_says(&failed(&Server::always(reply(200, &[JSON], ""))), Kind::InvalidAnswer, &["empty"]);
    assert_says(
        &failed(&Server::always(reply(200, &[JSON], vec![0xff, 0xfe, 0, 0x80]))),
        Kind::InvalidAnswer,
        &["it is in UTF-16"],
    );
}

/// A stream, cut within the letters `ü` and `ß`.
fn pieces() -> Vec<Action> {
    let text = concat!(
        "data: {\"choices\":[{\"delta\":{\"content\":\"grün \"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"heißt GO\"}}]}\n\n",
    );
    let cuts = [text.find('ü').unwrap() + 1, text.find('ß').unwrap() + 1];
    let bytes = text.as_bytes();
    let pause = Action::Wait(Duration::from_millis(40));
    vec![
        sent(&head(200, &[STREAM])),
        sent(&bytes[..cuts[0]]),
        pause.clone(),
        sent(&bytes[cuts[0]..cuts[1]]),
        pause,
        sent(&bytes[cuts[1]..]),
    ]
}

#[test]
fn unrequested_stream_is_read_to_its_end() {
    let mut actions = pieces();
    actions.extend([sent(b"data: [DONE]\n\n"), Action::Hang]);
    let server = Server::always(actions);
    // The server never closes: its last line is enough.
    assert_eq!(asked(&chat(&server), &ask()).unwrap().text, "grün heißt GO");
}

#[test]
fn unterminated_stream_is_rejected_with_partial_text() {
    let failure = failed(&Server::always(pieces()));
    assert_says(&failure, Kind::InvalidAnswer, &["its stream breaks off before its end"]);
    assert_eq!(failure.beginning.as_deref(), Some("grün heißt GO"));
    let mut never = pieces();
    let piece = b"data: {\"choices\":[{\"delta\":{\"content\":\"GO \"}}]}\n\n".repeat(1000);
    never.push(Action::Drip { bytes: piece, at_once: 48, pause: Duration::from_millis(10) });
    let server = Server::always(never);
    let failure = asked(&hurried(&server), &ask()).unwrap_err();
    assert_says(&failure, Kind::Timeout, &["waiting for the whole reply", "bytes were received"]);
}

#[test]
fn endless_refusal_is_reported() {
    let refused = Action::Repeat { bytes: b"busy ".to_vec(), total: 200 << 20 };
    let server = Server::always(vec![sent(&head(403, &[])), refused]);
    assert_says(&failed(&server), Kind::Unauthorized, &["(403)"]);
    assert!(server.sent(0) < 40 << 20);
}

#[test]
fn garbage_and_disconnects_are_rejected() {
    for (actions, words) in [
        (vec![], "without a reply"),
        (vec![sent(b"not http at all\r\n\r\n")], "without a reply"),
        (vec![sent(b"HTTP/1.1 200 OK\r\ncont")], "without a reply"),
    ] {
        let server = Server::always(actions);
        let failure = failed(&server);
        assert_says(&failure, Kind::Unavailable, &[words, &server.url()]);
        assert_eq!((failure.attempts, failure.ended), (2, 2), "once more, and no third time");
    }
    let again = Server::in_order(vec![vec![], answer("GO")]);
    let reply = asked(&chat(&again), &ask()).unwrap();
    assert_eq!((reply.attempts, reply.ended, reply.uncounted), (2, 1, 1), "it may be paid for");
}

#[test]
fn endless_headers_are_rejected() {
    let many = Action::Repeat { bytes: b"x-more: and more\r\n".repeat(1000), total: 200 << 20 };
    let long = Action::Repeat { bytes: vec![b'x'; 1 << 16], total: 200 << 20 };
    for endless in [many, long] {
        let server = Server::always(vec![sent(b"HTTP/1.1 200 OK\r\n"), endless]);
        assert_says(&failed(&server), Kind::Unavailable, &["without a reply"]);
        assert!(server.sent(0) < 20 << 20, "{} bytes were sent", server.sent(0));
    }
}
