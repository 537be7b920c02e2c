//! A note and a reason: kept while they are typed, given with a label.

use super::*;
use foureyes::tui::session::Session;

fn drafts(world: &World) -> Vec<String> {
    let (session, told) = Session::load(&world.data().session());
    assert_eq!(told, None);
    session.drafts.into_values().map(|draft| draft.note).collect()
}

#[test]
fn a_note_goes_with_the_next_label() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("t");
    world.typed("the table is of 2024");
    world.keys("tab 1");
    assert!(drawn(&world).contains("wrong_fact  A fact is wrong"), "{}", drawn(&world));
    world.keys("enter");
    assert!(words(&world).is_empty(), "a note is not a label");
    assert_eq!(note(&world), "Kept: reason wrong_fact, note. Your label is saved with it.");
    assert!(drawn(&world).contains("the table is of 2024"), "{}", drawn(&world));
    world.keys("p");
    let given = label(&world, id);
    assert_eq!(given.note.as_deref(), Some("the table is of 2024"));
    assert_eq!((given.reason.as_deref(), given.reasons), (Some("wrong_fact"), Some(1)));
    let said = format!(", with reason wrong_fact and note).{UNSEEN}{FIRST_WITHOUT}");
    assert!(note(&world).ends_with(&said), "{}", note(&world));
    assert!(drafts(&world).is_empty(), "what was given is not a draft any more");
}

#[test]
fn a_draft_survives_escape_and_a_kill_and_a_label_that_fails() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("t");
    world.typed("half a th");
    // No key ends the line: the program is killed here.
    let mut world = world.again();
    world.keys("2 t");
    assert!(drawn(&world).contains("note: half a th"), "{}", drawn(&world));
    world.typed("ought");
    world.keys("esc");
    assert!(note(&world).contains("is kept"), "{}", note(&world));
    assert_eq!(drafts(&world), ["half a thought"]);
    std::fs::create_dir_all(file(&world)).unwrap();
    world.keys("p");
    assert_eq!(drafts(&world), ["half a thought"]);
    std::fs::remove_dir(file(&world)).unwrap();
    world.keys("g p");
    assert_eq!(label(&world, id).note.as_deref(), Some("half a thought"));
    assert!(drafts(&world).is_empty());
}

#[test]
fn note_on_labelled_record_is_undoable_correction() {
    let mut world = records();
    world.keys("/ d e a d enter");
    let id = here(&world);
    world.keys("p g");
    let first = present(&world).word_of(id, "anna").unwrap().entry;
    world.keys("t");
    world.typed("why");
    world.keys("enter");
    let given = label(&world, id);
    assert_eq!((given.label, given.note.as_deref()), (Word::Poor, Some("why")));
    assert_eq!(given.replaces, Some(first));
    assert_eq!(present(&world).labels[&id].len(), 1, "one word, corrected");
    world.keys("t enter");
    assert_eq!(world.ledger().entries().count(), 2, "the same again is nothing new");
    world.keys("u");
    assert_eq!(label(&world, id).note, None);
    assert!(drafts(&world).is_empty());
}

#[test]
fn hostile_text_is_kept_to_the_letter_and_drawn_harmlessly() {
    let mut world = queue(2);
    let id = here(&world);
    world.keys("t");
    for (text, _) in crate::hostile::SIGNALS {
        world.paste(text);
        paper::harmless(&paper::drawn(&world.model), text);
    }
    let Some(Overlay::Prompt(prompt)) = &world.model.overlay else { panic!() };
    let typed = prompt.input.value().trim().to_owned();
    world.keys("enter p");
    paper::harmless(&paper::drawn(&world.model), "saved");
    assert_eq!(label(&world, id).note, Some(typed));
    world.keys("3 g");
    paper::harmless(&paper::drawn(&world.model), "shown");
}
