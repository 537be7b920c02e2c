//! A laptop that slept, a VPN that changed, a master that died: noticed, and asked once more.

use super::harness::*;
use foureyes::config::Config;
use foureyes::pull::{self, BoxPull, Event, PullState};
use foureyes::store::state::Fact;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// The master of a connection of the lab's.
fn master(lab: &Lab) -> String {
    let base = lab.data().cache().join("ssh").display().to_string();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        if line.starts_with("ssh") && line.contains(&base) {
            return entry.file_name().into_string().unwrap();
        }
    }
    panic!("no master below {base}");
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([name, pid]).status().unwrap().success());
}

/// Pulls, and does something when the first bytes of logs came.
fn pull_while(lab: &Lab, config: &Config, then: impl Fn() + Send + Sync + 'static) -> BoxPull {
    let done = AtomicBool::new(false);
    let progress: pull::Progress = Arc::new(move |_, event| {
        if matches!(event, Event::Bytes(_)) && !done.swap(true, SeqCst) {
            then();
        }
    });
    runtime().block_on(pull::run(config, &lab.data(), now(), progress)).remove(0)
}

/// A lab behind a wire, a log that takes seconds over it, and a configuration.
fn slow() -> (Lab, Arc<Forwarder>, Config) {
    let lab = Lab::new();
    let wire = Arc::new(Forwarder::to(lab.port));
    lab.write("l.jsonl", lines(1, 60_000));
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", wire.port)];
    config.pull.idle_timeout = Duration::from_secs(3);
    wire.set(Wire::Slow(500_000));
    (lab, wire, config)
}

#[test]
fn stopped_master_is_abandoned_and_box_retried_once() {
    let (lab, wire, config) = slow();
    let lab = Arc::new(lab);
    let stopped = Arc::new(std::sync::Mutex::new(String::new()));
    let (of, other, into) = (Arc::clone(&lab), Arc::clone(&wire), Arc::clone(&stopped));
    let pull = pull_while(&lab, &config, move || {
        let pid = master(&of);
        signal("-STOP", &pid);
        *into.lock().unwrap() = pid;
        other.set(Wire::Plain);
    });
    signal("-KILL", &stopped.lock().unwrap());
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    assert_eq!(wire.connections(), 2, "one more, and no storm");
    lab.assert_identical(&["l.jsonl"]);
    lab.nothing_left();
}

#[test]
fn dead_master_with_leftover_socket_is_replaced_once() {
    let (lab, wire, config) = slow();
    let lab = Arc::new(lab);
    let (of, other) = (Arc::clone(&lab), Arc::clone(&wire));
    let pull = pull_while(&lab, &config, move || {
        other.set(Wire::Plain);
        signal("-KILL", &master(&of));
    });
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    assert_eq!(wire.connections(), 2);
    lab.assert_identical(&["l.jsonl"]);
    lab.nothing_left();
}

#[test]
fn dead_link_is_noticed_after_idle_timeout_and_reconnected_once() {
    let (lab, wire, config) = slow();
    wire.set(Wire::Stall(1_000_000));
    let other = Arc::clone(&wire);
    let pull = pull_while(&lab, &config, move || other.set(Wire::Plain));
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    assert_eq!(wire.connections(), 2);
    lab.assert_identical(&["l.jsonl"]);
    lab.nothing_left();
}

#[test]
fn permanently_dead_link_costs_two_connections_and_keeps_old_data() {
    let (lab, wire, config) = slow();
    wire.set(Wire::Plain);
    assert_eq!(lab.pull_with(&config).state, PullState::Done);
    let (before, connections) = (lab.copy("l.jsonl"), wire.connections());
    lab.append("l.jsonl", lines(2, 60_000));
    wire.set(Wire::Stall(1_000_000));
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Failed);
    assert_eq!(wire.connections() - connections, 2);
    assert!(lab.copy("l.jsonl").starts_with(&before), "what was there is there");
    let record = lab.mirror().1;
    assert!(record.last_error.is_some() && record.last_success == Some(now()));
}

#[test]
fn silent_box_is_not_retried() {
    let (lab, wire, mut config) = slow();
    wire.set(Wire::Plain);
    lab.login("#!/bin/sh\nexec sleep 6\n");
    config.pull.idle_timeout = Duration::from_secs(1);
    let pull = lab.pull_with(&config);
    assert_eq!((pull.state, wire.connections()), (PullState::Failed, 1), "{:?}", pull.error);
}

#[test]
fn sockets_that_the_users_own_masters_left_are_not_used() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    let socket = lab.at("own");
    let config = std::fs::read_to_string(lab.at("ssh_config")).unwrap();
    let more = format!("ControlMaster auto\nControlPath {}\nControlPersist 60\n", socket.display());
    std::fs::write(lab.at("ssh_config"), config + &more).unwrap();
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    lab.pull();
    drop(listener);
    assert!(socket.exists(), "nobody listens there now");
    lab.append("l.jsonl", "b\n");
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn a_clock_that_jumps_loses_nothing() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 10));
    lab.pull();
    let hours = |n: i64| foureyes::domain::Timestamp(now().0 + n * 3_600_000_000);
    let at = |config: &Config, time| {
        runtime().block_on(pull::run(config, &lab.data(), time, Arc::new(|_, _| {}))).remove(0)
    };
    let mut dead = lab.config();
    dead.boxes = vec![lab.a_box("box", free_port())];
    assert_eq!(at(&dead, hours(8)).state, PullState::Failed);
    let (files, record) = lab.mirror();
    assert_eq!((files.len(), record.last_success), (1, Some(now())), "as old as it is");
    lab.append("l.jsonl", lines(2, 10));
    for jump in [8, -8] {
        let time = hours(jump);
        let pull = at(&lab.config(), time);
        assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
        // Which of both clocks is off it cannot know.
        let [Fact::ClockOff { ahead_s }] = facts(&pull)[..] else { panic!("{:?}", facts(&pull)) };
        assert!((ahead_s + jump * 3600).abs() < 600, "{ahead_s}");
        assert_eq!(lab.mirror().1.last_success, Some(time));
    }
    lab.assert_identical(&["l.jsonl"]);
}
