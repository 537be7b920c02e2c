//! The selection follows the record, not the line; what was dealt with goes and can come back.

use super::logs::{flagged, lines, push};
use super::paper;
use super::world::{Setup, World};
use foureyes::tui::model::{Load, Problem};
use foureyes::tui::{Effect, Message};
use std::sync::Arc;

/// The queue over flagged records of one day, the newest first: `a000004` … `a000000`.
fn queue(count: u32) -> World {
    let setup = Setup { size: (120, 20), ..Setup::default() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(count))]);
    world.keys("2");
    world
}

/// More records that are newer than all of [`flagged`].
fn newer(count: u32) -> String {
    lines(&(0..count).map(|i| push(&format!("b{i:06}"), 20, i, "NO-GO")).collect::<Vec<_>>())
}

/// And some that are older.
fn older(count: u32) -> String {
    lines(&(0..count).map(|i| push(&format!("c{i:06}"), 17, i, "NO-GO")).collect::<Vec<_>>())
}

fn at(world: &World) -> (usize, Option<String>) {
    (world.model.queue.cursor, world.selected())
}

#[test]
fn selection_stays_on_record_when_rows_are_added() {
    let mut world = queue(5);
    world.keys("j j");
    assert_eq!(at(&world), (2, Some("a000002".to_owned())));
    world.append("north/2026-02-20.jsonl", &newer(3));
    world.append("north/2026-02-17.jsonl", &older(2));
    world.keys("R");
    assert_eq!(at(&world), (5, Some("a000002".to_owned())));
    assert_eq!(world.model.queue.len(), 10);
    let bare: Vec<_> = world.commits();
    assert_eq!(bare[..3], ["b000002", "b000001", "b000000"]);
    assert_eq!(bare[8..], ["c000001", "c000000"]);
}

#[test]
fn rows_added_above_scrolled_list_are_counted_without_scrolling() {
    let mut world = queue(40);
    world.keys("ctrl-d ctrl-d ctrl-d k k k");
    let (before, top) = (at(&world), world.model.queue.top);
    assert!(top > 0);
    let shown = paper::lines(&paper::drawn(&world.model));
    world.append("north/2026-02-20.jsonl", &newer(7));
    world.keys("R");
    assert_eq!(at(&world), (before.0 + 7, before.1));
    assert_eq!((world.model.queue.top, world.model.queue.above), (top + 7, 7));
    let now = paper::lines(&paper::drawn(&world.model));
    // Notices aside, the lines of the list stand where they stood.
    let left = |line: &String| line.chars().take(47).collect::<String>();
    assert_eq!(
        shown[3..10].iter().map(left).collect::<Vec<_>>(),
        now[3..10].iter().map(left).collect::<Vec<_>>()
    );
    assert!(now.iter().any(|l| l.contains("7 new above")), "{}", now.join("\n"));
    world.keys("g");
    assert_eq!((world.model.queue.top, world.model.queue.above), (0, 0));
}

#[test]
fn a_list_opened_anew_begins_at_its_first_record() {
    let setup = Setup { size: (120, 20), ..Setup::default() };
    let log = flagged(3) + &lines(&[push("c000000", 18, 0, "UNDETERMINED")]);
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log)]);
    world.keys("3 /");
    world.typed("verdict:undetermined");
    world.keys("enter");
    assert_eq!(world.selected().as_deref(), Some("c000000"));
    // What is selected there is in the next list too, but nobody chose it.
    world.keys("1 enter");
    assert_eq!(world.model.records.filter.text, "is:flagged");
    assert_eq!((world.model.records.cursor, world.selected().as_deref()), (0, Some("a000002")));
    // One that only gets more rows stays where it was.
    world.append("north/2026-02-20.jsonl", &newer(2));
    world.keys("R");
    assert_eq!((world.model.records.cursor, world.selected().as_deref()), (2, Some("a000002")));
}

#[test]
fn removed_selection_keeps_cursor_line() {
    let mut world = queue(5);
    world.keys("j j");
    let kept: Vec<_> = [0, 1, 3, 4].map(|i| push(&format!("a{i:06}"), 19, i, "NO-GO")).into();
    std::fs::write(world.log("north/2026-02-19.jsonl"), lines(&kept)).unwrap();
    world.keys("R");
    assert_eq!(at(&world), (2, Some("a000001".to_owned())));
}

