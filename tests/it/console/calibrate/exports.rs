//! What is exported while a window runs: of hidden records nothing that the judge said.

use super::*;
use foureyes::tui::model::WrittenFile;
use std::path::Path;

/// What the judge said of a hidden record, in any form.
const SAID: [&str; 5] = ["What was found", "OpenClaw", "2026-02-18T09", "fastest", "NO-GO"];

/// Exports what is on the screen; gives the file.
fn exported(world: &mut World, keys: &str) -> String {
    world.keys(keys);
    let WrittenFile { path, .. } =
        world.model.written.clone().unwrap_or_else(|| panic!("{}", note(world)));
    std::fs::read_to_string(path).unwrap()
}

fn files(dir: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(dir).unwrap().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

fn exposed(world: &World) -> BTreeSet<RecordId> {
    present(world).exposed.get("anna").into_iter().flatten().copied().collect()
}

#[test]
fn hidden_fields_are_empty_in_every_form() {
    let mut world = calibrating(0.5);
    world.keys("3 / ctrl-u");
    world.typed("path:research/18");
    world.keys("enter");
    for keys in ["x c", "x j", "x m"] {
        let text = exported(&mut world, keys);
        assert_eq!(text.matches("research/18000011aa.md").count(), 1, "{text}");
        for said in SAID {
            assert!(!text.contains(said), "{keys} tells {said}:\n{text}");
        }
    }
    assert_eq!(exposed(&world), BTreeSet::new(), "what is hidden is no exposure");
    // A day before the window is told whole.
    world.keys("/ ctrl-u");
    world.typed("day:2026-02-01");
    world.keys("enter");
    let text = exported(&mut world, "x c");
    assert_eq!(text.matches("What was found").count(), 80, "{text}");
    assert_eq!(exposed(&world), BTreeSet::new());
}

#[test]
fn what_the_lifted_gate_exports_counts_as_seen() {
    let mut world = calibrating(0.5);
    // Most of the list is not on the screen.
    resize(&mut world, (80, 12));
    world.keys("3 / ctrl-u");
    world.typed("path:research/1");
    world.keys("enter");
    world.model.gate.lift(true);
    let text = exported(&mut world, "x c");
    assert_eq!(text.matches("What was found").count(), 36, "{text}");
    assert_eq!(exposed(&world).len(), 36);
}

#[test]
fn the_label_queue_is_exported_without_a_verdict() {
    let mut world = calibrating(0.5);
    assert_eq!(kind(&world), QueueKind::Calibration);
    let text = exported(&mut world, "x j");
    assert!(text.lines().count() > 10, "{text}");
    for said in SAID {
        assert!(!text.contains(said), "{said}:\n{text}");
    }
}

#[test]
fn no_file_is_written_over() {
    let mut world = calibrating(0.5);
    world.keys("3 / ctrl-u");
    world.typed("day:2026-02-01");
    world.keys("enter x c x c x j");
    let names = files(&world.data().reports());
    let wanted = [
        "records-2026-02-20T1234Z-2.csv",
        "records-2026-02-20T1234Z.csv",
        "records-2026-02-20T1234Z.jsonl",
    ];
    assert_eq!(names, BTreeSet::from(wanted.map(str::to_owned)));
    assert!(note(&world).starts_with("Exported to "), "{}", note(&world));
    let mut world = world.again_read_only();
    world.keys("3 x c");
    assert_eq!(files(&world.data().reports()).len(), 3);
    assert!(note(&world).contains("read-only"), "{}", note(&world));
}
