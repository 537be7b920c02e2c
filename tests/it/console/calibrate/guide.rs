//! What to label by: the rubric and the guideline, one key away beside the item.

use super::*;
use foureyes::tui::model::Overlay;

/// The queue with a guideline of the team, in a terminal of this size.
fn guided(text: Option<&[u8]>, size: (u16, u16)) -> (World, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("guideline.md");
    let mut setup = setup();
    if let Some(text) = text {
        std::fs::write(&path, text).unwrap();
    }
    setup.config.reviewer.guideline = Some(path);
    let world = World::ready(&setup, &logs());
    begin(&world, 1.0);
    let mut world = world.again();
    world.keys("2");
    resize(&mut world, size);
    (world, dir)
}

#[test]
fn rubric_is_shown_beside_item_during_labelling() {
    let (mut world, _dir) = guided(Some(b"# Ours\n\nPoor is what misleads."), (160, 60));
    world.keys("i");
    let text = drawn(&world);
    for said in
        ["[Rubric] Guideline", "NO-GO is the right verdict", "Facts are right", "GO if every"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let id = here(&world);
    world.keys("p");
    assert_eq!(given(&world, id)[0].1.label, Word::Poor);
    assert!(given(&world, id)[0].1.blind, "the words of the rubric tell nothing");
    world.keys("tab");
    let text = drawn(&world);
    assert!(
        text.contains("[Guideline] Rubric") && text.contains("Poor is what misleads."),
        "{text}"
    );
    world.keys("i");
    assert!(world.model.overlay.is_none());
}

#[test]
fn full_screen_rubric_prevents_labelling_and_scrolls() {
    for size in [(80, 24), (40, 12), (30, 6)] {
        let long: String = (0..200).map(|n| format!("line {n} of ours\n")).collect();
        let (mut world, _dir) = guided(Some(long.as_bytes()), size);
        world.keys("i p a s d");
        assert!(matches!(world.model.overlay, Some(Overlay::Guide { .. })));
        assert_eq!(present(&world).labels.len(), 0);
        world.keys("tab G");
        assert!(drawn(&world).contains("line 199 of ours"), "{size:?} {}", drawn(&world));
        world.keys("g");
        assert!(drawn(&world).contains("guideline.md") || size.0 < 80, "{}", drawn(&world));
        world.keys("esc");
        assert!(world.model.overlay.is_none());
    }
}

#[test]
fn hostile_guideline_is_escaped_and_missing_one_has_hint() {
    let hostile: String = crate::hostile::SIGNALS.iter().map(|(text, _)| *text).collect();
    let (mut world, _dir) = guided(Some(hostile.as_bytes()), (120, 60));
    world.keys("i tab");
    paper::harmless(&paper::drawn(&world.model), "the guideline");
    let (mut world, _dir) = guided(None, (120, 60));
    world.keys("i tab");
    let text = drawn(&world);
    assert!(text.contains("failed to read the guideline"), "{text}");
    assert!(text.contains("correct `guideline`"), "{text}");
}