#[test]
fn disposition_removes_item_and_selects_next() {
    let mut world = queue(5);
    world.keys("j");
    world.keys("d");
    assert_eq!(at(&world), (1, Some("a000002".to_owned())));
    assert_eq!(world.commits(), ["a000004", "a000002", "a000001", "a000000"]);
    world.keys("G d");
    assert_eq!(at(&world), (2, Some("a000001".to_owned())));
    // What is written down holds when the logs are opened again.
    world.keys("R");
    assert_eq!(world.commits(), ["a000004", "a000002", "a000001"]);
}

#[test]
fn marked_items_are_dispositioned_together_and_undo_restores_them() {
    let mut world = queue(6);
    world.keys("j space j space");
    assert_eq!(world.model.queue.marks.len(), 2);
    world.keys("d");
    assert_eq!(world.commits(), ["a000005", "a000003", "a000001", "a000000"]);
    assert!(world.model.queue.marks.is_empty());
    world.keys("g u");
    assert_eq!(world.model.queue.len(), 6);
    let back = world.selected().unwrap();
    assert!(["a000004", "a000002"].contains(&back.as_str()), "{back}");
    world.keys("ctrl-r");
    assert_eq!(world.commits(), ["a000005", "a000003", "a000001", "a000000"]);
    world.keys("u u");
    assert_eq!(world.model.queue.len(), 6);
    assert_eq!(world.model.history.count(), 0);
}

#[test]
fn failed_disposition_restores_item_with_reason() {
    let mut world = queue(3);
    world.hold(|e| matches!(e, Effect::Disposition { .. }));
    world.keys("d");
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    let failed = Problem::new("the disk is full", "make room");
    world.tell(Message::Dispositions { relist: false, result: Err(failed) });
    world.settle();
    assert_eq!(world.commits(), ["a000002", "a000001", "a000000"]);
    assert_eq!(world.model.notices.current().unwrap().text, "the disk is full");
}

#[test]
fn outdated_list_is_dropped() {
    let mut world = queue(5);
    world.hold(|e| matches!(e, Effect::List { .. }));
    let old = world.heard.iter().rev().find(|m| matches!(m, Message::Listed { .. })).cloned();
    world.keys("S 1 enter esc");
    assert_eq!(world.model.queue.rows.load, Load::Busy);
    world.keys("d");
    let left = world.commits();
    world.tell(old.unwrap());
    assert_eq!(world.commits(), left);
    assert_eq!(world.model.queue.rows.load, Load::Busy);
}

#[test]
fn dispositioned_item_does_not_return_with_older_list() {
    let mut world = queue(5);
    let made = world.heard.iter().rev().find_map(|m| match m {
        Message::Listed { list, edition, result, .. } => Some((*list, *edition, result.clone())),
        _ => None,
    });
    let (list, edition, result) = made.unwrap();
    world.hold(|e| matches!(e, Effect::List { .. } | Effect::Disposition { .. }));
    world.keys("S 1 enter esc");
    let generation = world.model.queue.generation;
    world.press("d".parse().unwrap());
    let left = ["a000003", "a000002", "a000001", "a000000"];
    assert_eq!(world.commits(), left);
    // The list that was on its way holds the item, and so would one made before it is written.
    world.tell(Message::Listed { list, edition, generation, result });
    assert_eq!(world.commits(), left);
    assert_eq!(world.model.queue.rows.load, Load::Busy);
    world.hold(|_| false);
    world.release();
    let mut commits = world.commits();
    commits.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!((commits.len(), world.model.queue.rows.load.clone()), (4, Load::Idle));
    assert_eq!(commits, left);
}

#[test]
fn record_of_older_archive_is_never_shown_for_newer_row() {
    let mut world = queue(5);
    let rows = world.heard.iter().find_map(|m| match m {
        Message::Listed { result: Ok(listing), .. } => Some(listing.near.clone()),
        _ => None,
    });
    let (row, wrong) = rows.unwrap().into_iter().last().unwrap();
    let first = world.model.queue.row(0).unwrap();
    assert_ne!(row, first);
    let before = world.model.queue.edition;
    world.append("north/2026-02-20.jsonl", &newer(1));
    world.keys("R");
    assert!(world.model.queue.edition > before);
    let commits = world.commits();
    // The same place in the archive before was another record.
    let first = world.model.queue.row(0).unwrap();
    let result = Ok(vec![(first, Arc::clone(&wrong))]);
    world.tell(Message::Rows { edition: before, result, asked: vec![first] });
    assert_eq!(world.commits(), commits);
    let screen = paper::text(&paper::drawn(&world.model));
    assert!(screen.contains("b000000.md"), "{screen}");
}

