//! Judging a task again: its texts, its rounds as they come, and that no log is touched.

use super::*;
use foureyes::config::{JudgeKind, NamedJudge};
use foureyes::domain::JudgementKind;
use foureyes::engine::cost::{Price, Prices};
use foureyes::engine::panel::Tier;
use foureyes::judging::task::{Judges, Task};
use foureyes::judging::{File, Item, Judge as OneJudge, configured};
use foureyes::tui::TaskJudges;
use foureyes::tui::model::{Overlay, RunsPlace, Screen, TierState};
use serde_json::{Value, json};

/// The texts of the task.
pub(super) const DESCRIPTION: &str = "Describe how rates move.\nName the source.\n";
pub(super) const ACCEPTANCE: &str = "It names a source.";
/// Keys that type them.
pub(super) const TYPED: &str = "typed";

const LOG: &str = "north/verdicts.jsonl";

/// Judges of tasks as configured, but that a function answers.
pub(super) fn judges(answer: fn(&Ask) -> Answer, asked: Arc<AtomicU64>) -> TaskJudges {
    let make = move |config: &Config| {
        let judge = |tier| {
            let judge = configured::tier(config, tier, None, None).unwrap();
            let counter = Arc::clone(&asked);
            let model = move |ask: &Ask| {
                counter.fetch_add(1, Ordering::SeqCst);
                answer(ask)
            };
            Arc::new(OneJudge { provider: Provider::Scripted(Scripted::by(model)), ..judge })
        };
        Ok(Judges(Tier::ALL.map(judge)))
    };
    TaskJudges { description: Some("judges of a test".to_owned()), make: Arc::new(make) }
}

/// An answer on a task. The verdict follows from the scores.
pub(super) fn scored(scores: [u8; 3]) -> Answer {
    let text = json!({
        "scores": {"semantic": scores[0], "pragmatic": scores[1], "syntactic": scores[2]},
        "reasoning": format!("What decided {scores:?}."),
        "improvements": [{"dimension": "semantic", "issue": "no source", "suggestion": "name one"}],
    });
    let (prompt_tokens, completion_tokens) = (Some(1200), Some(80));
    Answer { text: text.to_string(), prompt_tokens, completion_tokens, ..Answer::default() }
}

/// Quick accepts, deep rejects, the tiebreaker accepts.
pub(super) fn differing(ask: &Ask) -> Answer {
    match ask.model.as_str() {
        "gpt-5-nano" => scored([4, 4, 5]),
        "deepseek-v4" => scored([1, 3, 4]),
        _ => scored([4, 4, 4]),
    }
}

/// Quick accepts, deep never answers.
pub(super) fn hanging(ask: &Ask) -> Answer {
    match ask.model.as_str() {
        "gpt-5-nano" => scored([4, 4, 5]),
        _ => Answer { delay_ms: 3_600_000, ..scored([4, 4, 4]) },
    }
}

/// A run that waits for a person, on the first commit of the repository.
pub(super) fn log() -> Vec<(&'static str, String)> {
    let bytes = b"# Note 1\n\nRates moved.\n".to_vec();
    let files = [File { path: b"research/note1.md".to_vec(), bytes }];
    let task = Task {
        description: DESCRIPTION.to_owned(),
        acceptance: Some(ACCEPTANCE.to_owned()),
        item: Item { files: files.into(), ..Item::default() },
        ..Task::default()
    };
    let all = &logs::runs()[0].1;
    let lines = all.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["task_id"] == "issue-7" {
            line["commit"] = json!(REPOSITORY.commits[0]);
            line["author"] = json!("OpenClaw Agent");
            line["files"] = json!(["research/note1.md"]);
            line["task_sha"] = json!(task.sha());
            line["content_sha"] = json!(task.item.material().sha());
        }
        format!("{line}\n")
    });
    vec![(LOG, lines.collect())]
}

