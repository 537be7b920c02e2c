//! What the outside may answer, for a console that is used by chance.

use crate::http;
use foureyes::config::TaskConfig;
use foureyes::domain::review::{Dated, Evaluated, PromptSource, PromptUsed};
use foureyes::domain::{JudgementKind, Outcome};
use foureyes::engine::cost::Prices;
use foureyes::engine::four_eyes::{Families, Rule};
use foureyes::engine::judgements::JudgementStage;
use foureyes::engine::panel::Tier;
use foureyes::judging::{File, Item};
use foureyes::tui::Message;
use foureyes::tui::judging::{
    BoxQuestion, JudgeOptions, JudgingEffect, JudgingEvent, PreparedRun, PromptOption,
    QuestionOrigin, RunContent, RunInput, RunJudge, RunOptions, RunPlan, RunWork, TaskOptions,
};
use foureyes::tui::model::{Problem, ShownRecord};
use std::sync::Arc;

/// An answer to what was asked, or to something else by `shift`.
pub(in crate::console) fn answer(
    act: JudgingEffect,
    by: u64,
    fails: bool,
    shift: u64,
) -> Option<Message> {
    let problem = || Problem::new("it cannot be asked", "try again");
    let told = match act {
        JudgingEffect::Prepare { input, generation } => {
            let result = match (input.is_task(), input.record()) {
                (true, Some(record)) if !fails => Ok(Arc::new(ready_task(record, by))),
                (false, _) if !fails => Ok(Arc::new(ready(&input, by))),
                _ => Err(problem()),
            };
            JudgingEvent::Prepared { generation: generation + shift, result }
        }
        JudgingEffect::FetchPrompt { box_name, form } => {
            let sha = "c".repeat(64);
            let used = PromptUsed { source: PromptSource::Box, name: Some(box_name.clone()), sha };
            let origin = match by % 2 {
                0 => QuestionOrigin::Program,
                _ => QuestionOrigin::File {
                    path: "\u{1b}[2J".to_owned(),
                    why: "\u{202e}".to_owned(),
                },
            };
            let result = if fails { Err(problem()) } else { Ok(BoxQuestion { used, origin }) };
            JudgingEvent::Prompt { form: form + shift, box_name, result }
        }
        JudgingEffect::Forget => return None,
        JudgingEffect::Models { form } => {
            let names = ["judge-a", "\u{1b}[2J\u{202e}b", ""].map(str::to_owned).to_vec();
            let result = if fails { Err(problem()) } else { Ok(Arc::new(names)) };
            JudgingEvent::Models { form: form + shift, result }
        }
        JudgingEffect::Begin(plan) if matches!(plan.work, RunWork::Task(_)) => {
            task_event(&plan, by, fails, shift)
        }
        JudgingEffect::Begin(plan) => {
            let mut run = plan.run;
            run.0[0] = run.0[0].wrapping_add(shift as u8);
            let item = (by >> 8) as usize % (plan.begun.items.len() + 1);
            match by % 6 {
                0 => JudgingEvent::Began { run },
                5 => JudgingEvent::Stage { run, of: item, stage: stage(by) },
                1 => JudgingEvent::ItemStarted { run, item },
                2 => JudgingEvent::ItemSkipped { run, item, why: "stopped".into() },
                3 => {
                    let evaluation = match by % 2 {
                        0 => serde_json::json!({"verdict": "GO", "commit": "\u{1b}[2J"}),
                        _ => http::completion("no record"),
                    };
                    let prompt = plan.begun.prompt.clone();
                    let (item, cost) = (item as u32, Some(by as f64 / 1e20));
                    let family = JudgementKind::Push;
                    let what =
                        Evaluated { run, item, record: None, prompt, cost, family, evaluation };
                    let (entry, time) = (run, foureyes::domain::Timestamp(0));
                    let evaluation = Dated { entry, time, reviewer: "anna".to_owned(), what };
                    let unkept = fails.then(problem);
                    JudgingEvent::ItemJudged {
                        run,
                        evaluation: Arc::new(evaluation),
                        spent: 1.0,
                        unkept,
                    }
                }
                _ => {
                    let result = if fails { Err(problem()) } else { Ok(()) };
                    JudgingEvent::Ended { run, result, ledger: None }
                }
            }
        }
        JudgingEffect::ReadText { path, text, form } => {
            let result = if fails { Err(problem()) } else { Ok(Arc::from("\u{1b}[2J\u{202e}")) };
            JudgingEvent::TextRead { form: form + shift, text, path, result }
        }
        JudgingEffect::ReadOriginal { record, .. } => {
            let result = if fails { Err(problem()) } else { Ok(None) };
            JudgingEvent::Original { record, result, rounds: Arc::default() }
        }
        JudgingEffect::Stop | JudgingEffect::Drop => return None,
    };
    Some(Message::Judging(told))
}

