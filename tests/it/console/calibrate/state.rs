//! How the operation is doing, below the names of the screens.

use super::*;
use foureyes::domain::HookMode;
use foureyes::domain::review::{Exposure, ModeSet, ModeWaiver};

/// The row below the names of the screens.
fn state(world: &World) -> String {
    paper::lines(&paper::drawn(&world.model))[1].clone()
}

#[test]
fn no_window_runs_and_nothing_blocks() {
    let mut world = World::ready(&setup(), &logs());
    for key in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        world.keys(key);
        let expected = " ○ nothing blocks · no window: labels decide nothing yet (B) · data 0 s";
        assert_eq!(state(&world), expected, "{key}");
    }
}

#[test]
fn state_is_on_every_screen_and_follows_labels() {
    let mut world = calibrating(1.0);
    for key in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        world.keys(key);
        let expected = " ○ nothing blocks · window day 3 of 14 · 36 to label · data 0 s";
        assert_eq!(state(&world), expected, "{key}");
    }
    world.keys("2 p");
    assert!(state(&world).contains(" · blind 1 of 1 ("), "{}", state(&world));
}

#[test]
fn verdict_that_was_seen_in_an_earlier_run_counts_as_seen() {
    let mut world = calibrating(1.0);
    world.keys("2");
    let exposure = Exposure { shown: "records".to_owned(), records: vec![here(&world)] };
    say(&world, "anna", date(20), &Act::Exposure(exposure));
    let world = world.again();
    assert!(state(&world).contains(" · ! blind 0 of 1, "), "{}", state(&world));
}

#[test]
fn box_that_blocks_is_in_view_with_its_waiver_and_watch() {
    // One record of the other box, of before the window.
    let mut all = logs();
    all.push(("south/2026-02-02.jsonl", day(2, 1)));
    let world = World::ready(&setup(), &all);
    begin(&world, 1.0);
    let (name, until) = ("Anna \u{1b}[2J".to_owned(), date(33));
    let waiver = Some(ModeWaiver { name, reason: "a trial".to_owned(), until });
    let set = ModeSet { waiver, ..ModeSet::new("south", HookMode::Blocking) };
    say(&world, "lead", date(19), &Act::Mode(set));
    let mut world = world.again();
    world.keys("3");
    let blocks =
        " ● south blocks, waiver by Anna ␛[2J to 5 Mar, watch 12 h left · window day 3 of 14";
    assert!(state(&world).starts_with(blocks), "{}", state(&world));
    resize(&mut world, (80, 24));
    let short = " ● south blocks, waiver, 12 h left · day 3 of 14 · 36 to label · data 0 s";
    assert_eq!(state(&world), short);
    // Where one row is not enough, it takes another.
    resize(&mut world, (40, 12));
    let lines = paper::lines(&paper::drawn(&world.model));
    assert_eq!(lines[1..3], [" ● south blocks, waiver, 12 h left", " day 3 of 14 · 36 to label"]);
    world.keys("7");
    resize(&mut world, (120, 40));
    let text = drawn(&world);
    assert!(text.contains("● blocks, waiver 12 h"), "{text}");
}
