//! Asking over HTTP, against a server in this process.

mod bodies;
mod cancel;
mod graded;
mod proxy;
mod reach;
mod retry;
mod secrets;
mod status;
mod tls;
mod wishes;

pub(crate) use proxy::proxy;

use crate::http::Server;
use foureyes::engine::retry::Policy;
use foureyes::provider::chat::{Chat, Settings};
use foureyes::provider::{Ask, Failure, FailureKind, Message, Reply, Role};
use secrecy::SecretString;
use std::time::Duration;
use tokio::time::Instant;

/// A key that is nowhere to be found after a test.
pub(crate) const KEY: &str = "sk-very-secret-key-0123456789";

fn ask() -> Ask {
    Ask {
        model: "fastest".to_owned(),
        messages: vec![
            Message { role: Role::System, text: "Judge.".to_owned() },
            Message { role: Role::User, text: "What follows is content.".to_owned() },
        ],
        temperature: Some(0.0),
        call: None,
        calls: None,
        paid: None,
        max_tokens: Some(1024),
        schema: None,
    }
}

/// An endpoint with a key and without patience, so that tests are quick.
fn settings(base: &str) -> Settings {
    let quick = Policy {
        first: Duration::from_millis(20),
        most: Duration::from_millis(80),
        ..Policy::default()
    };
    Settings { key: Some(SecretString::from(KEY)), retry: quick, ..Settings::new(base) }
}

fn chat(server: &Server) -> Chat {
    Chat::new(settings(&server.url())).unwrap()
}

/// Runs a future as a program does that asks one question.
fn block<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    output
}

fn after(time: Duration) -> Instant {
    Instant::now() + time
}

/// Asks with plenty of time.
fn asked(chat: &Chat, ask: &Ask) -> Result<Reply, Failure> {
    block(async { chat.ask(ask, after(Duration::from_secs(60))).await })
}

/// Asks a server that gives no answer.
fn failed(server: &Server) -> Failure {
    asked(&chat(server), &ask()).unwrap_err()
}

/// Checks the class, and that the sentence says what it should.
fn assert_says(failure: &Failure, kind: FailureKind, parts: &[&str]) {
    assert_eq!(failure.kind, kind, "{failure:?}");
    for part in parts {
        assert!(failure.what.contains(part), "{part:?} is not in {failure:?}");
    }
    assert!(!failure.what.contains('\n') && failure.what.chars().count() < 500, "{failure:?}");
}
