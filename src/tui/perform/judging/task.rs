//! Getting ready to judge a task again: its content, who can be asked, and its texts.

use super::super::MessageSender;
use super::super::services::Services;
use super::{contents, original};
use crate::config::NamedJudge;
use crate::domain::review::{PromptSource, PromptUsed};
use crate::engine::panel::Tier;
use crate::engine::prompt::Section;
use crate::judging::task::{Judges, distinct};
use crate::judging::{Item, configured};
use crate::peer;
use crate::task;
use crate::tui::judging::{
    JudgingEvent, PreparedRun, RunContent, RunInput, RunJudge, RunOptions, TaskOptions, TaskText,
};
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::sync::Arc;

/// Reads all that is needed to ask about a task.
pub(super) fn ready(
    services: &Services,
    input: &RunInput,
    stop: &dyn Fn() -> bool,
) -> Result<PreparedRun, Problem> {
    let record = last_of_run(services, input)?;
    let (config, row) = (&services.config, &record.row);
    let item = peer::item(config, &services.data, row, stop).map_err(|why| match &row.commit {
        Some(_) => why,
        None => {
            format!("{why}; `foureyes judge --task-id ID FILE` judges its files as they are now")
        }
    });
    let item = item.map(|item| task::by_agents(config, item));
    let content = RunContent {
        record: Some(row.id),
        was: row.outcome,
        name: row.commit.clone().unwrap_or_default(),
        paths: item.as_ref().map(|item| item.material().paths()).unwrap_or_default(),
        author: row.author.clone(),
        item,
    };
    let named = Item { author: row.author.clone(), ..Item::default() };
    let options = TaskOptions {
        question: original::question(services, row),
        judges: judges(services, &task::by_agents(config, named)),
        config: config.task.clone(),
        record,
    };
    let (contents, cap) = (vec![content], task::spend_cap(config));
    Ok(PreparedRun { contents, cap, options: RunOptions::Task(Box::new(options)) })
}

/// The record that says what the run came to that is judged again.
fn last_of_run(services: &Services, input: &RunInput) -> Result<Arc<ShownRecord>, Problem> {
    let next = "open the logs that have it, and press the key again";
    let lost = || Problem::new("the record of this task is not among the open logs", next);
    match input {
        RunInput::Run(earlier) => {
            let record = earlier.begun.items.first().and_then(|item| item.record);
            let found = record.map(|record| original::find(services, earlier.edition, record));
            found.transpose()?.flatten().ok_or_else(lost)
        }
        RunInput::Records(_) | RunInput::File(_) => {
            let shown = input.record().ok_or_else(lost)?;
            let rounds = original::rounds(services, None, &shown.row);
            Ok(rounds.last().cloned().map_or_else(|| Arc::clone(shown), Arc::new))
        }
    }
}

/// Who can be asked. No command for a key is run, and nothing is connected.
fn judges(services: &Services, by: &Item) -> Result<Vec<RunJudge>, String> {
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
        let limits = judge.settings.limits;
        let characters = limits.content_characters.unwrap_or(usize::MAX);
        let refused = judge.unasked_for(by.people()).is_some();
        offers.push(RunJudge {
            tier: Some(tier),
            model: judge.model.clone(),
            endpoint: services.endpoint.judges.description.clone().unwrap_or_else(|| asked.asked()),
            prompt: prompt(&named, judge.prompt_sha()),
            price: judge.prices.get(&judge.model).cloned(),
            most_bytes: limits.content_bytes.min(characters),
            max_parts: 1,
            max_tokens: judge.settings.max_tokens,
            four_eyes: Some((judge.four_eyes(by.people(), None), refused)),
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
