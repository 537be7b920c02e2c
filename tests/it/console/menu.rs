//! Palette, help, views and messages in the real program.

use crate::cli::push;
use crate::pty::{Session, Start};
use foureyes::tui::Action;

fn console(size: (u16, u16), more: &[&str]) -> Session {
    let mut arguments = vec!["--from", "a.jsonl"];
    arguments.extend(more);
    let start = Start::foureyes(&arguments).size(size.0, size.1);
    let text = push(1, "2026-02-10T10:00:00Z", "NO-GO") + &push(2, "2026-02-11T10:00:00Z", "GO");
    std::fs::write(start.home().join("a.jsonl"), text).unwrap();
    let session = start.run();
    session.wait_for("1 Overview");
    session
}

fn leave(mut session: Session) {
    // While a list is made, ctrl-c stops that and nothing else.
    session.wait_for_silence(std::time::Duration::from_millis(300));
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn help_scrolls_to_end_and_runs_choice_at_minimum_size() {
    let mut session = console((40, 12), &[]);
    session.press("?");
    session.wait_for("screens");
    for _ in 0..Action::ALL.len() {
        session.press("\x1b[B");
    }
    session.wait_for("while typing");
    session.type_text("bo");
    session.wait_for("> 7 ");
    session.press("\r");
    session.wait_for("─ Boxes 1");
    session.wait_until("help closed", |s| !s.contents().contains("while"));
    leave(session);
}

#[test]
fn read_only_run_offers_no_writes() {
    let mut session = console((80, 24), &["--read-only"]);
    session.press(":");
    session.wait_for("Do what?");
    let palette = session.type_text("seen");
    assert!(!palette.contains("seen: Say"), "{palette}");
    session.press("\x1b");
    session.wait_until("palette closed", |s| !s.contents().contains("Do what?"));
    leave(session);
}

#[test]
fn a_view_is_saved_opened_deleted_and_brought_back() {
    let mut session = console((80, 24), &[]);
    session.press("3");
    session.wait_for("Records 1 of 2");
    session.press("/");
    session.wait_for("tab: complete");
    session.type_text("is:flagged");
    session.press("\r");
    session.wait_for("Records 1 of 1");
    session.press("V");
    session.wait_for("name of the view:");
    session.type_text("night");
    session.press("\r");
    session.wait_for("view `night` is saved");
    // The message goes, and the hint behind it, then the filter.
    session.press("\x1b");
    session.wait_until("no message", |s| !s.contents().contains("is saved"));
    session.press("\x1b");
    // The record stays selected among all.
    session.wait_for("Records 2 of 2");
    session.press("'");
    session.wait_for("Views");
    session.wait_for("> | night");
    session.press("\x18");
    session.wait_for("view `night` is deleted; ctrl-r brings it back");
    session.press("\x12");
    session.wait_for("> | night");
    session.press("\r");
    session.wait_for("Records 1 of 1");
    leave(session);
}

#[test]
fn hints_are_shown_on_first_run_until_dismissed() {
    let mut session = console((80, 24), &[]);
    session.wait_for("2 shows what needs you");
    session.press("\x1b");
    session.wait_until("the hint gone", |s| !s.contents().contains("shows what needs you"));
    session.press("2");
    session.wait_for("d done, no label; z later; u undo");
    leave(session);
}
