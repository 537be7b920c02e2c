//! The same from the console: a person lets a box block, checks it and rolls it back.

use super::enable::unchanged;
use super::*;
use crate::http::PATIENCE;
use crate::pty::{Session, Start, wait_outside};
use std::time::Duration;

const CTRL_C: &str = "\x03";
const CTRL_S: &str = "\x13";

impl Bench {
    /// The console on the screen of the boxes.
    fn console(&self, more: &[&str]) -> Session {
        let config = self.home.path().join("c.toml");
        let at = |name: &str| self.home.path().join(name).to_str().unwrap().to_owned();
        let arguments = [&["--config", config.to_str().unwrap()], more].concat();
        let start = Start::foureyes(&arguments)
            .env("HOME", &at(""))
            .env("PATH", "/usr/bin:/bin")
            .env("FOUREYES_DATA", &at("data"))
            .size(120, 40);
        let mut session = start.run();
        session.press("7");
        session.wait_for("─ Boxes 1");
        session.wait_until("the end of the pull", |s| !s.contents().contains("· pull 0"));
        session
    }

    /// As long as the home is there: nothing is left running when a test is over.
    fn hangs_while_rehearsing(&self) {
        self.wrap("*rehearse*) touch $HOME/rehearsing; while [ -e $HOME ]; do sleep 1; done;;");
    }
}

/// Types the name of the box into the open form, and begins.
fn confirm(session: &mut Session) {
    session.wait_for("type the name of the box to confirm");
    session.type_text("box");
    session.wait_for("ctrl-s: begin");
    session.press(CTRL_S);
    session.wait_for("assessing readiness");
}

/// Closes what is open. A key right behind Esc would be one with Alt.
fn close(session: &mut Session) {
    session.press("\x1b");
    session.wait_for_silence(Duration::from_millis(120));
    session.wait_for("─ Boxes 1");
}

/// Whether the task whose progress is open ended so.
fn ended(screen: &vt100::Screen, word: &str) -> bool {
    screen.contents().lines().any(|line| line.trim() == word)
}

/// Closes what is open and leaves.
fn leave(mut session: Session) {
    close(&mut session);
    session.press("q");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn ready_box_is_enabled_checked_and_rolled_back() {
    let bench = Bench::ready(Taste::Strict);
    let mut session = bench.console(&[]);
    session.press("E");
    session.wait_for("Rehearse a poor push and a bypass");
    // Neither Enter nor ctrl-s begins before the name is typed.
    session.press("\r");
    session.press(CTRL_S);
    confirm(&mut session);
    session.wait_for("switching for good");
    let screen = session
        .wait_until("the end", |s| (ended(s, "done") || ended(s, "failed")).then(|| s.contents()));
    for step in
        ["checking its setup", "switching on trial", "rehearsing", "recording that it blocks"]
    {
        assert!(screen.contains(step), "{step}: {screen}");
    }
    bench.agree("blocking");
    assert!(!bench.push(&[]).0, "the box stops a poor push");
    close(&mut session);

    session.press("H");
    session.wait_for("Check a box: box");
    session.wait_for("blocking");
    close(&mut session);

    session.press("Z");
    session.wait_for("a reason is optional");
    session.type_text("too many");
    session.press(CTRL_S);
    session.wait_for("Roll a box back: box");
    session.wait_until("the end", |s| ended(s, "done"));
    bench.agree("advisory");
    let modes = bench.entries("hook_mode");
    assert_eq!(modes.last().unwrap()["reason"], "too many");
    leave(session);
    bench.lab.nothing_left();
}

#[test]
fn without_evidence_nothing_is_offered() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.good(&["pull"]);
    let mut session = bench.console(&[]);
    session.press("5");
    session.wait_for("NOT ENOUGH EVIDENCE");
    session.press("E");
    session.wait_for("readiness is NOT ENOUGH EVIDENCE, so no box may block");
    unchanged(&bench);
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn cancelled_rehearsal_restores_box_and_delays_quit() {
    let bench = Bench::ready(Taste::Strict);
    bench.hangs_while_rehearsing();
    let mut session = bench.console(&[]);
    session.press("E");
    confirm(&mut session);
    session.wait_for("rehearsing a poor push");
    let begun = bench.lab.at("home/rehearsing");
    wait_outside("the rehearsal", PATIENCE, || begun.exists());
    // It goes on behind other screens, and quitting waits for it.
    close(&mut session);
    session.wait_for("· letting a box block");
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    session.wait_for("a task on a box is running");
    session.press("7");
    session.press("E");
    session.wait_for("Let a box block: box");
    session.press(CTRL_C);
    session.wait_until("the end", |s| ended(s, "failed"));
    session.wait_for("interrupted");
    bench.unwrap();
    assert_eq!(bench.holds()["mode"], "advisory");
    assert!(bench.entries("hook_mode").is_empty());
    leave(session);
}

#[test]
fn unreachable_box_is_reported_with_remedy() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.good(&["pull"]);
    bench.configure(crate::pull::free_port(), &[bench.home.path().join("logs")]);
    let mut session = bench.console(&[]);
    session.press("H");
    session.wait_for("Check a box: box");
    session.wait_until("the end", |s| ended(s, "failed"));
    session.wait_for("next: ");
    leave(session);
}

#[test]
fn read_only_checks_and_changes_nothing() {
    let bench = Bench::ready(Taste::Strict);
    let mut session = bench.console(&["--read-only"]);
    for key in ["E", "Z"] {
        session.press(key);
        session.wait_for("this session is read-only");
        // The next key takes the note away.
        session.press("j");
    }
    session.press("H");
    session.wait_for("Check a box: box");
    session.wait_for("advisory");
    unchanged(&bench);
    leave(session);
}
