//! What is to be judged, as git or a file has it.

use super::super::services::Services;
use super::super::{CancelFlag, MessageSender};
use super::{original, prompts, task};
use crate::domain::review::{PromptUsed, RunItem};
use crate::instruments::Capability;
use crate::judging::{File, Item, configured};
use crate::peer;
use crate::tui::judging::{
    EarlierRun, JudgeOptions, JudgingEvent, PreparedRun, RunContent, RunInput, RunJudge, RunOptions,
};
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::fs::File as OpenFile;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Largest file of this machine that is judged, in bytes.
const MOST: u64 = 4 << 20;

/// Why the record of a task is left out of a run on pushes.
const TASK: &str = "a task; select it alone to judge it again";

/// Reads all that is needed to ask.
pub(super) fn prepare(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    input: &RunInput,
    generation: u64,
) {
    let stop = || cancel.load(Ordering::Relaxed);
    let result = match input.is_task() {
        true => task::ready(services, input, &stop),
        false => ready(services, input, &stop),
    };
    if !stop() {
        let result = result.map(Arc::new);
        sender.send(Message::Judging(JudgingEvent::Prepared { generation, result }));
    }
}

fn ready(
    services: &Services,
    input: &RunInput,
    stop: &dyn Fn() -> bool,
) -> Result<PreparedRun, Problem> {
    let contents = match input {
        RunInput::Records(records) => {
            let taken = records
                .iter()
                .map_while(|shown| (!stop()).then(|| from_record(services, shown, stop)));
            taken.collect()
        }
        RunInput::File(path) => vec![file(services, path)?],
        RunInput::Run(repeat) => {
            let items = repeat.begun.items.iter();
            let taken = items
                .map_while(|item| (!stop()).then(|| from_run_item(services, repeat, item, stop)));
            taken.collect::<Result<_, _>>()?
        }
    };
    let options = RunOptions::Judge(Box::new(options(services)));
    Ok(PreparedRun { contents, cap: services.config.judge.spend_cap, options })
}

fn from_record(services: &Services, shown: &ShownRecord, stop: &dyn Fn() -> bool) -> RunContent {
    let row = &shown.row;
    let commit = row.commit.clone();
    let name = commit.clone().unwrap_or_else(|| format!("record {}", row.id.short()));
    RunContent {
        record: Some(row.id),
        was: row.outcome,
        name,
        paths: row.files.clone(),
        author: row.author.clone(),
        item: match row.family.kind() {
            Some(kind) if kind.has(Capability::Tiers) => Err(TASK.to_owned()),
            _ => peer::item(&services.config, &services.data, row, stop),
        },
    }
}

/// An item of an earlier run: its record is looked up, since that says author of the content and
/// where it is.
fn from_run_item(
    services: &Services,
    repeat: &EarlierRun,
    item: &RunItem,
    stop: &dyn Fn() -> bool,
) -> Result<RunContent, Problem> {
    let lost = |why: &str| RunContent {
        record: item.record,
        was: item.was,
        name: item.commit.clone().or(item.files.first().cloned()).unwrap_or_default(),
        paths: item.files.clone(),
        author: None,
        item: Err(why.to_owned()),
    };
    let Some(record) = item.record else {
        return Ok(lost("a local file; its content was not saved"));
    };
    let found = original::find(services, repeat.edition, record)?;
    Ok(found.map_or_else(
        || lost("its record is not among the open logs"),
        |shown| RunContent { was: item.was, ..from_record(services, &shown, stop) },
    ))
}

/// A file of this machine.
fn file(services: &Services, typed: &str) -> Result<RunContent, Problem> {
    let next = "type the path of a text file on this machine";
    let (path, bytes) = read(services, typed, MOST, next)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let file = File { path: name.clone().into_bytes(), bytes };
    let item = Item { files: [file].into(), ..Item::default() };
    let (record, was, author) = (None, None, None);
    Ok(RunContent { record, was, paths: vec![name.clone()], name, author, item: Ok(item) })
}

/// Reads a file of this machine that is typed, with at least one byte and at most so many.
pub(super) fn read(
    services: &Services,
    typed: &str,
    most: u64,
    next: &str,
) -> Result<(PathBuf, Vec<u8>), Problem> {
    let path = typed_path(services, typed);
    let failed = |why: String| Problem::new(format!("{}: {why}", path.display()), next);
    // Asked before opening: opening a FIFO would wait for a writer.
    let meta = std::fs::metadata(&path).map_err(|error| failed(error.to_string()))?;
    if !meta.is_file() {
        return Err(failed("it is not a file".to_owned()));
    }
    let opened = OpenFile::open(&path).map_err(|error| failed(error.to_string()))?;
    if meta.len() > most {
        return Err(failed(format!("it has {} bytes, more than {most}", meta.len())));
    }
    let mut bytes = Vec::new();
    opened.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(failed(format!("it has more than {most} bytes")));
    }
    if bytes.is_empty() {
        return Err(failed("it is empty".to_owned()));
    }
    Ok((path, bytes))
}

/// A path as it is typed; `~/` is the home.
fn typed_path(services: &Services, typed: &str) -> PathBuf {
    let typed = typed.trim();
    let home = typed.strip_prefix("~/").and_then(|rest| Some((services.home.as_ref()?, rest)));
    home.map_or_else(|| PathBuf::from(typed), |(home, rest)| home.join(rest))
}

fn options(services: &Services) -> JudgeOptions {
    let judge = &services.config.judge;
    JudgeOptions {
        judge: RunJudge {
            tier: None,
            model: judge.model.clone(),
            endpoint: services.endpoint.description.clone(),
            prompt: PromptUsed::default(),
            price: None,
            most_bytes: judge.max_content_bytes,
            max_parts: judge.max_parts,
            max_tokens: judge.answer_tokens(),
            four_eyes: None,
        },
        prompts: prompts::offers(services),
        families: configured::families_of_pushes(&services.config),
        rule: judge.four_eyes,
        prices: services.config.prices.clone(),
        parallel: judge.parallel,
    }
}