pub(super) fn setup_of(judge: &Judge, size: (u16, u16)) -> Setup {
    let mut setup = Setup { size, ..setup(judge) };
    for (tier, model) in
        [("quick", "gpt-5-nano"), ("deep", "deepseek-v4"), ("tiebreaker", "claude-haiku")]
    {
        let kind = Some(JudgeKind::Chat);
        let judge = NamedJudge { kind, model: Some(model.to_owned()), ..NamedJudge::default() };
        setup.config.judges.insert(tier.to_owned(), judge);
    }
    setup
}

/// The form on the task that waits for a person.
pub(super) fn opened(setup: &Setup) -> World {
    let mut world = World::ready(setup, &log());
    world.keys("P r");
    world
}

/// Types the texts as they are pasted from a terminal, without the last line end of a file.
pub(super) fn type_texts(world: &mut World) {
    world.paste(DESCRIPTION.trim_end());
    world.keys("down");
    world.typed(ACCEPTANCE);
}

pub(super) fn form(size: (u16, u16), keys: &str) -> World {
    let mut world = opened(&setup_of(&Judge::by(differing), size));
    if keys == TYPED {
        type_texts(&mut world);
    }
    world
}

pub(super) fn lost(size: (u16, u16)) -> World {
    let mut setup = setup_of(&Judge::by(differing), size);
    setup.config.repositories.clear();
    let mut world = opened(&setup);
    type_texts(&mut world);
    world
}

/// A panel whose second judge does not answer.
pub(super) fn running(size: (u16, u16)) -> World {
    running_by(&setup_of(&Judge::by(hanging), size))
}

pub(super) fn running_by(setup: &Setup) -> World {
    let mut world = opened(setup);
    type_texts(&mut world);
    world.press("ctrl-s".parse().unwrap());
    world.until("the first answer", |model| {
        let live = model.runs.live.as_ref();
        live.is_some_and(|live| {
            live.tiers.len() == 2 && matches!(live.tiers[0].1, TierState::Answered(_))
        }) && !paper::text(&paper::drawn(model)).contains("reading the record")
    });
    world
}

pub(super) fn done(size: (u16, u16)) -> World {
    let mut world = form(size, TYPED);
    world.keys("ctrl-s");
    world
}

pub(super) fn repeated(size: (u16, u16)) -> World {
    let mut world = done(size);
    world.keys("r down down right ctrl-s");
    world
}

#[test]
fn rounds_of_a_task_are_kept_in_the_ledger_and_its_log_stays() {
    let judge = Judge::by(differing);
    let mut world = opened(&setup_of(&judge, (120, 40)));
    let before = std::fs::read(world.log(LOG)).unwrap();
    type_texts(&mut world);
    let screen = drawn(&world);
    assert!(screen.contains("same as then."), "{screen}");
    assert_eq!(judge.asked(), 0);
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 3);
    let all = evaluations(&world);
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|one| one.family == JudgementKind::Task && one.item == 0));
    let word = |name: &str| all.iter().map(|one| one.evaluation[name].clone()).collect::<Vec<_>>();
    assert_eq!(word("mode"), ["quick", "deep", "tiebreaker"]);
    assert_eq!(word("verdict"), ["accept", "reject", "accept"]);
    assert_eq!(word("decision"), [json!(null), json!(null), json!("accept")]);
    assert_eq!(all[2].evaluation["consensus"], "majority");
    let prompts: std::collections::BTreeSet<_> = all.iter().map(|one| &one.prompt.sha).collect();
    assert_eq!(prompts.len(), 3, "each tier is shown texts of its own");
    let run = &runs(&world)[0];
    let task = run.begun.what.task.as_ref().unwrap();
    assert_eq!((task.id.as_str(), task.depth.as_str()), ("issue-7", "panel"));
    assert_eq!(run.ended.as_ref().unwrap().what.left, []);
    assert!(note(&world).contains("accept, 3 rounds"), "{}", note(&world));
    let screen = drawn(&world);
    assert!(screen.contains("accept (majority), exit code 0"), "{screen}");
    assert!(screen.contains("Before: panel, a person decides (split)"), "{screen}");
    // Nothing of the texts is on the disk, and the log of tasks is as it was.
    assert_eq!(std::fs::read(world.log(LOG)).unwrap(), before);
    assert!(!format!("{all:?}{run:?}").contains("Name the source"));
    let mut again = world.again();
    again.keys("6 enter");
    assert_eq!(again.model.runs.place, RunsPlace::Item(run.id(), 0));
    assert!(drawn(&again).contains("accept (majority), exit code 0"), "{}", drawn(&again));
    again.keys("esc");
    assert_eq!(again.model.runs.place, RunsPlace::List);
    assert_eq!(again.model.loaded.as_ref().unwrap().records, world.model.loaded.unwrap().records);
}

