//! Labelling: given by a key, saved before it is said, undone by a further entry.

use super::logs::{self, flagged};
use super::paper;
use super::world::{NOW, Setup, World};
use foureyes::domain::RecordId;
use foureyes::domain::review::{Act, Label, Present, Word};
use foureyes::tui::model::{BlindMode, Level, Overlay};
use foureyes::tui::{Effect, Message};
use std::path::PathBuf;

mod blind;
mod notes;
mod range;
mod reasons;
mod refused;
mod restart;
mod scores;

/// The queue over flagged records, the newest first: `a000004` … `a000000`.
fn queue(count: u32) -> World {
    let setup = Setup { size: (120, 30), ..Setup::default() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(count))]);
    world.keys("2");
    world
}

/// All records of every kind.
fn records() -> World {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    world.keys("3");
    world
}

/// What the ledger on the disk says.
fn present(world: &World) -> Present {
    world.ledger().present(NOW)
}

/// The words of anna in the ledger, by record.
fn words(world: &World) -> Vec<(RecordId, Word)> {
    let present = present(world);
    let own = |id: &RecordId| Some((*id, present.word_of(*id, "anna")?.label.label));
    present.labels.keys().filter_map(own).collect()
}

/// The id of the selected record.
fn here(world: &World) -> RecordId {
    world.model.selected().unwrap().row.id
}

/// What a record is called on the screen: its first file, without directories.
fn name(world: &World, id: RecordId) -> String {
    let edition = world.model.loaded.as_ref().unwrap().edition;
    let (_, shown) = world.model.rows.read(edition).find(|(_, s)| s.row.id == id).unwrap();
    shown.row.files[0].rsplit('/').next().unwrap().to_owned()
}

/// Anna's label of a record in the ledger.
fn label(world: &World, id: RecordId) -> Label {
    present(world).word_of(id, "anna").unwrap().label.clone()
}

/// What is said beside a reviewer's first label where no window runs.
const FIRST_WITHOUT: &str = " No calibration window is running, so labels count in no rate yet. \
                             `foureyes gate window` starts one in which they do.";
/// What is said of one label that was given where no content was shown.
const UNSEEN: &str = " It does not count: no content was shown.";

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// The file that anna writes to.
fn file(world: &World) -> PathBuf {
    world.data().ledger().join("anna@desk.jsonl")
}

#[test]
fn a_key_labels_the_selected_item_and_the_next_one_moves_up() {
    let mut world = queue(5);
    // That no window runs is said once.
    for (key, word, window) in
        [("p", Word::Poor, FIRST_WITHOUT), ("a", Word::Acceptable, ""), ("s", Word::Unsure, "")]
    {
        let id = here(&world);
        let name = name(&world, id);
        world.keys(key);
        assert_eq!(label(&world, id).label, word);
        assert_ne!(here(&world), id);
        let said = format!("Saved: {} ({name}).{UNSEEN}{window}", word.as_str());
        assert_eq!(note(&world), said);
    }
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    assert_eq!(world.ledger().entries().count(), 3);
    world.keys("R");
    assert_eq!(world.commits(), ["a000001", "a000000"], "the queue knows it anew");
}

#[test]
fn a_label_in_the_record_goes_on_to_the_next_record() {
    let mut world = queue(3);
    world.keys("enter p");
    assert_eq!(world.selected().as_deref(), Some("a000001"));
    assert!(drawn(&world).contains("What was found in a000001"));
}

#[test]
fn label_in_record_list_is_shown_inline_and_advances_cursor() {
    let mut world = records();
    world.keys("/ c o m m i t : d e a d enter");
    let (id, before) = (here(&world), world.model.records.len());
    world.keys("p");
    assert_eq!(world.model.records.len(), before);
    assert_eq!(world.model.records.cursor, 1.min(before - 1));
    world.keys("g");
    assert_eq!(here(&world), id);
    let text = drawn(&world);
    assert!(text.contains("= agree"), "{text}");
    assert!(text.contains("you agree with the judge"), "{text}");
    assert!(world.model.queue.rows.value.is_some());
    world.keys("a");
    world.keys("g");
    assert!(drawn(&world).contains("! differ"), "{}", drawn(&world));
    let given = label(&world, id);
    assert!(given.replaces.is_some(), "another word corrects the one before");
    assert_eq!(present(&world).labels[&id].len(), 1);
}

