//! Texts of megabytes, and notices longer than their place.

use super::content;
use super::logs;
use super::paper;
use super::world::{Setup, World};
use foureyes::tui::model::Problem;
use foureyes::tui::{Effect, Message};
use serde_json::json;

/// So many bytes.
const LONG: usize = 3 << 20;

fn long() -> World {
    let mut record = logs::push("dead0002", 19, 1, "NO-GO");
    record["findings"] = json!("words and more ".repeat(LONG / 15));
    let logs = [("north/2026-02-19.jsonl", logs::lines(&[record]))];
    let mut world = World::ready(&Setup::default(), &logs);
    world.keys("2");
    world
}

/// The sheet as text, and its bytes.
fn sheet(world: &World) -> (String, usize) {
    let lines = world.model.record.sheet.lines.iter();
    let line = |l: &Vec<(_, String)>| l.iter().map(|(_, t)| t.as_str()).collect::<String>();
    let text = lines.map(line).collect::<Vec<_>>().join("\n");
    let bytes = text.len();
    (text, bytes)
}

#[test]
fn huge_finding_is_truncated_and_following_content_shown() {
    let mut world = long();
    let (text, bytes) = sheet(&world);
    assert!(bytes < 1 << 20, "{bytes} bytes");
    assert!(bytes > 200 << 10, "{bytes} bytes");
    assert!(text.contains("truncated here") && text.contains("e opens the whole record"));
    assert!(text.contains("Details") && text.contains("Origin"), "what follows is lost");
    world.keys("l l l l");
    let (text, bytes) = sheet(&world);
    assert!(bytes < 1 << 20 && text.contains("truncated here"), "{bytes} bytes of the log");
    world.keys("e");
    let whole = world.effects.iter().chain(&[]).find_map(|e| match e {
        Effect::Edit { text, .. } => Some(text.len()),
        _ => None,
    });
    assert!(whole.is_some_and(|len| len > LONG - 100), "{whole:?} in the editor");
}

#[test]
fn list_truncates_long_text_and_record_shows_it_all() {
    let world = long();
    let kept = world.model.selected().unwrap();
    let findings = |row: &foureyes::domain::Record| row.findings.as_ref().unwrap().len();
    assert!(findings(&kept.row) < 20 << 10, "{}", findings(&kept.row));
    let dossier = world.model.record.details.value.as_ref().unwrap();
    assert!(findings(&dossier.bare.as_ref().unwrap().row) > LONG - 100);
    // A usual record is whole in the list.
    let world = World::ready(&Setup::default(), &[("n/2026-02-19.jsonl", logs::flagged(1))]);
    assert!(world.model.record.details.value.as_ref().is_none_or(|d| d.bare.is_none()));
}

#[test]
fn many_files_of_megabytes_are_cut_too() {
    let logs = [("north/2026-02-19.jsonl", logs::flagged(1))];
    let mut world = World::ready(&Setup::default(), &logs);
    world.hold(|e| matches!(e, Effect::Content { .. }));
    world.keys("2 l");
    let text = "A line of a file that was judged.\n".repeat(30_000);
    let id = world.model.record.id.unwrap();
    world.tell(Message::Content { id, highlighted: content::many(16, &text) });
    let (text, bytes) = sheet(&world);
    assert!(bytes < 1 << 20, "{bytes} bytes");
    assert!(text.contains("truncated here") && text.contains("15 more files are not shown"));
    assert!(text.contains("found in"), "the end is lost");
}

#[test]
fn a_long_notice_keeps_how_to_read_and_dismiss_it_at_every_size() {
    let texts = ["south: ".to_owned() + &"cannot be reached ".repeat(30), "word ".repeat(9)];
    for (text, size) in texts.iter().flat_map(|t| [(40, 12), (80, 24), (120, 40)].map(|s| (t, s))) {
        let setup = Setup { size, ..Setup::default() };
        let mut world = World::ready(&setup, &logs::mixed());
        world.tell(Message::Failed(Problem::new(text.clone(), "look at the network")));
        let lines = paper::lines(&paper::drawn(&world.model));
        let from = lines.iter().position(|l| l.starts_with("! ")).unwrap();
        let notice = lines[from..lines.len() - 1].join("\n");
        assert!(notice.contains("esc closes"), "{size:?}\n{notice}");
        let cut = !notice.contains("look at the network");
        assert_eq!(cut, notice.contains("M shows all"), "{size:?}\n{notice}");
        assert_eq!(cut, text.len() > 100 || notice.contains("…"), "{size:?}\n{notice}");
        assert!(lines.len() - 1 - from <= if size.1 <= 12 { 2 } else { 3 }, "{notice}");
        world.keys("M");
        let lines = paper::lines(&paper::drawn(&world.model));
        let below = lines.iter().rposition(|l| l.starts_with("! ")).unwrap();
        assert_eq!(below, lines.len() - 2, "one line while all of it is shown above");
    }
}
