//! `foureyes judge`.

mod document;
mod explain;
mod files;

use super::{Context, Failure, output};
use crate::config::Config;
use crate::domain::Timestamp;
use crate::engine::PushVerdict;
use crate::engine::record::RecordError;
use crate::judging::{
    Control, Event, Item, Judge, RunLimits, Skipped, configured, run as judge_all,
};
use crate::store::verdict_log;
use document::{Document, Entry};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// Exit code where a model could not be reached.
const UNREACHED: u8 = 69;
/// How long another process may hold the file of records.
const PATIENCE: Duration = Duration::from_secs(5);

/// Judge files by the push rubric, together as one content
///
/// Exits with 0 for GO, 1 for NO-GO, 2 for UNDETERMINED, and 69 where the model could not be reached.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Judge each file on its own
    #[arg(long)]
    each: bool,
    /// Who wrote them, as commits name authors: for four eyes
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// The commit that they stand in, for the record
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// Model to ask for
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Your own template of the question
    #[arg(long, value_name = "FILE")]
    prompt: Option<PathBuf>,
    /// Your own rubric
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Ask a file of answers in place of the endpoint
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Append the record to this file, one line a record
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Ask nobody; show who would be asked, what would be sent, and the decision of four eyes
    #[arg(long, conflicts_with_all = ["output", "json"])]
    explain: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let config = effective(context, args);
    let items = files::items(args)?;
    #[cfg(feature = "console")]
    if context.global.demo && config.judge.script.is_none() && !args.explain {
        return Err(Failure::usage("the demo asks nobody over a network")
            .hint("`--script FILE` asks a file of answers, and `--explain` shows the question"));
    }
    let has_key = config.judge.key_command.is_some() || config.judge.key_variable().is_some();
    if args.explain {
        let judge = configured::judge(&config, None).map_err(failure)?;
        explain::print(&config, &judge, &items, has_key)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.output {
        writable(path)?;
    }
    if !has_key && config.judge.script.is_none() {
        say(&format!("no key: the variable {} is not set", config.judge.key_env));
    }
    let key = configured::key(&config.judge).map_err(|error| {
        Failure::usage(error).hint("correct `key_env` or `key_command` of the section [judge]")
    })?;
    let judge = configured::judge(&config, key).map_err(failure)?;
    let document = judged(&config, judge, items)?;
    if let Some(path) = &args.output {
        append(path, &document)?;
    }
    if args.json {
        document.print_json()?;
    } else {
        document.print()?;
    }
    Ok(ExitCode::from(code(&document)))
}

/// The configuration with the flags of the command.
fn effective(context: &Context, args: &Args) -> Config {
    let mut config = context.config.clone();
    let judge = &mut config.judge;
    for (flag, place) in [
        (&args.prompt, &mut judge.prompt),
        (&args.rubric, &mut judge.rubric),
        (&args.script, &mut judge.script),
    ] {
        if flag.is_some() {
            place.clone_from(flag);
        }
    }
    if let Some(model) = &args.model {
        judge.model.clone_from(model);
    }
    config
}

fn failure(error: configured::Error) -> Failure {
    let hint = match &error {
        configured::Error::Endpoint(_) => "correct `endpoint` of the section [judge]",
        configured::Error::Script(_) => "a script is TOML with [[answer]] tables, or JSONL",
        _ => "docs/judging.md says what a prompt and a rubric are",
    };
    Failure::usage(error).hint(hint)
}

