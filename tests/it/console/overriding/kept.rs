//! What is typed is kept; where nothing can be decided, nothing is written.

use super::*;
use foureyes::tui::session::Session;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn drafts(world: &World) -> Vec<String> {
    let (session, told) = Session::load(&world.data().session());
    assert_eq!(told, None);
    session.typed.into_values().map(|typed| typed.reason).collect()
}

#[test]
fn a_draft_survives_escape_a_kill_and_a_refusal() {
    let mut world = records();
    world.keys("O tab tab");
    world.typed("half a th");
    // No key ends the form: the program is killed here.
    let mut world = world.again();
    world.keys("3");
    go(&mut world, "aaaa01");
    world.keys("O");
    let text = drawn(&world);
    assert!(text.contains("half a th") && text.contains("[reject]"), "{text}");
    world.typed("ought");
    world.keys("esc");
    assert!(note(&world).contains("is kept"), "{}", note(&world));
    assert_eq!(drafts(&world), ["half a thought"]);
    assert!(drawn(&world).contains("half a thought"), "the record shows it");
    let file = world.data().ledger().join("anna@desk.jsonl");
    std::fs::create_dir_all(&file).unwrap();
    world.keys("O ctrl-s");
    assert!(world.model.notices.all().any(|n| n.level == Level::Error));
    assert_eq!(drafts(&world), ["half a thought"]);
    std::fs::remove_dir(&file).unwrap();
    world.keys("O ctrl-s");
    assert_eq!(said(&world).len(), 1);
    assert!(drafts(&world).is_empty(), "what was saved is not a draft any more");
}

#[test]
fn pasted_reason_is_text_and_hostile_text_is_escaped() {
    let mut world = records();
    world.keys("O tab");
    for (text, _) in crate::hostile::SIGNALS {
        world.paste(text);
        paper::harmless(&paper::drawn(&world.model), text);
    }
    world.paste("a\nb");
    let typed = form(&world).reason.value().to_owned();
    assert!(typed.ends_with("a b") && !typed.contains('\n'));
    assert!(said(&world).is_empty(), "a pasted line end saves nothing");
    world.keys("ctrl-s");
    assert_eq!(said(&world)[0].2, typed);
    paper::harmless(&paper::drawn(&world.model), "saved");
    // A byte more than a reason may have does not come in.
    world.keys("O ctrl-u");
    world.paste(&"x".repeat(5000));
    assert_eq!(form(&world).reason.value().len(), 4096);
    assert!(note(&world).contains("4096 of 5000"), "{}", note(&world));
}

#[test]
fn override_form_stays_closed_without_overridable_records() {
    let refused = |world: &World, why: &str| {
        assert!(world.model.overlay.is_none() && note(world).contains(why), "{}", note(world));
    };
    let mut world = records();
    world.keys("b space O");
    refused(&world, "1 of the marked records: hidden until you have labelled");
    world.keys("esc O");
    refused(&world, "is hidden");
    world.keys("b 1 O");
    let here = note(&world);
    assert!(world.model.overlay.is_none(), "{here}");
    for (given, reviewer, why) in
        [(true, Some("anna"), "given by path"), (false, None, "your name is unknown")]
    {
        let mut setup = setup();
        setup.facts.given = given;
        setup.facts.labelling.reviewer = reviewer.map(str::to_owned);
        let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log())]);
        world.keys("3 O");
        refused(&world, why);
    }
}

#[test]
fn override_on_refusing_box_is_kept_as_draft() {
    let setup = Setup { takes: false, ..setup() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log())]);
    world.keys("3");
    go(&mut world, "aaaa01");
    decide(&mut world, "tab", "fine");
    assert!(told(&world, "no configured box"), "{}", note(&world));
    assert!(said(&world).is_empty());
    assert_eq!(drafts(&world), ["fine"]);
}

fn bytes_of(dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if path.ends_with("cache") => {}
            true => bytes_of(&path, found),
            false => drop(found.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
}

#[test]
fn read_only_opens_no_form_and_writes_no_byte() {
    let mut world = records();
    decide(&mut world, "tab", "fine");
    let mut world = world.again_read_only();
    let home = world.data().ledger().ancestors().nth(2).unwrap().to_owned();
    let bytes = |home: &Path| {
        let mut found = BTreeMap::new();
        bytes_of(home, &mut found);
        found
    };
    let before = bytes(&home);
    world.keys("3 O");
    assert!(note(&world).contains("read-only"), "{}", note(&world));
    world.keys("tab ctrl-s u ctrl-r R");
    assert_eq!(bytes(&home), before);
    // Whatever the model asks for.
    let setup = Setup { locked: true, ..setup() };
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", log())]);
    world.keys("3");
    go(&mut world, "aaaa01");
    decide(&mut world, "tab", "fine");
    assert!(told(&world, "this session is read-only"));
    assert!(said(&world).is_empty() && !world.overrides("north").exists());
    assert!(!world.session("override-drafts.json").exists());
}

#[test]
fn override_for_local_directory_is_retried_by_pull_key() {
    let mut world = records();
    let dir = world.overrides("north").parent().unwrap().to_owned();
    std::fs::write(&dir, "").unwrap();
    decide(&mut world, "tab", "fine");
    world.keys("u");
    assert!(on_box(&world, "north").is_empty());
    assert!(list_says(&drawn(&world), "◆ undo?"), "{}", drawn(&world));
    std::fs::remove_file(&dir).unwrap();
    world.keys("R");
    let records = on_box(&world, "north");
    assert_eq!((records.len(), &records[0]["verdict"]), (1, &"reject".into()));
    assert!(!list_says(&drawn(&world), "◆"), "{}", drawn(&world));
}
