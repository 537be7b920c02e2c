//! Tests of the boxes' checks, with a box that says what the test wants.

use super::super::check::{Document, State};
use super::*;
use crate::config::Remote as Destination;
use crate::source::checkup::{Checkup, PathState};

fn remote(name: &str, logs: &[&str]) -> BoxConfig {
    let host = name.to_owned();
    let (user, port, ssh_config, identity, known_hosts) = (None, None, None, None, None);
    let place = Place::Ssh(Destination { host, user, port, ssh_config, identity, known_hosts });
    BoxConfig {
        name: name.to_owned(),
        place,
        logs: logs.iter().map(|l| l.to_string()).collect(),
        overrides: String::new(),
        prompt: None,
        may_block: false,
    }
}

fn run(boxes: Vec<BoxConfig>, ask: &Ask<'_>) -> Vec<Check> {
    let config = Config { boxes, ..Config::default() };
    checks(&config, ask)
}

fn refusal(reason: Reason, output: &str) -> Error {
    Error::Box(ClientError::Connect(SshError::Connect { reason, output: output.to_owned() }))
}

fn broken(source: SessionError) -> Error {
    let (purpose, output) = ("the checkup", String::new());
    Error::Box(ClientError::RemoteSession { purpose, source, output })
}

fn states(checks: &[Check]) -> Vec<(&str, State)> {
    checks.iter().map(|c| (c.name.as_ref(), c.state)).collect()
}

#[test]
fn a_box_that_answers_is_ok_in_every_part() {
    let answer = |config: &BoxConfig| {
        assert_eq!(config.logs, ["/a", "/b"]);
        let paths = vec![PathState::Readable, PathState::Missing];
        Ok(Checkup { clock: Some(now()), paths })
    };
    let checks = run(vec![remote("x", &["/a", "/b"])], &answer);
    let ok = |name| (name, State::Ok);
    assert_eq!(
        states(&checks),
        [
            ok("connection"),
            ok("host key"),
            ok("key"),
            ok("clock"),
            ok("logs"),
            ("logs", State::Warn)
        ]
    );
}

#[test]
fn a_dead_box_beside_a_live_one_fails_alone() {
    let answer = |b: &BoxConfig| match b.name.as_str() {
        "dead" => Err(refusal(Reason::Refused, "connect to dead: Connection refused")),
        _ => Ok(Checkup { clock: Some(0), paths: vec![PathState::Denied] }),
    };
    let checks = run(vec![remote("dead", &["/a"]), remote("live", &["/a"])], &answer);
    assert_eq!(states(&checks[..1]), [("connection", State::Fail)]);
    assert_eq!(checks[0].box_name.as_deref(), Some("dead"));
    assert!(checks[0].advice.as_deref().unwrap().contains("port is correct"));
    assert!(checks[1..].iter().all(|c| c.box_name.as_deref() == Some("live")));
    assert!(states(&checks).contains(&("clock", State::Warn)));
    assert!(states(&checks).contains(&("logs", State::Fail)));
    let text = Document::new(checks, Default::default()).plain();
    assert!(text.contains("FAIL  connection (dead)"), "{text}");
}

#[test]
fn each_failure_is_put_where_it_belongs() {
    for (reason, name) in [
        (Reason::HostUnknown, "host key"),
        (Reason::HostKeyChanged, "host key"),
        (Reason::HostKeyRevoked, "host key"),
        (Reason::AuthRefused, "key"),
        (Reason::TimedOut, "connection"),
        (Reason::Other, "connection"),
    ] {
        let answer = |_: &BoxConfig| Err(refusal(reason, "whatever"));
        let checks = run(vec![remote("x", &["/a"])], &answer);
        assert_eq!(states(&checks), [(name, State::Fail)]);
        assert!(checks[0].advice.is_some(), "{reason}");
    }
    let limit = std::time::Duration::from_secs(3);
    let silent = |_: &BoxConfig| Err(broken(SessionError::Idle(limit)));
    let checks = run(vec![remote("x", &["/a"])], &silent);
    assert_eq!(checks[0].text, "connected, and no answer within 3 s");
}

#[test]
fn a_torn_answer_is_a_failure_of_the_shell() {
    for answer in [
        |_: &BoxConfig| Err(broken(SessionError::Cut)),
        |_: &BoxConfig| Err(broken(SessionError::NoAnswer { output: b"Welcome!".to_vec() })),
    ] {
        let checks = run(vec![remote("x", &["/a"])], &answer);
        assert_eq!(states(&checks[3..]), [("shell", State::Fail)]);
    }
}

#[test]
fn a_clock_is_wrong_only_beyond_the_time_that_asking_took() {
    assert_eq!(clock(Some(1_000), 1_000, 0).state, State::Ok);
    assert_eq!(clock(Some(1_030), 1_000, 0).state, State::Ok);
    assert_eq!(clock(Some(1_040), 1_000, 20).state, State::Ok);
    let behind = clock(Some(900), 1_000, 20);
    assert_eq!(behind.state, State::Warn);
    assert!(behind.text.contains("100 s behind"), "{}", behind.text);
    assert!(clock(Some(1_100), 1_000, 20).text.contains("80 s ahead"));
    assert_eq!(clock(None, 1_000, 0).state, State::Warn);
}

#[test]
fn local_logs_are_looked_at_here() {
    let dir = tempfile::tempdir().unwrap();
    let path = |p: &str| dir.path().join(p).to_str().unwrap().to_owned();
    std::fs::write(path("a.jsonl"), "").unwrap();
    let logs = vec![path("a.jsonl"), path("."), path("none"), "/dev/null".to_owned()];
    assert_eq!(
        local_logs(&logs),
        [PathState::Readable, PathState::Readable, PathState::Missing, PathState::Odd]
    );
    let place = Place::Local;
    let none = BoxConfig {
        name: "n".into(),
        place,
        logs: vec![path("none")],
        overrides: String::new(),
        prompt: None,
        may_block: false,
    };
    let answer = |_: &BoxConfig| panic!("a local box was asked over SSH");
    assert_eq!(states(&run(vec![none], &answer)), [("logs", State::Fail)]);
}
