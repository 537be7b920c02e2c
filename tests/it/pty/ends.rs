//! However it ends, the terminal is as it was, and it ends in time.

use super::app::{app, app_under, pid};
use super::session::{Session, Start, process_state, signal_to, wait_outside};
use crate::http::PATIENCE;
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// What is promised for a signal, and some time for a busy machine.
fn ready(start: Start) -> Session {
    let session = start.run();
    session.wait_for("ready");
    session
}

#[test]
fn quit_key_restores_terminal() {
    let mut session = ready(app());
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    assert!(session.screen().contains("goodbye"), "{}", session.screen());
}

#[test]
fn a_signal_ends_it_with_the_code_of_the_signal() {
    for (signal, code) in [
        (Signal::TERM, 143),
        (Signal::INT, 130),
        (Signal::HUP, 129),
        (Signal::QUIT, 131),
        (Signal::ABORT, 134),
        (Signal::ALARM, 142),
        (Signal::VTALARM, 143),
        (Signal::XCPU, 143),
        (Signal::USR1, 143),
        (Signal::USR2, 143),
    ] {
        let session = ready(app());
        session.signal(signal);
        assert_eq!(session.end(), code, "{signal:?}");
        session.assert_clean();
    }
}

#[test]
fn signal_ends_hanging_loop() {
    let mut session = ready(app());
    session.press("b");
    session.wait_for("hanging");
    let start = Instant::now();
    session.signal(Signal::TERM);
    assert_eq!(session.end(), 143);
    assert!(start.elapsed() > Duration::from_millis(300), "the loop did not hang");
    session.assert_clean();
}

#[test]
fn a_panic_in_the_loop_is_reported_on_the_restored_screen() {
    let mut session = ready(app());
    session.press("p");
    assert_eq!(session.end(), 101);
    session.assert_clean();
    let screen = session.screen();
    assert!(screen.contains("the loop broke: ␛]0;x␇"), "{screen}");
    assert!(!screen.contains("ready"), "{screen}");
}

#[test]
fn a_panic_in_a_worker_ends_it_too() {
    let mut session = ready(app());
    session.press("w");
    assert_eq!(session.end(), 101);
    session.assert_clean();
    assert!(session.screen().contains("a worker broke"), "{}", session.screen());
}

#[test]
fn a_closed_terminal_ends_it() {
    for script in ["exec \"$@\"", "trap '' HUP; exec \"$@\"", "exec \"$@\" </dev/tty >/dev/tty"] {
        let mut session = ready(app_under(script));
        session.hang_up();
        assert_eq!(session.end(), 129, "{script}");
    }
}

/// Without a controlling terminal no SIGHUP is ever sent: only the terminal itself tells.
#[test]
fn a_closed_terminal_ends_it_without_any_signal() {
    let mut session = ready(app_under("trap '' HUP; exec 3<&0; setsid \"$@\" <&3 & wait"));
    let pid = session.wait_until("its process", pid);
    assert_ne!(pid, session.pid());
    // Without a controlling terminal a new size is not told either: a key brings the bytes.
    session.press("x");
    session.wait_for("key x");
    session.hang_up_with("y");
    wait_outside("the end", PATIENCE, || matches!(process_state(pid), None | Some('Z')));
    signal_to(session.pid(), Signal::KILL);
}

#[test]
fn unread_terminal_does_not_prevent_exit() {
    let mut session = ready(app());
    session.stop_reading();
    // Frames fill the terminal's buffer, so that a write hangs.
    for size in 0..400 {
        session.resize(200 + size % 2, 60);
        session.press("k\x1b[A");
    }
    session.signal(Signal::TERM);
    assert_eq!(session.end(), 143);
}

#[test]
fn no_terminal_or_a_dumb_one_is_refused_before_anything_is_sent() {
    let cases = [
        (app().env("TERM", "dumb"), "TERM is dumb"),
        (app().without("TERM"), "TERM is not set"),
        (app_under("exec \"$@\" </dev/null"), "standard input is not a terminal"),
        (app_under("\"$@\" | cat"), "standard output is not a terminal"),
    ];
    for (start, reason) in cases {
        let session = start.run();
        session.end();
        session.assert_clean();
        assert!(session.screen().contains(reason), "{reason}: {}", session.screen());
        assert!(!session.bytes().contains(&0x1b), "{reason}");
    }
}

#[test]
fn a_cell_cannot_give_orders_to_the_terminal() {
    let mut session = ready(app());
    session.press("h");
    assert!(session.waits_for_bytes("\u{fffd}"));
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn the_real_program_is_driven_the_same_way() {
    let start = Start::foureyes(&["--version"]).size(40, 10);
    std::fs::write(start.home().join("before"), "").unwrap();
    let session = start.run();
    assert_eq!(session.end(), 0);
    session.assert_clean();
    assert!(session.screen().contains(env!("CARGO_PKG_VERSION")));
    assert!(session.home().join("before").exists());
}
