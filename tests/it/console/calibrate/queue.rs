//! What the calibration queue holds, in which order, and what it hides.

use super::*;
use foureyes::tui::model::BlindMode;

/// What the judge says of these records, in any form.
const SAID: [&str; 8] =
    ["NO-GO", "✖", "✔", "4/3/5", "What was found", "semantic", "\"verdict\"", "revision"];

#[track_caller]
fn hides_all(world: &World, what: &str) {
    let text = drawn(world);
    for said in SAID {
        assert!(!text.contains(said), "{what}: {said}\n{text}");
    }
}

#[test]
fn calibration_queue_is_default_with_window_and_can_be_reselected() {
    let world = World::ready(&setup(), &logs());
    assert_eq!(kind(&world), QueueKind::Triage);
    begin(&world, 1.0);
    let mut world = world.again();
    assert_eq!(kind(&world), QueueKind::Calibration);
    assert_eq!(world.again_read_only().model.calibrate.selection.kind, QueueKind::Triage);
    world.keys("2 c");
    assert_eq!(kind(&world), QueueKind::Triage);
    // The 18 that are flagged on open days are not there: that would tell their verdicts.
    let heading = "Triage 1 of 80 · 36 of open days wait to be labelled first";
    assert!(drawn(&world).contains(heading), "{}", drawn(&world));
    world.keys("1 q");
    let mut world = world.again();
    assert_eq!(kind(&world), QueueKind::Triage, "what was chosen is kept");
    world.keys("2 c");
    assert_eq!(kind(&world), QueueKind::Calibration);
    assert_eq!(world.model.sight(), BlindMode::Blind);
    // So nothing of it was seen in the other queue.
    assert!(drawn(&world).contains("Label, blind · 1 of 36"), "{}", drawn(&world));
    let id = here(&world);
    world.keys("p");
    assert!(given(&world, id)[0].1.blind);
}

#[test]
fn queue_mixes_no_go_and_sample_of_oldest_open_day() {
    let mut world = calibrating(1.0);
    let queue = world.commits();
    assert_eq!(queue.len(), 36);
    let days: Vec<&str> = queue.iter().map(|commit| &commit[..2]).collect();
    assert!(days.is_sorted(), "{queue:?}");
    let flagged = |commit: &String| commit[2..8].parse::<u32>().unwrap().is_multiple_of(2);
    let first: Vec<bool> = queue[..12].iter().map(flagged).collect();
    assert_eq!(first.iter().filter(|flagged| **flagged).count(), 6);
    let changes = first.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes > 2, "a place says nothing of the verdict: {queue:?}");
    let times: Vec<&String> = queue[..12].iter().collect();
    assert!(!times.is_sorted() && !times.iter().rev().is_sorted(), "nor of the time");
    // A lower rate leaves what was flagged and a part of the rest.
    world = calibrating(0.4);
    let fewer = world.commits();
    assert_eq!(fewer.iter().filter(|commit| flagged(commit)).count(), 18);
    assert!(fewer.len() < 36 && fewer.len() > 18, "{fewer:?}");
    assert!(fewer.iter().all(|commit| queue.contains(commit)));
}

#[test]
fn verdict_is_hidden_on_every_screen_until_label_is_saved() {
    for size in [(120, 40), (80, 24), (40, 12)] {
        let mut world = calibrating(1.0);
        resize(&mut world, size);
        for _ in 0..6 {
            for key in ["enter", "l", "l", "l", "l", "h h h h", "J", "e", "Y", "X", "f", "esc"] {
                world.keys(key);
                hides_all(&world, &format!("{size:?} {key}"));
            }
            // That one closed what is said of secrets; the next one leads to the list.
            world.keys("esc n");
        }
        world.keys("g");
        let id = here(&world);
        world.keys("a");
        assert!(note(&world).contains("). Judge: "), "{}", note(&world));
        assert!(
            note(&world).ends_with("- you agree.") || note(&world).ends_with("- you disagree.")
        );
        world.keys("j");
        hides_all(&world, "the next one");
        let [(who, label)] = &given(&world, id)[..] else { panic!("one label") };
        assert_eq!((who.as_str(), label.label, label.blind), ("anna", Word::Acceptable, true));
        assert!(label.seconds.is_some() && label.replaces.is_none());
        // Of what is called poor a second word may be asked: its verdict stays hidden.
        world.keys("enter p");
        assert!(note(&world).starts_with("Saved: poor ("), "{}", note(&world));
        assert!(!note(&world).contains("Judge: "), "{}", note(&world));
        hides_all(&world, "one that is called poor");
        assert!(world.own.is_empty(), "nothing left the console: {:?}", world.own);
    }
}

