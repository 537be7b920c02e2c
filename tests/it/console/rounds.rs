//! The run of a task is one line of the list of records, its last; its rounds are one key away.

use super::world::{Setup, World};
use super::{logs, paper};
use foureyes::tui::Effect;
use serde_json::{Value, json};

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// Lines, and records with the earlier rounds that these stand for.
fn lines(world: &World) -> (usize, usize) {
    (world.model.records.len(), world.model.records.whole)
}

fn filtered(world: &mut World, text: &str) -> (usize, usize) {
    world.keys("3 / ctrl-u");
    world.typed(text);
    world.keys("enter");
    lines(world)
}

#[test]
fn run_is_one_line_that_counts_its_rounds_and_one_key_lists_them() {
    let mut world = World::ready(&Setup::default(), &logs::runs());
    world.keys("3");
    // Two panels of three rounds, each with the line that hands it to a person, and an override.
    assert_eq!(lines(&world), (3, 9));
    let text = drawn(&world);
    assert!(text.contains("+ 6 earlier rounds") && text.contains("rates.md, 3 rounds"), "{text}");
    world.keys("j");
    let here = world.model.selected().unwrap().row.id;
    let before = world.effects.iter().filter(|e| matches!(e, Effect::List { .. })).count();
    world.keys("k j G g j");
    let after = world.effects.iter().filter(|e| matches!(e, Effect::List { .. })).count();
    assert_eq!(before, after, "moving makes no list");
    world.keys(",");
    assert_eq!(lines(&world), (9, 9));
    assert_eq!(world.model.selected().unwrap().row.id, here, "the selection stays on the record");
    let text = drawn(&world);
    assert!(!text.contains("earlier round") && !text.contains(", 3 rounds"), "{text}");
    world.keys(",");
    assert_eq!(lines(&world), (3, 9));
    // All rounds are on the history of the line that stands for them.
    world.keys("enter l l l");
    assert!(drawn(&world).contains("Run: 3 rounds, panel"), "{}", drawn(&world));
}

#[test]
fn filter_on_what_a_round_says_lists_rounds_and_others_list_runs() {
    let mut world = World::ready(&Setup::default(), &logs::runs());
    for (text, found) in [
        ("task:issue-7", (1, 4)),
        ("family:task box:north", (2, 8)),
        ("path:deliverables/", (2, 8)),
        ("since:2026-02-19 depth:panel", (2, 8)),
        ("round:1", (2, 2)),
        ("tier:deep", (2, 2)),
        ("verdict:no-go", (4, 4)),
        ("task:issue-7 -tier:human", (3, 3)),
        ("model:nano", (2, 2)),
        ("is:escalation", (1, 1)),
        ("evaluation:task", (2, 2)),
    ] {
        assert_eq!(filtered(&mut world, text), found, "{text}");
    }
    assert!(!drawn(&world).contains("earlier round"), "{}", drawn(&world));
    world.keys(",  ,");
    assert!(drawn(&world).contains("this filter asks for single rounds"), "{}", drawn(&world));
    world.keys("2 ,");
    assert!(drawn(&world).contains("an item of the queue is a whole run"), "{}", drawn(&world));
}

#[test]
fn rounds_are_listed_where_their_run_ended_outside_the_filter() {
    let round = |number: u32, day: u32| -> Value {
        json!({
            "task_id": "issue-5", "model": "opencode/gpt-5-nano", "mode": "quick",
            "judge_tier": "quick", "verdict": "improve", "round": number, "run": "r5",
            "scores": {"semantic": 3, "pragmatic": 3, "syntactic": 3}, "average": 3,
            "reasoning": "r", "improvements": [], "previous_rounds": [], "consensus": null,
            "timestamp": format!("2026-02-{day:02}T08:00:00Z"), "human_override": null,
            "schema": "foureyes/task/1"
        })
    };
    let log = logs::lines(&[round(1, 18), round(2, 19)]);
    let mut world = World::ready(&Setup::default(), &[("north/verdicts.jsonl", log)]);
    world.keys("3");
    assert_eq!(lines(&world), (1, 2));
    assert_eq!(filtered(&mut world, "day:2026-02-18"), (1, 1), "a figure leads to its record");
    assert_eq!(filtered(&mut world, "day:2026-02-19"), (1, 1));
}
