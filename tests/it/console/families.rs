//! Calibration and readiness of pushes and of tasks: which family is shown, and what is written for it.

use super::assess::unfold;
use super::planted::{self, Planted, faultless};
use super::world::{NOW, Setup, World};
use super::{logs, paper};
use foureyes::calibration::{Policy, ReadinessResult};
use foureyes::domain::review::{Act, AuditRate, Present, Reviewer, Seed, WindowStart};
use foureyes::domain::{JudgementKind, Timestamp};
use foureyes::store::ledger::id_of;
use foureyes::tui::Effect;
use foureyes::tui::model::{QueueKind, Screen};
use serde_json::{Value, json};

/// A run of a task of one round, on a day of February.
fn task(name: &str, day: u32, verdict: &str) -> Value {
    json!({
        "task_id": name, "model": "opencode/gpt-5-nano", "mode": "quick", "judge_tier": "quick",
        "verdict": verdict, "scores": {"semantic": 3, "pragmatic": 3, "syntactic": 3}, "average": 3,
        "reasoning": "What was found.", "improvements": [], "round": 1, "previous_rounds": [],
        "timestamp": format!("2026-02-{day:02}T08:00:00Z"), "consensus": null, "human_override": null
    })
}

/// A push and a task that were flagged, and one of each that passed, on the 18th.
fn both() -> Vec<(&'static str, String)> {
    let pushes = [logs::push("aaaa0001", 18, 1, "NO-GO"), logs::push("aaaa0002", 18, 2, "GO")];
    let tasks = [task("issue-1", 18, "reject"), task("issue-2", 18, "accept")];
    vec![
        ("north/2026-02-18.jsonl", logs::lines(&pushes)),
        ("south/verdicts.jsonl", logs::lines(&tasks)),
    ]
}

/// Begins a window of a family on the 18th, with everything that passes in the sample.
fn begin(world: &World, family: JudgementKind) {
    let from = Timestamp::parse_day("2026-02-18").unwrap();
    let at = Timestamp(from.0 - 3_600_000_000);
    let by = Reviewer { name: "lead".to_owned(), machine: "desk".to_owned() };
    let window = Act::Window(WindowStart::new(from).of(family));
    let rate = Act::Rate(AuditRate::new(from, None, 1.0, Some(Seed([3; 32]))).of(family));
    for act in [window, rate] {
        let id = id_of(format!("{act:?}").as_bytes());
        world.ledger().append(&by, id, at, &act).unwrap();
    }
}