#[test]
fn verdict_seen_on_other_screens_stays_hidden_here() {
    let mut world = calibrating(1.0);
    let id = here(&world);
    resize(&mut world, (120, 40));
    world.keys("3 /");
    world.typed(&format!("id:{}", id.short()));
    world.keys("enter");
    hides_all(&world, "among the records");
    // Shown there for the sitting, which costs something.
    world.keys("b ctrl-s");
    assert!(drawn(&world).contains("What was found"), "{}", drawn(&world));
    world.keys("b 2");
    assert_eq!(here(&world), id);
    hides_all(&world, "after it was seen among the records");
    world.keys("a");
    assert!(!given(&world, id)[0].1.blind, "its verdict was seen");
}

#[test]
fn revealing_filter_is_dropped_and_others_kept() {
    let mut world = calibrating(1.0);
    for telling in
        ["verdict:go", "is:flagged", "score.semantic:>3", "label:none", "found", "-cause:none"]
    {
        world.keys("/");
        world.typed(telling);
        assert_eq!(world.model.queue.len(), 36, "{telling}");
        resize(&mut world, (120, 40));
        assert!(drawn(&world).contains("would reveal what is hidden"), "{}", drawn(&world));
        world.keys("enter");
        assert!(world.model.overlay.is_some(), "{telling}: the line stays");
        world.keys("esc");
        resize(&mut world, (120, 400));
    }
    world.keys("/");
    world.typed("day:2026-02-18");
    world.keys("enter");
    assert_eq!((world.model.queue.len(), world.model.queue.whole), (12, 36));
    // Seen with open eyes a filter may tell; who closes them again loses it.
    world.keys("esc b ctrl-s /");
    world.typed("verdict:go");
    world.keys("enter");
    assert_eq!(world.model.queue.len(), 18);
    world.keys("b");
    assert_eq!(world.model.queue.len(), 36);
    assert!(note(&world).contains("would reveal what is hidden"), "{}", note(&world));
}

#[test]
fn revealing_filter_from_last_run_is_not_restored() {
    let mut left = setup();
    left.session.queue_kind = Some(QueueKind::Calibration);
    left.session.queue.filter = "verdict:go".to_owned();
    let world = World::ready(&left, &logs());
    assert_eq!((kind(&world), world.model.queue.filter.is_all()), (QueueKind::Calibration, true));
    left.session.queue_kind = Some(QueueKind::Triage);
    let mut world = World::ready(&left, &logs());
    assert_eq!(world.model.queue.filter.text, "verdict:go");
    world.keys("2 c");
    assert!(world.model.queue.filter.is_all() && !world.model.queue.is_empty());
}

#[test]
fn unblinded_mode_lasts_one_run_and_marks_labels() {
    let mut world = calibrating(1.0);
    world.keys("b ctrl-s");
    assert!(drawn(&world).contains("✖ NO-GO"));
    let id = here(&world);
    world.keys("p");
    assert!(!given(&world, id)[0].1.blind);
    world.keys("1 q");
    let world = world.again();
    assert_eq!(world.model.calibrate.sight, BlindMode::Blind);
}

#[test]
fn decisive_order_makes_labels_unblinded() {
    let mut world = calibrating(1.0);
    let mixed = world.commits();
    world.keys("S");
    assert!(note(&world).contains("labels do not count as blind"), "{}", note(&world));
    let decides = world.commits();
    assert_ne!(mixed, decides);
    let flagged = |commit: &String| commit[2..8].parse::<u32>().unwrap().is_multiple_of(2);
    let first = flagged(&decides[0]);
    assert!(decides[..18].iter().all(|commit| flagged(commit) == first), "{decides:?}");
    world.keys("g");
    let id = here(&world);
    world.keys("p");
    assert!(!given(&world, id)[0].1.blind);
    world.keys("S");
    let left: Vec<String> = mixed.into_iter().filter(|commit| *commit != decides[0]).collect();
    assert_eq!(world.commits(), left);
}

#[test]
fn order_without_decisive_label_stays_and_labels_stay_blind() {
    let mut world = calibrating(1.0);
    let mut state = world.model.calibrate.state.as_deref().cloned().unwrap();
    state.decides = None;
    world.model.calibrate.state = Some(std::sync::Arc::new(state));
    let mixed = world.commits();
    world.keys("S");
    assert!(note(&world).contains("order unchanged"), "{}", note(&world));
    let id = here(&world);
    world.keys("p");
    assert!(given(&world, id)[0].1.blind);
    assert_eq!(world.commits(), mixed[1..]);
}

