//! The form: it says what would be sent, and sends nothing until it is told to.

use super::*;
use foureyes::engine::cost::{Price, Prices};
use foureyes::engine::four_eyes::{Families, ModelFamily};
use foureyes::tui::Effect;
use foureyes::tui::judging::JudgingEffect;
use foureyes::tui::model::{BlindMode, Overlay};

fn family(name: &str, authors: &[&str], models: &[&str]) -> ModelFamily {
    let texts = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
    ModelFamily { name: name.to_owned(), authors: texts(authors), models: texts(models) }
}

#[test]
fn only_ctrl_s_sends_requests() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("r enter enter enter left right down up tab r s a enter");
    assert!(matches!(world.model.overlay, Some(Overlay::Judge(_))));
    world.paste("ctrl-s\n\u{13}");
    assert_eq!(judge.asked(), 0);
    world.keys("esc");
    assert_eq!((note(&world).as_str(), judge.asked()), ("nothing was asked", 0));
    assert_eq!(world.ledger().entries().count(), 0);
}

#[test]
fn form_shows_sizes_prices_and_four_eyes_before_asking() {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    let price = Price { model: "fast*".to_owned(), prompt: 1.0, completion: 2.0 };
    setup.config.prices = Prices(vec![price]);
    setup.config.judge.spend_cap = Some(0.5);
    setup.config.families =
        Families(vec![family("claw", &["OpenClaw*"], &[]), family("fast", &[], &["fast*"])]);
    let mut world = with(&setup);
    world.keys("r");
    let screen = drawn(&world);
    for wanted in [
        "the judge of a test",
        "1 request, 1 file, 23 bytes",
        "with long answers",
        "never more than 0.50",
        "author OpenClaw Agent",
        "ours, ",
    ] {
        assert!(screen.contains(wanted), "{wanted}: {screen}");
    }
    world.keys("down x");
    assert!(drawn(&world).contains("with long answers"), "{}", drawn(&world));
    world.keys("backspace ctrl-u o t h e r");
    let screen = drawn(&world);
    assert!(screen.contains("no price is configured"), "{screen}");
    assert!(screen.contains("cannot send: the model other has no price"), "{screen}");
    world.keys("ctrl-s");
    assert!((judge.asked(), world.ledger().entries().count()) == (0, 0), "{}", drawn(&world));
}

#[test]
fn spend_cap_below_one_call_is_reported_before_run() {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    let price = Price { model: "*".to_owned(), prompt: 0.0, completion: 100.0 };
    setup.config.prices = Prices(vec![price]);
    setup.config.judge.max_tokens = Some(1000);
    setup.config.judge.spend_cap = Some(0.0);
    let mut world = with(&setup);
    world.keys("r");
    let screen = drawn(&world);
    assert!(screen.contains("cannot send: a question may cost 0.1000 or more"), "{screen}");
    world.keys("ctrl-s");
    assert!((judge.asked(), world.ledger().entries().count()) == (0, 0), "{}", drawn(&world));
}