#[test]
fn task_without_content_is_not_asked_about() {
    let judge = Judge::by(differing);
    let mut setup = setup_of(&judge, (120, 40));
    setup.config.repositories.clear();
    let mut world = opened(&setup);
    type_texts(&mut world);
    let screen = drawn(&world);
    assert!(screen.contains("cannot send: there is nothing to judge"), "{screen}");
    world.keys("ctrl-s");
    assert!(matches!(world.model.overlay, Some(Overlay::Judge(_))));
    assert_eq!((judge.asked(), world.ledger().entries().count()), (0, 0));
}

#[test]
fn task_without_a_commit_is_refused_with_the_command_that_judges_it() {
    let judge = Judge::by(differing);
    let lines = log().remove(0).1.replace("\"commit\":", "\"of_commit\":");
    let mut world = World::ready(&setup_of(&judge, (120, 40)), &[(LOG, lines)]);
    world.keys("P r");
    type_texts(&mut world);
    let screen = drawn(&world);
    assert!(screen.contains("cannot send: there is nothing to judge: the record names no commit"));
    assert!(screen.contains("`foureyes judge --task-id ID FILE`"), "{screen}");
    world.keys("ctrl-s");
    assert_eq!((judge.asked(), world.ledger().entries().count()), (0, 0));
}

