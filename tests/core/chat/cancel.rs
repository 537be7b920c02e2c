//! A question that is dropped leaves nothing open.

use super::{after, ask, chat, settings};
use crate::http::PATIENCE;
use crate::http::{Action, Server, head};
use foureyes::provider::Provider;
use std::time::{Duration, Instant};

/// Drops a question in the middle, and waits until the server sees the connection closed.
fn dropped(actions: Vec<Action>, wait: Duration) {
    let server = Server::always(actions);
    let provider = Provider::Chat(chat(&server));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    runtime.block_on(async {
        let question = ask();
        let asked = provider.ask(&question, after(Duration::from_secs(60)));
        assert!(tokio::time::timeout(wait, asked).await.is_err(), "it was answered");
        let left = Instant::now();
        // The program goes on: nothing but the question was dropped.
        while server.closed(0, Duration::ZERO).is_none() {
            assert!(left.elapsed() < PATIENCE, "the connection is still open");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn dropped_question_closes_connection_at_any_stage() {
    let begun = Action::Send(head(200, &[("content-type", "application/json")]));
    let within =
        Action::Drip { bytes: b"{".repeat(10_000), at_once: 1, pause: Duration::from_millis(20) };
    for actions in [vec![Action::Hang], vec![begun.clone(), Action::Hang], vec![begun, within]] {
        dropped(actions, Duration::from_millis(300));
    }
}

#[test]
fn question_dropped_during_backoff_is_not_retried() {
    let server = Server::always(crate::http::reply(503, &[("retry-after", "1")], ""));
    let chat = foureyes::provider::chat::Chat::new(settings(&server.url())).unwrap();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    runtime.block_on(async {
        let question = ask();
        let asked = chat.ask(&question, after(Duration::from_secs(60)));
        assert!(tokio::time::timeout(Duration::from_millis(400), asked).await.is_err());
        tokio::time::sleep(Duration::from_millis(1500)).await;
    });
    assert_eq!(server.requests().len(), 1);
}