/// Judges all of it, with a word on stderr for each step.
fn judged(config: &Config, judge: Judge, items: Vec<Item>) -> Result<Document, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let endpoint = match &config.judge.script {
        Some(script) => script.display().to_string(),
        None => config.judge.endpoint.clone(),
    };
    let bytes: usize = items.iter().flat_map(|i| i.files.iter()).map(|f| f.bytes.len()).sum();
    let files: usize = items.iter().map(|item| item.files.len()).sum();
    let noun = if files == 1 { "file" } else { "files" };
    say(&format!("asking {} at {endpoint} about {files} {noun}, {bytes} bytes", judge.model));
    let many = items.len() > 1;
    let document = runtime.block_on(async {
        let budget = config.judge.budget;
        let rounds = items.len().div_ceil(config.judge.parallel.max(1));
        let whole = budget.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX));
        let limits = RunLimits {
            parallel: config.judge.parallel,
            each: budget,
            until: tokio::time::Instant::now() + whole.min(Duration::from_secs(86_400)),
            cap: config.judge.spend_cap,
        };
        let (tell, mut events) = mpsc::channel(16);
        let (_go, control) = watch::channel(Control::Go);
        let run = judge_all(Arc::new(judge), items.clone(), limits, tell, control);
        let mut entries: Vec<Entry> = items.iter().map(Entry::of).collect();
        let hear = async {
            while let Some(event) = events.recv().await {
                heard(&items, &mut entries, event, many);
            }
        };
        let (summary, ()) = tokio::join!(run, hear);
        Document::new(entries, &summary.spend)
    });
    // A name that is still looked up would keep it waiting.
    runtime.shutdown_background();
    Ok(document)
}

fn heard(items: &[Item], entries: &mut [Entry], event: Event, many: bool) {
    match event {
        Event::Started { .. } => {}
        Event::Done { index, evaluation, .. } => {
            let (Some(item), Some(entry)) = (items.get(index), entries.get_mut(index)) else {
                return;
            };
            let at = jiff::Timestamp::now().as_millisecond() * 1000;
            entry.take(&evaluation.record(item, Timestamp(at), None), &evaluation);
            if many {
                say(&format!("{}: {}", entry.files.join(", "), evaluation.verdict.word()));
            }
        }
        Event::Skipped { index, why } => {
            let Some(entry) = entries.get_mut(index) else { return };
            let why = match why {
                Skipped::Stopped => "stopped".to_owned(),
                Skipped::Time => "there was no time left".to_owned(),
                Skipped::Spend(refused) => refused.to_string(),
                Skipped::Failed => "a bug ended it".to_owned(),
            };
            say(&format!("{}: not judged: {why}", entry.files.join(", ")));
            entry.skipped = Some(why);
        }
    }
}

/// Opens the file before anything is paid for.
fn writable(path: &Path) -> Result<(), Failure> {
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).map_err(|source| unwritten(path, source))
}

fn append(path: &Path, document: &Document) -> Result<(), Failure> {
    let lines = document.lines()?;
    if lines.is_empty() {
        return Ok(());
    }
    let until = Instant::now() + PATIENCE;
    match verdict_log::append_to(path, &lines, until) {
        Ok(appended) if appended.repaired => {
            say("the last line of the file had no end, and was given one");
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(error) => {
            // What was paid for is not lost.
            document.print_json()?;
            Err(Failure::local(error).hint("the result stands above"))
        }
    }
}

/// A file that was asked for could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot append to {}", path.display())]
struct Unwritten {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

fn unwritten(path: &Path, source: std::io::Error) -> Failure {
    Failure::local(Unwritten { path: path.to_owned(), source })
        .hint("check that its directory is there and that you may write to it")
}

/// The gravest of all verdicts.
fn code(document: &Document) -> u8 {
    let verdicts = || document.records().map(|record| record.verdict);
    let unreached = |error: RecordError| {
        !matches!(error, RecordError::InvalidAnswer | RecordError::PromptMissing)
    };
    if verdicts().any(|verdict| verdict == PushVerdict::NoGo) {
        return 1;
    }
    if document.records().any(|record| record.error.is_some_and(unreached)) {
        return UNREACHED;
    }
    let all_go = verdicts().all(|verdict| verdict == PushVerdict::Go);
    if all_go && !document.has_skipped() { 0 } else { 2 }
}

#[expect(clippy::print_stderr, reason = "progress stands beside the output, not in it")]
fn say(text: &str) {
    eprintln!("{}", output::visible(text));
}