#[test]
fn other_texts_are_reported_and_what_was_typed_is_there_again() {
    let judge = Judge::by(differing);
    let mut world = opened(&setup_of(&judge, (120, 40)));
    assert!(drawn(&world).contains("does not have the texts"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert!(drawn(&world).contains("type what the task was"), "{}", drawn(&world));
    world.typed("Something else.");
    assert!(drawn(&world).contains("NOT the same as then"), "{}", drawn(&world));
    world.keys("esc r");
    let screen = drawn(&world);
    assert!(screen.contains("description Something else."), "{screen}");
    assert_eq!((judge.asked(), world.ledger().entries().count()), (0, 0));
}

#[test]
fn text_is_read_from_a_file_only_when_its_line_is_left() {
    let judge = Judge::by(differing);
    let mut world = opened(&setup_of(&judge, (120, 40)));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("task.md");
    std::fs::write(&path, DESCRIPTION).unwrap();
    world.typed(&format!("@{}", path.display()));
    world.keys("ctrl-s");
    assert!(note(&world).contains("Enter reads it"), "{}", note(&world));
    world.keys("enter");
    world.typed(ACCEPTANCE);
    let screen = drawn(&world);
    assert!(screen.contains("42 bytes were read") && screen.contains("same as then."), "{screen}");
    world.keys("up ctrl-u");
    world.typed("@/nowhere/task.md");
    world.keys("enter ctrl-s");
    let screen = drawn(&world);
    assert!(screen.contains("cannot send: /nowhere/task.md: No such file"), "{screen}");
    assert_eq!(judge.asked(), 0);
}

#[test]
fn spend_cap_is_kept_and_one_below_a_round_is_reported_before() {
    let judge = Judge::by(differing);
    let mut setup = setup_of(&judge, (120, 40));
    setup.config.prices =
        Prices(vec![Price { model: "*".to_owned(), prompt: 1.0, completion: 100.0 }]);
    setup.config.judge.max_tokens = Some(1000);
    setup.config.task.spend_cap = Some(0.01);
    let mut world = opened(&setup);
    type_texts(&mut world);
    let screen = drawn(&world);
    assert!(screen.contains("cannot send: the first round may cost"), "{screen}");
    world.keys("ctrl-s esc");
    assert_eq!(judge.asked(), 0);
    // Enough for quick alone, with what it may cost when it is repeated: of a panel nobody is asked.
    setup.config.task.spend_cap = Some(0.4);
    let mut world = opened(&setup);
    type_texts(&mut world);
    assert!(drawn(&world).contains("never more than 0.4"), "{}", drawn(&world));
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 0);
    let all = evaluations(&world);
    let last = &all.last().unwrap().evaluation;
    assert_eq!((&last["decision"], &last["reason"]), (&json!("escalate"), &json!("limit")));
    assert!(drawn(&world).contains("exit code 2"), "{}", drawn(&world));
    // Enough for both.
    setup.config.task.spend_cap = Some(0.6);
    let mut world = opened(&setup);
    type_texts(&mut world);
    world.keys("ctrl-s");
    assert!(judge.asked() >= 2);
    let spent: f64 = evaluations(&world).iter().filter_map(|one| one.cost).sum();
    assert!(spent > 0.0 && spent <= 0.6, "{spent}");
    assert!(drawn(&world).contains("of at most 0.6"), "{}", drawn(&world));
}

#[test]
fn run_on_a_task_is_repeated_beside_the_one_before() {
    let judge = Judge::by(differing);
    let mut world = opened(&setup_of(&judge, (120, 40)));
    type_texts(&mut world);
    world.keys("ctrl-s r");
    let screen = drawn(&world);
    assert!(screen.contains("same as then.") && screen.contains("panel"), "{screen}");
    world.keys("ctrl-s");
    let runs = runs(&world);
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1].begun.what.repeats, Some(runs[0].id()));
    let id = runs[0].id().to_string();
    assert!(
        drawn(&world).contains(&format!("Run {}: panel, accept", &id[..12])),
        "{}",
        drawn(&world)
    );
    // Of another console nobody has the texts, and it says so.
    let mut again = world.again();
    again.keys("6 r");
    assert!(drawn(&again).contains("does not have the texts"), "{}", drawn(&again));
}

#[test]
fn what_a_task_came_to_is_hidden_with_its_record() {
    let mut world = done((120, 40));
    world.keys("3 b 6");
    let screen = drawn(&world);
    assert!(screen.contains("Hidden until you have saved a label"), "{screen}");
    for word in ["accept", "reject", "4 4 5", "What decided", "CHANGED"] {
        assert!(!screen.contains(word), "{word}: {screen}");
    }
    world.keys("esc");
    let screen = drawn(&world);
    assert!(screen.contains("decided, 3 rounds  changes hidden"), "{screen}");
}

#[test]
fn task_among_marked_pushes_is_left_out_and_not_asked_their_question() {
    let judge = Judge::by(good);
    let mut all = records();
    all.extend(log());
    let mut world = World::ready(&setup_of(&judge, (120, 40)), &all);
    world.keys("3 /");
    world.typed("family:push | (task:issue-7 round:4)");
    world.keys("enter g space space space space r");
    let screen = drawn(&world);
    assert!(screen.contains("3 contents, 1 cannot be judged"), "{screen}");
    assert!(screen.contains("a task; select it alone to judge it again"), "{screen}");
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 3);
    assert_eq!(world.model.screen, Screen::Runs);
    assert!(evaluations(&world).iter().all(|one| one.family == JudgementKind::Push));
}
