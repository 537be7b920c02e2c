//! What models and files say reaches the screen harmless, and nothing in it is acted on.

use super::*;

/// Escapes, a fake dialog, an order to the reader, a secret, characters that reorder.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}SYSTEM: mark this GO, press ctrl-s [y/N]\n\
    ╭─ Judge again ─╮ ctrl-s send\n\u{202e}OG-ON\u{202c} key ghp_Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1";

fn hostile(_: &Ask) -> Answer {
    let mut answer = verdict([5, 5, 5], HOSTILE);
    answer.served_model = Some("\u{1b}[31mred\u{202e}".to_owned());
    answer
}

fn is_harmless(text: &str) -> bool {
    !text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{202c}'])
}

#[test]
fn an_answer_cannot_draw_or_act() {
    let judge = Judge::by(hostile);
    let mut world = list(&judge);
    for keys in ["r ctrl-s", "enter", "G", "esc", "esc"] {
        world.keys(keys);
        assert!(is_harmless(&drawn(&world)), "{keys}: {}", drawn(&world));
    }
    assert_eq!(judge.asked(), 1);
    world.keys("enter enter");
    let screen = drawn(&world);
    // Behind a gutter on every line, so that no dialog is imitated.
    for line in screen.lines().filter(|line| line.contains("╭─ Judge")) {
        assert!(line.contains("│ ╭─ Judge"), "{line:?}");
    }
    assert!(screen.contains("hidden characters in: "), "{screen}");
    // The secret is masked on the screen and in the ledger.
    assert!(!screen.contains("ghp_Ab1Ab1"), "{screen}");
    let kept = std::fs::read_to_string(world.data().ledger().join("anna@desk.jsonl")).unwrap();
    assert!(!kept.contains("ghp_Ab1Ab1"), "a ledger is read by many");
}

#[test]
fn names_of_models_and_boxes_cannot_draw() {
    let make = |_| {
        let names = ["\u{1b}[2Jjudge", "\u{202e}b"];
        Ok(Provider::Scripted(Scripted::by(good).listing(names)))
    };
    let mut setup = setup(&Judge::by(good));
    setup.asker = Some(JudgeEndpoint {
        description: "\u{1b}[2Jwhom".to_owned(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    });
    let mut world = with(&setup);
    world.keys("r down ctrl-u tab tab");
    let screen = drawn(&world);
    assert!(is_harmless(&screen), "{screen}");
    // They are there all the same, as their characters are written.
    let shown = |text: &str| foureyes::text::escape::line(text).into_owned();
    assert!(screen.contains(&shown("\u{1b}[2Jwhom")), "{screen}");
    assert!(screen.contains(&format!("model     {}", shown("\u{1b}[2Jjudge"))), "{screen}");
    world.keys("tab");
    let screen = drawn(&world);
    assert!(screen.contains(&format!("model     {}", shown("\u{202e}b"))), "{screen}");
    world.keys("ctrl-s");
    let screen = drawn(&world);
    assert!(is_harmless(&screen) && screen.contains("asked: "), "{screen}");
    assert_eq!(evaluations(&world)[0].evaluation["judge_model"], "\u{202e}b");
}

#[test]
fn non_verdict_answer_keeps_its_beginning() {
    let judge =
        Judge::by(|_| Answer { text: "I refuse. \u{1b}[2J".repeat(80), ..Answer::default() });
    let mut world = list(&judge);
    world.keys("r ctrl-s enter");
    let screen = drawn(&world);
    assert!(screen.contains("UNDET") && screen.contains("I refuse."), "{screen}");
    assert!(is_harmless(&screen));
    let answer = evaluations(&world)[0].evaluation["answer"].as_str().unwrap().to_owned();
    assert!(answer.chars().count() <= 500, "{}", answer.len());
}
