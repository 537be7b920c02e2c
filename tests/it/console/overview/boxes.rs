//! The Boxes screen: errors in full, and how the last pulls went.

use super::{Console, documents};
use crate::overview::{NOW, Opened, spec};
use foureyes::domain::BoxState;
use foureyes::store::state::PullEntry;
use foureyes::tui::model::{Days, Problem};
use foureyes::tui::{Effect, Message};
use std::sync::Arc;

fn entry(seconds: i64, error: Option<&str>) -> PullEntry {
    PullEntry {
        at: foureyes::domain::Timestamp(NOW.0 - seconds * 1_000_000),
        took_ms: 1_230,
        bytes: 4_567,
        files: 3,
        received: 890,
        round_trips: 4,
        notices: Vec::new(),
        noticed: 2,
        error: error.map(str::to_owned),
    }
}

fn console(error: &str) -> Console {
    let opened = Opened::generated(&spec(300, 5, 6));
    let mut console = Console::on(&opened, Days::Last(7), (80, 24));
    let (mut triage, breakdowns) = documents(&opened, Days::Last(7).window(NOW));
    triage.boxes[0].state = BoxState::Stale;
    triage.boxes[0].error = Some(error.to_owned());
    triage.boxes[0].notices = vec!["a notice".to_owned()];
    console.take(triage, breakdowns);
    console.press("7");
    console
}

fn asked(console: &Console) -> Option<String> {
    console.effects.iter().find_map(|e| match e {
        Effect::PullLog { box_name } => Some(box_name.clone()),
        _ => None,
    })
}

#[test]
fn log_of_selected_box_is_loaded_once_newest_first() {
    let mut console = console("no route to host");
    let first = asked(&console).unwrap();
    assert!(console.has("reading the pull log"));
    let log = vec![entry(60, Some("refused\nby the box")), entry(7_200, None)];
    console.tell(Message::PullLog { box_name: first.clone(), result: Ok(Arc::new(log)) });
    let screen = console.screen().join("\n");
    for text in [
        "STALE",
        "no route to host",
        "! a notice",
        "The last 2 pulls",
        "2026-02-20 11:59:00Z  FAILED  1.23 s, 4,567 new bytes in 3 files, 890 bytes",
        "| refused",
        "| by the box",
        "2 more notices were dropped",
        "2026-02-20 10:00:00Z  ok",
    ] {
        assert!(screen.contains(text), "{text} in\n{screen}");
    }
    console.press("g");
    assert_eq!(asked(&console), None);
    console.press("j");
    let second = asked(&console).unwrap();
    assert_ne!(first, second);
    // What comes too late is not shown under another box's name.
    console.tell(Message::PullLog { box_name: first, result: Ok(Arc::new(vec![entry(1, None)])) });
    assert!(console.has("reading the pull log"));
    let problem = Problem::new("cannot be read", "do this");
    console.tell(Message::PullLog { box_name: second, result: Err(problem) });
    assert!(console.has("the pull log cannot be read: cannot be read") && console.has("  do this"));
}

#[test]
fn a_long_error_can_be_read_to_its_end_and_steers_nothing() {
    let error = format!("{} \u{1b}[2J\u{202e} the end", "word ".repeat(600));
    let mut console = console(&error);
    assert!(!console.has("the end"));
    for _ in 0..30 {
        console.press("ctrl-d");
    }
    let screen = console.screen().join("\n");
    assert!(screen.contains("the end") && screen.contains("␛[2J⟨U+202E⟩"), "{screen}");
    assert!(!screen.contains('\u{1b}') && !screen.contains('\u{202e}'));
    for _ in 0..30 {
        console.press("ctrl-u");
    }
    assert!(console.has("the last pull failed:"));
    console.press("tab j esc");
    assert!(console.has("▸"));
}
