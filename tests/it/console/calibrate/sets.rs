//! The blind queue: what it hides, how far the sitting is, and verdicts held back until a set is over.

use super::*;
use foureyes::tui::model::Tab;

/// A queue of which labels are held in sets.
fn in_sets(set: u32) -> World {
    let mut setup = setup();
    setup.facts.labelling.set = set;
    let world = World::ready(&setup, &logs());
    begin(&world, 1.0);
    let mut world = world.again();
    world.keys("2");
    world
}

#[test]
fn calibration_opens_on_content_and_each_mode_keeps_its_tab() {
    let mut world = calibrating(1.0);
    assert_eq!(world.model.record.tab, Tab::Content);
    world.keys("l");
    assert_eq!(world.model.record.tab, Tab::Diff);
    world.keys("c");
    assert_eq!(world.model.record.tab, Tab::Verdict);
    world.keys("c");
    assert_eq!(world.model.record.tab, Tab::Diff);
    world.keys("b ctrl-s");
    assert_eq!(world.model.record.tab, Tab::Verdict);
    assert_eq!(world.model.session().tab, Tab::Verdict);
    world.keys("b");
    assert_eq!((world.model.record.tab, world.model.session().tab), (Tab::Diff, Tab::Verdict));
}

#[test]
fn authors_dates_and_empty_columns_are_not_on_its_screen() {
    for size in [(120, 40), (80, 24)] {
        let mut world = calibrating(1.0);
        resize(&mut world, size);
        for key in ["j", "h h h", "l", "l"] {
            world.keys(key);
            let text = drawn(&world);
            let list: Vec<&str> = text.lines().filter(|line| line.contains("aa.md")).collect();
            let listed = |line: &&str| line.split('│').next().unwrap().to_owned();
            assert!(list.iter().map(listed).all(|line| !line.contains("hidden")), "{text}");
            for told in ["02-17 09", "2026-02-17T", "OpenClaw", "Lantern"] {
                assert!(!text.contains(told), "{told}: {text}");
            }
        }
    }
}

#[test]
fn the_sitting_is_counted_and_the_day_that_closes_next_is_named() {
    let mut world = calibrating(1.0);
    resize(&mut world, (120, 40));
    let text = drawn(&world);
    assert!(text.contains(" 0 of 36 labelled"), "{text}");
    assert!(text.contains(" 2026-02-17 closes in 12 more"), "{text}");
    world.keys("p a");
    let text = drawn(&world);
    assert!(text.contains(" 2 of 36 labelled, 0 s each"), "{text}");
    assert!(text.contains(" 2026-02-17 closes in 10 more"), "{text}");
    world.keys("u");
    assert!(drawn(&world).contains(" 1 of 36 labelled"), "{}", drawn(&world));
    assert!(drawn(&world).contains("closes in 11 more"), "{}", drawn(&world));
    for _ in 0..11 {
        world.keys("a");
    }
    assert!(drawn(&world).contains(" 2026-02-18 closes in 12 more"), "{}", drawn(&world));
}

#[test]
fn sets_hide_verdicts_until_end_and_then_show_agreement() {
    let mut world = in_sets(3);
    for _ in 0..2 {
        world.keys("p");
        assert!(!note(&world).contains("Judge"), "{}", note(&world));
    }
    assert!(drawn(&world).contains(", set 2 of 3"), "{}", drawn(&world));
    // Nothing was told: taken back and given again it is blind as before.
    world.keys("u");
    let again = here(&world);
    world.keys("p");
    assert!(given(&world, again)[0].1.blind);
    world.keys("s");
    let text = note(&world);
    assert!(text.contains(" End of the set: 3 labels; you agree with the judge on "), "{text}");
    assert!(text.ends_with(" of 2."), "unsure agrees with nothing: {text}");
    world.keys("p");
    assert!(!note(&world).contains("End of the set"), "{}", note(&world));
    while !world.model.queue.is_empty() {
        world.keys("a");
    }
    assert!(note(&world).contains(" End of the set: 3 labels; "), "{}", note(&world));
}