#[test]
fn only_labelling_completes_item_and_later_puts_it_last() {
    let mut world = calibrating(1.0);
    let first = world.commits()[0].clone();
    world.keys("d");
    assert!(note(&world).contains("only by a label"), "{}", note(&world));
    world.keys("z");
    assert_eq!(world.commits().last(), Some(&first));
    world.keys("R");
    assert_eq!(world.commits().last(), Some(&first), "the list made anew knows it");
    assert_eq!(world.commits().len(), 36);
    world.keys("u");
    assert_eq!(world.commits()[0], first);
}

#[test]
fn end_of_queue_names_next_step() {
    let mut world = calibrating(0.0);
    resize(&mut world, (80, 24));
    // There the list and the record are not side by side: the content is read first.
    world.keys("enter");
    while !world.model.queue.is_empty() {
        world.keys("p");
    }
    // The last label is counted, without anything being read again.
    let text = drawn(&world);
    for said in
        ["No records need your label", "3 whole days", "are closed since", "No audit sample"]
    {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let mut world = calibrating(1.0);
    while !world.model.queue.is_empty() {
        world.keys("a");
    }
    // The same steps as on screen 5, which are those of now.
    let text = drawn(&world);
    world.keys("5");
    let first = world.model.assess().result.value.as_ref().unwrap().readiness.steps[0].clone();
    assert!(text.contains(&format!("1. {}", &first.title[..20])), "{first:?}\n{text}");
}

#[test]
fn without_window_or_sample_queue_is_no_go_only_and_unblinded() {
    let world = World::ready(&setup(), &logs());
    let mut world = world.again();
    world.keys("2 c");
    assert!(drawn(&world).contains(" · no window"), "{}", drawn(&world));
    while !world.model.queue.is_empty() {
        for _ in 0..20.min(world.model.queue.len()) {
            world.keys("space");
        }
        world.keys("p g");
    }
    world.keys("R");
    assert!(drawn(&world).contains("No calibration window is running"), "{}", drawn(&world));
    let blind = |label: &Label| label.blind;
    let present = present(&world);
    assert!(!present.labels.values().flatten().any(|given| blind(&given.label)));
    let mut world = calibrating(0.0);
    let id = here(&world);
    assert!(drawn(&world).contains(" · no sample"), "{}", drawn(&world));
    world.keys("p");
    assert!(!given(&world, id)[0].1.blind, "to be there told that it was flagged");
}

#[test]
fn marked_items_are_labelled_blind_and_mode_change_clears_marks() {
    let mut world = calibrating(1.0);
    let three: BTreeSet<RecordId> = (0..3)
        .map(|_| {
            let id = here(&world);
            world.keys("space");
            id
        })
        .collect();
    world.keys("s");
    assert!(three.iter().all(|id| given(&world, *id)[0].1.blind));
    let ledger = world.ledger();
    let labels = ledger.entries().filter(|e| e.reviewer == "anna" && !e.act.labels().is_empty());
    assert_eq!(labels.count(), 1);
    assert_eq!(world.model.queue.len(), 33);
    world.keys("space space c");
    assert!(world.model.queue.all_marks().is_empty());
}

#[test]
fn on_a_narrow_screen_the_record_comes_first() {
    let mut world = calibrating(0.5);
    resize(&mut world, (80, 24));
    world.keys("1 2");
    let text = drawn(&world);
    assert_eq!(world.model.pane, Pane::Record);
    assert!(text.contains("[Content]") && text.contains("1 of "), "{text}");
    let first = here(&world);
    world.keys("a");
    assert!(given(&world, first)[0].1.is_seen(), "it was on the screen");
    assert_eq!(world.model.pane, Pane::Record);
    assert_ne!(here(&world), first, "the next one is there");
    world.keys("esc");
    assert_eq!(world.model.pane, Pane::List);
    assert!(drawn(&world).contains("Label, blind"), "{}", drawn(&world));
    world.keys("c c");
    assert_eq!(world.model.pane, Pane::Record);
    while !world.model.queue.is_empty() {
        world.keys("a");
    }
    assert_eq!(world.model.pane, Pane::List, "its end is told where its lines were");
}

#[test]
fn triage_begins_with_stopped_pushes_whatever_is_newer() {
    let mut stopped = push("17000099aa", 17, 1, "NO-GO");
    stopped["mode"] = "blocking".into();
    let mut all = logs();
    all.push(("north/2026-02-17-2.jsonl", lines(&[stopped])));
    let mut world = World::ready(&setup(), &all);
    world.keys("2 g");
    assert_eq!(kind(&world), QueueKind::Triage);
    assert_eq!(world.selected().as_deref(), Some("17000099aa"));
    assert!(drawn(&world).contains("stopped, then newest"), "{}", drawn(&world));
    world.keys("j");
    assert!(world.selected().unwrap().starts_with("19"), "the newest of the others");
}