#[test]
fn unreadable_rows_say_so_and_are_read_after_reopening() {
    let mut world = queue(3);
    world.hold(|e| matches!(e, Effect::Rows { .. }));
    let (edition, asked) =
        (world.model.queue.edition, world.model.queue.rows.value.clone().unwrap());
    let failed = Err(Problem::new("the log is gone", "pull"));
    world.tell(Message::Rows { edition, result: failed, asked: asked.to_vec() });
    let screen = paper::text(&paper::drawn(&world.model));
    assert!(screen.contains("could not be read"), "{screen}");
    world.hold(|_| false);
    world.append("north/2026-02-20.jsonl", &newer(1));
    world.keys("R");
    assert_eq!(world.commits(), ["b000000", "a000002", "a000001", "a000000"]);
}

#[test]
fn failed_rows_of_a_list_that_is_replaced_are_not_reported() {
    let mut world = queue(3);
    let (edition, rows) =
        (world.model.queue.edition, world.model.queue.rows.value.clone().unwrap());
    let failed = |world: &mut World| {
        let result = Err(Problem::new("the log is gone", "pull"));
        world.tell(Message::Rows { edition, result, asked: rows.to_vec() });
        paper::text(&paper::drawn(&world.model)).contains("the log is gone")
    };
    // The list of the logs as they are now is on its way, and then there.
    world.append("north/2026-02-20.jsonl", &newer(1));
    world.hold(|e| matches!(e, Effect::List { .. }));
    world.keys("R");
    assert!(!failed(&mut world));
    world.hold(|_| false);
    world.release();
    assert!(!failed(&mut world));
    assert_eq!(world.commits().len(), 4);
    let edition = world.model.queue.edition;
    let result = Err(Problem::new("the log is gone", "pull"));
    world.tell(Message::Rows { edition, result, asked: Vec::new() });
    assert!(paper::text(&paper::drawn(&world.model)).contains("the log is gone"));
}

#[test]
fn the_record_beside_the_list_and_its_tab_follow_the_selection() {
    let mut world = queue(3);
    world.keys("l l l l j");
    let id = world.model.selected().unwrap().row.id;
    assert_eq!(world.model.record.id, Some(id));
    let screen = paper::text(&paper::drawn(&world.model));
    assert!(screen.contains("[Raw]") && screen.contains("a000001"), "{screen}");
    // An answer about the record before comes late.
    let late = world.heard.iter().find(|m| matches!(m, Message::Record { .. })).cloned();
    let raw = world.model.record.details.value.clone().unwrap().raw.clone();
    world.tell(late.unwrap());
    assert_eq!(world.model.record.details.value.clone().unwrap().raw, raw);
}

#[test]
fn moving_during_listing_is_not_reverted() {
    for (keys, ahead) in [("j", 1), ("ctrl-d ".repeat(12).as_str(), 36)] {
        let mut world = queue(59);
        world.append("north/2026-02-20.jsonl", &newer(3));
        world.hold(|e| matches!(e, Effect::List { .. }));
        world.keys("R");
        world.keys(keys);
        let before = at(&world);
        assert!(before.0 >= ahead, "{before:?}");
        // Now the list that was asked for before is made.
        world.hold(|_| false);
        world.release();
        assert_eq!(at(&world), (before.0 + 3, before.1), "after {keys}");
        assert_eq!(world.model.queue.wanted, None);
    }
}

#[test]
fn wanted_item_that_stays_away_clears_selection() {
    let mut world = queue(5);
    world.keys("d j j");
    let before = at(&world);
    world.hold(|e| matches!(e, Effect::Disposition { .. }));
    world.keys("u");
    assert!(world.model.queue.wanted.is_some());
    // The logs are opened meanwhile; the list waits for what is written, and that fails.
    world.append("north/2026-02-20.jsonl", &newer(2));
    world.keys("R");
    assert_eq!(at(&world), before);
    let failed = Problem::new("the disk is full", "make room");
    world.tell(Message::Dispositions { relist: true, result: Err(failed) });
    world.settle();
    assert_eq!(at(&world), (before.0 + 2, before.1));
}

#[test]
fn deferred_items_come_last_immediately_and_after_reopening() {
    let mut world = queue(4);
    world.keys("z");
    assert_eq!(at(&world), (0, Some("a000002".to_owned())));
    let last = ["a000002", "a000001", "a000000", "a000003"];
    assert_eq!(world.commits(), last);
    world.keys("R");
    assert_eq!(world.commits(), last);
    world.keys("u");
    assert_eq!(at(&world), (0, Some("a000003".to_owned())));
}
