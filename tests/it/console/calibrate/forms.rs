//! Steps of runbooks and rates of the sample, said on the screen.

use super::*;
use crate::console::assess::{unfold, walked};
use foureyes::assess::Progress;
use foureyes::domain::JudgementKind;
use foureyes::domain::review::ModeSet;

/// Goes down the readiness page to a step.
#[track_caller]
fn step(world: &mut World, name: &str) {
    world.keys("5 g");
    let wanted = format!("▸ [ ] {name}:");
    for _ in 0..300 {
        if drawn(world).contains(&wanted) {
            return;
        }
        world.keys("j");
        unfold(world);
    }
    panic!("no step {name}\n{}", drawn(world));
}

#[test]
fn completed_step_shows_note_reviewer_and_time() {
    let mut world = World::ready(&setup(), &logs());
    resize(&mut world, (120, 60));
    step(&mut world, "calibrate");
    world.keys("D");
    world.typed("four weeks of it");
    world.keys("enter");
    assert!(present(&world).steps.is_empty(), "Enter never changes anything");
    world.keys("ctrl-s");
    assert!(note(&world).contains("step `calibrate` of `enable` is done"), "{}", note(&world));
    let said = &present(&world).steps;
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].what.note.as_deref(), Some("four weeks of it"));
    assert_eq!((said[0].reviewer.as_str(), said[0].time), ("anna", NOW));
    let text = drawn(&world);
    for shown in ["[x] calibrate", "2026-02-20 12:34 UTC by anna: four weeks of it", "1 of "] {
        assert!(text.contains(shown), "{shown}\n{text}");
    }
    let enable = &Progress::all(&present(&world), NOW)[0];
    assert_eq!(enable.next().unwrap().id, "ready");
}

#[test]
fn dependent_step_is_refused_and_esc_saves_nothing() {
    let mut world = World::ready(&setup(), &logs());
    resize(&mut world, (120, 60));
    step(&mut world, "watch");
    world.keys("D");
    assert_eq!(note(&world), "`switch` comes first and is not done");
    step(&mut world, "ready");
    world.keys("D esc");
    assert_eq!(note(&world), "nothing was said");
    world.keys("2 D");
    assert!(note(&world).starts_with("no runbook step is selected"), "{}", note(&world));
    assert!(world.effects.iter().all(|e| !matches!(e, Effect::Review { .. })));
}

#[test]
fn each_box_that_blocks_is_named_with_the_end_of_its_watch() {
    let mut world = World::ready(&setup(), &logs());
    for (day, name, mode) in
        [(16, "north\u{1b}[2J", "blocking"), (19, "south", "blocking"), (19, "west", "advisory")]
    {
        let set = ModeSet::new(name, foureyes::domain::HookMode::from_word(mode).unwrap());
        say(&world, "lead", date(day), &Act::Mode(set));
    }
    world = world.again();
    resize(&mut world, (120, 60));
    step(&mut world, "watch");
    let text = drawn(&world);
    for shown in ["watched until 2026-02-18", "south: watched until 2026-02-21"] {
        assert!(text.contains(shown), "{shown}\n{text}");
    }
    assert!(!text.contains("west:") && !text.contains('\u{1b}'), "{text}");
    step(&mut world, "switch");
    world.keys("D");
    assert!(note(&world).contains("box enable"), "{}", note(&world));
    step(&mut world, "watch");
    world.keys("D ctrl-s");
    assert!(!drawn(&world).contains("watched until 2026-02-18"), "{}", drawn(&world));
    assert!(drawn(&world).contains("south: watched until 2026-02-21"), "{}", drawn(&world));
}

