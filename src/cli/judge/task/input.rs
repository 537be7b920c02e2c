//! Arguments as a task.

use super::Args;
use crate::cli::text_argument::{TASK_TEXT, file_or_text};
use crate::cli::{Context, Failure};
use crate::config::{Config, JudgeKind, NamedJudge};
use crate::domain::JudgementKind;
use crate::engine::panel::Tier;
use crate::files::paths::from_root;
use crate::judging::task::Task;
use crate::judging::{File, Item};
use crate::risk::RiskRules;
use crate::text::mask;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longest name of a task, in bytes.
const MOST_ID: usize = 256;

/// The configuration with the flags of the command.
pub(super) fn config(context: &Context, args: &Args) -> Result<Config, Failure> {
    let mut config = context.config.clone();
    if let Some(script) = &args.script {
        for tier in Tier::ALL {
            let own = config.judges.entry(tier.name().to_owned()).or_default();
            *own = NamedJudge {
                script: Some(script.clone()),
                kind: Some(JudgeKind::Script),
                ..own.clone()
            };
        }
    }
    if args.rubric.is_some() {
        config.judge.rubric.clone_from(&args.rubric);
    }
    let scripted = |tier| config.judge_of(tier).1.kind() == JudgeKind::Script;
    if context.global.demo && !args.explain && !Tier::ALL.into_iter().all(scripted) {
        return Err(Failure::usage("the demo makes no network requests")
            .hint("`--script FILE` uses a file of answers, and `--explain` shows the requests"));
    }
    Ok(config)
}

/// The task that the arguments name, with its files.
pub(super) fn task(args: &Args) -> Result<Task, Failure> {
    let given = &args.task;
    let id = given.task_id.as_deref().unwrap_or_default().trim();
    let visible = !id.is_empty() && id.len() <= MOST_ID && !id.chars().any(crate::text::is_hidden);
    if !visible || id == "unknown" {
        return Err(Failure::usage("the task id is not a name")
            .hint("give 1 to 256 visible characters, such as the number of an issue"));
    }
    let text = |given: Option<&str>, flag| file_or_text(given, flag, TASK_TEXT);
    let acceptance = text(given.acceptance.as_deref(), "--acceptance")?;
    let description = text(given.description.as_deref(), "--description")?;
    // Quick is shown the description alone.
    let description = description.or_else(|| acceptance.clone()).ok_or_else(|| {
        Failure::usage("the task has neither a description nor acceptance criteria")
            .hint("say what the result is judged by: `--description`, `--acceptance`, or both")
    })?;
    let item = crate::cli::judge::files::items(args)?.into_iter().next().unwrap_or_default();
    let item = Item { files: as_named_once(&item)?, ..item };
    Ok(Task { id: mask::mask(id).0.into_owned(), description, acceptance, item, ..Task::default() })
}

/// The task with how deep rules of risk have it judged.
pub(super) fn with_risk(context: &Context, config: &Config, task: Task, log: &Path) -> Task {
    let home = context.environment.home();
    let rules = RiskRules::new(config, JudgementKind::Task, home.as_deref(), context.now);
    let risk = rules.map(|rules| rules.note_of_task(&task, log));
    Task { risk, ..task }
}

/// Files by the one path that each has: another spelling of it makes no other content.
fn as_named_once(item: &Item) -> io::Result<Arc<[File]>> {
    let directory = std::env::current_dir()?;
    let mut files = Vec::new();
    for file in item.files.iter() {
        let path = from_root(Path::new(OsStr::from_bytes(&file.path)), &directory)?;
        let file = File { path: path.into_os_string().into_vec(), bytes: file.bytes.clone() };
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(files.into())
}

/// The logs of tasks: the one that is written, and the one that is configured.
pub(super) fn logs(
    context: &Context,
    args: &Args,
    config: &Config,
) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let home = context.environment.home();
    let own = config.task.log_file(home.as_deref());
    let written = args.output.clone().or_else(|| own.clone()).ok_or_else(|| {
        Failure::usage("the home directory is not known, and the log of tasks is in it")
            .hint("set `log` in the section [task], or `--output FILE`")
    })?;
    Ok((written, own))
}

/// Says which judges have no key.
pub(super) fn warn_of_keys(config: &Config) {
    for tier in Tier::ALL {
        let judge = config.judge_of(tier).1;
        if judge.lacks_key() {
            let name = judge.key_name();
            crate::cli::judge::progress(&format!(
                "no API key for {}: {name} is not set",
                tier.name()
            ));
        }
    }
}
