//! However the console ends, and whoever has the terminal meanwhile.

use super::super::pty::{Session, Start, process_state, wait_outside};
use super::super::pull::{Forwarder, Lab, Wire};
use super::live::box_table;
use super::person::{Home, PATIENCE, content, leave, raw, selected, type_text, wait_queue};
use rustix::process::Signal;

/// What is promised for a signal, and some time for a busy machine.
const SIGNALS: [(Signal, u32); 3] = [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)];

#[track_caller]
fn in_queue(home: &Home, start: Start) -> Session {
    let mut session = start.run();
    wait_queue(&session, 12);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some() && s.contents().contains("commit"));
    assert!(home.path().exists());
    session
}

#[track_caller]
fn ends_by(session: &Session, home: &Home, signal: Signal, code: u32) {
    session.signal(signal);
    assert_eq!(session.end(), code, "{signal:?}");
    session.assert_clean();
    home.nothing_left();
}

#[test]
fn signal_while_idle_exits_and_saves_position() {
    for (signal, code) in SIGNALS {
        let home = Home::new();
        let logs = home.logs(12);
        let before = content(&home.at("logs"), &|_| false);
        let session = in_queue(&home, home.console(&[&logs[0], &logs[1]]));
        ends_by(&session, &home, signal, code);
        assert_eq!(home.session(&home.at("foureyes"))["screen"], "queue");
        assert_eq!(content(&home.at("logs"), &|_| false), before);
    }
}

#[test]
fn a_signal_ends_it_with_the_palette_or_a_typed_filter_open() {
    for (key, label, text) in [(":", "> ", "queue"), ("/", "filter:", "verdict:")] {
        for (signal, code) in SIGNALS {
            let home = Home::new();
            let mut session = in_queue(&home, home.on_logs(12));
            type_text(&mut session, key, label, text);
            ends_by(&session, &home, signal, code);
        }
    }
}

#[test]
fn a_signal_ends_a_pull_with_all_its_processes() {
    let lab = Lab::new();
    lab.write("l.jsonl", super::person::flagged(1, 60));
    let wire = Forwarder::to(lab.port);
    for (at, (signal, code)) in [0, 2_000, 3_000].into_iter().zip(SIGNALS) {
        wire.set(Wire::Stall(at));
        let home = Home::new();
        let config = home.write("c.toml", box_table(&lab, "small", wire.port));
        let session = home.console(&["--config", &config]).run();
        session.wait_for("pull 0 of 1");
        let ssh = || super::super::pull::processes_with(home.path().to_str().unwrap());
        wait_outside("an ssh", PATIENCE, || !ssh().is_empty());
        ends_by(&session, &home, signal, code);
        let sockets = home.at("foureyes/cache/ssh");
        let left = std::fs::read_dir(&sockets).map_or(0, Iterator::count);
        assert_eq!(left, 0, "control directories after {signal:?}");
    }
}

/// Where the editor's copies are made; nothing may stay there.
fn with_copies(home: &Home, start: Start) -> Start {
    std::fs::create_dir_all(home.at("tmp")).unwrap();
    start.env("TMPDIR", home.at("tmp").to_str().unwrap())
}

#[track_caller]
fn assert_no_copies(home: &Home) {
    let left: Vec<_> = std::fs::read_dir(home.at("tmp")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_signal_ends_the_editor_and_its_copy_is_removed() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let home = Home::new();
        home.program("ed-slow", "echo editing \"$1\"; read line");
        let start = with_copies(&home, home.on_logs(12).env("EDITOR", "ed-slow"));
        let mut session = in_queue(&home, start);
        raw(&mut session);
        session.press("e");
        session.wait_for("editing");
        session.signal(signal);
        assert_eq!(session.end(), code, "{signal:?}");
        session.assert_restored();
        home.nothing_left();
        assert_no_copies(&home);
    }
}

#[test]
fn closed_terminal_exits_even_when_hangup_is_ignored() {
    for script in ["exec \"$@\"", "trap '' HUP; exec \"$@\""] {
        let home = Home::new();
        let [flag, dir] = home.logs(12);
        let shell = home.shell(script, &[&flag, &dir]);
        let mut session = in_queue(&home, shell);
        session.hang_up();
        assert_eq!(session.end(), 129, "{script}");
        home.nothing_left();
        assert_eq!(home.session(&home.at("foureyes"))["screen"], "queue");
    }
}

#[test]
fn console_suspends_and_resumes_under_shell() {
    let home = Home::new();
    let [flag, dir] = home.logs(12);
    let program = env!("CARGO_BIN_EXE_foureyes");
    let run = format!("{program} {flag} {dir}");
    let start =
        home.program_in(Start::program("sh", &["-i"])).env("PS1", "shell> ").env("RUN", &run);
    let mut session = start.run();
    session.wait_for("shell> ");
    session.press("$RUN\r");
    wait_queue(&session, 12);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    for round in 0..5u16 {
        session.press("j");
        session.wait_for(&format!("Triage {} of 12", round + 2));
        session.press("\x1a");
        session.wait_until("the shell", |s| {
            !s.alternate_screen() && s.contents().trim_end().ends_with("shell>")
        });
        session.resize(100 + round, 30);
        session.press("fg\r");
        session.wait_until("the console", |s| {
            s.alternate_screen() && s.contents().contains(&format!("Triage {} of 12", round + 2))
        });
    }
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    session.wait_until("the shell", |s| {
        !s.alternate_screen() && s.contents().trim_end().ends_with("shell>")
    });
    session.press("exit\r");
    session.end();
    session.assert_restored();
    home.nothing_left();
}

#[test]
fn external_stop_repaints_everything() {
    let home = Home::new();
    let mut session = in_queue(&home, home.on_logs(12));
    session.signal(Signal::STOP);
    wait_outside("the stop", PATIENCE, || process_state(session.pid()) == Some('T'));
    session.spoil_screen();
    session.signal(Signal::CONT);
    session.wait_until("the queue", |s| selected(s).is_some());
    leave(&mut session, &home);
}