#[test]
fn stratum_rate_is_set_and_pending_count_follows() {
    let mut world = World::ready(&setup(), &logs());
    say(&world, "lead", date(16), &Act::Window(WindowStart::new(date(17))));
    world = world.again();
    world.keys("2 A");
    world.typed("7");
    world.keys("ctrl-s");
    assert!(world.model.overlay.is_some(), "what is not a probability is not said");
    resize(&mut world, (80, 24));
    assert!(drawn(&world).contains("a rate is a number from 0 to 1"), "{}", drawn(&world));
    world.keys("ctrl-c");
    world.typed("0.25");
    world.keys("tab");
    assert!(drawn(&world).contains("of weak, from now on · ctrl-s: set"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert_eq!(note(&world), "Saved: 25.0 % of weak is sampled from now on.");
    let said = present(&world).of(JudgementKind::Push).rates.clone();
    assert_eq!((said.len(), said[0].what.rate), (1, 0.25));
    assert_eq!(said[0].what.stratum.as_deref(), Some("weak"));
    assert!(said[0].what.seed.is_some(), "the first rate brings the secret");
    world.keys("A");
    world.typed("1");
    world.keys("ctrl-s");
    let said = present(&world).of(JudgementKind::Push).rates.clone();
    assert_eq!((said.len(), said[1].what.seed, said[1].what.stratum.is_none()), (2, None, true));
    resize(&mut world, (120, 200));
    world.keys("5");
    let text = walked(&mut world).join("\n");
    assert!(text.contains("25.0 % of weak, since 2026-02-20 (set by anna)"), "{text}");
    assert!(text.contains("100.0 % of everything that passes"), "{text}");
}

#[test]
fn blocking_rule_under_cursor_is_waived_with_reason_and_end() {
    let mut world = World::ready(&setup(), &logs());
    // A start of an earlier version, chosen after a label: a rule that can be waived.
    let ids = ids(&mut world);
    let (_, id) = ids.iter().find(|(commit, _)| commit.starts_with("17")).unwrap();
    say(&world, "lead", date(19), &Act::Label(Label::new(*id, Word::Poor)));
    say(
        &world,
        "lead",
        date(19),
        &Act::Window(WindowStart { rules: 0, ..WindowStart::new(date(17)) }),
    );
    world = world.again();
    resize(&mut world, (120, 60));
    world.keys("5");
    // From the answer and its step, and where the rule stands; on a KPI there is none to waive.
    let mut rows = Vec::new();
    for _ in 0..80 {
        world.keys("W");
        rows.push(world.model.overlay.is_some());
        world.keys(if rows.last() == Some(&true) { "esc j" } else { "j" });
    }
    assert!(rows[0] && rows[1] && rows.contains(&false), "{rows:?}");
    assert!(rows.iter().skip_while(|opens| **opens).any(|opens| *opens), "{rows:?}");
    world.keys("g W");
    let rule = "window_after_labels";
    assert!(drawn(&world).contains(&format!("waive {rule}; reason:")), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(drawn(&world).contains("a waiver needs a reason"), "{}", drawn(&world));
    world.typed("known since Monday");
    world.keys("tab");
    assert!(drawn(&world).contains("for 90 days"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(
        note(&world).starts_with(&format!("Saved: `{rule}` is waived until ")),
        "{}",
        note(&world)
    );
    let said = present(&world).of(JudgementKind::Push).policies.clone();
    let waiver = &said[0].what.policy["waivers"][0];
    assert_eq!((&waiver["what"], &waiver["name"]), (&rule.into(), &"anna".into()));
    assert_eq!(waiver["reason"], "known since Monday");
    // In one column, wherever its lines break.
    resize(&mut world, (80, 200));
    world.keys("5");
    let text = drawn(&world).split_whitespace().collect::<Vec<_>>().join(" ");
    let said = ["window_after_labels, waived: ", "known since Monday (until "];
    assert!(said.iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn a_window_is_started_on_the_day_that_is_typed() {
    let mut world = World::ready(&setup(), &logs());
    resize(&mut world, (120, 60));
    world.keys("5 B");
    let text = drawn(&world);
    // It begins with what was judged before, unless a day is chosen; no day is shown that plays no part.
    let line = "start the window with the first record of the judge in use";
    assert!(text.lines().any(|shown| shown.trim_end() == line), "{text}");
    world.keys("backspace 7 tab");
    assert!(drawn(&world).contains("all is drawn"), "{}", drawn(&world));
    world.paste("2030");
    world.keys("tab");
    let text = drawn(&world);
    assert!(text.contains("first day of the window: 2026-02-20"), "{text}");
    world.keys("backspace ctrl-s");
    assert!(drawn(&world).contains("a day is written YYYY-MM-DD"), "{}", drawn(&world));
    assert!(present(&world).of(JudgementKind::Push).windows.is_empty());
    world.keys("esc B tab tab ctrl-s");
    let said = note(&world);
    assert!(said.starts_with("Saved: the calibration window starts on 20"), "{said}");
    let windows = present(&world).of(JudgementKind::Push).windows.clone();
    assert_eq!(windows.len(), 1);
    assert!(said.contains(&windows[0].what.from.day_text()), "{said}");
    assert_eq!(windows[0].what.natural, None);
}

#[test]
fn read_only_run_saves_no_forms() {
    let world = World::ready(&setup(), &logs());
    begin(&world, 1.0);
    let mut world = world.again_read_only();
    resize(&mut world, (120, 60));
    let before = world.ledger().entries().count();
    step(&mut world, "calibrate");
    for keys in ["D", "A", "W", "2 C", "c", "a", "p", "s", "b", "u", "ctrl-r"] {
        world.keys(keys);
        assert!(world.model.overlay.is_none(), "{keys}");
    }
    assert_eq!(kind(&world), QueueKind::Calibration, "it may be looked at, with eyes closed");
    assert!(!drawn(&world).contains("NO-GO"), "{}", drawn(&world));
    assert_eq!(world.ledger().entries().count(), before);
}

#[test]
fn pasted_text_is_typed_without_submitting() {
    let mut world = World::ready(&setup(), &logs());
    world.keys("A");
    world.paste("0.5\n\u{13}");
    assert!(
        present(&world).of(JudgementKind::Push).rates.is_empty() && world.model.overlay.is_some()
    );
}
