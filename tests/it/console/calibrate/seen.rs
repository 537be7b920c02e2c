//! What was on the screen when a word was typed.

use super::*;
use foureyes::domain::review::Shown;

/// What each of the reviewer's labels says was shown.
fn shown(world: &World) -> Vec<Option<Shown>> {
    let present = world.ledger().present(NOW);
    present.labels.values().flatten().map(|given| given.label.shown).collect()
}

#[test]
fn label_keeps_the_hash_of_the_content_on_the_screen() {
    let mut world = calibrating(0.5);
    world.keys("p a");
    let labels = shown(&world);
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels.iter().all(|shown| shown.is_some_and(Shown::is_content)), "{labels:?}");
}

#[test]
fn where_no_content_is_shown_the_screen_says_so_before_and_the_day_stays_open() {
    let setup = Setup { contents: false, ..setup() };
    let world = World::ready(&setup, &logs());
    begin(&world, 0.5);
    let mut world = world.again();
    world.keys("2");
    let before = drawn(&world);
    assert!(before.contains("A label without it does not count"), "{before}");
    let left = world.model.queue.len();
    world.keys("p");
    assert_eq!(shown(&world), [Some(Shown::Nothing)]);
    let after = drawn(&world);
    assert!(after.contains("It does not count: no content was shown"), "{after}");
    // It is still missing: a console that starts anew asks for it again.
    let mut again = world.again();
    again.keys("2");
    assert_eq!(again.model.queue.len(), left);
}