#[test]
fn a_judge_of_the_authors_family_is_not_asked() {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    setup.config.families = Families(vec![family("claw", &["OpenClaw*"], &["fast*"])]);
    let mut world = with(&setup);
    world.keys("r");
    assert!(drawn(&world).contains("NOT asked"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(note(&world).contains("four eyes"), "{}", note(&world));
    assert!(matches!(world.model.overlay, Some(Overlay::Judge(_))), "the form stays");
    assert_eq!((judge.asked(), world.ledger().entries().count()), (0, 0));
}

#[test]
fn models_are_asked_for_and_completed() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("r down ctrl-u o t h tab tab");
    assert!(drawn(&world).contains("other-judge"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert_eq!(evaluations(&world)[0].evaluation["judge_model"], "other-judge");
}

#[test]
fn an_operators_own_prompt_goes_first_and_is_named_by_its_hash() {
    let judge = Judge::by(|ask| {
        let own = ask.messages.iter().any(|m| m.text.contains("Mind the tides."));
        verdict([if own { 5 } else { 1 }, 5, 5], "x")
    });
    let mut setup = setup(&judge);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("prompt.md");
    std::fs::write(&path, "Mind the tides.\n{{rubric}}\n{{answer}}\n{{content}}\n").unwrap();
    setup.config.judge.prompt = Some(path.clone());
    let mut world = with(&setup);
    world.keys("r ctrl-s 3 r right ctrl-s");
    let all = evaluations(&world);
    assert_eq!(all.len(), 2);
    assert_eq!(
        (&all[0].evaluation["verdict"], &all[1].evaluation["verdict"]),
        (&"GO".into(), &"NO-GO".into())
    );
    assert_eq!(all[0].prompt.name.as_deref(), path.to_str());
    assert_ne!(all[0].prompt.sha, all[1].prompt.sha);
    assert_eq!(all[0].evaluation["prompt_sha"], all[0].prompt.sha.as_str());
    // One that is wrong is said to be, and another one can be chosen.
    std::fs::write(&path, "no place for anything").unwrap();
    world.keys("3 r ctrl-s");
    assert!(drawn(&world).contains("cannot be used"), "{}", drawn(&world));
    assert_eq!(evaluations(&world).len(), 2);
}

#[test]
fn unjudgeable_items_are_named_and_others_judged() {
    let judge = Judge::by(good);
    let mut logs = records();
    let lost = crate::console::logs::push(&"ab".repeat(20), 19, 9, "NO-GO");
    logs[0].1.push_str(&format!("{lost}\n"));
    let mut world = World::ready(&setup(&judge), &logs);
    world.keys("3 space space r");
    let screen = drawn(&world);
    assert!(screen.contains("NOT judged: "), "{screen}");
    assert!(screen.contains("1 content, 1 cannot be judged"), "{screen}");
    world.keys("ctrl-s");
    assert_eq!((judge.asked(), runs(&world)[0].begun.what.items.len()), (1, 1));
}

#[test]
fn blind_items_are_not_judged_before_own_label() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("b");
    assert_eq!(world.model.labels.sight, BlindMode::Blind);
    world.keys("r");
    assert!(world.model.overlay.is_none());
    assert!(note(&world).contains("label the record first"), "{}", note(&world));
    world.keys("p k r ctrl-s");
    assert_eq!(judge.asked(), 1, "once it is given, it may be asked");
}

#[test]
fn read_only_asks_nobody() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("p");
    let entries = world.ledger().entries().count();
    let mut reader = world.again_read_only();
    reader.keys("3 r");
    assert!(reader.model.overlay.is_none());
    assert!(note(&reader).contains("read-only"), "{}", note(&reader));
    reader.keys("F");
    assert!(reader.model.overlay.is_none());
    assert_eq!((judge.asked(), reader.ledger().entries().count()), (0, entries));
    // The second lock: a model that asks all the same is refused by the tasks.
    let mut locked = setup(&judge);
    locked.locked = true;
    let mut world = with(&locked);
    world.keys("r ctrl-s");
    assert_eq!((judge.asked(), world.ledger().entries().count()), (0, 0));
    assert!(drawn(&world).contains("read-only"), "{}", drawn(&world));
}

#[test]
fn missing_reviewer_prevents_saving_run() {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    setup.facts.labelling.reviewer = None;
    let mut world = with(&setup);
    world.keys("r");
    assert!(world.model.overlay.is_none());
    assert!(drawn(&world).contains("your name is unknown"), "{}", drawn(&world));
}

#[test]
fn unwritten_pipe_is_rejected_without_blocking() {
    let judge = Judge::by(good);
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut world = list(&judge);
    world.keys("F");
    world.typed(pipe.to_str().unwrap());
    world.keys("enter");
    assert!(drawn(&world).contains("it is not a file"), "{}", drawn(&world));
}

#[test]
fn closing_form_cancels_its_reads() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("space space space");
    world.hold(|effect| matches!(effect, Effect::Judging(JudgingEffect::Prepare { .. })));
    world.keys("r esc");
    assert!(world.effects.contains(&Effect::Judging(JudgingEffect::Forget)), "{:?}", world.effects);
}
