//! Order, columns, split and zoom of lists: chosen, kept, and the same in the next run.

use super::logs;
use super::paper;
use super::world::{Setup, World};
use foureyes::domain::{Column, Sort};
use foureyes::tui::layout;
use foureyes::tui::model::Overlay;
use serde_json::json;

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// Records with latencies, judges and authors of their own; the oldest is the slowest.
fn records() -> Vec<(&'static str, String)> {
    let one = |(at, box_name): (u32, &str)| {
        let mut record = logs::push(&format!("a{at:06}"), 19, at, ["GO", "NO-GO"][at as usize % 2]);
        record["latency_ms"] = json!(9_000 - 1_000 * at);
        record["author"] = json!(["claw", "anna", "jonas"][at as usize % 3]);
        if at == 2 {
            record.as_object_mut().unwrap().remove("latency_ms");
        }
        (box_name.to_owned(), record)
    };
    let all: Vec<_> = [(0, "west"), (1, "east"), (2, "west"), (3, "east")].map(one).into();
    let of = |name: &str| {
        let here = all.iter().filter(|(box_name, _)| box_name == name).map(|(_, r)| r.clone());
        logs::lines(&here.collect::<Vec<_>>())
    };
    vec![("west/2026-02-19.jsonl", of("west")), ("east/2026-02-19.jsonl", of("east"))]
}

fn console() -> World {
    let mut world = World::ready(&Setup::default(), &records());
    world.keys("3");
    world
}

/// The order by a column, and reversed: the last digits of the commits.
fn order(world: &mut World, column: Column) -> [String; 2] {
    world.keys("S 0");
    let number = Column::ALL.iter().position(|one| *one == column).unwrap() + 1;
    world.keys(&number.to_string());
    // The list that is opened anew is in the order of the age.
    if column == Column::Age {
        world.keys("esc");
    } else {
        world.keys("enter esc");
    }
    let digits = |world: &World| {
        world.commits().iter().map(|commit| commit.chars().last().unwrap()).collect::<String>()
    };
    let forth = digits(world);
    world.keys(&format!("S {number} enter esc"));
    [forth, digits(world)]
}

#[test]
fn each_column_sorts_and_reverses_and_what_has_no_value_stays_last() {
    let mut world = console();
    for (column, forth, back) in [
        (Column::Age, "3210", "0123"),
        (Column::Latency, "0132", "3102"),
        (Column::Path, "0123", "3210"),
        (Column::Box, "3120", "2031"),
        (Column::Author, "1302", "2301"),
        (Column::Finding, "0123", "3210"),
        (Column::State, "3120", "2031"),
        (Column::Scores, "3120", "2031"),
        (Column::Model, "3210", "3210"),
    ] {
        assert_eq!(order(&mut world, column), [forth, back], "{column:?}");
    }
}

#[test]
fn dialog_shows_hides_and_restores_columns() {
    let mut world = console();
    world.keys("S");
    let text = drawn(&world);
    assert!(text.contains("Sort and columns") && text.contains("9 age ✔▾"), "{text}");
    assert!(text.contains("enter sort, again reverse"), "{text}");
    world.keys("8 space enter 1 space");
    let text = drawn(&world);
    assert!(text.contains("8 latency ✔▾") && text.contains("the file is always shown"), "{text}");
    world.keys("6 space esc");
    let heads = |world: &World| paper::lines(&paper::drawn(&world.model))[3].clone();
    assert!(
        heads(&world).contains(" latency ▾") && !heads(&world).contains("author"),
        "{}",
        heads(&world)
    );
    assert_eq!(world.model.records.sort, Sort::by(Column::Latency));
    world.keys("S 0 esc");
    assert!(
        heads(&world).contains("author") && !heads(&world).contains("latency"),
        "{}",
        heads(&world)
    );
    // Neither screen without a list has it.
    world.keys("7 S");
    assert!(world.model.overlay.is_none());
    world.keys("1 S");
    assert!(world.model.overlay.is_none());
}

#[test]
fn order_columns_split_and_zoom_are_kept_for_each_list_and_a_view_has_order_and_columns() {
    let mut world = console();
    world.keys("/");
    world.typed("box:west");
    world.keys("enter S 8 space enter esc V");
    world.typed("slow");
    world.keys("enter esc S 0 esc > > 2 = 3");
    assert_eq!(world.model.records.sort, Sort::default());
    world.keys("'");
    assert!(matches!(world.model.overlay, Some(Overlay::Views(_))));
    world.keys("enter");
    assert_eq!(world.model.records.sort, Sort::by(Column::Latency));
    assert!(world.model.records.columns.contains(&Column::Latency));
    let share = world.model.records.arrangement.share;
    assert!(share.is_some_and(|share| share > 40), "{share:?}");
    world.keys("1 q");
    let world = world.again();
    assert_eq!(world.model.records.sort, Sort::by(Column::Latency));
    assert!(world.model.records.columns.contains(&Column::Latency));
    assert_eq!(world.model.records.arrangement.share, share);
    assert!(world.model.queue.arrangement.zoomed && !world.model.records.arrangement.zoomed);
}

#[test]
fn session_of_version_0_2_keeps_the_order_of_its_queue() {
    let mut setup = Setup::default();
    setup.session.order = "severity".to_owned();
    let world = World::ready(&setup, &records());
    assert_eq!(world.model.queue.sort, Sort::by(Column::Scores));
}

#[test]
fn split_moves_within_bounds_and_zoom_gives_all_to_what_has_the_keys() {
    let mut world = console();
    let parts = |world: &World| {
        let split = layout::split(&world.model, layout::areas(&world.model).unwrap().body);
        (split.list.map_or(0, |area| area.height), split.record.map_or(0, |area| area.height))
    };
    let (list, record) = parts(&world);
    assert!(list >= 10 && record > list);
    world.keys(">");
    assert!(parts(&world).0 > list && parts(&world).0 + parts(&world).1 == list + record);
    for _ in 0..40 {
        world.keys("<");
    }
    let least = parts(&world).0;
    assert!((5..list).contains(&least), "{least}");
    for _ in 0..40 {
        world.keys(">");
    }
    assert!(parts(&world).1 >= 5);
    world.keys("=");
    assert_eq!(parts(&world), (list + record, 0));
    world.keys("enter");
    assert_eq!(parts(&world), (0, list + record));
    world.keys("=");
    assert!(parts(&world).0 > 0 && parts(&world).1 > 0);
    // Of what has all of the screen nothing can be given away; where there is no list there is nothing to share.
    world.keys("= >");
    assert!(drawn(&world).contains("not both on the screen"), "{}", drawn(&world));
    world.keys("= 1 =");
    assert!(drawn(&world).contains("= has no action here"), "{}", drawn(&world));
    world.keys("3");
    assert!(parts(&world).0 > 0 && parts(&world).1 > 0);
}
