//! Keys that are two: what is copied, what the second may be, and how to wait no longer.

use super::logs;
use super::paper;
use super::world::{Setup, World};
use foureyes::text::CommandLine;
use foureyes::tui::Effect;
use foureyes::tui::model::Level;
use std::sync::Arc;

const COMMIT: &str = "c0ffee1000000000000000000000000000000001";

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

fn console(filter: &str) -> World {
    let mut setup = Setup::default();
    setup.facts.commit_url = Some("https://git.example/kb/commit/{commit}".to_owned());
    setup.facts.command_line = CommandLine::new(true, None, None);
    let mut world = World::ready(&setup, &logs::mixed());
    world.keys("3 / ctrl-u");
    world.typed(filter);
    world.keys("enter");
    world
}

/// What was copied last.
fn copied(world: &World) -> Option<(&'static str, Arc<str>)> {
    let of = |effect: &Effect| match effect {
        Effect::Copy { what, text } => Some((*what, Arc::clone(text))),
        _ => None,
    };
    world.effects.iter().rev().find_map(of)
}

#[test]
fn each_second_key_copies_what_it_says() {
    let mut world = console(&format!("commit:{COMMIT}"));
    let id = world.model.selected().unwrap().row.id;
    for (key, what, text) in [
        ("i", "the record's id", id.to_string()),
        ("y", "the record's id", id.to_string()),
        ("c", "the commit", COMMIT.to_owned()),
        ("p", "the path", format!("research/{COMMIT}.md")),
        ("f", "the finding", format!("What was found in {COMMIT}.")),
        ("l", "the link", format!("https://git.example/kb/commit/{COMMIT}")),
        ("m", "the command", format!("foureyes --demo show {}", id.short())),
    ] {
        world.effects.clear();
        world.keys(&format!("y {key}"));
        assert_eq!(copied(&world), Some((what, Arc::from(text))), "{key}");
        assert!(note(&world).starts_with(&format!("Copied {what} (")), "{}", note(&world));
    }
    world.keys("Y");
    assert_eq!(copied(&world).unwrap().0, "the record");
}

#[test]
fn the_choices_are_shown_until_a_key_comes() {
    let mut world = console(&format!("commit:{COMMIT}"));
    for size in [(120, 40), (80, 24)] {
        world.model.size = size;
        world.keys("y");
        let footer = paper::footer(&world.model, &paper::drawn(&world.model));
        for choice in ["i id", "c commit", "p path", "f finding", "l link", "m command"] {
            assert!(footer.contains(choice), "{footer}");
        }
        assert!(footer.trim_end().ends_with("esc cancels"), "{footer}");
        world.keys("esc");
        assert!(!drawn(&world).contains("esc cancels") && copied(&world).is_none());
    }
    world.keys("y z");
    assert_eq!(note(&world), "y z has no action here; ? shows the keys");
    assert!(
        !world.effects.iter().any(|e| matches!(e, Effect::Disposition { .. })),
        "z alone is later"
    );
    // An open line takes the key by itself.
    world.keys("y : esc");
    assert!(world.model.first_key.is_none());
}

#[test]
fn what_is_not_there_is_said() {
    let mut world = console("task:issue-42");
    for (keys, text) in [
        ("y c", "this record names no commit"),
        ("y l", "this record names no commit"),
        ("y p", "this record names no file"),
    ] {
        world.keys(keys);
        assert_eq!(note(&world), text);
    }
    world.model.facts.commit_url = None;
    world.keys("/ ctrl-u");
    world.typed(&format!("commit:{COMMIT}"));
    world.keys("enter y l");
    assert!(note(&world).contains("`commit_url`"), "{}", note(&world));
    // Hidden, the finding stays so.
    world.effects.clear();
    world.keys("b enter y f");
    assert!(copied(&world).is_none() && note(&world).contains("hidden"), "{}", note(&world));
}

#[test]
fn esc_closes_the_message_first_and_then_goes_back() {
    let mut world = console("box:north");
    for text in ["one", "two"] {
        world.model.notices.push(Level::Error, text.to_owned(), String::new(), world.model.now);
    }
    assert!(drawn(&world).contains("[esc closes, 1 more]"), "{}", drawn(&world));
    world.keys("esc");
    assert_eq!(note(&world), "one");
    world.keys("esc");
    assert_eq!(note(&world), "");
    assert_eq!(world.model.records.filter.text, "box:north");
    world.keys("esc");
    assert!(world.model.records.filter.is_all());
}

#[test]
fn tables_of_a_page_are_exported_in_each_form() {
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    world.keys("1 x c");
    let written = |world: &World| {
        let path = world.model.written.clone().unwrap_or_else(|| panic!("{}", note(world))).path;
        (
            path.extension().unwrap().to_str().unwrap().to_owned(),
            std::fs::read_to_string(path).unwrap(),
        )
    };
    let (suffix, csv) = written(&world);
    assert_eq!(suffix, "csv");
    assert!(csv.contains("\r\nname,evals,flagged,records,GO rate,"), "{csv}");
    assert!(csv.contains("\r\nfigure,now,likely,needed,counted\r\n"), "{csv}");
    world.keys("x j");
    let (_, json) = written(&world);
    assert!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["boxes"].is_array(),
        "{json}"
    );
    world.keys("x m");
    let (suffix, markdown) = written(&world);
    assert!(suffix == "md" && markdown.starts_with("# "), "{markdown}");
    world.keys("7");
    world.effects.clear();
    world.keys("x c");
    assert_eq!(note(&world), "nothing here to export");
    assert!(world.effects.is_empty());
}
