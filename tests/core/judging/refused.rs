//! What a model refuses of a question is found out once for all processes, and anew after days.

use super::GO;
use super::cli::{Home, code};
use crate::http::{Request, Server, answer, json};
use std::path::PathBuf;

/// A server that takes no schema, and counts in its requests how often it was asked for one.
fn plain() -> Server {
    Server::start(|request: &Request| match request.json().get("response_format") {
        Some(_) => json(400, &serde_json::json!({"error": "response_format is not supported"})),
        None => answer(GO),
    })
}

fn with_schema(server: &Server) -> usize {
    server.requests().iter().filter(|r| r.json().get("response_format").is_some()).count()
}

fn file(home: &Home) -> PathBuf {
    home.path().join(".cache/foureyes/refused.json")
}

/// Judges a file in a process of its own; gives how many calls that took.
fn calls(home: &Home, server: &Server) -> usize {
    let before = server.requests().len();
    assert_eq!(code(&home.judge(&["a.md"])), Some(0));
    server.requests().len() - before
}

#[test]
fn second_process_skips_rejected_parameter() {
    let server = plain();
    let home = Home::asking(&server);
    assert_eq!((calls(&home, &server), calls(&home, &server)), (2, 1));
    assert_eq!(with_schema(&server), 1);
    assert_eq!(code(&home.judge(&["a.md", "--model", "other"])), Some(0));
    assert_eq!(with_schema(&server), 2, "another model may take one");
    let kept = std::fs::read_to_string(file(&home)).unwrap();
    assert!(kept.contains("\"wish\":\"schema\"") && !kept.contains("sk-cli"), "{kept}");
}

#[test]
fn after_some_days_the_schema_is_asked_for_again() {
    let server = plain();
    let home = Home::asking(&server);
    assert_eq!(calls(&home, &server), 2);
    let mut kept: serde_json::Value =
        serde_json::from_slice(&std::fs::read(file(&home)).unwrap()).unwrap();
    let at = kept["refused"][0]["at"].as_i64().unwrap();
    for (days, expected) in [(6, 1), (8, 2), (-3, 2)] {
        kept["refused"][0]["at"] = (at - days * 86_400).into();
        std::fs::write(file(&home), kept.to_string()).unwrap();
        assert_eq!(calls(&home, &server), expected, "{days} days old");
        assert_eq!(calls(&home, &server), 1, "and it is found out anew");
    }
}

#[test]
fn a_file_that_cannot_be_used_changes_no_verdict() {
    let server = plain();
    let home = Home::asking(&server);
    assert_eq!(calls(&home, &server), 2);
    std::fs::write(file(&home), "{\"schema\":\"foureyes/refused/1\",\"ref").unwrap();
    assert_eq!((calls(&home, &server), calls(&home, &server)), (2, 1));
    std::fs::remove_file(file(&home)).unwrap();
    std::fs::create_dir(file(&home)).unwrap();
    assert_eq!((calls(&home, &server), calls(&home, &server)), (2, 2));
    std::fs::remove_dir_all(home.path().join(".cache")).unwrap();
    std::fs::write(home.path().join(".cache"), "in the way").unwrap();
    assert_eq!((calls(&home, &server), calls(&home, &server)), (2, 2));
}

#[test]
fn the_temperature_that_a_model_fixes_is_remembered_too() {
    let server = Server::start(|request: &Request| match request.json().get("temperature") {
        Some(_) => json(400, &serde_json::json!({"error": "'temperature' is not supported"})),
        None => answer(GO),
    });
    let home = Home::asking(&server);
    assert_eq!((calls(&home, &server), calls(&home, &server)), (2, 1));
}

#[test]
fn token_limit_error_is_reported_and_not_a_parameter_rejection() {
    let server = Server::start(|request: &Request| match request.json()["max_tokens"].as_u64() {
        Some(tokens) if tokens > 4096 => {
            let why = format!(
                "max_tokens is too large: {tokens}. This model supports at most 4096 completion tokens"
            );
            json(400, &serde_json::json!({"error": {"message": why}}))
        }
        _ => answer(GO),
    });
    let home = Home::asking(&server);
    let config = home.path().join(".config/foureyes/config.toml");
    let before = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, before.clone() + "max_tokens = 9000\n").unwrap();
    let output = home.judge(&["a.md"]);
    assert_eq!(code(&output), Some(2));
    let said = super::cli::text(&output.stdout);
    assert!(said.contains("supports at most 4096"), "{said}");
    let sent: Vec<_> = server.requests().iter().map(Request::json).collect();
    assert!(sent.len() == 1 && sent[0]["max_tokens"] == 9000, "it is not asked without a bound");
    assert!(!file(&home).exists(), "nothing is remembered of it");
    std::fs::write(&config, before + "max_tokens = 4096\n").unwrap();
    assert_eq!(calls(&home, &server), 1);
    assert_eq!(server.requests()[1].json()["max_tokens"], 4096);
}
