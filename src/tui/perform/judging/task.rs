//! Getting ready to judge a task again: its content, who can be asked, and its texts.

use super::super::services::Services;
use super::super::{CancelFlag, MessageSender};
use super::{contents, original};
use crate::config::NamedJudge;
use crate::domain::review::{PromptSource, PromptUsed};
use crate::engine::panel::Tier;
use crate::engine::prompt::Section;
use crate::judging::task::{Judges, distinct};
use crate::judging::{Item, configured};
use crate::peer;
use crate::task;
use crate::tui::judging::{JudgingEvent, PreparedTask, TaskJudge, TaskSource, TaskText};
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Reads all that is needed to ask.
pub(super) fn prepare(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    source: &TaskSource,
    generation: u64,
) {
    let stop = || cancel.load(Ordering::Relaxed);
    let result = ready(services, source, &stop);
    if !stop() {
        let result = result.map(Arc::new);
        sender.send(Message::Judging(JudgingEvent::TaskPrepared { generation, result }));
    }
}

fn ready(
    services: &Services,
    source: &TaskSource,
    stop: &dyn Fn() -> bool,
) -> Result<PreparedTask, Problem> {
    let record = last_of_run(services, source)?;
    let item =
        peer::item(&services.config, &services.data, &record.row, stop).map_err(
            |why| match &record.row.commit {
                Some(_) => why,
                None => format!(
                    "{why}; `foureyes judge --task-id ID FILE` judges its files as they are now"
                ),
            },
        );
    let item = item.map(|item| task::by_agents(&services.config, item));
    let named = Item { author: record.row.author.clone(), ..Item::default() };
    let judges = judges(services, &task::by_agents(&services.config, named));
    let question = original::question(services, &record.row);
    Ok(PreparedTask {
        was: record.row.outcome,
        item,
        question,
        judges,
        config: services.config.task.clone(),
        cap: task::spend_cap(&services.config),
        record,
    })
}

/// The record that says what the run came to that is judged again.
fn last_of_run(services: &Services, source: &TaskSource) -> Result<Arc<ShownRecord>, Problem> {
    match source {
        TaskSource::Record(shown) => {
            let rounds = original::rounds(services, None, &shown.row);
            Ok(rounds.last().cloned().map_or_else(|| Arc::clone(shown), Arc::new))
        }
        TaskSource::Run(earlier) => {
            let record = earlier.begun.items.first().and_then(|item| item.record);
            let found = record.map(|record| original::find(services, earlier.edition, record));
            found.transpose()?.flatten().ok_or_else(|| {
                let next = "open the logs that have it, and press the key again";
                Problem::new("the record of this task is not among the open logs", next)
            })
        }
    }
}

/// Who can be asked. No command for a key is run, and nothing is connected.
fn judges(services: &Services, by: &Item) -> Result<Vec<TaskJudge>, String> {
    let config = &services.config;
    let mut judges = Vec::new();
    let mut offers = Vec::new();
    for tier in Tier::ALL {
        let (named, asked) = config.judge_of(tier);
        let name = tier.name();
        if let Some(through) = asked.via.as_ref().filter(|_| asked.script.is_none()) {
            return Err(format!(
                "the {name} judge is reached through {through}, which is not possible for tasks: set `endpoint` in [judges.{name}]"
            ));
        }
        let judge = configured::tier(config, tier, None, None)
            .map_err(|error| format!("the {name} judge cannot be used: {error}"))?;
        let decision = judge.four_eyes(by.people(), None);
        let limits = judge.settings.limits;
        let characters = limits.content_characters.unwrap_or(usize::MAX);
        offers.push(TaskJudge {
            tier,
            model: judge.model.clone(),
            endpoint: services.endpoint.judges.description.clone().unwrap_or_else(|| asked.asked()),
            prompt: prompt(&named, judge.prompt_sha()),
            is_refused: judge.unasked_for(by.people()).is_some(),
            four_eyes: decision,
            price: judge.prices.get(&judge.model).cloned(),
            most_bytes: limits.content_bytes.min(characters),
            max_tokens: judge.settings.max_tokens,
        });
        judges.push(Arc::new(judge));
    }
    let judges: Option<Judges> = judges.try_into().ok().map(Judges);
    match judges.as_ref().and_then(distinct).filter(|_| config.task.require_families) {
        Some(why) => Err(why),
        None => Ok(offers),
    }
}

fn prompt(named: &NamedJudge, sha: String) -> PromptUsed {
    let name = named.prompt.as_ref().map(|path| path.display().to_string());
    let source = if name.is_some() { PromptSource::Own } else { PromptSource::Ours };
    PromptUsed { source, name, sha }
}

/// Reads a text of a task from a file.
pub(super) fn read_text(
    services: &Services,
    sender: &MessageSender,
    (path, text): (String, TaskText),
    form: u64,
) {
    let next = "type the path of a text file behind the `@`, or the text itself";
    let read = contents::read(services, &path, Section::MOST_BYTES as u64, next);
    let result = read.and_then(|(at, bytes)| {
        let no_text = |_| Problem::new(format!("{}: it is not UTF-8 text", at.display()), next);
        String::from_utf8(bytes).map(Arc::from).map_err(no_text)
    });
    sender.send(Message::Judging(JudgingEvent::TextRead { form, text, path, result }));
}
