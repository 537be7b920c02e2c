//! What is said where a key takes something off the screen, or finds nothing to take.

use super::acting::{leave, newer};
use super::logs::{flagged, lines, push};
use super::paper;
use super::world::{Setup, World};

/// The queue over so many flagged records.
fn queue(count: u32) -> World {
    let logs = [("north/2026-02-19.jsonl", flagged(count))];
    let mut world = World::ready(&Setup { size: (120, 20), ..Setup::default() }, &logs);
    world.keys("2");
    world
}

fn screen(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

#[test]
fn one_item_that_leaves_is_named_with_the_way_back() {
    let mut world = queue(3);
    for (key, what) in [("d", "seen; u undoes"), ("z", "put off; u undoes")] {
        world.keys(key);
        assert!(note(&world).ends_with(what), "{}", note(&world));
    }
}

#[test]
fn esc_with_nothing_to_close_stays_in_the_list_and_says_so() {
    let mut world = queue(3);
    world.keys("esc");
    assert!(world.model.list().is_some());
    assert_eq!(note(&world), "nothing to close here; 1 shows the overview");
    world.keys("3 /");
    world.typed("box:nowhere");
    world.keys("enter");
    let shown = screen(&world);
    assert!(
        shown.contains("No match in 7 days.") && shown.contains("+ looks further back"),
        "{shown}"
    );
    world.keys("esc");
    assert!(!screen(&world).contains("No match"), "a filter is closed");
}

#[test]
fn what_came_since_the_last_visit_is_the_first_stop_and_opens() {
    let mut world = World::ready(&Setup::default(), &[("north/2026-02-19.jsonl", flagged(5))]);
    world.keys("1");
    leave(&mut world);
    world.append("north/2026-02-20.jsonl", &newer(2));
    // What was judged before the visit and came after it is new as well.
    let late = lines(&[push("b0000077", 15, 9, "NO-GO")]);
    world.append("north/2026-02-15.jsonl", &late);
    let mut world = world.again();
    world.keys("1 enter");
    assert_eq!(world.model.records.filter.text, "is:new");
    assert_eq!(world.model.records.len(), 3);
    let marked = |world: &World| {
        let list = &world.model.records;
        let rows =
            (0..list.len()).filter_map(|at| world.model.rows.get(list.edition, list.row(at)?));
        rows.filter(|shown| shown.is_new).count()
    };
    assert_eq!(marked(&world), 3);
    world.keys("esc");
    assert_eq!((world.model.records.len(), marked(&world)), (8, 3), "the same ones are marked");
}
