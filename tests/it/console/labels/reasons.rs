//! Reasons: a numbered list, by number or by typing to search.

use super::*;

fn draft(world: &World, id: RecordId) -> Option<String> {
    world.model.labels.drafts.get(&id).and_then(|draft| draft.reason.clone())
}

#[test]
fn the_list_has_numbers_and_a_digit_takes_one() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("t tab");
    let text = drawn(&world);
    for line in ["1 wrong_fact ", "9 broken_reference ", "   other "] {
        assert!(text.contains(line), "{line}: {text}");
    }
    world.keys("4");
    assert_eq!(draft(&world, id).as_deref(), Some("wrong_term"));
    assert!(drawn(&world).contains("reason: wrong_term  A term"), "{}", drawn(&world));
    // A digit is text again.
    world.typed("2 of 3");
    world.keys("enter p");
    let given = label(&world, id);
    assert_eq!(
        (given.reason.as_deref(), given.note.as_deref()),
        (Some("wrong_term"), Some("2 of 3"))
    );
}

#[test]
fn reason_menu_searches_code_and_meaning_with_renumbered_results() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("t tab");
    world.typed("judge");
    let text = drawn(&world);
    assert!(text.contains("1 judge_misread ") && !text.contains("wrong_fact"), "{text}");
    world.keys("2");
    assert_eq!(draft(&world, id).as_deref(), Some("judge_too_strict"));
    world.keys("tab");
    world.typed("leads nowhere");
    world.keys("enter");
    assert_eq!(draft(&world, id).as_deref(), Some("broken_reference"));
    world.keys("tab");
    world.typed("no such");
    assert!(drawn(&world).contains("no reason matches"), "{}", drawn(&world));
    world.keys("enter 1 esc esc");
    assert_eq!(draft(&world, id).as_deref(), Some("broken_reference"), "nothing was chosen");
    world.keys("t tab 0");
    assert_eq!(draft(&world, id), None);
}

#[test]
fn the_list_is_whole_or_scrolls_on_every_size() {
    for size in [(80, 24), (40, 12), (30, 6)] {
        let mut setup = Setup { size, ..Setup::default() };
        setup.facts.first_run = false;
        let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
        world.keys("2 t tab");
        for _ in 0..20 {
            assert!(drawn(&world).contains("reason:"), "{size:?} {}", drawn(&world));
            world.keys("down");
        }
        assert!(drawn(&world).contains(" other"), "{size:?} {}", drawn(&world));
        world.keys("enter");
        let id = here(&world);
        assert_eq!(draft(&world, id).as_deref(), Some("other"), "{size:?}");
    }
}
