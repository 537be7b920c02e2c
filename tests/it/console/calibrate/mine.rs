//! The queue "mine": what of the calibration queue is assigned to the reviewer.

use super::*;
use foureyes::domain::review::{Assignment, Requested};

/// Assigns records to somebody, as the lead.
fn assign(world: &World, to: &str, day: i64, records: &[RecordId], second: &[RecordId]) {
    let (records, second) = (records.to_vec(), second.to_vec());
    let until = date(day);
    let act = Act::Assignment(Assignment { reviewer: to.to_owned(), until, records, second });
    say(world, "lead", date(19), &act);
}

#[test]
fn queue_mine_is_blind_and_holds_what_waits_for_the_reviewer() {
    let mut world = calibrating(1.0);
    let all: Vec<RecordId> =
        ids(&mut world).iter().filter(|(c, _)| !c.starts_with("01")).map(|(_, id)| *id).collect();
    assign(&world, "anna", 28, &all[..3], &all[3..5]);
    assign(&world, "bert", 28, &all[3..8], &[]);
    assign(&world, "anna", 20, &all[9..12], &[]);
    // Bert was first on a record of both, and cleo labelled one that is anna's alone.
    say(&world, "bert", date(20), &Act::Label(Label::new(all[3], Word::Poor)));
    say(&world, "cleo", date(20), &Act::Label(Label::new(all[0], Word::Poor)));
    let mut world = world.again();
    world.keys("Q");
    assert_eq!(kind(&world), QueueKind::Calibration);
    resize(&mut world, (120, 40));
    let text = drawn(&world);
    assert!(text.contains("filter assigned:m") && !text.contains("NO-GO"), "{text}");
    assert_eq!(world.model.queue.len(), 4, "{text}");
    let mut seen = BTreeSet::new();
    for _ in 0..4 {
        let text = drawn(&world);
        assert!(!text.contains("bert") && !text.contains("cleo"), "{text}");
        let id = here(&world);
        seen.insert(id);
        world.keys("a");
        let own = given(&world, id).into_iter().find(|(who, _)| who == "anna").unwrap().1;
        assert!(own.blind, "{id}");
        // The second of two is a double label: where they differ, nobody's counts alone.
        let double = (id == all[3]).then_some(Requested::Double);
        assert_eq!(own.requested, double, "{id}");
    }
    assert_eq!(seen, [1, 2, 3, 4].map(|at| all[at]).into());
    assert_eq!(world.model.queue.len(), 0, "{}", drawn(&world));
    let review = present(&world).reviews().get(all[3]).cloned().unwrap();
    assert!(review.conflict, "bert and anna differ");
    // What is undone waits again.
    world.keys("u");
    assert_eq!(world.model.queue.len(), 1, "{}", drawn(&world));
    world.keys("esc");
    assert!(world.model.queue.len() > 10, "the whole queue again");
}
