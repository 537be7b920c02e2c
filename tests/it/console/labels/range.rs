//! A range: it shows while one moves, and a label acts on all of it.

use super::*;

#[test]
fn range_follows_cursor_and_label_applies_to_all() {
    let mut world = queue(6);
    let ids: Vec<String> = world.commits();
    world.keys("j v");
    assert!(drawn(&world).contains(" range of 1 "), "{}", drawn(&world));
    world.keys("j j j");
    let text = drawn(&world);
    assert!(text.contains(" range of 4 "), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains('●')).collect();
    assert_eq!(lines.len(), 4, "{text}");
    world.keys("p");
    let unseen = " 4 of 4 do not count: no content was shown.";
    assert_eq!(note(&world), format!("Saved: 4 labels, poor.{unseen}{FIRST_WITHOUT}"));
    assert_eq!(words(&world).len(), 4);
    assert_eq!(world.commits(), [ids[0].clone(), ids[5].clone()]);
    assert!(!drawn(&world).contains("range of"), "{}", drawn(&world));
    world.keys("u");
    assert_eq!(world.commits(), ids);
}

#[test]
fn escape_leaves_a_range_alone_and_marks_stay() {
    for leave in ["esc", "ctrl-c"] {
        let mut world = queue(6);
        world.keys("space v j j");
        assert!(drawn(&world).contains(" range of 3 (1 marked)"), "{}", drawn(&world));
        world.keys(leave);
        assert!(!drawn(&world).contains("range of"), "{}", drawn(&world));
        assert!(drawn(&world).contains("● 1 marked"), "{}", drawn(&world));
        world.keys("p");
        assert_eq!(words(&world).len(), 1, "the marked one, not those of the range");
    }
}

#[test]
fn a_second_key_turns_a_range_into_marks() {
    let mut world = queue(6);
    world.keys("v j j v j");
    assert_eq!((world.model.queue.marks.len(), world.model.queue.range), (3, None));
    assert!(drawn(&world).contains("● 3 marked"), "{}", drawn(&world));
    world.keys("d");
    assert_eq!(world.model.queue.len(), 3);
}

#[test]
fn range_keeps_its_start_line_after_relisting() {
    let mut world = queue(6);
    let first = world.commits()[0].clone();
    world.keys("j v j R");
    assert!(drawn(&world).contains(" range of 2 "), "{}", drawn(&world));
    world.keys("a");
    assert_eq!(words(&world).len(), 2);
    assert_eq!(world.commits()[0], first);
}
