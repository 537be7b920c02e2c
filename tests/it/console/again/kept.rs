//! The question of a task that was kept beside its log: on the record, and in the form that judges it again.

use super::task::{ACCEPTANCE, DESCRIPTION, differing, log, setup_of};
use super::*;
use foureyes::engine::task_question::TaskQuestion;
use foureyes::tui::model::JudgeForm;
use serde_json::{Value, json};

/// The log of the task, with its question beside it; in both of them stands this hash.
fn logs_with(question: &TaskQuestion, masked: usize) -> Vec<(String, String)> {
    let lines = log().remove(0).1;
    let of_task = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["task_id"] == "issue-7" {
            line["task_sha"] = json!(question.sha());
        }
        format!("{line}\n")
    };
    let kept = json!({"schema": "foureyes/question/1", "description": question.masked().0.description,
        "acceptance": question.acceptance, "masked": masked});
    vec![
        ("north/verdicts.jsonl".to_owned(), lines.lines().map(of_task).collect()),
        (format!("north/questions/{}.json", question.sha()), kept.to_string()),
    ]
}

fn opened(judge: &Judge, question: &TaskQuestion, masked: usize) -> World {
    let logs = logs_with(question, masked);
    let logs: Vec<_> = logs.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    World::ready(&setup_of(judge, (120, 60)), &logs)
}

fn question(description: &str) -> TaskQuestion {
    TaskQuestion { description: description.to_owned(), acceptance: Some(ACCEPTANCE.to_owned()) }
}

#[test]
fn record_and_form_have_the_question_that_was_kept() {
    let judge = Judge::by(differing);
    let mut world = opened(&judge, &question(DESCRIPTION), 0);
    world.keys("P");
    let screen = drawn(&world);
    for part in [
        "Question",
        "Describe how rates move.",
        "Name the source.",
        "Acceptance criteria",
        ACCEPTANCE,
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    world.keys("r");
    let screen = drawn(&world);
    assert!(screen.contains("description Describe how rates move."), "{screen}");
    assert!(screen.contains("same as then.") && screen.contains("nothing is sent"), "{screen}");
    world.keys("ctrl-s");
    assert_eq!(judge.asked(), 3);
    // Nothing of the texts goes into the ledger.
    assert!(!format!("{:?}", evaluations(&world)).contains("Name the source"));
}

#[test]
fn criteria_that_are_the_description_as_well_are_on_the_record_once() {
    let judge = Judge::by(differing);
    let mut world = opened(&judge, &question(ACCEPTANCE), 0);
    world.keys("P");
    let screen = drawn(&world);
    assert_eq!(screen.matches(ACCEPTANCE).count(), 1, "{screen}");
    assert!(screen.contains("Question and acceptance criteria"), "{screen}");
}

#[test]
fn kept_question_is_no_path_and_no_sequence_of_the_terminal() {
    let judge = Judge::by(differing);
    let secret = std::path::Path::new("/etc/hostname");
    let hostile = format!("@{}\n\u{1b}[2J\u{202e}```", secret.display());
    for description in [&format!("@{}", secret.display()), &hostile] {
        let mut world = opened(&judge, &question(description), 0);
        world.keys("P r");
        let screen = drawn(&world);
        assert!(screen.contains("description @/etc/hostname"), "{screen}");
        assert!(
            !screen.contains("bytes were read") && screen.contains("same as then."),
            "{screen}"
        );
        assert!(!screen.contains(['\u{1b}', '\u{202e}']), "{screen:?}");
        // Neither where the line is left, nor in the next form on the task.
        world.keys("enter enter up up esc r");
        let screen = drawn(&world);
        assert!(
            !screen.contains("bytes were read") && screen.contains("same as then."),
            "{screen}"
        );
        world.keys("esc");
        assert!(!drawn(&world).contains(['\u{1b}', '\u{202e}']));
    }
    assert_eq!(judge.asked(), 0);
}

#[test]
fn masked_question_says_why_it_is_another_task() {
    let judge = Judge::by(differing);
    let mut world = opened(&judge, &question(&format!("Use ghp_{}.", "Ab1".repeat(14))), 1);
    world.keys("P");
    let screen = drawn(&world);
    assert!(
        screen.contains("[masked GitHub token]") && screen.contains("secret is masked"),
        "{screen}"
    );
    world.keys("r");
    let screen = drawn(&world);
    assert!(screen.contains("Secrets are masked in the kept texts"), "{screen}");
}

#[test]
fn record_without_a_question_names_the_setting() {
    let judge = Judge::by(differing);
    let mut world = World::ready(&setup_of(&judge, (120, 60)), &log());
    world.keys("P");
    let screen = drawn(&world);
    assert!(screen.contains("not kept: see `keep_questions` in `[task]`"), "{screen}");
    world.keys("r");
    let screen = drawn(&world);
    assert!(screen.contains("The question is not kept"), "{screen}");
    assert!(screen.contains("The log does not have the texts"), "{screen}");
}

#[test]
fn kept_texts_are_filled_in_together_or_not_at_all() {
    let judge = Judge::by(differing);
    let mut world = opened(&judge, &question(DESCRIPTION), 0);
    world.keys("P r");
    let form = world.model.judge_form().unwrap().clone();
    let ready = form.ready.value.clone().unwrap();
    for acceptance in [false, true] {
        let mut early = JudgeForm::new(form.input.clone(), 1, None);
        let typed = if acceptance { &mut early.acceptance } else { &mut early.description };
        typed.input = form.acceptance.input.clone();
        early.preset(&ready);
        let all = [&early.description, &early.acceptance].map(|text| text.input.value());
        let expected = if acceptance { ["", ACCEPTANCE] } else { [ACCEPTANCE, ""] };
        assert_eq!(all, expected);
        // Nor in the next form on the task.
        let again = [Some(all[0].to_owned()), Some(all[1].to_owned())];
        let mut again = JudgeForm::new(form.input.clone(), 2, Some(&again));
        again.preset(&ready);
        assert_eq!(again.description.input.value(), expected[0]);
        assert_eq!(again.acceptance.input.value(), expected[1]);
    }
    // One that was changed leaves the other as it was kept; where nothing was typed, both are filled in.
    for (texts, description) in [
        ([Some("changed".to_owned()), None], "changed"),
        ([Some(String::new()), Some(String::new())], DESCRIPTION),
    ] {
        let mut again = JudgeForm::new(form.input.clone(), 3, Some(&texts));
        again.preset(&ready);
        assert_eq!(again.description.input.value(), description);
        assert!(again.acceptance.is_kept() && again.acceptance.input.value() == ACCEPTANCE);
    }
}
