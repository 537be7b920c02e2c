//! Undo and redo go on where the last run ended, however it ended.

use super::*;

#[test]
fn undo_and_redo_go_on_after_a_kill() {
    let mut world = queue(4);
    let first = here(&world);
    world.keys("p");
    let second = here(&world);
    world.keys("a");
    let mut world = world.again();
    world.keys("2");
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    world.keys("u");
    assert_eq!((here(&world), words(&world)), (second, vec![(first, Word::Poor)]));
    let mut world = world.again();
    world.keys("2 u");
    assert_eq!((here(&world), words(&world).len()), (first, 0));
    let mut world = world.again();
    world.keys("2 ctrl-r");
    assert_eq!(words(&world), [(first, Word::Poor)]);
    let mut world = world.again();
    world.keys("2 ctrl-r");
    assert_eq!(words(&world).len(), 2);
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    world.keys("ctrl-r");
    assert_eq!(note(&world), "there is nothing to redo");
}

#[test]
fn deferral_can_be_undone_after_restart() {
    let mut world = queue(4);
    let first = here(&world);
    world.keys("d");
    let mut world = world.again();
    world.keys("2 u");
    assert_eq!((here(&world), world.model.queue.len()), (first, 4));
}
