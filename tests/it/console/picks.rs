//! Picks of memories in the console: labelled blind, and whether their judge is worth being on.

use super::logs;
use super::paper;
use super::world::{NOW, Setup, World};
use crate::picks::{pick, prompt};
use foureyes::domain::review::{Act, EntryId, PickJudge, PickWindow, Relevance, Reviewer};
use foureyes::relevance::Decision;
use foureyes::tui::Effect;
use foureyes::tui::model::{Level, Overlay, PickMode, Question, Screen};
use serde_json::Value;

mod real;

/// Logs of so many picks, each with its prompt: search puts what helps at places 4 and 5, and the judge
/// keeps it.
pub(super) fn logs(picks: usize) -> Vec<(&'static str, String)> {
    let all: Vec<Value> = (0..picks).map(|n| pick(n, &[4, 5], &[4, 5])).collect();
    let prompts: Vec<Value> =
        (0..picks).map(|n| prompt(n, &format!("what to do about {n}"))).collect();
    let pushes = [logs::push("aaaa0001", 18, 1, "NO-GO")];
    vec![
        ("north/2026-02-18.jsonl", logs::lines(&pushes)),
        ("north/picks.jsonl", logs::lines(&all)),
        ("north/prompts.jsonl", logs::lines(&prompts)),
    ]
}

fn setup() -> Setup {
    Setup { stale: "nowhere", size: (120, 40), ..Setup::default() }
}

/// A console that labels picks.
fn labelling(picks: usize) -> World {
    let mut world = World::ready(&setup(), &logs(picks));
    world.keys("4 L L");
    assert_eq!(world.model.shown_picks(), Some(PickMode::Strict));
    world
}

