//! Overriding in the console: a form bound to one record, kept here before anything is sent.

use super::logs::{lines, push};
use super::paper;
use super::world::{NOW, Setup, World};
use foureyes::domain::RecordId;
use foureyes::domain::review::{Act, OverrideWord};
use foureyes::tui::input::Input;
use foureyes::tui::model::{Level, Newer, Overlay, OverrideForm};
use foureyes::tui::{Effect, Message};
use serde_json::Value;

mod bound;
mod kept;
mod many;
mod real;

fn setup() -> Setup {
    Setup { size: (120, 36), takes: true, ..Setup::default() }
}

fn log() -> String {
    let judged = [("NO-GO", "aaaa01"), ("GO", "bbbb02"), ("UNDETERMINED", "cccc03")];
    let one = |(minute, (verdict, commit)): (u32, &(&str, &str))| push(commit, 19, minute, verdict);
    lines(&(0..).zip(&judged).map(one).collect::<Vec<_>>())
}

/// All records, the one of the commit `aaaa01` selected.
fn records() -> World {
    let mut world = World::ready(&setup(), &[("north/2026-02-19.jsonl", log())]);
    world.keys("3");
    go(&mut world, "aaaa01");
    world
}

/// Whether a line of the list has a text.
fn list_says(screen: &str, text: &str) -> bool {
    screen.lines().any(|line| line.contains(".md ") && line.contains(text))
}

/// Goes to the newest record of a commit.
fn go(world: &mut World, commit: &str) {
    world.keys("g");
    while world.selected().as_deref() != Some(commit) {
        let before = world.model.records.cursor;
        world.keys("j");
        assert_ne!(world.model.records.cursor, before, "no record of {commit}");
    }
}

fn here(world: &World) -> RecordId {
    world.model.selected().unwrap().row.id
}

fn form(world: &World) -> &OverrideForm {
    match &world.model.overlay {
        Some(Overlay::Override(form)) => form,
        other => panic!("{other:?}"),
    }
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

fn told(world: &World, what: &str) -> bool {
    world.model.notices.all().any(|n| n.text.contains(what) && n.level > Level::Note)
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// What anna's ledger says of records: the record and the word, in order.
fn said(world: &World) -> Vec<(RecordId, OverrideWord, String)> {
    let ledger = world.ledger();
    let present = ledger.present(NOW);
    let of = |id: &RecordId| {
        present.overrides[id].iter().map(|o| (o.what.record, o.what.word, o.what.reason.clone()))
    };
    present.overrides.keys().flat_map(of).collect()
}

/// The records in a box's file of anna's.
fn on_box(world: &World, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(world.overrides(name).join("anna.jsonl"));
    let text = text.unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Overrides the selected record.
fn decide(world: &mut World, tabs: &str, reason: &str) {
    world.keys(&format!("O {tabs}"));
    world.typed(reason);
    world.keys("ctrl-s");
}

#[test]
fn override_form_saves_and_box_confirms() {
    let mut world = records();
    let id = here(&world);
    world.keys("O");
    assert!(drawn(&world).contains("Override "), "{}", drawn(&world));
    world.keys("enter ctrl-s");
    assert!(note(&world).contains("choose accept or reject with tab first"), "{}", note(&world));
    world.keys("tab ctrl-s");
    assert!(note(&world).contains("a reason is required"), "{}", note(&world));
    world.typed("known false alarm");
    world.keys("enter O");
    let text = drawn(&world);
    assert!(text.contains("known false alarmO") && text.contains("[accept]"), "{text}");
    world.keys("backspace");
    assert!(said(&world).is_empty(), "nothing is saved before ctrl-s");
    world.keys("ctrl-s");
    assert_eq!(said(&world), [(id, OverrideWord::Accept, "known false alarm".to_owned())]);
    let records = on_box(&world, "north");
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["verdict"], "accept");
    assert_eq!(records[0]["record"], id.to_string());
    assert_eq!(records[0]["commit"], "aaaa01");
    assert!(note(&world).starts_with("Override accept is on north ("), "{}", note(&world));
    let text = drawn(&world);
    assert!(list_says(&text, "◆ accept"), "{text}");
    assert!(text.contains("confirmed by the box"), "{text}");
    assert!(text.contains("known false alarm"), "{text}");
    // The log itself is as it was.
    assert_eq!(std::fs::read_to_string(world.log("north/2026-02-19.jsonl")).unwrap(), log());
    // The same again adds nothing.
    decide(&mut world, "tab", "known false alarm");
    assert!(world.model.notices.all().any(|n| n.text.contains("already overridden this way")));
    assert_eq!((said(&world).len(), on_box(&world, "north").len()), (1, 1));
}

#[test]
fn override_is_pending_from_fsync_until_box_confirms() {
    let mut world = records();
    world.hold(|e| matches!(e, Effect::Decide(_) | Effect::Send { .. }));
    decide(&mut world, "tab", "fine");
    assert!(!drawn(&world).contains("◆ accept"), "nothing is shown before it is on the disk");
    assert!(said(&world).is_empty());
    // The decision is done, and its sending waits.
    world.hold(|e| matches!(e, Effect::Send { .. }));
    world.release();
    let text = drawn(&world);
    assert_eq!(said(&world).len(), 1);
    assert!(list_says(&text, "◆ sent?"), "{text}");
    assert!(text.contains("UNCONFIRMED"), "{text}");
    assert!(on_box(&world, "north").is_empty());
}

#[test]
fn rejected_override_stays_pending_until_pull_delivers_it() {
    let mut setup = setup();
    setup.facts.boxes = true;
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log())]);
    world.keys("3");
    go(&mut world, "aaaa01");
    let id = here(&world);
    // No directory can be made there.
    let dir = world.overrides("north").parent().unwrap().to_owned();
    std::fs::write(&dir, "").unwrap();
    decide(&mut world, "tab", "fine");
    assert!(told(&world, "is unconfirmed"), "{}", note(&world));
    assert_eq!(said(&world).len(), 1, "it is kept here all the same");
    world.keys("j");
    assert!(told(&world, "is unconfirmed"), "it stays");
    let count = |world: &mut World, filter: &str| {
        world.keys("/ ctrl-u");
        world.typed(filter);
        world.keys("enter");
        world.model.records.len()
    };
    assert_eq!(count(&mut world, "override:unconfirmed"), 1);
    assert_eq!(here(&world), id);
    assert!(list_says(&drawn(&world), "◆ sent?"), "{}", drawn(&world));
    assert_eq!(count(&mut world, "override:confirmed"), 0);
    world.keys("R");
    assert!(told(&world, "is unconfirmed"));
    std::fs::remove_file(&dir).unwrap();
    world.keys("R");
    assert_eq!(world.model.records.len(), 1, "the list knows at once");
    assert_eq!(count(&mut world, "override:unconfirmed"), 0);
    assert_eq!(on_box(&world, "north").len(), 1);
}