/// How far a service may be.
fn stage(by: u64) -> JudgementStage {
    match by % 2 {
        0 => JudgementStage::Queued { place: by as usize },
        _ => JudgementStage::Judging { attempt: by as u32, model: "\u{1b}[2J".to_owned() },
    }
}

/// Something that may happen in the run of a task.
fn task_event(plan: &RunPlan, by: u64, fails: bool, shift: u64) -> JudgingEvent {
    let mut run = plan.run;
    run.0[0] = run.0[0].wrapping_add(shift as u8);
    let tier = Tier::ALL[(by >> 8) as usize % 3];
    match by % 5 {
        4 => JudgingEvent::Stage { run, of: tier as usize, stage: stage(by) },
        0 => JudgingEvent::Asking { run, tier, again: fails },
        1 => JudgingEvent::ItemSkipped { run, item: 0, why: "stopped".into() },
        2 => {
            let decision = if by.is_multiple_of(3) { Some("reject\u{1b}[2J") } else { None };
            let evaluation = serde_json::json!({"verdict": "reject", "task_id": "\u{1b}[2J",
                "mode": tier.name(), "judge_tier": tier.name(), "round": by % 5,
                "timestamp": "2026-02-20T12:01:00Z", "decision": decision});
            let (prompt, family) = (plan.begun.prompt.clone(), JudgementKind::Task);
            let what =
                Evaluated { run, item: 0, record: None, prompt, cost: None, family, evaluation };
            let (entry, time) = (run, foureyes::domain::Timestamp(0));
            let evaluation = Dated { entry, time, reviewer: "anna".to_owned(), what };
            let evaluation = Arc::new(evaluation);
            JudgingEvent::ItemJudged { run, evaluation, spent: 1.0, unkept: None }
        }
        _ => JudgingEvent::Ended { run, result: Ok(()), ledger: None },
    }
}

fn judge(tier: Option<Tier>, most_bytes: usize) -> RunJudge {
    RunJudge {
        tier,
        model: "judge-a".to_owned(),
        endpoint: "\u{1b}]0;x\u{7}\u{1b}[2Jwhom".to_owned(),
        prompt: PromptUsed { sha: "a".repeat(64), ..PromptUsed::default() },
        price: None,
        most_bytes,
        max_parts: 1,
        max_tokens: None,
        four_eyes: tier.map(|_| (Families::default().decide(None, "judge-a"), false)),
    }
}

fn ready_task(record: &Arc<ShownRecord>, by: u64) -> PreparedRun {
    let file = File { path: b"a.md".to_vec(), bytes: vec![b'x'; by as usize % 2000] };
    let content = RunContent {
        record: Some(record.row.id),
        was: record.row.outcome,
        name: "\u{202e}name".to_owned(),
        paths: vec!["a.md".to_owned()],
        author: None,
        item: Ok(Item { files: [file].into(), ..Item::default() }),
    };
    let options = TaskOptions {
        record: Arc::clone(record),
        question: None,
        judges: Ok(Tier::ALL.map(|tier| judge(Some(tier), by as usize % 3000)).to_vec()),
        config: TaskConfig::default(),
    };
    let options = RunOptions::Task(Box::new(options));
    PreparedRun { contents: vec![content], cap: None, options }
}

fn ready(what: &RunInput, by: u64) -> PreparedRun {
    let count = match what {
        RunInput::Records(records) => records.len(),
        RunInput::File(_) => 1,
        RunInput::Run(repeat) => repeat.begun.items.len(),
    };
    let one = |at: usize| {
        let file = File { path: b"a.md".to_vec(), bytes: vec![b'x'; by as usize % 2000] };
        let item = Item { files: [file].into(), ..Item::default() };
        let item = match (by >> 4) as usize % 3 == at % 3 {
            true => Err("\u{1b}[2J is gone".to_owned()),
            false => Ok(item),
        };
        let (name, paths) = ("\u{202e}name".to_owned(), vec!["a\u{7}.md".to_owned()]);
        let (record, was, author) = (None, Some(Outcome::NoGo), None);
        RunContent { record, was, name, paths, author, item }
    };
    let prompt = |source, name: Option<&str>, sha: String| PromptOption {
        used: PromptUsed { source, name: name.map(str::to_owned), sha },
        problem: None,
        origin: None,
    };
    let options = JudgeOptions {
        judge: judge(None, 1000),
        prompts: vec![
            prompt(PromptSource::Ours, None, "a".repeat(64)),
            prompt(PromptSource::Box, Some("small"), String::new()),
        ],
        families: Families::default(),
        rule: Rule::Refuse,
        prices: Prices::default(),
        parallel: 4,
    };
    let options = RunOptions::Judge(Box::new(options));
    PreparedRun { contents: (0..count).map(one).collect(), cap: None, options }
}
