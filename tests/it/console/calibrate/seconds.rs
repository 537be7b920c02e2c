//! Second words: double labels in the calibration queue, and the queue of the second look.

use super::*;
use foureyes::domain::review::{ContentHash, Requested, Shown};

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
    assert!(text.contains("Second look 1 of 2") && text.contains("blind"), "{text}");
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

/// A label that was typed blind where the content was shown.
fn typed(id: RecordId, word: Word, requested: Option<Requested>) -> Label {
    let shown = Some(Shown::Content(ContentHash([1; 32])));
    Label { shown, requested, blind: true, ..Label::new(id, word) }
}

/// The console over logs of which some reviewers typed labels, all of it drawn: whose, on which day, and
/// which word of how many records, asked for or not.
fn typed_by(labels: &[(&str, i64, Word, Option<Requested>)], count: usize) -> World {
    let mut world = World::ready(&setup(), &logs());
    let all: Vec<RecordId> =
        ids(&mut world).iter().filter(|(c, _)| !c.starts_with("01")).map(|(_, id)| *id).collect();
    begin(&world, 1.0);
    for (who, day, word, requested) in labels {
        let of = |(at, id): (usize, &RecordId)| match at < count {
            true => Some(typed(*id, *word, *requested)),
            // The rest is acceptable, once.
            false => requested.is_none().then(|| typed(*id, Word::Acceptable, None)),
        };
        let labels = all.iter().enumerate().filter_map(of).collect();
        say(&world, who, date(*day), &Act::Labels { labels, import: None });
    }
    let mut world = world.again();
    world.keys("2");
    world
}

fn confirmations(world: &World) -> Vec<RecordId> {
    let asked = world.model.calibrate.requested.iter();
    asked.filter(|(_, why)| **why == Requested::Confirm).map(|(id, _)| *id).collect()
}

#[test]
fn end_of_queue_names_second_labels_that_others_give() {
    // All labelled today by anna, who is alone: nothing is due to her before tomorrow.
    let mut world = typed_by(&[("anna", 20, Word::Poor, None)], 3);
    assert_eq!(world.model.queue.len(), 0);
    resize(&mut world, (80, 24));
    let text = drawn(&world);
    // It is narrow, so its sentences may have several lines.
    let list = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(list.contains("second labels wait for another reviewer or a later day"), "{text}");
    let waiting = world.model.calibrate.state.as_ref().map(|state| state.later_seconds);
    assert!(waiting > Some(3), "{waiting:?}");
}

#[test]
fn records_called_poor_wait_for_other_reviewer_unmarked() {
    let mut world = typed_by(&[("bert", 19, Word::Poor, None)], 6);
    let confirm = confirmations(&world);
    assert_eq!(confirm.len(), 6);
    assert!(world.model.queue.len() > confirm.len(), "double labels and partners are among them");
    assert_eq!(world.model.blind_left(), world.model.queue.len(), "all of them count as due");
    let order: Vec<bool> = (0..world.model.queue.len())
        .map(|_| {
            let id = here(&world);
            world.keys("j");
            confirm.contains(&id)
        })
        .collect();
    assert!(!order.is_sorted() && !order.iter().rev().is_sorted(), "{order:?}");
    world.keys("g");
    while !confirm.contains(&here(&world)) {
        world.keys("j");
    }
    let id = here(&world);
    world.keys("a");
    let [label] = &own(&world, id)[..] else { panic!("one label") };
    assert_eq!((label.requested, label.blind), (Some(Requested::Confirm), true));
    // The two differ: a third word is bert's or anna's on another day, and nobody's now.
    let review = present(&world).reviews().get(id).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Unsure), true));
    let mut again = world.again();
    again.keys("2");
    assert!(!again.model.calibrate.requested.contains_key(&id));
}

#[test]
fn lone_reviewer_confirms_on_later_days_and_no_word_replaces_another() {
    let world = typed_by(&[("anna", 18, Word::Poor, None)], 3);
    assert_eq!(confirmations(&world).len(), 3, "from the next day on");
    let confirm = Some(Requested::Confirm);
    let labels = [("anna", 18, Word::Poor, None), ("anna", 19, Word::Acceptable, confirm)];
    let mut world = typed_by(&labels, 3);
    let thirds = confirmations(&world);
    assert_eq!(thirds.len(), 3, "a third word on the day after");
    while !thirds.contains(&here(&world)) {
        world.keys("j");
    }
    let id = here(&world);
    assert!(world.model.is_repeat(id));
    world.keys("a");
    let labels = own(&world, id);
    let words: Vec<Word> = labels.iter().map(|label| label.label).collect();
    assert_eq!(words, [Word::Poor, Word::Acceptable, Word::Acceptable]);
    assert_eq!((labels[2].requested, labels[2].blind), (confirm, true));
    assert!(!world.model.is_repeat(id), "it is given");
    let review = present(&world).reviews().get(id).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Acceptable), false));
}
