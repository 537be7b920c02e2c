//! Where there is no terminal, or one that can little.

use super::super::pty::Session;
use super::person::{Home, leave, selected, wait_queue};

fn text(session: &Session) -> String {
    String::from_utf8(session.bytes()).unwrap()
}

#[test]
fn without_a_terminal_triage_is_printed() {
    let home = Home::new();
    let script = "\"$@\" </dev/null 2>/dev/null | cat";
    let session = home.shell(script, &["--demo"]).run();
    assert_eq!(session.end(), 0);
    session.assert_clean();
    assert!(!session.bytes().contains(&0x1b), "{}", text(&session));
    assert!(text(&session).contains("NO-GO"), "{}", text(&session));
    let script = "\"$@\" >\"$HOME/out\" 2>/dev/null";
    let [flag, dir] = home.logs(3);
    for (name, start) in [
        ("a file", home.shell(script, &[&flag, &dir])),
        ("dumb", home.console(&[&flag, &dir]).env("TERM", "dumb")),
        ("no TERM", home.console(&[&flag, &dir]).without("TERM")),
        ("plain", home.console(&[&flag, &dir, "--plain"])),
    ] {
        let mut session = start.run();
        if name == "plain" {
            session.press("q\r");
        }
        assert_eq!(session.end(), 0, "{name}");
        session.assert_clean();
        assert!(!session.bytes().contains(&0x1b), "{name}: {}", text(&session));
    }
    assert!(std::fs::read_to_string(home.at("out")).unwrap().contains("NO-GO"));
}

/// Every verdict is told by sign and word, and nothing is said in colour.
#[test]
fn information_survives_without_colour() {
    let home = Home::new();
    let [flag, dir] = home.logs(5);
    let mut session = home.console(&[&flag, &dir]).env("NO_COLOR", "1").run();
    wait_queue(&session, 5);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some_and(|line| line.contains("✖ ")));
    session.wait_for(" ✖ NO-GO  2");
    leave(&mut session, &home);
    let colours = text(&session);
    for (at, _) in colours.match_indices("\x1b[") {
        let body = &colours[at + 2..];
        let end = body.find(|c: char| !(' '..='?').contains(&c)).unwrap();
        if body[end..].starts_with('m') {
            let codes: Vec<u32> = body[..end].split(';').filter_map(|n| n.parse().ok()).collect();
            let colour = |n: &u32| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107);
            assert!(!codes.iter().any(colour), "{:?}", &body[..=end]);
        }
    }
}

#[test]
fn empty_no_color_variable_is_ignored() {
    let home = Home::new();
    let mut session = home.on_logs(5).env("NO_COLOR", "").run();
    wait_queue(&session, 5);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    leave(&mut session, &home);
    let coloured = ["\x1b[31", "\x1b[38;5;", "\x1b[91"].iter().any(|c| text(&session).contains(c));
    assert!(coloured, "no colour at all");
}

#[test]
fn where_the_locale_is_not_utf_8_lines_and_signs_are_ascii() {
    for (names, ascii) in [
        (&[("LANG", "C")][..], true),
        (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "POSIX")], true),
        (&[("LANG", "C"), ("LC_CTYPE", "de_DE.utf8")], false),
        (&[("LANG", "")], false),
    ] {
        let home = Home::new();
        let start = names.iter().fold(home.on_logs(5), |s, (name, value)| s.env(name, value));
        let mut session = start.run();
        wait_queue(&session, 5);
        session.press("2");
        let record = session.wait_until("the record", |s| {
            let text = s.contents();
            Some(text).filter(|text| text.contains("[Verdict]") && text.contains("commit"))
        });
        assert_eq!(record.is_ascii(), ascii, "{names:?}:\n{record}");
        session.press("1");
        session.wait_for("Overview ");
        session.press("q");
        assert_eq!(session.end(), 0);
        session.assert_clean();
    }
}

#[test]
fn it_opens_on_every_kind_of_terminal() {
    for term in ["xterm", "tmux-256color", "screen", "vt100", "linux", "xterm-kitty"] {
        let home = Home::new();
        let mut session = home.on_logs(5).env("TERM", term).without("COLORTERM").run();
        wait_queue(&session, 5);
        leave(&mut session, &home);
    }
}
