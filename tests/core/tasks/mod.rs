//! The end of a task: the protocol driven with scripted judges, its log, and the command.

mod cli;
mod deadline;
mod drive;
mod four_eyes;
mod history;
mod home;
mod kinds;
mod options;
mod places;
mod records;
mod simultaneous;

pub(crate) use home::Home;

use foureyes::domain::Timestamp;
use foureyes::engine::cost::Prices;
use foureyes::engine::four_eyes::Families;
use foureyes::engine::panel::{Depth, Tier};
use foureyes::engine::prompt::Template;
use foureyes::engine::rubric::Rubric;
use foureyes::engine::verdict::{TASK, TaskVerdict, Vocabulary};
use foureyes::judging::task::{Before, Event, Judges, Rules, Run, Task, judge_task};
use foureyes::judging::{File, Item, Judge, Settings};
use foureyes::provider::scripted::{Answer, Scripted};
use foureyes::provider::{Ask, Provider};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// An answer of a judge: its word, with scores that go with it.
pub(crate) fn verdict(word: &str) -> String {
    let score = match word {
        "accept" | "SAFE_TO_COMMIT" | "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK" => 4,
        "improve" | "FIX_FIRST" => 3,
        "reject" | "BLOCK" => 1,
        _ => {
            return format!(
                r#"{{"verdict":"{word}","reasoning":"cannot tell","improvements":[]}}"#
            );
        }
    };
    format!(
        r#"{{"scores":{{"semantic":{score},"pragmatic":{score},"syntactic":{score}}},"verdict":"{word}","reasoning":"because of {word}","improvements":[{{"dimension":"semantic","location":"a.md:1","issue":"issue of {word}","suggestion":"mend it"}}]}}"#
    )
}

fn says(word: &str) -> Answer {
    Answer { text: verdict(word), always: true, ..Answer::default() }
}

fn fails(class: &str) -> Answer {
    Answer { fail: Some(class.to_owned()), always: true, ..Answer::default() }
}

/// A judge of a tier that answers as a function says.
fn judge(
    tier: Tier,
    model: &str,
    by: impl Fn(&Ask) -> Answer + Send + Sync + 'static,
) -> Judge<TaskVerdict> {
    Judge {
        kind: &TASK,
        sections: tier.sections(),
        provider: Provider::Scripted(Scripted::by(by)),
        model: model.to_owned(),
        rubric: Rubric::embedded().unwrap(),
        template: Template::task().unwrap(),
        families: Families::default().with_makers(),
        prices: Prices::default(),
        settings: Settings::default(),
    }
}

/// Judges of three families that always answer so.
fn judges(answers: [Answer; 3]) -> Judges {
    let models = ["gpt-5-nano", "deepseek-v4", "claude-haiku"];
    let [quick, deep, tiebreaker] = answers;
    let of = |tier, model, answer: Answer| Arc::new(judge(tier, model, move |_| answer.clone()));
    Judges([
        of(Tier::Quick, models[0], quick),
        of(Tier::Deep, models[1], deep),
        of(Tier::Tiebreaker, models[2], tiebreaker),
    ])
}

fn task(content: &str) -> Task {
    let files = vec![File { path: b"a.md".to_vec(), bytes: content.as_bytes().to_vec() }];
    Task {
        id: "issue-42".to_owned(),
        description: "Write the note.".to_owned(),
        is_commit_message: false,
        acceptance: Some("It names a rollback.".to_owned()),
        item: Item { files: files.into(), ..Item::default() },
        risk: None,
    }
}

fn rules(depth: Depth) -> Rules {
    Rules {
        vocabulary: Vocabulary::Task,
        depth,
        person_for_accept: None,
        require_families: false,
        until: Instant::now() + Duration::from_secs(3_600),
        each: [Duration::from_secs(3_600); 3],
        calls: 18,
        cap: None,
    }
}

/// Runs a task to its end, and gives what happened.
fn run(judges: &Judges, task: &Task, rules: impl FnOnce() -> Rules) -> (Run, Vec<Event>) {
    run_after(judges, task, rules, Before::default())
}

fn run_after(
    judges: &Judges,
    task: &Task,
    rules: impl FnOnce() -> Rules,
    before: Before,
) -> (Run, Vec<Event>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut events = Vec::new();
        let on = |event| events.push(event);
        let sha = judges.run_sha(task);
        let now = || Timestamp(1_795_000_000_123_456);
        let run = judge_task(judges, task, rules(), &sha, before, now, on).await;
        (run, events)
    })
}
