//! Which boxes screen 7 has, and for which of them a task is offered.

use super::logs::{lines, push};
use super::paper;
use super::world::{Setup, World};
use foureyes::domain::review::{Act, ModeSet, Reviewer};
use foureyes::domain::{HookMode, Timestamp};
use foureyes::store::ledger::id_of;
use foureyes::tui::Effect;
use foureyes::tui::model::Overlay;
use foureyes::tui::session::{Screen, Session};

/// Two boxes, of which the one in the south is out of reach; the ledgers say of some that they block.
fn world(blocking: &[&str]) -> World {
    let log = |commit| lines(&[push(commit, 19, 1, "GO")]);
    let session = Session { screen: Screen::Boxes, ..Session::default() };
    let logs = [("north/a.jsonl", log("aa01")), ("south/a.jsonl", log("bb02"))];
    // The overview assesses the labels, and without READY no box is offered.
    let mut world = World::ready(&Setup { session, ..Setup::default() }, &logs);
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let mut ledger = world.ledger();
    for name in blocking {
        let act = Act::Mode(ModeSet::new(*name, HookMode::Blocking));
        let at = Timestamp::parse_day("2026-02-19").unwrap();
        ledger.append(&by, id_of(name.as_bytes()), at, &act).unwrap();
    }
    world.keys("R");
    world
}

fn offered(world: &mut World, key: &str) -> String {
    world.keys(key);
    match &world.model.overlay {
        Some(Overlay::BoxForm(form)) => form.box_name().to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_box_that_blocks_is_listed_though_no_log_of_it_is_read() {
    let mut world = world(&["gone"]);
    world.keys("j");
    let text = paper::text(&paper::drawn(&world.model));
    assert!(text.contains("Boxes 3") && text.contains("1 blocks"), "{text}");
    assert!(text.contains("gone"), "{text}");
    assert!(text.contains("no log of it is read here"), "it is below what is STALE: {text}");
}

#[test]
fn blocking_is_offered_for_a_box_that_can_and_rolling_back_for_one_that_blocks() {
    // The first of the list is the one in trouble.
    assert_eq!(offered(&mut world(&[]), "E"), "north");
    let mut one = world(&["north"]);
    let selected = one.model.boxes.selected.clone().map(|selected| selected.1);
    let back = offered(&mut one, "Z");
    assert!(selected.is_none_or(|selected| selected == back), "never another than the selected");
    let mut both = world(&["north", "south"]);
    assert_eq!(offered(&mut both, "j Z"), both.model.boxes.selected.clone().unwrap().1);
}

/// Three boxes, some of which the configuration marks as such that may block; no readiness forbids it.
fn marked(marked: &[&str], stale: &'static str) -> World {
    let log = |commit| lines(&[push(commit, 19, 1, "GO")]);
    let session = Session { screen: Screen::Boxes, ..Session::default() };
    let mut setup = Setup { session, stale, ..Setup::default() };
    setup.facts.may_block = marked.iter().map(|name| (*name).to_owned()).collect();
    let names = ["east/a.jsonl", "north/a.jsonl", "west/a.jsonl"];
    let logs = [(names[0], log("aa01")), (names[1], log("bb02")), (names[2], log("cc03"))];
    let mut world = World::new(&setup, &logs);
    world.hold(|effect| matches!(effect, Effect::Assess { .. }));
    world.settle();
    world
}

#[test]
fn boxes_that_may_block_are_offered_before_the_others() {
    // Away from the boxes none is selected: the first that is marked, in the order of the list.
    assert_eq!(offered(&mut marked(&[], "nowhere"), "3 E"), "east");
    assert_eq!(offered(&mut marked(&["west", "north"], "nowhere"), "3 E"), "north");
    assert_eq!(offered(&mut marked(&["west"], "nowhere"), "3 E"), "west");
    // A mark helps no box of which the data are old, and an unknown name nobody.
    assert_eq!(offered(&mut marked(&["west", "gone"], "west"), "3 E"), "east");
    // What the person selected goes before any mark.
    assert_eq!(offered(&mut marked(&["west"], "nowhere"), "g E"), "east");
}
