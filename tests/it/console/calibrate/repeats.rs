//! What comes back to be labelled again.

use super::*;
use foureyes::assess::{Ask, Evaluations, report_loaded};
use foureyes::domain::JudgementKind;
use foureyes::domain::review::{PromptSource, PromptUsed, RunBegun, RunItem};
use foureyes::tui::model::BlindMode;

/// The console with 80 old labels of anna, all of them `poor` with a note, and one of bert on each;
/// and which of them come back.
fn with_repeats() -> (World, Vec<RecordId>) {
    let mut world = World::ready(&setup(), &logs());
    let old: Vec<RecordId> =
        ids(&mut world).iter().filter(|(c, _)| c.starts_with("01")).map(|(_, id)| *id).collect();
    assert_eq!(old.len(), 80);
    let label = |id: &RecordId| {
        let note = Some("an earlier thought".to_owned());
        Label { note, blind: true, ..Label::new(*id, Word::Poor) }
    };
    let labels = old.iter().map(label).collect();
    say(&world, "anna", date(3), &Act::Labels { labels, import: None });
    let labels = old.iter().map(|id| Label::new(*id, Word::Acceptable)).collect();
    say(&world, "bert", date(4), &Act::Labels { labels, import: None });
    begin(&world, 1.0);
    let mut world = world.again();
    world.keys("2");
    let back: Vec<RecordId> = world.model.calibrate.repeats.iter().copied().collect();
    (world, back)
}

/// Goes to a record of the queue.
#[track_caller]
fn go_to(world: &mut World, id: RecordId) {
    world.keys("g");
    for _ in 0..world.model.queue.len() {
        if here(world) == id {
            return;
        }
        world.keys("j");
    }
    panic!("it is not in the queue");
}

#[track_caller]
fn tells_nothing(world: &World) {
    // The day that closes next is that of no item.
    let text: String = drawn(world).lines().filter(|line| !line.contains(" closes in ")).collect();
    for said in ["poor]", "earlier thought", "you    ", "2026-02", "02-01", "NO-GO", "bert"] {
        assert!(!text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn repeat_is_unmarked_and_hides_earlier_label() {
    let (mut world, back) = with_repeats();
    assert!((1..20).contains(&back.len()), "{}", back.len());
    assert_eq!(world.model.queue.len(), 36 + back.len());
    resize(&mut world, (120, 40));
    for id in back {
        go_to(&mut world, id);
        for key in ["enter", "l", "l", "l", "l", "h h h h", "esc", "t", "esc"] {
            world.keys(key);
            tells_nothing(&world);
        }
        let place = world.model.queue.cursor;
        assert!(place < world.model.queue.len());
    }
    let (open, lines) = (world.model.queue.len(), drawn(&world));
    assert!(lines.contains(&format!(" of {open} · ")), "{lines}");
}

#[test]
fn repeat_label_counts_for_self_agreement() {
    let (mut world, back) = with_repeats();
    let id = back[0];
    go_to(&mut world, id);
    world.keys("a");
    assert!(note(&world).contains("Judge: NO-GO - you disagree."), "{}", note(&world));
    let own = |world: &World| -> Vec<Label> {
        given(world, id).into_iter().filter(|(who, _)| who == "anna").map(|(_, l)| l).collect()
    };
    let [first, second] = &own(&world)[..] else { panic!("two labels: {:?}", own(&world)) };
    assert_eq!((first.label, second.label), (Word::Poor, Word::Acceptable));
    assert_eq!((second.replaces, second.blind), (None, true));
    assert!(second.seconds.is_some() && second.note.is_none(), "nothing is taken over");
    assert!(selves(&world).iter().any(|(who, items)| who == "anna" && *items == 1));
    // What is corrected from here on is the repeat.
    world.keys("3 /");
    world.typed(&format!("id:{}", id.short()));
    world.keys("enter p");
    let [first, second] = &own(&world)[..] else { panic!("two labels: {:?}", own(&world)) };
    assert_eq!((first.label, second.label), (Word::Poor, Word::Poor));
    assert!(second.replaces.is_some());
}

/// Of each reviewer how many records were labelled twice.
fn selves(world: &World) -> Vec<(String, u64)> {
    let data = world.data();
    let (logs, mut none) = ([world.log("")], std::io::empty());
    let collected = foureyes::collect::given(&data, &logs, NOW, &mut none).unwrap();
    let settings = foureyes::jsonl::Settings::default();
    let archive = collected.open(&settings, &|_| {}).unwrap();
    let all = Evaluations::load(&archive, JudgementKind::Push, &|| false).unwrap().unwrap();
    let missing = [];
    let ask = Ask::new(JudgementKind::Push, NOW, NOW, &missing);
    let report = report_loaded(&all, &present(world), &ask);
    report.readiness.agreement.selves.iter().map(|p| (p.first.clone(), p.items)).collect()
}

#[test]
fn undone_repeat_keeps_first_label_and_is_hidden_again() {
    let (mut world, back) = with_repeats();
    let id = back[0];
    go_to(&mut world, id);
    world.keys("a");
    world.keys("u");
    assert_eq!(here(&world), id, "it is back in the queue");
    tells_nothing(&world);
    let own: Vec<Word> =
        given(&world, id).into_iter().filter(|(w, _)| w == "anna").map(|(_, l)| l.label).collect();
    assert_eq!(own, [Word::Poor]);
    assert!(selves(&world).is_empty());
    let mut world = world.again();
    world.keys("2");
    world.keys("ctrl-r");
    assert_eq!(given(&world, id).len(), 3, "brought back after a restart: bert, anna, anna again");
    assert!(!world.commits().is_empty() && !world.model.is_repeat(id));
}

#[test]
fn repeat_counts_for_any_label_place_and_hides_others_until_then() {
    let (mut world, back) = with_repeats();
    let id = back[0];
    resize(&mut world, (120, 40));
    world.keys("3 /");
    world.typed(&format!("id:{}", id.short()));
    world.keys("enter enter");
    let text = drawn(&world);
    assert!(!text.contains("earlier thought") && !text.contains("bert"), "{text}");
    assert!(text.contains("1 label by other reviewers, shown once yours is saved"), "{text}");
    world.keys("s");
    let text = drawn(&world);
    assert!(text.contains("bert"), "{text}");
    let own = given(&world, id).into_iter().filter(|(who, _)| who == "anna").count();
    assert_eq!(own, 2);
    assert!(!world.model.queue.rows.is_busy());
    assert_eq!(world.model.queue.len(), 36 + back.len() - 1, "it left the queue");
}

#[test]
fn blind_mode_run_does_not_reveal_a_repeat() {
    let (world, back) = with_repeats();
    let prompt = PromptUsed { source: PromptSource::Ours, name: None, sha: "ab".repeat(32) };
    let was = Some(foureyes::domain::Outcome::NoGo);
    let item = RunItem { record: Some(back[0]), was, commit: None, files: Vec::new() };
    let begun =
        RunBegun { model: "m".to_owned(), prompt, items: vec![item], ..RunBegun::default() };
    say(&world, "anna", date(18), &Act::Run(Box::new(begun)));
    let mut world = world.again();
    // Who hid verdicts before the window began has them hidden still; `b` is about its open days now.
    world.model.labels.sight = BlindMode::Blind;
    world.keys("2 3 6");
    assert!(world.model.is_repeat(back[0]));
    assert!(drawn(&world).contains("changes hidden"), "{}", drawn(&world));
    world.keys("enter");
    assert!(!drawn(&world).contains("NO-GO"), "{}", drawn(&world));
    assert!(drawn(&world).contains("- hidden"), "{}", drawn(&world));
}
