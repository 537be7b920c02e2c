//! Keys, pasted text, sizes, and silence.

use super::app::app;
use super::session::{Session, Start};
use std::time::{Duration, Instant};

fn ready(start: Start) -> Session {
    let session = start.run();
    session.wait_for("ready");
    session
}

fn quit(mut session: Session) {
    // Not the rest of a burst.
    session.wait_for_silence(Duration::from_millis(100));
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

/// How often a part occurs.
fn count(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|w| *w == part).count()
}

#[test]
fn keys_arrive_as_they_are_named() {
    let mut session = ready(app());
    for (keys, name) in [
        ("j", "key j"),
        ("G", "key G"),
        ("\r", "key enter"),
        ("\t", "key tab"),
        ("\x1b[Z", "key shift-tab"),
        ("\x1b[1;5C", "key ctrl-right"),
        ("\x1bOP", "key f1"),
        ("\x04", "key ctrl-d"),
        ("\x03", "key ctrl-c"),
        ("\x1c", "key ctrl-\\"),
        ("ж", "key ж"),
        ("\x7f", "key backspace"),
    ] {
        session.press(keys);
        session.wait_for(name);
    }
    quit(session);
}

#[test]
fn left_button_and_wheel_arrive_and_nothing_else_of_the_mouse() {
    let mut session = ready(app());
    session.press("\x1b[<0;12;3M\x1b[<0;12;3m\x1b[<2;9;9M\x1b[<35;9;9M");
    session.wait_for("mouse Press 11 2");
    session.press("\x1b[<64;1;1M");
    session.wait_for("mouse WheelUp 0 0");
    session.press("\x1b[<65;80;24M");
    session.wait_for("mouse WheelDown 79 23");
    let mouse = session.screen().lines().filter(|line| line.contains("mouse ")).count();
    assert_eq!(mouse, 3, "{}", session.screen());
    quit(session);
}

#[test]
fn esc_alone_is_quick_and_esc_with_a_letter_is_alt() {
    let mut session = ready(app());
    session.press("\x1b");
    session.wait_for("key esc");
    session.press("\x1bj");
    session.wait_for("key alt-j");
    quit(session);
}

#[test]
fn late_answers_are_swallowed() {
    let mut session = ready(app());
    session.press("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?62;22c\x1b[12;40R\x1b[I\x1b[97;1:3um");
    let screen = session.wait_for("key m");
    assert_eq!(screen.matches("key").count(), 1, "{screen}");
    quit(session);
}

/// Whether a piece was read: the next one comes apart from it.
fn press_apart(session: &mut Session, pieces: &[&str]) {
    for piece in pieces {
        session.press(piece);
        session.wait_for_silence(Duration::from_millis(100));
    }
}

#[test]
fn no_part_of_a_sequence_that_comes_in_parts_is_a_key() {
    let mut session = ready(app());
    for pieces in [
        &["\x1b[", "O"][..],
        &["\x1b[<0;1", "0;10M"],
        &["\x1b[M", "!!", "!"],
        &["\x1b[97;1", ":3u"],
        &["\x1bP>|app", "s 3.4\x1b", "\\"],
        &["\x1b]11;rgb:1e1e", "/1e1e/1e1e\x07"],
    ] {
        press_apart(&mut session, pieces);
    }
    press_apart(&mut session, &["\x1b[20", "0~quit\x1b[2", "01~"]);
    session.press("m");
    let screen = session.wait_for("key m");
    assert!(screen.contains("paste 4 cut 0"), "{screen}");
    assert_eq!(screen.matches("key").count(), 1, "{screen}");
    // One that is never finished keeps nobody from typing.
    session.press("\x1bP>|app");
    std::thread::sleep(Duration::from_millis(800));
    session.press("k");
    session.wait_for("key k");
    quit(session);
}

#[test]
fn a_long_paste_is_one_message_and_fires_nothing() {
    let mut session = ready(app());
    let text = "q\rO\u{3}ä 12345\n".repeat(100_000);
    session.press(&format!("\x1b[200~{text}\x1b[201~m"));
    let kept = session.wait_for("key m");
    let line = kept.lines().find(|l| l.starts_with("paste")).unwrap_or_default();
    let numbers: Vec<usize> = line.split(' ').filter_map(|w| w.parse().ok()).collect();
    assert_eq!(numbers.iter().sum::<usize>(), text.len(), "{kept}");
    assert!(numbers[0] <= 1 << 20 && numbers[0] > (1 << 20) - 4, "{kept}");
    assert_eq!(kept.matches("paste").count(), 2, "{kept}");
    quit(session);
}

#[test]
fn a_burst_without_marks_fires_nothing() {
    let mut session = ready(app());
    let text = "qOq pasted by a terminal without marks\r".repeat(2_000);
    session.press(&text);
    let screen = session.wait_for(&format!("pasted {} ", text.chars().count()));
    assert!(!screen.contains("key"), "{screen}");
    quit(session);
}

#[test]
fn typed_and_held_keys_are_not_a_burst() {
    let mut session = ready(app());
    session.press(&"j".repeat(40));
    session.press("\x1b[B\x1b[B");
    session.wait_for("key down");
    session.press("km");
    let screen = session.wait_for("key m");
    assert!(!screen.contains("burst"), "{screen}");
    quit(session);
}

/// How often any thread of a process was put to sleep, that is, had been awake.
fn wakeups(pid: u32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let of = |status: String| {
        let line = status.lines().find_map(|l| l.strip_prefix("voluntary_ctxt_switches:"));
        line.unwrap().trim().parse::<u64>().unwrap()
    };
    threads.map(|t| of(std::fs::read_to_string(t.unwrap().path().join("status")).unwrap())).sum()
}

#[test]
fn an_idle_program_writes_no_byte_and_an_unchanged_frame_neither() {
    let mut session = ready(app());
    session.wait_for_silence(Duration::from_millis(100));
    let before = wakeups(session.pid());
    assert!(session.is_silent_for(Duration::from_millis(700)));
    assert_eq!(wakeups(session.pid()), before);
    let before = count(&session.bytes(), b"\x1b[?2026h");
    session.press("nnnn");
    assert!(session.is_silent_for(Duration::from_millis(300)));
    session.press("m");
    session.wait_for("key m");
    assert_eq!(count(&session.bytes(), b"\x1b[?2026h"), before + 1);
    quit(session);
}

#[test]
fn it_survives_every_size_and_a_storm_of_them() {
    let mut session = app().size(1, 1).run();
    session.wait_until("the other screen", |s| s.alternate_screen());
    for (width, height) in [(2, 2), (19, 5), (40, 10), (500, 200), (10_000, 1), (0, 0)] {
        session.resize(width, height);
    }
    let start = Instant::now();
    for step in 0..400u16 {
        session.resize(20 + step % 180, 5 + step % 60);
        session.press("\x1b[A");
        // 200 a second.
        let due = Duration::from_millis(5) * u32::from(step);
        std::thread::sleep(due.saturating_sub(start.elapsed()));
    }
    session.resize(91, 31);
    session.wait_for("ready 91x31");
    quit(session);
}

#[test]
fn a_terminal_without_a_size_is_taken_for_a_usual_one() {
    let mut session = app().size(0, 0).run();
    session.resize(0, 0);
    session.press("m");
    assert!(session.waits_for_bytes("80x24"));
    quit(session);
}
