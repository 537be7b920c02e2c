//! Endpoints that fail to answer, or redirect.

use super::{KEY, after, ask, asked, assert_says, block, chat, settings};
use crate::http::{Server, answer, reply};
use foureyes::engine::retry::Policy;
use foureyes::provider::FailureKind as Kind;
use foureyes::provider::chat::{Chat, Error, Settings};
use std::net::TcpListener;
use std::time::Duration;

fn failed_at(base: &str) -> foureyes::provider::Failure {
    asked(&Chat::new(settings(base)).unwrap(), &ask()).unwrap_err()
}

#[test]
fn refused_port_is_retried_then_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let failure = failed_at(&base);
    assert_says(
        &failure,
        Kind::Unavailable,
        &[&base, "failed to reach", "refused", "asked 8 times"],
    );
    assert_eq!((failure.attempts, failure.unanswered), (8, 8));
}

#[test]
fn endpoint_starting_late_is_reached() {
    // A port that is free now and is listened on a little later.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let patient = Policy { attempts: 20, first: Duration::from_millis(100), ..Policy::default() };
    let patient = Policy { most: Duration::from_millis(200), ..patient };
    let chat =
        Chat::new(Settings { retry: patient, ..settings(&format!("http://{address}")) }).unwrap();
    let later = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        let listener = TcpListener::bind(address).unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        use std::io::{Read, Write};
        let mut some = [0; 8192];
        let _ = stream.read(&mut some).unwrap();
        let body = crate::http::completion("GO").to_string();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let _ = stream.read(&mut some);
    });
    let reply = asked(&chat, &ask()).unwrap();
    assert!(reply.attempts > 1 && reply.text == "GO", "{reply:?}");
    later.join().unwrap();
}

#[test]
fn unknown_host_is_distinguished() {
    let failure = failed_at("https://no-such-host.invalid");
    assert_says(
        &failure,
        Kind::Unavailable,
        &["https://no-such-host.invalid", "failed to resolve its name"],
    );
}

#[test]
fn tls_to_plain_server_fails_without_retry() {
    let server = Server::always(reply(400, &[], "plain only"));
    let failure = failed_at(&format!("https://127.0.0.1:{}", server.port()));
    assert_says(&failure, Kind::Unavailable, &["TLS failed"]);
    assert_eq!(failure.attempts, 1, "another try would fail the same way");
}

#[test]
fn unresponsive_host_hits_connect_timeout() {
    // A listener whose queue is full drops what else arrives, as a dead host does.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut held = Vec::new();
    let full = loop {
        match std::net::TcpStream::connect_timeout(&address, Duration::from_millis(300)) {
            Ok(stream) => held.push(stream),
            Err(_) => break true,
        }
        if held.len() > 20_000 {
            break false;
        }
    };
    assert!(full, "the queue of a listener has no end here");
    let quick = Settings {
        connect: Duration::from_millis(200),
        retry: Policy::once(),
        ..settings(&format!("http://{address}"))
    };
    let failure = asked(&Chat::new(quick).unwrap(), &ask()).unwrap_err();
    assert_says(&failure, Kind::Unavailable, &["failed to reach"]);
}

#[test]
fn a_redirect_is_not_followed_and_its_target_sees_nothing() {
    let elsewhere = Server::always(answer("GO"));
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://localhost:{}/v1/chat/completions?key=x", elsewhere.port());
        let server = Server::always(reply(status, &[("location", &location)], ""));
        let failure = asked(&chat(&server), &ask()).unwrap_err();
        let target = format!("to http://localhost:{} ({status})", elsewhere.port());
        assert_says(&failure, Kind::Unavailable, &[&target]);
        assert!(!failure.what.contains("key=x"), "{failure:?}");
        assert_eq!((failure.attempts, server.requests().len()), (1, 1));
    }
    // Not on the same host either: who sends away is not who was configured.
    let same = Server::always(reply(308, &[("location", "/v2/chat")], ""));
    assert_says(&asked(&chat(&same), &ask()).unwrap_err(), Kind::Unavailable, &[&same.url()]);
    let lost = Server::always(reply(302, &[("location", "http://")], ""));
    assert_says(&asked(&chat(&lost), &ask()).unwrap_err(), Kind::Unavailable, &["nowhere"]);
    assert_eq!(elsewhere.connections(), 0, "{:?}", elsewhere.requests());
}

#[test]
fn plain_http_goes_to_this_machine_only() {
    let refused = Chat::new(Settings::new("http://models.example")).unwrap_err();
    assert!(matches!(&refused, Error::PlainHttp { host } if host == "models.example"));
    let server = Server::always(answer("GO"));
    let named = Chat::new(settings(&format!("http://localhost:{}", server.port()))).unwrap();
    assert_eq!(asked(&named, &ask()).unwrap().text, "GO");
    assert_eq!(
        server.requests()[0].header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
}

#[test]
fn endpoint_is_shared_by_runtimes_and_concurrent_calls() {
    let server = Server::always(answer("GO"));
    let chat = chat(&server);
    for _ in 0..2 {
        block(async {
            let one = || async { chat.ask(&ask(), after(Duration::from_secs(30))).await };
            let (a, b, c, d) = tokio::join!(one(), one(), one(), one());
            assert!([a, b, c, d].iter().all(Result::is_ok));
        });
    }
    assert_eq!(server.connections(), 8);
}
