//! The first start in the real program: four answers, nothing before ctrl-s.

use crate::cli::push;
use crate::pty::{Session, Start};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// What ssh says of a box that is not up.
const SSH: &str = "#!/bin/sh\n[ \"$1\" = -E ] && echo 'ssh: connect to host gone port 22: Connection refused' >>\"$2\"\n\
                   echo 'ssh: connect to host gone port 22: Connection refused' >&2\nexit 255\n";

fn begin(more: &[&str]) -> Session {
    let start = Start::foureyes(more).size(100, 40);
    let home = start.home().to_owned();
    let text: String = ["10", "11", "12"]
        .iter()
        .zip(1..)
        .map(|(day, commit)| push(commit, &format!("2026-02-{day}T10:00:00Z"), "GO"))
        .collect();
    std::fs::create_dir_all(home.join("logs")).unwrap();
    std::fs::write(home.join("logs/a.jsonl"), text).unwrap();
    std::fs::create_dir_all(home.join("bin")).unwrap();
    std::fs::write(home.join("bin/ssh"), SSH).unwrap();
    std::fs::set_permissions(home.join("bin/ssh"), PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", home.join("bin").display());
    let data = home.join("data").display().to_string();
    start.env("PATH", &path).env("USER", "anna").env("FOUREYES_DATA", &data).run()
}

fn config(session: &Session) -> PathBuf {
    session.home().join("config/foureyes/config.toml")
}

/// All that ledgers hold.
fn ledgers(session: &Session) -> String {
    let dir = std::fs::read_dir(session.home().join("data/ledger")).into_iter().flatten().flatten();
    dir.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).collect()
}

/// Adds a host or a path, as it is typed.
fn add(session: &mut Session, text: &str, answer: &str) {
    session.wait_for("another host or path:");
    session.type_text(text);
    session.press("\r");
    session.wait_for(answer);
}

fn press(session: &mut Session, key: &str, wanted: &str) {
    session.press(key);
    session.wait_for(wanted);
}

fn leave(session: &mut Session) {
    session.wait_for("1 Overview");
    session.wait_for_silence(std::time::Duration::from_millis(300));
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

/// The file is taken, is ours alone, and the window counts from the first record.
#[track_caller]
fn assert_written(session: &Session) {
    let path = config(session);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("[[box]]") && text.contains("may_block = true"), "{text}");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let checked = Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["config", "check"])
        .arg(&path)
        .env_clear()
        .env("HOME", session.home())
        .output()
        .unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let entries = ledgers(session);
    assert!(
        entries.contains("\"natural\"") && entries.contains("\"boxes\":[\"logs\"]"),
        "{entries}"
    );
    assert!(entries.contains("\"rate\":0.5"), "{entries}");
}

#[test]
fn four_answers_and_ctrl_s_write_a_file_and_a_window_from_the_first_record() {
    let mut session = begin(&[]);
    add(&mut session, "~/logs", "3 records");
    session.wait_for("by anna");
    assert!(!config(&session).exists() && ledgers(&session).is_empty());
    press(&mut session, "\t", "▸ (•) from the first record of this judge");
    press(&mut session, "\t", "▸ (•) all");
    press(&mut session, "\x1b[B", "▸ ( ) 1 in 2");
    press(&mut session, " ", "▸ (•) 1 in 2");
    press(&mut session, "\t", "▸ [ ] logs");
    press(&mut session, " ", "▸ [x] logs");
    session.press("\x13");
    leave(&mut session);
    assert_written(&session);
}

#[test]
fn esc_writes_nothing_and_opens_the_console() {
    let mut session = begin(&[]);
    add(&mut session, "~/logs", "3 records");
    session.press("\x1b");
    session.wait_for("no window");
    leave(&mut session);
    assert!(!config(&session).exists() && ledgers(&session).is_empty());
}

#[test]
fn with_a_refused_box_the_file_alone_is_written() {
    let mut session = begin(&[]);
    add(&mut session, "~/logs", "3 records");
    add(&mut session, "gone", "refused:");
    session.wait_for("no window: gone was refused");
    session.press("\x13");
    session.wait_for("1 Overview");
    press(&mut session, "M", "newest first");
    session.wait_for("is written; no window");
    // While the messages are open, ctrl-c closes them and nothing else.
    session.press("\x1b");
    session.wait_until("no messages", |s| !s.contents().contains("newest first"));
    leave(&mut session);
    let text = std::fs::read_to_string(config(&session)).unwrap();
    assert!(text.contains("\"logs\"") && text.contains("\"gone\""), "{text}");
    assert!(!ledgers(&session).contains("natural"), "{}", ledgers(&session));
}

#[test]
fn line_by_line_the_same_is_asked_and_written() {
    let mut session = begin(&["--plain"]);
    press(&mut session, "", "1 of 4. Where are the logs?");
    press(&mut session, "~/logs\r", "2 of 4. Which days count?");
    press(&mut session, "\r", "3 of 4. From now on, label what passes:");
    press(&mut session, "half\r", "4 of 4. Which boxes may block");
    press(&mut session, "logs\r", "May the judge block");
    session.press("q\r");
    assert_eq!(session.end(), 0);
    assert_written(&session);
}

#[test]
fn an_end_of_the_input_writes_nothing() {
    let mut session = begin(&["--plain"]);
    session.wait_for("1 of 4.");
    session.press("\x04");
    session.wait_for_silence(std::time::Duration::from_millis(300));
    session.press("\x04");
    session.end();
    assert!(!config(&session).exists() && ledgers(&session).is_empty());
}