#[test]
fn saved_is_shown_only_after_ledger_confirms() {
    let mut world = queue(3);
    let id = here(&world);
    world.hold(|e| matches!(e, Effect::Review { .. }));
    world.keys("p");
    assert!(drawn(&world).contains("saving 1"), "{}", drawn(&world));
    assert!(!drawn(&world).contains("saved"));
    assert!(words(&world).is_empty());
    // Whatever is asked for meanwhile, the item does not come back.
    world.keys("R / a enter esc");
    assert_eq!(world.model.queue.len(), 2);
    world.hold(|_| false);
    world.release();
    assert_eq!(words(&world), [(id, Word::Poor)]);
    assert!(drawn(&world).contains("Saved: "), "{}", drawn(&world));
    assert!(!drawn(&world).contains("saving"));
    assert_eq!(world.model.queue.len(), 2);
}

#[test]
fn failed_label_restores_item_with_reason() {
    let mut world = queue(3);
    let id = here(&world);
    std::fs::create_dir_all(file(&world)).unwrap();
    world.keys("p");
    assert_eq!(world.model.queue.len(), 3);
    let notice = world.model.notices.current().unwrap().clone();
    assert_eq!(notice.level, Level::Error);
    assert!(notice.text.contains("failed to save"), "{notice:?}");
    assert!(notice.next.contains("nothing was saved"), "{notice:?}");
    world.keys("j");
    assert_eq!(world.model.notices.current().unwrap().text, notice.text, "it stays");
    world.keys("u");
    assert_eq!(note(&world), "there is nothing to undo");
    std::fs::remove_dir(file(&world)).unwrap();
    world.keys("g p");
    assert_eq!(words(&world), [(id, Word::Poor)]);
    assert_eq!(world.model.queue.len(), 2);
}

#[test]
fn marked_records_that_are_not_saved_are_marked_again() {
    let mut world = queue(4);
    std::fs::create_dir_all(file(&world)).unwrap();
    world.keys("space space p");
    assert_eq!(world.model.queue.len(), 4);
    assert_eq!(world.model.queue.marks.len(), 2);
    std::fs::remove_dir(file(&world)).unwrap();
    world.keys("p");
    assert_eq!(words(&world).len(), 2);
    let unseen = " 2 of 2 do not count: no content was shown.";
    assert_eq!(note(&world), format!("Saved: 2 labels, poor.{unseen}{FIRST_WITHOUT}"));
    assert_eq!(world.ledger().entries().count(), 1, "all of them or none");
    assert!(world.model.queue.marks.is_empty());
}

#[test]
fn many_at_once_are_labelled_after_asking_by_another_key() {
    let mut world = queue(30);
    world.keys("v G v a");
    assert!(matches!(world.model.overlay, Some(Overlay::Confirm { .. })));
    assert!(drawn(&world).contains("30 records acceptable?"), "{}", drawn(&world));
    world.keys("a enter y");
    assert!(words(&world).is_empty());
    world.keys("esc");
    assert_eq!((world.model.overlay.is_none(), words(&world).len()), (true, 0));
    assert_eq!(world.model.queue.marks.len(), 30);
    world.keys("a ctrl-s");
    assert_eq!(words(&world).len(), 30);
    assert_eq!(world.model.queue.len(), 0);
    world.keys("u");
    assert_eq!((words(&world).len(), world.model.queue.len()), (0, 30));
}

#[test]
fn undo_reverts_last_action_of_any_kind() {
    let mut world = queue(5);
    let ids: Vec<RecordId> = ["p", "d", "a"]
        .map(|key| {
            let id = here(&world);
            world.keys(key);
            id
        })
        .into();
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    world.keys("u");
    assert_eq!(note(&world), "undone: 1 label");
    assert_eq!(here(&world), ids[2]);
    world.keys("u");
    assert_eq!(here(&world), ids[1]);
    assert_eq!(words(&world).len(), 1);
    world.keys("u");
    assert_eq!(here(&world), ids[0]);
    assert_eq!((words(&world).len(), world.model.queue.len()), (0, 5));
    world.keys("ctrl-r ctrl-r ctrl-r");
    assert_eq!(note(&world), "redone: 1 label");
    assert_eq!(words(&world).len(), 2);
    assert_eq!(world.commits(), ["a000001", "a000000"]);
    world.keys("ctrl-r");
    assert_eq!(note(&world), "there is nothing to redo");
    assert_eq!(world.ledger().entries().count(), 6, "only ever added to");
}