/// Begins the window of the judge that made the picks.
fn begin(world: &World) {
    let window = PickWindow {
        lenient: false,
        judge: PickJudge::new([Some("m"), None, Some("00")]),
        policy: Value::Object(serde_json::Map::new()),
    };
    let by = Reviewer { name: "lead".to_owned(), machine: "desk".to_owned() };
    let mut ledger = world.ledger();
    ledger.append(&by, EntryId([7; 16]), NOW, &Act::PickWindow(window)).unwrap();
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

/// Marks what helps by its title, from the prompt on.
fn mark_helping(world: &mut World) {
    world.keys("g");
    let card = world.model.picks.card.clone().unwrap();
    let before = world.model.picks.marks_of(card.record);
    assert!(before.is_empty(), "{before:?}");
    world.keys("j");
    for candidate in &card.candidates {
        world.keys("j");
        if candidate.title.contains("helps") {
            world.keys("space");
        }
    }
}

/// The labels in the ledger, in its order.
fn relevance(world: &World) -> Vec<Relevance> {
    let ledger = world.ledger();
    let of = |act: &Act| match act {
        Act::Relevance(labels) => Some(labels.clone()),
        _ => None,
    };
    ledger.entries().filter_map(|entry| of(&entry.act)).collect()
}

#[test]
fn picks_follow_the_families_and_the_queue_has_none() {
    let mut world = World::ready(&setup(), &logs(3));
    world.keys("5 L");
    assert!(drawn(&world).contains("Readiness of tasks"), "{}", drawn(&world));
    world.keys("L");
    assert!(drawn(&world).contains("Readiness of picks (strict)"), "{}", drawn(&world));
    world.keys("4");
    assert!(drawn(&world).contains("Calibration of picks (strict) 1 of 3"), "{}", drawn(&world));
    // There are none of searches.
    world.keys("L");
    assert!(drawn(&world).contains("Calibration of pushes"), "{}", drawn(&world));
    world.keys("L 2 L L L");
    assert_eq!(world.model.picks.mode, None);
    // Picks of searches follow those of prompts, and are labelled apart.
    let mut all = logs(2);
    let mut search = pick(7, &[4, 5], &[4, 5]);
    search["mode"] = "lenient".into();
    all.push(("north/searches.jsonl", logs::lines(&[search])));
    all.push(("north/more.jsonl", logs::lines(&[prompt(7, "what was searched for")])));
    let mut world = World::ready(&setup(), &all);
    world.keys("4 L L");
    assert!(drawn(&world).contains("Calibration of picks (strict) 1 of 2"), "{}", drawn(&world));
    world.keys("L");
    let text = drawn(&world);
    assert!(text.contains("picks (lenient) 1 of 1") && text.contains("what was searched for"));
    mark_helping(&mut world);
    world.keys("ctrl-s");
    assert_eq!(relevance(&world).len(), 1);
    // How far the labels are is at the end of the page.
    world.keys("5 G");
    assert!(drawn(&world).contains("Labelled 1, incomplete 0"), "{}", drawn(&world));
    world.keys("L");
    assert!(drawn(&world).contains("Readiness of pushes"), "{}", drawn(&world));
    // Without picks the key turns between the families alone.
    let mut world = World::ready(&setup(), &logs::mixed());
    world.keys("4 L L");
    assert!(drawn(&world).contains("Calibration of pushes"), "{}", drawn(&world));
}

#[test]
fn marked_candidates_help_all_others_do_not_and_the_next_pick_comes_up() {
    let mut world = labelling(3);
    let first = world.model.picks.card.clone().unwrap();
    mark_helping(&mut world);
    assert!(drawn(&world).contains("2 of 6 marked. Prompt: what to do about"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert_eq!(note(&world), "Saved: 2 of 6 candidates help. 2 picks left.");
    let [saved] = &relevance(&world)[..] else { panic!("{:?}", relevance(&world)) };
    assert_eq!((saved.pick, saved.drawn), (first.record, true));
    let sorted = |paths: &[String]| {
        let mut paths = paths.to_vec();
        paths.sort();
        paths
    };
    assert_eq!(sorted(&saved.relevant), ["m4.md", "m5.md"]);
    assert_eq!(sorted(&saved.not_relevant), ["m1.md", "m2.md", "m3.md", "m6.md"]);
    let card = world.model.picks.card.clone().unwrap();
    assert_ne!(card.record, first.record);
    assert!(drawn(&world).contains("1 of 2"), "{}", drawn(&world));
}

#[test]
fn nothing_of_the_judge_or_of_search_is_shown_while_picks_are_labelled() {
    let mut world = labelling(2);
    let card = world.model.picks.card.clone().unwrap();
    let places: Vec<usize> = card.candidates.iter().map(|one| one.place).collect();
    assert_ne!(places, (0..6).collect::<Vec<_>>(), "the order is that of search");
    let mut texts = vec![drawn(&world)];
    mark_helping(&mut world);
    for key in ["enter", "l", "b", "X", "ctrl-s"] {
        world.keys(key);
        texts.push(drawn(&world));
    }
    for text in texts {
        let hidden = ["kept", "judge chose", "rank", "better", "precision", "m4.md"];
        assert!(hidden.iter().all(|word| !text.contains(word)), "{text}");
    }
}

#[test]
fn none_helps_only_after_a_further_key() {
    let mut world = labelling(2);
    world.keys("ctrl-s");
    assert!(matches!(
        world.model.overlay,
        Some(Overlay::Confirm(Question::NoneHelps { candidates: 6, .. }))
    ));
    assert!(drawn(&world).contains("Does none of 6 candidates help?"), "{}", drawn(&world));
    world.keys("esc");
    assert!(relevance(&world).is_empty());
    world.keys("ctrl-s ctrl-s");
    let [saved] = &relevance(&world)[..] else { panic!("{:?}", relevance(&world)) };
    assert_eq!((saved.relevant.len(), saved.not_relevant.len()), (0, 6));
    assert_eq!(note(&world), "Saved: none of 6 candidates helps. 1 pick left.");
}

#[test]
fn skipped_pick_goes_to_the_end_and_keeps_its_marks() {
    let mut world = labelling(3);
    let record = |world: &World| world.model.picks.card.as_ref().unwrap().record;
    let first = record(&world);
    world.keys("j j space z");
    let second = record(&world);
    assert_ne!(second, first);
    world.keys("n n");
    assert_eq!(record(&world), first);
    assert_eq!(world.model.picks.marks_of(first).len(), 1);
    world.keys("z");
    assert_eq!(record(&world), second, "the last one gives way to the first");
    world.keys("N");
    assert_eq!(record(&world), second, "there is none before the first");
    assert!(relevance(&world).is_empty());
}

#[test]
fn undo_brings_the_pick_back_with_its_marks_also_in_a_later_run() {
    let mut world = labelling(3);
    let first = world.model.picks.card.clone().unwrap();
    mark_helping(&mut world);
    world.keys("ctrl-s u");
    assert_eq!(note(&world), "undone: 1 label");
    assert_eq!(world.model.picks.card.as_ref().unwrap().record, first.record);
    assert_eq!(world.model.picks.marks_of(first.record).len(), 2);
    assert!(world.ledger().present(NOW).relevance.is_empty());
    world.keys("ctrl-r");
    assert_eq!(world.ledger().present(NOW).relevance.len(), 1);
    let mut world = world.again();
    world.keys("4 L L");
    assert!(drawn(&world).contains("1 of 2"), "{}", drawn(&world));
    world.keys("u");
    assert_eq!(world.model.picks.card.as_ref().unwrap().record, first.record);
    assert!(drawn(&world).contains("of 3"), "{}", drawn(&world));
}

#[test]
fn readiness_follows_the_labels_and_leads_to_what_is_left() {
    let world = labelling(50);
    begin(&world);
    let mut world = world.again();
    world.keys("4 L L 5");
    let document = |world: &World| {
        let report = world.model.picks.result.value.clone().unwrap();
        report.strict.document.clone()
    };
    assert_eq!(document(&world).result, Decision::NotEnoughEvidence);
    assert!(drawn(&world).contains("? NOT ENOUGH EVIDENCE"), "{}", drawn(&world));
    assert!(drawn(&world).contains("50 picks wait for your label"), "{}", drawn(&world));
    world.keys("g j enter");
    assert_eq!(world.model.screen, Screen::Calibration);
    for _ in 0..49 {
        mark_helping(&mut world);
        world.keys("ctrl-s");
    }
    world.keys("5");
    assert_eq!(document(&world).result, Decision::Ready);
    let texts = [drawn(&world), {
        world.keys("G");
        drawn(&world)
    }];
    for part in [
        "✔ READY",
        "window 1 of this judge, begun 2026-02-20: 50 calls of m, 2026-02-01 to 2026-02-20",
        "Nothing is missing.",
        "49 picks; at least 30",
        "+100.0 points against search",
        "nothing kept though a memory helps: 0.0 % (0 of 49), 0.0 to 7.3 %; below 75 %",
        "more good than harm: 100.0 % (49 of 49)",
        "better than search: 100.0 % (49 of 49), 92.7 to 100.0 %; above 50 %, ties left out",
        "49 prompts with a choice; above 70 %",
        "0.0 % (0 of 50), 0.0 to 7.1 %; below 10 %",
        "wealth 53; met at 25",
        "median 0.90 s",
        "search alone",
        "Picks 50: judge 50",
        "Labelled 49, incomplete 0",
        "1 pick waits",
    ] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part}: {texts:?}");
    }
    // The overview has the same, and leads here.
    world.keys("1");
    let text = drawn(&world);
    let line = "✔ memories: READY; judge better for 49, worse for 0, of 49 labelled picks; precision 100.0 %";
    assert!(text.contains(line), "{text}");
    let to = (0..20).find(|_| {
        world.keys("j");
        foureyes::tui::screen::overview::is_of_picks(&world.model)
    });
    assert!(to.is_some());
    world.keys("L enter");
    assert_eq!(world.model.shown_picks(), Some(PickMode::Strict));
    assert_eq!(world.model.screen, Screen::Readiness);
}

#[test]
fn picks_without_a_prompt_are_counted_and_not_shown() {
    let mut all = logs(3);
    all[2].1 = logs::lines(&[prompt(1, "the only one")]);
    let mut world = World::ready(&setup(), &all);
    world.keys("4 L L");
    let text = drawn(&world);
    assert!(text.contains("1 of 1, 2 more without a prompt"), "{text}");
    mark_helping(&mut world);
    world.keys("ctrl-s");
    let text = drawn(&world);
    assert!(text.contains("No pick is left to label.") && text.contains("2 picks have no prompt"));
    world.keys("space ctrl-s z n enter");
    assert_eq!(relevance(&world).len(), 1);
    let none: Vec<_> = all.into_iter().take(2).collect();
    let mut world = World::ready(&setup(), &none);
    world.keys("4 L L");
    assert!(drawn(&world).contains("Labelled 0, incomplete 0"), "{}", drawn(&world));
}

#[test]
fn label_that_cannot_be_written_did_not_happen() {
    let setup = Setup { locked: true, ..setup() };
    let mut world = World::ready(&setup, &logs(2));
    world.keys("4 L L");
    let record = world.model.picks.card.clone().unwrap().record;
    mark_helping(&mut world);
    world.keys("ctrl-s");
    let failed = world.model.notices.all().any(|notice| notice.level > Level::Note);
    assert!(failed, "{}", drawn(&world));
    assert_eq!(world.model.picks.card.as_ref().unwrap().record, record);
    assert_eq!(world.model.picks.marks_of(record).len(), 2);
    assert_eq!((world.model.picks.queue.len(), world.model.history.writing), (2, 0));
    assert!(relevance(&world).is_empty());
    world.keys("esc u");
    assert_eq!(note(&world), "there is nothing to undo");
}

#[test]
fn who_only_reads_or_has_no_name_saves_nothing() {
    let mut world = labelling(2).again_read_only();
    world.keys("4 L L j j space ctrl-s");
    assert_eq!(note(&world), "`save-pick` is refused: this session is read-only");
    assert!(!drawn(&world).contains("ctrl-s"), "{}", drawn(&world));
    let mut setup = setup();
    setup.facts.labelling.reviewer = None;
    let mut world = World::ready(&setup, &logs(2));
    world.keys("4 L L j j space ctrl-s");
    assert_eq!(note(&world), "your name is unknown, so labels cannot be saved");
    assert!(!world.effects.iter().any(|effect| matches!(effect, Effect::Review { .. })));
}

#[test]
fn keys_of_verdicts_say_why_they_do_nothing_for_picks() {
    let mut world = labelling(2);
    let before = world.effects.len();
    let keys = ["a", "p", "s", "f", "t", "v", "d", "b", "enter", "A", "B", "W", "D", "E", "w"];
    for key in keys {
        world.keys(key);
        assert!(!note(&world).is_empty() && world.model.overlay.is_none(), "{key}");
    }
    assert_eq!((world.effects.len(), world.model.screen), (before, Screen::Calibration));
    world.keys("g space");
    assert_eq!(note(&world), "move to a candidate first");
    world.keys("?");
    let text = drawn(&world);
    let first = text.lines().nth(4).unwrap_or_default();
    assert!(first == "label" && text.contains("save-pick"), "{text}");
}
