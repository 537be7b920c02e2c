//! What reviewers differ on, and how it is settled.

use super::*;
use crate::console::assess::unfold;

/// The console with one record on which bert and cleo differ, one on which bert and anna do, and
/// one on which all agree; and the first two.
fn differing() -> (World, [RecordId; 2]) {
    let mut world = World::ready(&setup(), &logs());
    let all: Vec<RecordId> = ids(&mut world).values().copied().collect();
    let [others, ours, agreed] = [all[0], all[1], all[2]];
    let give = |who: &str, id, word| {
        say(&world, who, date(18), &Act::Label(Label::new(id, word)));
    };
    give("bert", others, Word::Poor);
    give("cleo", others, Word::Acceptable);
    give("bert", ours, Word::Poor);
    give("anna", ours, Word::Acceptable);
    give("bert", agreed, Word::Poor);
    give("cleo", agreed, Word::Poor);
    let mut world = world.again();
    world.keys("C");
    (world, [others, ours])
}

#[track_caller]
fn go_to(world: &mut World, id: RecordId) {
    world.keys("g");
    if here(world) != id {
        world.keys("j");
    }
    assert_eq!(here(world), id);
}

#[test]
fn conflict_queue_lists_disagreements() {
    let (mut world, both) = differing();
    assert_eq!(kind(&world), QueueKind::Conflicts);
    let held: BTreeSet<RecordId> = (0..2)
        .map(|_| {
            let id = here(&world);
            world.keys("j");
            id
        })
        .collect();
    assert_eq!((held, world.model.queue.len()), (both.into_iter().collect(), 2));
    resize(&mut world, (80, 24));
    assert!(drawn(&world).contains("Conflicts 2 of 2"), "{}", drawn(&world));
}

#[test]
fn own_label_reveals_others_and_further_label_adjudicates() {
    let (mut world, [_, ours]) = differing();
    go_to(&mut world, ours);
    resize(&mut world, (120, 40));
    world.keys("enter");
    assert!(drawn(&world).contains("bert"), "{}", drawn(&world));
    // It counts, as the content was read once more.
    world.keys("l p");
    let said = note(&world);
    assert!(said.contains("). The conflict is resolved."), "{said}");
    let labels = given(&world, ours);
    let (who, last) = labels.last().unwrap();
    assert_eq!((who.as_str(), last.label, last.adjudicates), ("anna", Word::Poor, true));
    assert_eq!(last.replaces, None, "that they differed stays on record");
    assert_eq!(labels.len(), 3);
    let review = present(&world).reviews().get(ours).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Poor), false));
    assert_eq!(world.model.queue.len(), 1);
    world.keys("R");
    assert_eq!(world.model.queue.len(), 1);
    world.keys("u");
    assert_eq!(world.model.queue.len(), 2, "taken back they differ again");
    assert!(present(&world).reviews().get(ours).unwrap().conflict);
}

#[test]
fn reviewer_without_label_gives_own_before_seeing_others() {
    let (mut world, [others, _]) = differing();
    go_to(&mut world, others);
    resize(&mut world, (120, 40));
    // It counts, as the content was read.
    world.keys("enter l h");
    let before = drawn(&world);
    assert!(!before.contains("bert") && !before.contains("cleo"), "{before}");
    assert!(before.contains("2 labels by other reviewers, shown once yours is saved"), "{before}");
    world.keys("a");
    assert!(note(&world).contains("The other labels are shown now"), "{}", note(&world));
    assert_eq!((here(&world), world.model.queue.len()), (others, 2), "it stays");
    let after = drawn(&world);
    assert!(after.contains("bert") && after.contains("cleo"), "{after}");
    assert!(present(&world).reviews().get(others).unwrap().conflict);
    world.keys("p");
    let labels = given(&world, others);
    let own: Vec<(Word, bool)> = labels
        .iter()
        .filter(|(who, _)| who == "anna")
        .map(|(_, label)| (label.label, label.adjudicates))
        .collect();
    assert_eq!(own, [(Word::Acceptable, false), (Word::Poor, true)]);
    assert_eq!(world.model.queue.len(), 1);
    let review = present(&world).reviews().get(others).cloned().unwrap();
    assert_eq!((review.label, review.conflict), (Some(Word::Poor), false));
}

#[test]
fn seen_and_later_do_not_settle_conflicts() {
    let (mut world, _) = differing();
    for key in ["d", "z", "S"] {
        world.keys(key);
        assert_eq!(world.model.queue.len(), 2);
        let why = note(&world);
        assert!(why.contains("another label") || why.contains("newest first"), "{why}");
    }
    world.keys("/");
    world.typed("box:south");
    world.keys("enter");
    assert_eq!((world.model.queue.len(), world.model.queue.whole), (0, 2));
    let world = World::ready(&setup(), &logs());
    let mut world = world.again();
    world.keys("C");
    assert!(drawn(&world).contains("Reviewers disagree on no records."), "{}", drawn(&world));
}

#[test]
fn the_rows_of_both_pages_lead_there() {
    for screen in ["4", "5"] {
        let mut world = World::ready(&setup(), &logs());
        let id = ids(&mut world)["17000000aa"];
        begin(&world, 1.0);
        for (who, word) in [("bert", Word::Poor), ("cleo", Word::Acceptable)] {
            say(&world, who, date(18), &Act::Label(Label::new(id, word)));
        }
        let mut world = world.again();
        world.keys(screen);
        for _ in 0..200 {
            if drawn(&world).contains("Enter opens the conflicts queue") {
                break;
            }
            world.keys("j");
            unfold(&mut world);
        }
        world.keys("enter");
        assert_eq!((kind(&world), world.model.queue.len()), (QueueKind::Conflicts, 1), "{screen}");
        assert_eq!(here(&world), id);
    }
}