#[test]
fn failed_undo_has_no_effect() {
    let mut world = queue(3);
    let id = here(&world);
    world.keys("p");
    let bytes = std::fs::read(file(&world)).unwrap();
    std::fs::remove_file(file(&world)).unwrap();
    std::fs::create_dir_all(file(&world)).unwrap();
    world.keys("u");
    assert_eq!(world.model.notices.current().unwrap().level, Level::Error);
    std::fs::remove_dir(file(&world)).unwrap();
    std::fs::write(file(&world), bytes).unwrap();
    world.keys("esc u");
    assert_eq!(here(&world), id);
    assert!(words(&world).is_empty());
}

#[test]
fn time_spent_counts_from_first_view_up_to_an_hour() {
    let mut world = queue(4);
    let [first, second] = [0, 1].map(|line| {
        let row = world.model.queue.row(line).unwrap();
        world.model.rows.get(world.model.queue.edition, row).unwrap().row.id
    });
    let later =
        |seconds: i64| Message::Clock(foureyes::domain::Timestamp(NOW.0 + seconds * 1_000_000));
    world.tell(later(42));
    world.keys("p");
    assert_eq!(label(&world, first).seconds, Some(42));
    world.tell(later(2 * 3600));
    world.keys("p");
    assert_eq!(label(&world, second).seconds, Some(3600));
    world.keys("space space a");
    let bulk =
        present(&world).labels.values().flatten().filter(|g| g.label.seconds.is_none()).count();
    assert_eq!(bulk, 2, "of several at once nobody knows");
}

#[test]
fn a_filter_by_labels_is_looked_through_again_after_each() {
    let mut world = records();
    world.keys("/ l a b e l : n o n e enter");
    let before = world.model.records.len();
    let id = here(&world);
    world.keys("p");
    assert_eq!(world.model.records.len(), before - 1);
    assert_ne!(here(&world), id);
    assert_eq!(world.model.records.cursor, 0);
}

#[test]
fn labels_of_others_are_shown_only_beside_own() {
    let mut world = queue(2);
    let id = here(&world);
    let cleo =
        foureyes::domain::review::Reviewer { name: "Cleo".to_owned(), machine: "m".to_owned() };
    let act = Act::Label(Label { note: Some("her note".to_owned()), ..Label::new(id, Word::Poor) });
    let entry = foureyes::domain::review::EntryId([3; 16]);
    world.ledger().append(&cleo, entry, NOW, &act).unwrap();
    world.keys("R");
    let text = drawn(&world);
    assert!(text.contains("1 label by other reviewers, shown once yours is saved"), "{text}");
    assert!(
        !text.contains("Cleo") && !text.contains("her note") && !text.contains("poor,"),
        "{text}"
    );
    assert_eq!(world.model.queue.len(), 2, "it is still mine to label");
    world.keys("a 3 g j");
    world.keys("/ a 0 0 0 0 0 1 enter");
    assert_eq!(here(&world), id);
    let text = drawn(&world);
    assert!(text.contains("Cleo") && text.contains("her note"), "{text}");
}

#[test]
fn wrong_means_poor_on_go_and_acceptable_on_no_go_only() {
    for (commit, word) in
        [("c0ffee10", Some(Word::Poor)), ("dead0002", Some(Word::Acceptable)), ("feed0003", None)]
    {
        let mut world = records();
        world.keys("/");
        world.typed(&format!("commit:{commit}"));
        world.keys("enter");
        let id = here(&world);
        world.keys("f");
        let said = words(&world);
        assert_eq!(said, word.map(|word| (id, word)).into_iter().collect::<Vec<_>>(), "{commit}");
        if word.is_none() {
            assert!(note(&world).starts_with("only a GO or NO-GO"), "{}", note(&world));
        }
    }
}
