//! The form is of one record, whatever comes into the logs while it is open.

use super::*;

/// Another verdict on the same content, and others around it, come into the log.
fn come(world: &mut World) {
    let records = [
        push("9999aa", 20, 1, "NO-GO"),
        push("aaaa01", 20, 2, "GO"),
        push("9999bb", 20, 3, "NO-GO"),
        push("0000cc", 18, 3, "NO-GO"),
    ];
    world.append("north/2026-02-20.jsonl", &lines(&records));
    world.tell(Message::Due);
    world.settle();
}

fn newest(form: &OverrideForm) -> Option<RecordId> {
    match &form.newer {
        Newer::Undecided(shown) | Newer::OlderChosen(shown) => Some(shown.row.id),
        _ => None,
    }
}

#[test]
fn arriving_records_never_shift_decision_to_neighbour() {
    let mut world = records();
    let id = here(&world);
    world.keys("O tab");
    world.typed("fi");
    let others = [push("9999aa", 20, 1, "NO-GO"), push("0000cc", 18, 3, "NO-GO")];
    world.append("north/2026-02-20.jsonl", &lines(&others));
    world.tell(Message::Due);
    world.settle();
    assert_eq!(world.model.records.len(), 5, "the list is made anew under the form");
    assert_eq!((form(&world).name(), &form(&world).newer), (id, &Newer::None));
    // Even where another line is selected.
    world.model.records.go(0);
    world.typed("ne");
    world.keys("ctrl-s");
    assert_eq!(said(&world), [(id, OverrideWord::Accept, "fine".to_owned())]);
    assert_eq!(on_box(&world, "north")[0]["record"], id.to_string());
}

#[test]
fn newer_verdict_on_same_content_is_shown_and_confirmed() {
    for (key, is_newer) in [("up", false), ("down", true)] {
        let mut world = records();
        let id = here(&world);
        world.keys("O tab");
        world.typed("fine");
        come(&mut world);
        let newer = newest(form(&world)).unwrap();
        assert_ne!(newer, id);
        let text = drawn(&world);
        assert!(text.contains("older") && text.contains("newer"), "{text}");
        assert!(text.contains("✖ NO-GO") && text.contains("✔ GO"), "{text}");
        assert!(text.contains("Which of the two do you mean?"), "{text}");
        world.keys("ctrl-s");
        assert!(note(&world).contains("choose one of the two"), "{}", note(&world));
        assert!(said(&world).is_empty());
        world.keys(key);
        world.keys("ctrl-s");
        let meant = if is_newer { newer } else { id };
        assert_eq!(said(&world), [(meant, OverrideWord::Accept, "fine".to_owned())]);
        assert_eq!(on_box(&world, "north")[0]["record"], meant.to_string());
    }
}

#[test]
fn verdict_arriving_before_key_press_stops_override() {
    let mut world = records();
    let id = here(&world);
    world.keys("O tab");
    world.typed("fine");
    // The answer what is newer is still on its way.
    world.hold(|e| matches!(e, Effect::Newer { .. }));
    come(&mut world);
    assert_eq!(newest(form(&world)), None);
    world.keys("ctrl-s");
    assert!(said(&world).is_empty() && on_box(&world, "north").is_empty());
    assert!(told(&world, "not saved: a newer verdict arrived"), "{}", note(&world));
    let shown = form(&world);
    assert!(shown.name() == id && newest(shown).is_some());
    assert_eq!(shown.reason.value(), "fine");
    // What was seen may be decided.
    world.keys("up ctrl-s");
    assert_eq!(said(&world).len(), 1);
}

#[test]
fn an_answer_stays_answered_until_yet_another_verdict_comes() {
    let mut world = records();
    world.keys("O tab");
    world.typed("fine");
    come(&mut world);
    world.keys("up");
    world.tell(Message::Due);
    world.settle();
    assert!(matches!(form(&world).newer, Newer::OlderChosen(_)));
    world.append("north/2026-02-20.jsonl", &lines(&[push("aaaa01", 20, 9, "UNDETERMINED")]));
    world.tell(Message::Due);
    world.settle();
    assert!(matches!(form(&world).newer, Newer::Undecided(_)));
}

#[test]
fn a_record_that_is_gone_is_not_overridden() {
    let mut world = records();
    world.keys("O tab");
    world.typed("fine");
    let rest: String = log().lines().skip(1).map(|line| format!("{line}\n")).collect();
    std::fs::write(world.log("north/2026-02-19.jsonl"), rest).unwrap();
    world.tell(Message::Due);
    world.settle();
    assert!(drawn(&world).contains("no longer in the logs"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(said(&world).is_empty());
    assert_eq!(form(&world).reason.value(), "fine");
}

/// Blind: of the two records the older one is labelled, so that it may be overridden.
fn blind() -> World {
    let mut setup = setup();
    setup.session.sight = foureyes::tui::model::BlindMode::Blind;
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log())]);
    world.keys("3");
    go(&mut world, "aaaa01");
    world.keys("p");
    go(&mut world, "aaaa01");
    world
}

#[test]
fn hidden_newer_verdict_is_named_without_revealing() {
    let mut world = blind();
    let id = here(&world);
    world.keys("O tab");
    world.typed("fine");
    come(&mut world);
    let newer = newest(form(&world)).unwrap();
    let text = drawn(&world);
    assert!(text.contains("newer    - hidden") && !text.contains("✔ GO"), "{text}");
    world.keys("down");
    assert!(note(&world).contains("hidden until you have labelled"), "{}", note(&world));
    assert_eq!(form(&world).name(), id);
    world.keys("up ctrl-s");
    assert_eq!(said(&world).len(), 1);
    // What was not told may be labelled blind.
    world.keys("g");
    while here(&world) != newer {
        world.keys("j");
    }
    world.keys("a");
    let present = world.ledger().present(NOW);
    assert!(present.word_of(newer, "anna").unwrap().label.blind);
}

#[test]
fn text_typed_before_newer_verdict_is_kept() {
    let mut world = records();
    let id = here(&world);
    come(&mut world);
    go(&mut world, "aaaa01");
    let newer = here(&world);
    assert_ne!(newer, id, "the newest one stands first");
    world.keys("O tab tab");
    world.typed("begun for the newer");
    world.keys("esc");
    while here(&world) != id {
        world.keys("j");
    }
    world.keys("O tab");
    world.typed("for the older");
    world.keys("down");
    assert_eq!(form(&world).name(), newer);
    assert_eq!(form(&world).reason.value(), "begun for the newer");
    assert_eq!(form(&world).word, Some(OverrideWord::Reject));
    assert!(note(&world).contains("what you typed stays with the older"), "{}", note(&world));
    world.keys("esc O");
    assert_eq!(form(&world).reason.value(), "for the older");
}
