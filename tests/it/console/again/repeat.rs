//! An earlier run as a frozen set: its items judged again, and compared with what it said.

use super::*;
use foureyes::domain::Outcome;
use foureyes::domain::review::{PromptSource, PromptUsed};
use foureyes::tui::model::{BlindMode, Overlay};

/// All three records judged by a judge that says GO; then what is pressed.
fn judged(keys: &str) -> World {
    let mut world = list(&Judge::by(good));
    world.keys("space space space r ctrl-s");
    world.keys(keys);
    world
}

/// Says GO in the first three answers and NO-GO in those after.
fn turning() -> Judge {
    let judge = Judge::by(good);
    let asked = Arc::clone(&judge.asked);
    let make = move |_| {
        let asked = Arc::clone(&asked);
        let model = move |_: &Ask| match asked.fetch_add(1, Ordering::SeqCst) {
            0..3 => verdict([4, 4, 5], "Good."),
            _ => verdict([2, 4, 5], "Poor."),
        };
        Ok::<_, Problem>(Provider::Scripted(Scripted::by(model).listing(["judge-a", "judge-b"])))
    };
    let asker = JudgeEndpoint {
        description: "a judge that turns".to_owned(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    };
    Judge { asker, ..judge }
}

#[test]
fn run_is_repeated_item_by_item_and_compared() {
    let judge = turning();
    let mut world = list(&judge);
    world.keys("space space space r ctrl-s");
    world.keys("r");
    let form = drawn(&world);
    for part in
        ["Repeat a run", "the run of 2026-02-20 12:34: fastest, our prompt", "same question"]
    {
        assert!(form.contains(part), "{part}: {form}");
    }
    assert_eq!(judge.asked(), 3, "the form asks nobody");
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 6);
    let all = runs(&world);
    let [first, again] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((first.begun.what.repeats, again.begun.what.repeats), (None, Some(first.id())));
    assert_eq!(first.begun.what.items, again.begun.what.items);
    assert_eq!(first.begun.what.prompt, again.begun.what.prompt);
    let screen = drawn(&world);
    for part in [
        &format!("compared with run {}", &first.id().to_string()[..12]),
        "3 of 3 items compared: 0 stayed NO-GO, 0 stayed GO, 3 went from GO to NO-GO",
        "same judge and question",
        "too few to tell: 3 differ, 3 to NO-GO and 0 to GO (McNemar, mid-p 0.1250)",
        "compared with the records",
        "too few to tell: 0 of 3 differ",
        "✖ NO-GO  → ✔ GO     → ✖ NO-GO",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    world.keys("esc");
    let listed = format!("repeats run {}", &first.id().to_string()[..12]);
    assert!(drawn(&world).contains(&listed), "{}", drawn(&world));
    // The same from the disk, in a console that judged nothing.
    let mut later = world.again();
    later.keys("6 enter");
    assert!(drawn(&later).contains("3 went from GO to NO-GO"), "{}", drawn(&later));
    later.keys("enter");
    assert!(drawn(&later).contains("OTHERWISE than now"), "{}", drawn(&later));
}

#[test]
fn different_judge_is_named_as_possible_cause() {
    let mut world = judged("esc r down ctrl-u");
    world.typed("judge-b");
    assert!(drawn(&world).contains("asked now: another model"), "{}", drawn(&world));
    world.keys("ctrl-s");
    let again = runs(&world).pop().unwrap();
    assert_eq!((again.begun.what.model.as_str(), again.evaluations.len()), ("judge-b", 3));
    assert!(drawn(&world).contains("another model: differences are noise"), "{}", drawn(&world));
}

#[test]
fn unavailable_item_keeps_its_place_with_reason() {
    let judge = Judge::by(good);
    let world = {
        let mut world = list(&judge);
        world.keys("space space space r ctrl-s");
        world
    };
    let items = runs(&world)[0].begun.what.items.clone();
    // The logs lose the record of the item in the middle.
    let log = world.log("north/2026-02-19.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let gone = items[1].commit.clone().unwrap();
    let kept: String =
        text.lines().filter(|line| !line.contains(&gone)).map(|line| format!("{line}\n")).collect();
    std::fs::write(&log, kept).unwrap();
    let mut world = world.again();
    world.keys("6 r");
    let form = drawn(&world);
    assert!(form.contains("2 contents, 1 cannot be judged"), "{form}");
    assert!(form.contains("NOT judged: its record is not among the open logs"), "{form}");
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 5);
    let again = runs(&world).pop().unwrap();
    assert_eq!(again.begun.what.items, items);
    assert_eq!(again.left(1), Some("its record is not among the open logs"));
    let places: Vec<u32> = again.evaluations.iter().map(|said| said.what.item).collect();
    assert!(places.contains(&0) && places.contains(&2) && places.len() == 2, "{places:?}");
    for said in &again.evaluations {
        let commit = said.what.evaluation["commit"].as_str();
        assert_eq!(commit, items[said.what.item as usize].commit.as_deref());
    }
    let screen = drawn(&world);
    for part in ["2 of 3 items compared", "not compared: 1 not judged now", "2 of 3 judged"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
}

#[test]
fn a_file_of_a_run_is_not_kept_and_is_not_judged_again() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("F");
    world.typed(REPOSITORY.path().join("research/note1.md").to_str().unwrap());
    world.keys("enter ctrl-s r ctrl-s");
    assert_eq!((judge.asked(), runs(&world).len()), (1, 1));
    assert!(drawn(&world).contains("its content was not saved"), "{}", drawn(&world));
}

#[test]
fn changed_prompt_is_reported_as_different_question() {
    let judge = Judge::by(good);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("prompt.md");
    let write = |more: &str| {
        std::fs::write(&path, format!("{more}\n{{{{rubric}}}}\n{{{{answer}}}}\n{{{{content}}}}\n"))
    };
    write("Mind the tides.").unwrap();
    let mut setup = setup(&judge);
    setup.config.judge.prompt = Some(path.clone());
    let mut world = with(&setup);
    // With the program's own prompt: the second one in the form.
    world.keys("r right ctrl-s r");
    let Some(Overlay::Judge(form)) = &world.model.overlay else { panic!("{}", drawn(&world)) };
    assert_eq!((form.prompt, form.chosen().unwrap().used.source), (1, PromptSource::Ours));
    world.keys("left ctrl-s");
    assert!(drawn(&world).contains("another question: differences are noise"), "{}", drawn(&world));
    write("Mind the moon.").unwrap();
    world.keys("r");
    assert!(drawn(&world).contains("asked now: another question"), "{}", drawn(&world));
    let Some(Overlay::Judge(form)) = &world.model.overlay else { panic!("{}", drawn(&world)) };
    assert_eq!(form.prompt, 0, "the file of that name");
    let then = &runs(&world).pop().unwrap().begun.what.prompt;
    let PromptUsed { source, name, sha } = form.chosen().unwrap().used;
    assert_eq!((source, &name), (then.source, &then.name));
    assert_ne!(sha, then.sha);
}

#[test]
fn hidden_items_are_neither_repeated_nor_compared() {
    let mut world = judged("r ctrl-s 3 b");
    assert_eq!(world.model.labels.sight, BlindMode::Blind);
    world.keys("6");
    let screen = drawn(&world);
    assert!(!screen.contains("compared") && !screen.contains("differ"), "{screen}");
    world.keys("r");
    assert!(world.model.overlay.is_none());
    assert!(note(&world).contains("a verdict of that run is hidden"), "{}", note(&world));
}

#[test]
fn without_a_run_or_in_a_run_that_only_reads_nothing_is_repeated() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("6 r");
    assert_eq!((note(&world).as_str(), judge.asked()), ("no run is selected here", 0));
    let mut reader = judged("").again_read_only();
    reader.keys("6 r");
    assert!(reader.model.overlay.is_none());
    assert!(note(&reader).contains("read-only"), "{}", note(&reader));
}

#[test]
fn while_a_run_is_on_nothing_is_read_from_the_half_of_it() {
    let never = |_: &Ask| Answer { delay_ms: 3_600_000, ..Answer::default() };
    let mut world = list(&Judge::by(never));
    world.keys("space space space r");
    world.press("ctrl-s".parse().unwrap());
    world.until("the run", |model| model.runs.is_on());
    let screen = drawn(&world);
    assert!(!screen.contains("compared") && !screen.contains("r judge again"), "{screen}");
}

#[test]
fn single_run_states_how_many_verdicts_changed() {
    let world = judged("");
    let screen = drawn(&world);
    let was: Vec<_> = runs(&world)[0].begun.what.items.iter().map(|item| item.was).collect();
    assert_eq!(was, [Some(Outcome::NoGo); 3]);
    for part in [
        "compared with the records",
        "3 of 3 items compared: 0 stayed NO-GO, 0 stayed GO, 0 went from GO to NO-GO, 3 from",
        "3 of 3 differ: 100.0 %",
        "flagged 3 of 3 before, 0 of 3 now: -100.0 points",
        "too few to tell: 3 differ, 0 to NO-GO and 3 to GO",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
}
