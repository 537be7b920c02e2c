//! Second words: double labels in the calibration queue, and the queue of the second look.

use super::*;
use foureyes::domain::review::Requested;

/// The console over logs of which bert labelled everything that the days hold, all of it drawn.
fn labelled_by_bert(word: impl Fn(usize) -> Word) -> (World, Vec<RecordId>) {
    let mut world = World::ready(&setup(), &logs());
    let all: Vec<RecordId> =
        ids(&mut world).iter().filter(|(c, _)| !c.starts_with("01")).map(|(_, id)| *id).collect();
    assert_eq!(all.len(), 36);
    begin(&world, 1.0);
    let labels = all.iter().enumerate().map(|(at, id)| Label::new(*id, word(at))).collect();
    say(&world, "bert", date(19), &Act::Labels { labels, import: None });
    (world.again(), all)
}

fn own(world: &World, id: RecordId) -> Vec<Label> {
    given(world, id).into_iter().filter(|(who, _)| who == "anna").map(|(_, l)| l).collect()
}

#[test]
fn double_label_is_unmarked_blind_and_recorded_as_requested() {
    let (mut world, _) = labelled_by_bert(|_| Word::Poor);
    world.keys("2");
    let asked = world.model.calibrate.requested.clone();
    let drawn_doubles = asked.values().filter(|why| **why == Requested::Double).count();
    assert!(drawn_doubles > 0, "{asked:?}");
    assert_eq!(world.model.queue.len(), asked.len(), "everything has a label");
    resize(&mut world, (120, 40));
    let id = here(&world);
    for key in ["enter", "l", "l", "l", "l", "h h h h"] {
        world.keys(key);
        let text = drawn(&world);
        assert!(!text.contains("bert") && !text.contains("NO-GO"), "{text}");
    }
    world.keys("a");
    let [label] = &own(&world, id)[..] else { panic!("one label") };
    assert_eq!((label.requested, label.blind), (asked.get(&id).copied(), true));
    // A correction of it is still what was asked for.
    world.keys("3 g");
    while here(&world) != id {
        world.keys("j");
    }
    world.keys("p");
    let [label] = &own(&world, id)[..] else { panic!("one label") };
    assert_eq!((label.label, label.requested), (Word::Poor, asked.get(&id).copied()));
}

#[test]
fn unsure_of_other_reviewer_is_settled_in_own_queue() {
    let doubt = |at: usize| if at < 2 { Word::Unsure } else { Word::Acceptable };
    let (mut world, all) = labelled_by_bert(doubt);
    world.keys("U");
    assert_eq!((kind(&world), world.model.queue.len()), (QueueKind::SecondLook, 2));
    resize(&mut world, (80, 24));
    let text = drawn(&world);
    assert!(text.contains("Queue 1/2 second look") && text.contains("blind"), "{text}");
    assert!(!text.contains("NO-GO") && !text.contains("bert"), "{text}");
    let first = here(&world);
    assert!(all[..2].contains(&first));
    world.keys("a");
    let [label] = &own(&world, first)[..] else { panic!("one label") };
    assert_eq!((label.requested, label.blind), (Some(Requested::SecondLook), true));
    let review = present(&world).reviews().get(first).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Acceptable), false));
    assert_eq!(world.model.queue.len(), 1);
    world.keys("s");
    assert_eq!(world.model.queue.len(), 0, "who is unsure as well leaves it to a third");
    assert!(drawn(&world).contains("No records need your"), "{}", drawn(&world));
    world.keys("u");
    assert_eq!(world.model.queue.len(), 1, "taken back it waits again");
    world.keys("d");
    assert!(note(&world).contains("only by a label"), "{}", note(&world));
    world.keys("c");
    assert_eq!(kind(&world), QueueKind::Calibration);
}
