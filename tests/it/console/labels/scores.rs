//! Scores of one's own: typed beside the note, given with a label.

use super::*;
use foureyes::domain::review::GivenScores;

fn scores(semantic: Option<u8>, pragmatic: Option<u8>, syntactic: Option<u8>) -> GivenScores {
    GivenScores { semantic, pragmatic, syntactic }
}

#[test]
fn scores_are_typed_below_the_note_and_go_with_the_label() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("t");
    world.typed("dated");
    world.keys("down");
    let screen = drawn(&world);
    assert!(screen.contains("scores S,P,X:"), "{screen}");
    assert!(screen.contains("1 to 5 each, - for none"), "{screen}");
    world.typed("4, -,2");
    world.keys("up");
    assert!(drawn(&world).contains("note: dated"), "{}", drawn(&world));
    world.keys("tab enter enter");
    assert_eq!(note(&world), "Kept: reason wrong_fact, note, scores. Your label is saved with it.");
    assert!(drawn(&world).contains("dated wrong_fact 4,-,2"), "{}", drawn(&world));
    world.keys("p");
    let given = label(&world, id);
    assert_eq!(given.scores, Some(scores(Some(4), None, Some(2))));
    assert_eq!(
        (given.note.as_deref(), given.reason.as_deref()),
        (Some("dated"), Some("wrong_fact"))
    );
    let said = format!("with reason wrong_fact, note and scores).{UNSEEN}{FIRST_WITHOUT}");
    assert!(note(&world).ends_with(&said), "{}", note(&world));
    world.keys("3 g");
    while here(&world) != id {
        world.keys("j");
    }
    world.keys("enter");
    let screen = drawn(&world);
    assert!(screen.contains("semantic 4, pragmatic -, syntactic 2"), "{screen}");
}

#[test]
fn invalid_score_is_rejected_with_range_and_input_kept() {
    let mut world = queue(3);
    let id = here(&world);
    for (typed, wanted) in [
        ("6,1,1", "\"6\" is not a valid score (1 to 5, or - for none)"),
        ("4,2", "three scores are needed, such as 4,2,-"),
        ("0,1,1", "\"0\" is not a valid score"),
        ("3.5,1,1", "\"3.5\" is not a valid score"),
    ] {
        world.keys("t down ctrl-u");
        world.typed(typed);
        assert!(drawn(&world).contains(wanted), "{wanted}: {}", drawn(&world));
        world.keys("up enter");
        assert!(note(&world).starts_with("Not saved: "), "{}", note(&world));
        assert!(drawn(&world).contains(&format!("scores S,P,X: {typed}")), "{}", drawn(&world));
        world.keys("esc p");
        assert!(note(&world).contains("nothing was labelled: the scores typed for"), "{typed}");
        assert!(words(&world).is_empty(), "{typed}");
    }
    // Not even a kill loses it; put right, it goes with the label.
    let mut world = world.again();
    world.keys("2 t down");
    assert!(drawn(&world).contains("scores S,P,X: 3.5,1,1"), "{}", drawn(&world));
    world.keys("ctrl-u");
    world.typed("3,1,1");
    world.keys("enter p");
    assert_eq!(label(&world, id).scores, Some(scores(Some(3), Some(1), Some(1))));
}

#[test]
fn scores_are_corrected_and_undo_and_redo_keep_them_over_a_kill() {
    let mut world = records();
    world.keys("/ d e a d enter");
    let id = here(&world);
    world.keys("p g t down");
    world.typed("5,5,5");
    world.keys("enter");
    assert_eq!(label(&world, id).scores, Some(scores(Some(5), Some(5), Some(5))));
    world.keys("t down ctrl-u");
    world.typed("1,-,-");
    world.keys("enter");
    assert_eq!(label(&world, id).scores, Some(scores(Some(1), None, None)));
    assert_eq!(present(&world).labels[&id].len(), 1, "one word, corrected");
    world.keys("u");
    assert_eq!(label(&world, id).scores, Some(scores(Some(5), Some(5), Some(5))));
    let mut world = world.again();
    world.keys("3 ctrl-r");
    assert_eq!(label(&world, id).scores, Some(scores(Some(1), None, None)));
    // Another word corrects the word alone.
    world.keys("/ ctrl-u d e a d enter a");
    let given = label(&world, id);
    assert_eq!((given.label, given.scores), (Word::Acceptable, Some(scores(Some(1), None, None))));
    // A dash for each is no score; what the label says already is nothing new.
    let entries = world.ledger().entries().count();
    world.keys("g t down ctrl-u");
    world.typed("1, -, -");
    world.keys("enter");
    assert_eq!(world.ledger().entries().count(), entries);
    world.keys("t down ctrl-u");
    world.typed("-,-,-");
    world.keys("enter");
    assert_eq!(label(&world, id).scores, None);
}
