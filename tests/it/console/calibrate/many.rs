//! A million items that wait for a label.

use super::super::logs::push as one_record;
use super::*;
use foureyes::domain::Record;
use foureyes::store::cache::Row;
use foureyes::tui::message::Listing;
use foureyes::tui::model::{QueueState, ShownRecord};
use foureyes::tui::update;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MANY: u32 = 1_000_000;

/// So long a key may take, on a slow machine and without optimisation.
const KEY: Duration = Duration::from_millis(50);

fn id(n: u32) -> RecordId {
    RecordId::from_words([u64::from(n) + 1; 4])
}

fn shown(n: u32) -> Arc<ShownRecord> {
    let record = one_record("c0ffee", 19, 1, "NO-GO");
    let json = serde_json::json!({
        "id": id(n).to_string(), "box": "north", "timestamp": "2026-02-19T09:00:00Z",
        "family": "push", "outcome": "no_go", "verdict": "NO-GO", "commit": record["commit"],
        "task_id": null, "author": null, "model": null, "files": ["a.md"], "scores": {},
        "findings": "x", "cause": null, "origins": []
    });
    let row: Record = serde_json::from_value(json).unwrap();
    Arc::new(ShownRecord::listed(&row))
}

fn row(n: u32) -> Row {
    Row { ts: i64::from(n), segment: 0, row: n }
}

/// What would be told of the queue.
fn listing() -> Listing {
    Listing {
        hidden: 0,
        rows: Arc::new((0..MANY).map(row).collect()),
        whole: MANY as usize,
        beyond: 0,
        at: None,
        near: (0..200).map(|n| (row(n), shown(n))).collect(),
        later: 0,
        marks: BTreeMap::new(),
        state: Some(Arc::new(QueueState { window: Some(date(17)), ..QueueState::default() })),
    }
}

#[test]
fn a_million_items_do_not_make_a_key_slower() {
    let world = World::ready(&setup(), &logs());
    begin(&world, 1.0);
    let mut world = world.again();
    world.keys("2");
    resize(&mut world, (80, 24));
    world.hold(|_| true);
    // The list is asked for, and made elsewhere.
    world.model.queue.serial += 1;
    world.tell(Message::Clock(NOW));
    let asked = world.effects.iter().rev().find_map(|effect| match effect {
        Effect::List { edition, list, generation, .. } => Some((*edition, *list, *generation)),
        _ => None,
    });
    let (edition, list, generation) = asked.unwrap();
    world.tell(Message::Listed { list, edition, generation, result: Ok(listing()) });
    assert_eq!(world.model.queue.len(), MANY as usize);
    let mut took = Vec::new();
    for key in ["p", "a", "s", "j", "k", "p", "G", "g", "a"] {
        let begun = Instant::now();
        let _ = update(&mut world.model, Message::Input(Input::Key(key.parse().unwrap())));
        let _ = paper::drawn(&world.model);
        took.push(begun.elapsed());
    }
    assert_eq!(world.model.queue.len(), MANY as usize - 5);
    // Most of them label; one that met a busy machine says nothing.
    took.sort_unstable();
    assert!(took[took.len() / 2] < KEY, "{took:?}");
}

#[test]
fn label_asks_for_its_entry_and_next_record_alone() {
    let mut world = calibrating(1.0);
    world.settle();
    let rows = |effects: &[Effect]| {
        let asked =
            |effect: &Effect| if let Effect::Rows { rows, .. } = effect { rows.len() } else { 0 };
        effects.iter().map(asked).sum::<usize>()
    };
    for _ in 0..2 {
        let before = world.effects.len();
        for _ in 0..8 {
            world.keys("p");
            world.settle();
        }
        let asked = &world.effects[before..];
        let reviews = asked.iter().filter(|effect| matches!(effect, Effect::Review { .. })).count();
        assert_eq!(reviews, 8, "{asked:?}");
        // The state line follows each label: the answer alone is made anew, without its details.
        let answers = asked.iter().filter(|e| matches!(e, Effect::Assess { .. })).count();
        assert!(answers <= 8, "{asked:?}");
        let is_small = |effect: &Effect| match effect {
            Effect::Assess { details, .. } => !details,
            Effect::Record { history, .. } => !history,
            effect => matches!(
                effect,
                Effect::Review { .. } | Effect::Rows { .. } | Effect::Content { .. }
            ),
        };
        assert!(asked.iter().all(is_small), "{asked:?}");
        assert!(rows(asked) <= 8 * 3, "{asked:?}");
    }
}
