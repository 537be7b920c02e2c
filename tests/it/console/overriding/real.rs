//! A person at the real console and a box behind a real sshd: keys alone, and a kill in the middle.

use super::super::super::pty::Session;
use super::super::super::pull::{Forwarder, Lab, Wire};
use super::super::live::box_table;
use super::super::person::{Home, PATIENCE, flagged, quit, selected, wait_queue};
use super::list_says;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// Waits until the box's file has so many lines.
#[track_caller]
fn wait_lines(lab: &Lab, lines: usize) -> String {
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(lab.at("overrides/anna.jsonl")).unwrap_or_default();
        if text.lines().count() == lines {
            return text;
        }
        assert!(start.elapsed() < PATIENCE, "{lines} lines are wanted: {text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn begin(home: &Home) -> Session {
    let config = home.at("c.toml");
    let mut session = home.console(&["--config", config.to_str().unwrap()]).run();
    wait_queue(&session, 3);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    session
}

#[track_caller]
fn wait_pulled(session: &Session) {
    session.wait_until("the end of the pull", |s| {
        s.contents().lines().nth(1).is_some_and(|line| !line.contains("pull "))
    });
}

#[test]
fn override_survives_kill_while_box_is_silent_and_is_delivered_next_run() {
    let (home, lab) = (Home::new(), Lab::new());
    lab.write("l.jsonl", (0..3).map(|n| flagged(n, 600 + n)).collect::<String>());
    let wire = Forwarder::to(lab.port);
    let place = lab.at("overrides");
    let table = box_table(&lab, "small", wire.port);
    home.write(
        "c.toml",
        format!(
            "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n{}\noverrides = {place:?}\n",
            table.trim_end()
        ),
    );
    let mut session = begin(&home);
    wait_pulled(&session);
    session.press("O");
    session.wait_for("─ Override ");
    session.press("\t");
    session.wait_for("[accept]");
    session.type_text("known false alarm");
    wire.set(Wire::Stall(0));
    session.press("\x13");
    let line = session
        .wait_until("what is saved", |s| selected(s).filter(|_| s.contents().contains("Saved: ")));
    // The box is silent, and the keys are not.
    session.press("j");
    session.wait_until("another line", |s| selected(s).is_some_and(|now| now != line));
    session.signal(Signal::KILL);
    drop(session);
    assert!(!place.exists(), "the box heard nothing");
    wire.set(Wire::Plain);
    // The next run shows it as it is, and its pull brings it to the box.
    let mut session = begin(&home);
    let text = wait_lines(&lab, 1);
    assert!(text.contains("\"reason\":\"known false alarm\""), "{text}");
    session.wait_until("it is confirmed", |s| {
        list_says(&s.contents(), "◆ accept") && !s.contents().contains("UNCONFIRMED")
    });
    wait_pulled(&session);
    session.press("u");
    let text = wait_lines(&lab, 2);
    assert!(text.lines().last().unwrap().contains("\"undoes\":"), "{text}");
    session.wait_until("no mark", |s| !list_says(&s.contents(), "◆"));
    quit(&mut session);
    // The master of the run that was killed ends by itself, once it was idle long enough.
    home.nothing_left_within(Duration::from_secs(60));
    lab.nothing_left();
}