#[test]
fn undo_and_redo_append_records_with_resulting_verdict() {
    let mut world = records();
    let id = here(&world);
    decide(&mut world, "tab", "fine");
    let first = on_box(&world, "north")[0]["id"].clone();
    world.keys("u");
    assert!(said(&world).is_empty());
    let records = on_box(&world, "north");
    assert_eq!((records.len(), &records[1]["undoes"]), (2, &first));
    // The judge said NO-GO.
    assert_eq!(
        (&records[1]["verdict"], &records[1]["record"]),
        (&"reject".into(), &id.to_string().into())
    );
    assert!(drawn(&world).contains("revoked, confirmed by the box"), "{}", drawn(&world));
    assert!(!list_says(&drawn(&world), "◆"), "{}", drawn(&world));
    // In another run as well, however this one ended.
    let mut world = world.again();
    world.keys("3 ctrl-r");
    assert_eq!(said(&world).len(), 1);
    let records = on_box(&world, "north");
    assert_eq!((records.len(), &records[2]["redoes"]), (3, &first));
    assert_eq!(records[2]["verdict"], "accept");
    let mut world = world.again();
    world.keys("3 u");
    assert!(said(&world).is_empty());
    assert_eq!(on_box(&world, "north").len(), 4);
    let kinds: Vec<String> =
        world.ledger().entries().map(|entry| entry.act.kind().to_owned()).collect();
    assert_eq!(kinds, ["override", "undo", "redo", "undo"]);
    world.keys("u");
    assert_eq!(note(&world), "there is nothing to undo");
}

#[test]
fn an_undo_that_cannot_be_saved_did_not_happen() {
    let mut world = records();
    decide(&mut world, "tab", "fine");
    let file = world.data().ledger().join("anna@desk.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    world.keys("u");
    assert_eq!(on_box(&world, "north").len(), 1);
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, text).unwrap();
    world.keys("u");
    assert_eq!(on_box(&world, "north").len(), 2);
    assert!(world.ledger().entries().any(|entry| matches!(entry.act, Act::Undo(_))));
}

#[test]
fn the_form_takes_the_place_of_the_list_and_its_record_stays() {
    for (width, height) in [(120, 36), (80, 24), (50, 24)] {
        let mut world = records();
        world.tell(Message::Input(Input::Resize { width, height }));
        world.keys("l l l l O");
        let text = drawn(&world);
        assert!(text.contains("Override ") && text.contains("[Raw]"), "{text}");
        assert!(text.contains("decision") && text.contains("reason"), "{text}");
        assert!(!text.contains("Records 1 of"), "the list makes room: {text}");
        world.keys("pagedown");
        let scrolled = world.model.record.scroll;
        assert!(scrolled > 0 || width > 50, "what does not fit is scrolled");
        world.typed("J");
        assert_eq!(form(&world).reason.value(), "J", "a letter is text");
        world.keys("esc O");
        assert_eq!(form(&world).reason.value(), "J", "what was typed is kept");
    }
}