fn calibrated() -> World {
    let setup = Setup { stale: "nowhere", ..Setup::default() };
    let world = World::ready(&setup, &both());
    JudgementKind::ALL.into_iter().for_each(|family| begin(&world, family));
    world.again()
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn present(world: &World) -> Present {
    world.ledger().present(NOW)
}

/// Windows, rates and policies of a family.
fn rules(world: &World, family: JudgementKind) -> [usize; 3] {
    let present = present(world);
    let of = present.of(family);
    [of.windows.len(), of.rates.len(), of.policies.len()]
}

fn shown(world: &World) -> JudgementKind {
    world.model.assess().result.value.as_ref().unwrap().readiness.family
}

#[test]
fn one_key_turns_both_screens_and_calibration_queue_to_other_family() {
    let mut world = calibrated();
    world.keys("5");
    assert!(drawn(&world).contains("Readiness of pushes"), "{}", drawn(&world));
    world.keys("L");
    assert_eq!(shown(&world), JudgementKind::Task);
    let text = drawn(&world);
    assert!(text.contains("Readiness of tasks") && text.contains("accept be trusted?"), "{text}");
    assert!(!text.contains("Runbook"), "the runbooks are about the hook of pushes");
    world.keys("4");
    assert!(drawn(&world).contains("Calibration of tasks"), "the choice is kept");
    assert_eq!(shown(&world), JudgementKind::Task);
    // Two tasks wait for a label, then two pushes.
    world.keys("2");
    assert_eq!(world.model.calibrate.selection.kind, QueueKind::Calibration);
    let queue = |world: &World| {
        let mut names = world.commits();
        names.sort();
        names
    };
    assert_eq!(queue(&world), ["issue-1", "issue-2"]);
    assert!(drawn(&world).contains("Label of tasks"), "{}", drawn(&world));
    world.keys("space L");
    assert_eq!(queue(&world), ["aaaa0001", "aaaa0002"]);
    assert!(!world.model.queue.is_marking(), "marks belong to the queue that was there");
    world.keys("4");
    assert_eq!(shown(&world), JudgementKind::Push);
}

#[test]
fn label_queue_stays_when_other_queue_is_shown() {
    let mut world = calibrated();
    world.keys("2 c");
    let before = world.effects.iter().filter(|e| matches!(e, Effect::List { .. })).count();
    world.keys("L L");
    let after = world.effects.iter().filter(|e| matches!(e, Effect::List { .. })).count();
    assert_eq!(before, after, "the triage queue holds both families");
}

#[test]
fn rules_set_on_task_screen_are_entries_of_tasks() {
    let mut world = World::ready(&Setup { stale: "nowhere", ..Setup::default() }, &both());
    world.keys("5 L B ctrl-s");
    assert_eq!(
        (rules(&world, JudgementKind::Task), rules(&world, JudgementKind::Push)),
        ([1, 0, 0], [0; 3])
    );
    world.keys("A");
    assert!(drawn(&world).contains("rate of the audit sample for tasks"), "{}", drawn(&world));
    world.typed("0.5");
    world.keys("ctrl-s");
    assert_eq!(rules(&world, JudgementKind::Task), [1, 1, 0]);
    // The window came with a secret of its own, by which the rate draws too.
    let seed = |world: &World, family| {
        let rules = present(world).of(family).clone();
        assert_eq!(rules.rates[0].what.seed, None);
        rules.windows[0].what.natural.as_ref().and_then(|natural| natural.seed)
    };
    let of_tasks = seed(&world, JudgementKind::Task);
    assert!(of_tasks.is_some());
    world.keys("L B ctrl-s A");
    world.typed("0.25");
    world.keys("ctrl-s");
    assert_eq!(rules(&world, JudgementKind::Push), [1, 1, 0]);
    let of_pushes = seed(&world, JudgementKind::Push);
    assert!(of_pushes.is_some() && of_pushes != of_tasks);
    assert_eq!(rules(&world, JudgementKind::Task), [1, 1, 0]);
    let kinds: Vec<String> =
        world.ledger().entries().map(|entry| entry.act.kind().to_owned()).collect();
    let rules = kinds.into_iter().filter(|kind| !kind.ends_with("look"));
    assert_eq!(
        rules.collect::<Vec<_>>(),
        ["task_window", "task_audit_rate", "window", "audit_rate"]
    );
}

#[test]
fn label_of_a_task_without_a_commit_is_stated_and_counts() {
    let mut world = calibrated();
    world.keys("5 L 2");
    let before = drawn(&world);
    assert!(before.contains("Nothing of this record can be shown here."), "{before}");
    world.keys("p");
    let after = drawn(&world);
    assert!(after.contains("Saved: poor (") && !after.contains("does not count"), "{after}");
    let labels = present(&world).labels;
    let shown: Vec<_> = labels.values().flatten().map(|given| given.label.shown).collect();
    assert_eq!(shown, [None]);
    // It is not asked for again.
    let mut again = world.again();
    again.keys("5 L 2");
    assert_eq!(again.model.queue.len(), 1);
}

#[test]
fn waiver_on_task_screen_extends_policy_of_tasks() {
    let mut world = calibrated();
    world.keys("5 L g W");
    assert!(drawn(&world).contains("for tasks; reason:"), "{}", drawn(&world));
    world.typed("moved");
    world.keys("ctrl-s");
    assert_eq!(
        (rules(&world, JudgementKind::Task)[2], rules(&world, JudgementKind::Push)[2]),
        (1, 0)
    );
    let policy = present(&world).of(JudgementKind::Task).policies[0].what.policy.clone();
    let policy: Policy = serde_json::from_value(policy).unwrap();
    assert_eq!(policy.waivers.len(), 1);
    let bare = Policy { waivers: Vec::new(), ..policy };
    assert_eq!(bare, Policy::for_family(JudgementKind::Task), "what is reported stays reported");
}

#[test]
fn figures_lead_to_records_of_their_family() {
    for screen in ["4", "5"] {
        let mut world = planted::tasks((120, 40), Planted::default(), screen);
        let mut found = 0;
        for _ in 0..60 {
            // A figure is a line, and leads to its records where it is unfolded.
            unfold(&mut world);
            if let Some(filter) = foureyes::tui::screen::overview::target(&world.model) {
                let of_tasks = ["(family:task | family:ladder)", "evaluation:task"];
                assert!(of_tasks.iter().any(|of| filter.starts_with(of)), "{filter}");
                found += 1;
            }
            world.keys("j");
        }
        assert!(found > 3, "screen {screen}");
    }
}

#[test]
fn box_is_let_block_on_readiness_of_the_family_that_is_shown() {
    // Pushes are READY, tasks are not: no form opens.
    let mut world = planted::console((120, 40), &faultless(), "5 L");
    planted::tell(&mut world, &Planted { family: JudgementKind::Task, ..Planted::default() });
    assert_ne!(
        world.model.assess().result.value.as_ref().unwrap().readiness.result,
        ReadinessResult::Ready
    );
    world.keys("E");
    assert!(world.model.overlay.is_none());
    let note = world.model.notices.current().unwrap().text.clone();
    assert!(note.starts_with("readiness of tasks is"), "{note}");
    // Tasks are READY: that is what the box is told of, and it compares it with its hook.
    let mut world = planted::tasks((120, 40), faultless(), "5");
    let result = |world: &World| world.model.assess().result.value.clone().unwrap();
    assert_eq!(result(&world).readiness.result, ReadinessResult::Ready);
    world.hold(|e| matches!(e, Effect::BoxTask { .. }));
    world.keys("E");
    assert!(drawn(&world).contains("Let a box block: readiness of tasks"), "{}", drawn(&world));
    // The one that is in trouble is listed first, but the one that may block is offered.
    world.keys("n o r t h ctrl-s");
    let asked = world.effects.iter().find_map(|effect| match effect {
        Effect::BoxTask { family, .. } => Some(*family),
        _ => None,
    });
    assert_eq!(asked, Some(JudgementKind::Task));
    // On the screen of pushes it is theirs.
    let mut world = planted::console((120, 40), &faultless(), "5");
    world.hold(|e| matches!(e, Effect::BoxTask { .. }));
    world.keys("E n o r t h ctrl-s");
    assert!(
        world.effects.iter().any(|effect| {
            matches!(effect, Effect::BoxTask { family: JudgementKind::Push, .. })
        })
    );
}

#[test]
fn overview_has_both_families_and_leads_to_the_readiness_of_each() {
    let mut world = calibrated();
    world.keys("1");
    let asked: Vec<JudgementKind> = world
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Assess { family, .. } => Some(*family),
            _ => None,
        })
        .collect();
    assert_eq!(asked, [JudgementKind::Push, JudgementKind::Task]);
    let mut met = Vec::new();
    for _ in 0..60 {
        if let Some(family) = foureyes::tui::screen::overview::answer_of(&world.model) {
            world.keys("enter");
            assert_eq!((world.model.screen, shown(&world)), (Screen::Readiness, family));
            met.push(family);
            world.keys("1");
        }
        world.keys("j");
    }
    assert_eq!(met, JudgementKind::ALL);
    // Without a window of tasks their labels are not read for it.
    let world = World::ready(&Setup { stale: "nowhere", ..Setup::default() }, &both());
    let tasks =
        |effect: &&Effect| matches!(effect, Effect::Assess { family: JudgementKind::Task, .. });
    assert_eq!(world.effects.iter().filter(tasks).count(), 0);
    assert!(drawn(&world).contains("KPIs of tasks"), "{}", drawn(&world));
}

#[test]
fn reports_of_two_families_are_two_files() {
    let mut world = calibrated();
    world.keys("5 w L w");
    let mut names: Vec<String> = std::fs::read_dir(world.data().reports())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    assert_eq!(names, ["readiness-2026-02-20T1234Z.json", "readiness-task-2026-02-20T1234Z.json"]);
}
