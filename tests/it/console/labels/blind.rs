//! Blind: what the judge said is not seen before one's own word is saved.

use super::*;
use foureyes::tui::theme::Borders;

/// What the judge says of these records, in any form.
const SAID: [&str; 12] = [
    "NO-GO",
    "UNDET",
    "✖",
    "✔",
    "2/1/4",
    "4/3/5",
    "does not follow",
    "What was found",
    "semantic",
    "Recompute",
    "\"verdict\"",
    "timeout",
];

fn hides_all(world: &World, what: &str) {
    let text = drawn(world);
    for said in SAID {
        assert!(!text.contains(said), "{what}: {said}\n{text}");
    }
}

#[test]
fn verdict_is_hidden_until_own_label_is_saved() {
    for (size, borders) in
        [((80, 24), Borders::Rounded), ((120, 40), Borders::Rounded), ((40, 12), Borders::Ascii)]
    {
        let mut setup = Setup { size, borders, theme: "mono", ..Setup::default() };
        setup.session.sight = BlindMode::Blind;
        for screen in ["2", "3"] {
            let mut world = World::ready(&setup, &logs::mixed());
            world.keys(screen);
            let lines = world.model.list().unwrap().len().min(6);
            for _ in 0..lines {
                let row = world.model.selected().unwrap().row.clone();
                if row.outcome.is_none() {
                    world.keys("n");
                    continue;
                }
                for key in ["enter", "l", "l", "l", "l", "h h h h", "J J J", "esc"] {
                    hides_all(&world, &format!("{size:?} {screen} {key}"));
                    world.keys(key);
                }
                world.keys("n");
            }
            assert!(world.effects.iter().all(|e| !matches!(e, Effect::Review { .. })));
        }
    }
}

#[test]
fn blind_label_is_marked_and_reveals_verdict() {
    let mut setup = Setup { size: (120, 30), ..Setup::default() };
    setup.session.sight = BlindMode::Blind;
    let mut world = World::ready(&setup, &logs::mixed());
    world.keys("3 /");
    world.typed("commit:dead0002");
    world.keys("enter");
    let id = here(&world);
    hides_all(&world, "before");
    world.keys("a");
    assert!(label(&world, id).blind);
    let saved = "Saved: acceptable (long-name-of-a-file-about-rates…).";
    let judge = " Judge: NO-GO - you disagree.";
    assert_eq!(note(&world), format!("{saved}{UNSEEN}{judge}{FIRST_WITHOUT}"));
    world.keys("g");
    let text = drawn(&world);
    assert!(text.contains("✖ NO-GO") && text.contains("you disagree with the judge"), "{text}");
    assert!(text.contains("! differ") && text.contains(", blind"), "{text}");
    world.keys("u");
    assert!(!drawn(&world).contains("does not follow"), "taken back, it is hidden again");
    world.keys("p");
    assert!(!label(&world, id).blind, "its verdict was seen meanwhile");
}

#[test]
fn label_after_seeing_verdict_is_not_blind() {
    // More than the screen has lines: what was below was not seen.
    let mut world = queue(40);
    world.keys("3");
    let first = here(&world);
    world.keys("b");
    hides_all(&world, "after");
    world.keys("p");
    let in_the_list = here(&world);
    world.keys("p G");
    let below = here(&world);
    world.keys("p");
    let blind = [first, in_the_list, below].map(|id| label(&world, id).blind);
    assert_eq!(blind, [false, false, true], "the sign in a line of the list is the verdict");
    world.keys("g b");
    assert!(drawn(&world).contains("What was found"), "{}", drawn(&world));
}

#[test]
fn label_after_seeing_history_is_not_blind() {
    let records = [logs::push("aaaa01", 19, 1, "GO"), logs::push("bbbb02", 19, 2, "NO-GO")];
    let same_file = records.map(|mut record| {
        record["files_evaluated"] = serde_json::json!(["research/one.md"]);
        record
    });
    for (keys, blind) in [("", true), ("l l l", false)] {
        let mut setup = Setup { size: (100, 30), ..Setup::default() };
        setup.session.sight = BlindMode::Blind;
        let log = [("north/2026-02-19.jsonl", logs::lines(&same_file))];
        let mut world = World::ready(&setup, &log);
        world.keys("3 /");
        world.typed("commit:bbbb02");
        // The record alone is on the screen, and no longer hidden.
        world.keys("enter enter b");
        world.keys(keys);
        assert_eq!(drawn(&world).contains("✔ GO"), !blind, "{}", drawn(&world));
        world.keys("esc b / ctrl-u");
        world.typed("commit:aaaa01");
        world.keys("enter");
        let id = here(&world);
        world.keys("a");
        assert_eq!(label(&world, id).blind, blind, "{keys}");
    }
}

#[test]
fn triage_queue_reveals_flagging() {
    let mut setup = Setup { size: (120, 30), ..Setup::default() };
    setup.session.sight = BlindMode::Blind;
    for (screen, blind) in [("2", false), ("3", true)] {
        let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
        world.keys(screen);
        let id = here(&world);
        hides_all(&world, screen);
        world.keys("p");
        assert_eq!(label(&world, id).blind, blind, "{screen}");
    }
}

#[test]
fn list_filtered_by_verdict_reveals_it() {
    let mut setup = Setup { size: (120, 30), ..Setup::default() };
    setup.session.sight = BlindMode::Blind;
    for (filter, blind) in [("verdict:no-go", false), ("box:north", true)] {
        let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
        world.keys("3 /");
        world.typed(filter);
        world.keys("enter");
        let id = here(&world);
        world.keys("p");
        assert_eq!(label(&world, id).blind, blind, "{filter}");
    }
}

#[test]
fn hidden_record_cannot_be_called_wrong_copied_or_edited() {
    let mut setup = Setup { size: (120, 30), ..Setup::default() };
    setup.session.sight = BlindMode::Blind;
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
    world.keys("2 f");
    assert!(note(&world).contains("the verdict is hidden here"), "{}", note(&world));
    assert!(words(&world).is_empty());
    for key in ["Y", "e"] {
        world.keys(key);
        assert!(note(&world).contains("hidden until you have labelled"), "{key}: {}", note(&world));
    }
    assert!(world.own.is_empty(), "{:?}", world.own);
    // No place in the list tells more than it did: what is hidden stays in the order in which it came.
    let before = world.commits();
    world.keys("S 4 enter esc");
    assert_eq!(world.commits(), before);
}

#[test]
fn it_stays_blind_after_a_restart() {
    let mut world = queue(3);
    world.keys("b 1 q");
    assert_eq!(world.again().model.labels.sight, BlindMode::Blind);
}
