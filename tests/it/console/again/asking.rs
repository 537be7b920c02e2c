//! From a key to an evaluation in the ledger, and to nothing else.

use super::*;
use foureyes::domain::review::PromptSource;
use foureyes::jsonl::{Settings, read_one};
use foureyes::tui::model::{RunsPlace, Screen};

#[test]
fn a_record_is_judged_again_and_the_answer_is_in_the_ledger_alone() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    let before = std::fs::read(world.log("north/2026-02-19.jsonl")).unwrap();
    let record = world.model.selected().unwrap().row.clone();
    world.keys("r ctrl-s");
    assert_eq!(judge.asked(), 1);
    assert_eq!(world.model.screen, Screen::Runs);
    let all = evaluations(&world);
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(one.record, Some(record.id));
    assert_eq!(one.prompt.source, PromptSource::Ours);
    assert_eq!(one.prompt.sha.len(), 64);
    // The reader of logs reads it, as it stands in the ledger.
    let raw = serde_json::to_vec(&one.evaluation).unwrap();
    let read = read_one(&raw, &Settings::default()).unwrap();
    assert_eq!(read.verdict.as_deref(), Some("GO"));
    assert_eq!((read.commit, read.files), (record.commit, record.files));
    assert_eq!(read.served_model.as_deref(), Some("judge-a-1"));
    assert_eq!(read.usage.unwrap().prompt_tokens, Some(1200));
    let runs = runs(&world);
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].ended.as_ref().unwrap().what.left, []);
    assert_eq!(std::fs::read(world.log("north/2026-02-19.jsonl")).unwrap(), before);
    assert!(note(&world).contains("1 re-judged, 1 verdict changed"), "{}", note(&world));
}

#[test]
fn marked_records_are_one_run_of_as_many_questions() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("space space space r");
    assert!(drawn(&world).contains("3 requests, 3 files"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 3);
    let runs = runs(&world);
    assert_eq!((runs.len(), runs[0].evaluations.len()), (1, 3));
    let mut commits: Vec<_> =
        runs[0].begun.what.items.iter().map(|item| item.commit.clone().unwrap()).collect();
    commits.sort();
    let mut wanted = REPOSITORY.commits.clone();
    wanted.sort();
    assert_eq!(commits, wanted);
}

#[test]
fn question_contains_content_of_the_commit() {
    let judge = Judge::by(|ask| {
        let whole: String = ask.messages.iter().map(|m| m.text.as_str()).collect();
        let seen = whole.contains("# Note 1") && !whole.contains("# Note 3");
        verdict([if seen { 5 } else { 1 }, 5, 5], "x")
    });
    let mut world = list(&judge);
    world.keys("G r ctrl-s");
    assert_eq!(evaluations(&world)[0].evaluation["verdict"], "GO");
}

#[test]
fn rejudging_changes_no_rate_or_evidence() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("a p 5");
    let assessed = |world: &World| world.model.assess().result.value.clone().unwrap();
    let before = assessed(&world);
    let queue = world.model.queue.len();
    world.keys("3 g r ctrl-s 5");
    assert_eq!(evaluations(&world).len(), 1);
    // Another console, which reads all of it anew.
    let mut again = world.again();
    again.keys("5");
    let after = assessed(&again);
    assert_eq!(before.readiness, after.readiness);
    assert_eq!(before.inputs, after.inputs);
    assert!(!before.readiness.evidence.is_empty());
    assert_eq!(again.model.queue.len(), queue);
    assert_eq!(again.model.loaded.as_ref().unwrap().records, 3);
}

#[test]
fn undo_never_reaches_an_evaluation() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("p G r ctrl-s 3 u");
    let present = world.ledger().present(super::super::world::NOW);
    assert!(present.labels.is_empty(), "the label before it is what was taken back");
    assert_eq!(present.runs[0].evaluations.len(), 1);
}

#[test]
fn a_file_of_this_machine_is_judged_by_its_path() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    let path = REPOSITORY.path().join("research/note2.md");
    world.keys("F");
    world.typed(path.to_str().unwrap());
    assert_eq!(judge.asked(), 0);
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 0, "it is read first");
    world.keys("enter");
    assert!(drawn(&world).contains("note2.md"), "{}", drawn(&world));
    world.keys("ctrl-s");
    let all = evaluations(&world);
    assert_eq!((judge.asked(), all[0].record), (1, None));
    assert_eq!(all[0].evaluation["files_evaluated"], serde_json::json!(["note2.md"]));
    assert!(all[0].evaluation.get("commit").is_none());
    world.keys("enter");
    assert!(drawn(&world).contains("no record to compare with"), "{}", drawn(&world));
}

#[test]
fn missing_path_is_reported_without_asking() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    for (path, said) in [("/nowhere/x.md", "No such file"), ("/", "it is not a file")] {
        world.keys("F");
        world.typed(path);
        world.keys("enter ctrl-s");
        assert!(drawn(&world).contains(said), "{}", drawn(&world));
        world.keys("esc");
    }
    assert_eq!(judge.asked(), 0);
    assert_eq!(world.ledger().entries().count(), 0);
}

#[test]
fn earlier_run_is_shown_in_next_session() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("r ctrl-s");
    let mut again = world.again();
    again.keys("6");
    let screen = drawn(&again);
    assert!(screen.contains("1 judged") && screen.contains("1 verdict changed"), "{screen}");
    assert!(screen.contains("1,280 tokens") && screen.contains("cost not known"), "{screen}");
    again.keys("enter enter");
    assert!(matches!(again.model.runs.place, RunsPlace::Item(_, 0)));
    assert!(drawn(&again).contains("its figures hold"), "{}", drawn(&again));
    again.keys("esc esc");
    assert_eq!(again.model.runs.place, RunsPlace::List);
}

#[test]
fn file_run_has_no_comparison_and_no_key_ends_without_run() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("F");
    world.typed(REPOSITORY.path().join("research/note1.md").to_str().unwrap());
    assert!(drawn(&world).contains("enter read the file"), "{}", drawn(&world));
    world.keys("enter ctrl-s");
    let screen = drawn(&world);
    assert!(screen.contains("1 judged; nothing to compare with"), "{screen}");
    assert!(!screen.contains("end at once"), "ctrl-c would leave the console: {screen}");
}

#[test]
fn a_reason_on_the_line_of_an_item_runs_into_nothing() {
    let judge = Judge::by(good);
    for (size, whole) in [((120, 40), true), ((80, 24), false)] {
        let mut world = with(&Setup { size, ..setup(&judge) });
        world.keys("r ctrl-s");
        let live = world.model.runs.live.as_mut().unwrap();
        live.items[0] =
            foureyes::tui::model::ItemState::Skipped("cut off while it was asked about".into());
        live.run.evaluations.clear();
        let screen = drawn(&world);
        let line = screen.lines().find(|line| line.contains("cut off")).unwrap();
        assert_eq!(line.contains("cut off while it was asked about "), whole, "{line}");
        assert!(line.contains(&format!(" {} ", &REPOSITORY.commits[2][..8])), "{line}");
    }
}
