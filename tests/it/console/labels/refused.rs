//! Where nothing is labelled, and why.

use super::super::random::bound;
use super::*;
use std::collections::BTreeMap;

#[test]
fn missing_reviewer_prevents_labelling_with_next_step() {
    let mut setup = Setup { size: (120, 30), ..Setup::default() };
    setup.facts.labelling.reviewer = None;
    let mut world = World::ready(&setup, &[("north/2026-02-19.jsonl", flagged(3))]);
    world.keys("2 p");
    let notice = world.model.notices.current().unwrap();
    assert_eq!(notice.level, Level::Warning);
    assert!(notice.next.contains("`[reviewer]`"), "{notice:?}");
    assert_eq!(world.model.queue.len(), 3);
    assert!(!world.data().ledger().exists());
}

#[test]
fn human_override_cannot_be_labelled() {
    let mut world = records();
    world.keys("/");
    world.typed("task:issue-41");
    world.keys("enter p");
    assert!(note(&world).contains("is an override"), "{}", note(&world));
    assert!(words(&world).is_empty());
}

#[test]
fn damaged_ledger_is_reported_and_not_appended() {
    let mut world = queue(3);
    world.keys("p p");
    let text = std::fs::read_to_string(file(&world)).unwrap();
    std::fs::write(file(&world), text.replacen("\"poor\"", "\"acceptable\"", 1)).unwrap();
    let before = std::fs::read(file(&world)).unwrap();
    let mut world = world.again();
    let told = |world: &World, what: &str| {
        world.model.notices.all().any(|n| n.text.contains(what) && n.level > Level::Note)
    };
    assert!(told(&world, "anna@desk.jsonl: it was changed from line 1 on"));
    world.keys("2 p");
    assert!(told(&world, "was changed from line 1 on"));
    assert_eq!(world.model.queue.len(), 3, "what depends on it counts as unlabelled");
    assert_eq!(std::fs::read(file(&world)).unwrap(), before);
}

/// The bytes of each file below a directory, but for those of the cache: what is counted of logs is kept there
/// in such a run, too.
fn bytes_of(dir: &std::path::Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if path.ends_with("data/cache") => {}
            true => bytes_of(&path, found),
            false => drop(found.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
}

#[test]
fn read_only_writes_nothing_but_the_cache_for_any_key() {
    let mut world = queue(40);
    world.keys("p t");
    world.typed("a draft");
    world.keys("enter d z 1 q");
    let root = world.data().root().to_owned();
    let all = || {
        let mut found = BTreeMap::new();
        bytes_of(&root, &mut found);
        found
    };
    let before = all();
    assert!(before.len() >= 3, "{:?}", before.keys());
    let mut world = world.again_read_only();
    let keys = bound();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    for press in 0..10_000 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        world.press(keys[seed as usize % keys.len()]);
        world.model.ended = false;
        if press % 100 == 0 {
            world.settle();
        }
    }
    world.settle();
    let after = all();
    let changed: Vec<_> =
        after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).collect();
    assert!(changed.is_empty(), "{:?}", changed.iter().map(|(p, _)| p).collect::<Vec<_>>());
    assert_eq!(before.len(), after.len());
    assert!(note_of_refusal(&world), "nothing was refused");
}

fn note_of_refusal(world: &World) -> bool {
    let refused = |name: &str| {
        let text = format!("`{name}` is refused");
        world.model.notices.all().any(|n| n.text.contains(&text))
    };
    ["poor", "acceptable", "unsure", "note", "blind", "undo"].iter().any(|name| refused(name))
}

#[test]
fn read_only_neither_offers_nor_performs_labelling() {
    let world = queue(3);
    let mut world = world.again_read_only();
    world.keys("2");
    let text = drawn(&world);
    assert!(!text.contains(" poor ") && !text.contains(" acceptable "), "{text}");
    for (key, name) in [
        ("a", "acceptable"),
        ("p", "poor"),
        ("s", "unsure"),
        ("f", "wrong-verdict"),
        ("t", "note"),
        ("b", "blind"),
        ("u", "undo"),
        ("ctrl-r", "redo"),
    ] {
        world.keys(key);
        assert!(note(&world).starts_with(&format!("`{name}` is refused")), "{}", note(&world));
    }
    world.keys("?");
    assert!(!drawn(&world).contains("wrong-verdict"));
}
