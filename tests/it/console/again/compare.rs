//! Old and new: side by side where there is room, one above the other where there is not.

use super::*;
use crate::console::world::NOW;
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{AuditRate, EntryId, Seed, WindowStart};

fn item(size: (u16, u16)) -> World {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    setup.size = size;
    let mut world = with(&setup);
    world.keys("r ctrl-s enter");
    world
}

#[test]
fn verdict_scores_prompt_and_words_are_compared() {
    let screen = drawn(&item((120, 40)));
    for wanted in [
        "verdict   ✖ NO-GO → ✔ GO  CHANGED",
        "2 → 4  +2",
        "3 → 4  +1",
        "5 → 5  as before",
        "requested fastest, as before; answered by judge-a-1, before: not recorded",
        "cannot compare prompts: the record names none",
        "Nothing is applied",
        "[-contradict each other.-]{+hold.+}",
    ] {
        assert!(screen.contains(wanted), "{wanted}: {screen}");
    }
    let beside = screen.lines().any(|line| line.contains("Before") && line.contains("Now"));
    assert!(beside, "{screen}");
}

#[test]
fn comparison_is_stacked_at_eighty_columns() {
    let world = item((80, 60));
    let screen = drawn(&world);
    let at = |text: &str| screen.lines().position(|line| line.trim() == text).unwrap();
    assert!(at("Before") < at("Now"), "{screen}");
}

#[test]
fn same_question_differs_from_another() {
    let judge = Judge::by(good);
    let mut world = list(&judge);
    world.keys("r ctrl-s");
    let sha = evaluations(&world)[0].prompt.sha.clone();
    let mut logs = records();
    for (sha, wanted) in [(sha, "the same question"), ("f".repeat(64), "ANOTHER question")] {
        let mut record: serde_json::Value =
            serde_json::from_str(logs[0].1.lines().next().unwrap()).unwrap();
        record["prompt_sha"] = sha.into();
        logs[0].1 = format!("{record}\n");
        let mut world = World::ready(&setup(&judge), &logs);
        world.keys("3 r ctrl-s enter");
        assert!(drawn(&world).contains(wanted), "{wanted}: {}", drawn(&world));
    }
}

#[test]
fn new_verdict_is_hidden_with_original_one() {
    let mut world = item((120, 40));
    world.keys("3 b 6");
    let screen = drawn(&world);
    assert!(screen.contains("Hidden until you have saved a label"), "{screen}");
    assert!(!screen.contains("figures") && !screen.contains("CHANGED"), "{screen}");
    world.keys("esc");
    assert!(drawn(&world).contains("- hidden"), "{}", drawn(&world));
    world.keys("esc");
    assert!(drawn(&world).contains("changes hidden"), "{}", drawn(&world));
    world.keys("3 p 6 enter enter");
    assert!(drawn(&world).contains("CHANGED"), "{}", drawn(&world));
}

#[test]
fn keys_go_from_item_to_item_and_through_a_long_one() {
    let judge = Judge::by(|_| verdict([1, 1, 1], &"a line of many\n".repeat(200)));
    let mut world = list(&judge);
    world.keys("space space space r ctrl-s enter");
    assert!(drawn(&world).contains("Item 1 of 3"), "{}", drawn(&world));
    world.keys("l l l");
    assert!(drawn(&world).contains("Item 3 of 3"), "{}", drawn(&world));
    world.keys("h G");
    assert!(drawn(&world).contains("Item 2 of 3"), "{}", drawn(&world));
    let lines = world.model.runs.sheet.lines.len();
    assert!(drawn(&world).contains(&format!("/{lines}\n")), "{}", drawn(&world));
    world.keys("g ctrl-d");
    assert!(world.model.runs.scroll > 0);
}

/// Draws all of what passes from the 19th on.
fn begin_window(world: &World) {
    let from = foureyes::domain::Timestamp::parse_day("2026-02-19").unwrap();
    let by = Reviewer { name: "lead".into(), machine: "desk".into() };
    let rate = AuditRate {
        family: Default::default(),
        from,
        stratum: None,
        rate: 1.0,
        seed: Some(Seed([3; 32])),
        withheld: false,
        forward: false,
    };
    for (id, act) in [(1, Act::Window(WindowStart::new(from))), (2, Act::Rate(rate))] {
        world.ledger().append(&by, EntryId([id; 16]), from, &act).unwrap();
    }
}

#[test]
fn verdict_shown_in_run_makes_later_labels_unblinded() {
    let judge = Judge::by(good);
    let cases = [
        // While the window keeps verdicts back, a run shows none of an open day.
        (false, "6 enter enter", true),
        (true, "6", true),
        (true, "6 enter", false),
        (true, "6 enter enter", false),
    ];
    for (is_lifted, keys, blind) in cases {
        let mut before = list(&judge);
        begin_window(&before);
        before.keys("r ctrl-s");
        let judged = runs(&before)[0].begun.what.items[0].record.unwrap();
        // Of this run no list was on the screen.
        let mut world = before.again();
        if is_lifted {
            // Verdicts are shown from a list without records: the run alone shows one.
            world.keys("3 /");
            world.typed("box:nowhere");
            world.keys("enter b ctrl-s");
            assert!(world.model.gate.is_lifted(), "{}", drawn(&world));
        }
        world.keys(keys);
        if is_lifted {
            world.keys("3 b");
        }
        assert!(!world.model.gate.is_lifted(), "{}", drawn(&world));
        world.keys("2 g");
        assert!(world.model.in_calibration(), "{}", drawn(&world));
        while world.model.selected().unwrap().row.id != judged {
            world.keys("j");
        }
        world.keys("p");
        let present = world.ledger().present(NOW);
        assert_eq!(
            present.word_of(judged, "anna").unwrap().label.blind,
            blind,
            "{is_lifted} {keys}"
        );
    }
}
