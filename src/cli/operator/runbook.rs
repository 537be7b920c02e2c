//! `foureyes runbook`.

use super::label::Document;
use super::output::visible;
use super::{Context, Failure, ledger, output};
use crate::assess::{BoxMode, Progress, Step, runbooks};
use crate::domain::Timestamp;
use crate::domain::review::{Act, StepSaid};
use crate::report::json;
use crate::store::ledger::{Ledger, fresh_id};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Show step-by-step procedures and their progress
///
/// There are runbooks for enabling blocking, for too many false positives, and for a judge that is
/// down. The ledger records who completed each step, and when.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Done(DoneArgs),
    Begin(BeginArgs),
}

/// Mark a step as done
#[derive(Debug, clap::Args)]
struct DoneArgs {
    /// Runbook
    #[arg(value_name = "RUNBOOK")]
    runbook: String,
    /// Step
    #[arg(value_name = "STEP")]
    step: String,
    #[command(flatten)]
    entry: EntryArgs,
}

/// Restart a runbook; steps done before no longer count
#[derive(Debug, clap::Args)]
struct BeginArgs {
    /// Runbook
    #[arg(value_name = "RUNBOOK")]
    runbook: String,
    #[command(flatten)]
    entry: EntryArgs,
}

/// By whom, and with what
#[derive(Debug, clap::Args)]
struct EntryArgs {
    /// Note; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// All runbooks.
#[derive(Debug, Serialize, JsonSchema)]
struct Runbooks {
    /// `foureyes/runbook/1`.
    schema: &'static str,
    /// Each with how far it is done since it was begun last.
    runbooks: Vec<OneRunbook>,
}

/// A runbook.
#[derive(Debug, Serialize, JsonSchema)]
struct OneRunbook {
    /// Its name.
    id: &'static str,
    /// What it is for.
    title: &'static str,
    /// When it is needed.
    when: &'static str,
    /// When it was begun; `null` where nothing of it is done.
    begun: Option<String>,
    /// The first step that is not done; `null` where all are.
    next: Option<&'static str>,
    /// The steps in order.
    steps: Vec<OneStep>,
}

/// A step.
#[derive(Debug, Serialize, JsonSchema)]
struct OneStep {
    /// Its name.
    id: &'static str,
    /// What to do.
    text: &'static str,
    /// The command that helps.
    command: Option<&'static str>,
    /// From when it may be done, where that depends on another step that is done.
    due: Option<String>,
    /// The boxes that are to be watched still, where that is the step.
    watch: Vec<OneWatch>,
    /// When it was done; `null` where it is not.
    done: Option<String>,
    /// By whom.
    by: Option<String>,
    /// What they added.
    note: Option<String>,
}

/// A box that blocks, and who was blocked there is to be read.
#[derive(Debug, Serialize, JsonSchema)]
struct OneWatch {
    /// Its name; `null` where only the runbook says that something blocks.
    #[serde(rename = "box")]
    box_name: Option<String>,
    /// When it was told to block.
    switched: String,
    /// When the watch is over, and may be said to be done.
    until: String,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => show(context, args.json),
        Some(Command::Done(done)) => {
            save_step(context, &done.runbook, Some(&done.step), &done.entry, args.json)
        }
        Some(Command::Begin(begin)) => {
            save_step(context, &begin.runbook, None, &begin.entry, args.json)
        }
    }
}

fn show(context: &Context, as_json: bool) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let progress = Progress::all(&ledgers.present(context.now), context.now);
    let runbooks = Runbooks {
        schema: "foureyes/runbook/1",
        runbooks: progress.iter().map(OneRunbook::new).collect(),
    };
    output::to_stdout(|out| match as_json {
        true => json::value(out, &runbooks, false),
        false => runbooks.write(out),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn save_step(
    context: &Context,
    runbook: &str,
    step: Option<&str>,
    args: &EntryArgs,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let progress = Progress::all(&ledgers.present(context.now), context.now);
    let Some(progress) = progress.into_iter().find(|p| p.runbook.id == runbook) else {
        let names: Vec<&str> = runbooks().iter().map(|r| r.id.as_str()).collect();
        return Err(Failure::usage(format!("there is no runbook `{runbook}`"))
            .hint(format!("runbooks are: {}", names.join(", "))));
    };
    if let Some(step) = step {
        check(&progress, step, context.now)?;
    }
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let act = Act::Step(StepSaid {
        runbook: runbook.to_owned(),
        step: step.map(str::to_owned),
        note: super::text_argument::text(args.note.as_deref(), "--note", super::NOTE)?,
    });
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    ledger::print(&Document::new(&reviewer, context.now, &act, &saved), as_json || args.json)
}

/// Whether a step is there, and may be done.
fn check(progress: &Progress, name: &str, now: Timestamp) -> Result<(), Failure> {
    let Some(why) = progress.refusal(name, now) else { return Ok(()) };
    let names: Vec<&str> = progress.runbook.steps.iter().map(|step| step.id.as_str()).collect();
    let failure = Failure::usage(why);
    Err(match names.contains(&name) {
        true => failure,
        false => failure.hint(format!("its steps are: {}", names.join(", "))),
    })
}

impl OneRunbook {
    fn new(progress: &Progress) -> Self {
        let book = progress.runbook;
        let step = |(step, done): (&'static Step, &Option<_>)| {
            let done: Option<&crate::domain::review::Dated<StepSaid>> = done.as_ref();
            OneStep {
                id: &step.id,
                text: &step.text,
                command: step.command.as_deref(),
                due: progress.due(step).flatten().map(|due| due.to_string()),
                watch: progress.watching(step).into_iter().map(OneWatch::new).collect(),
                done: done.map(|entry| entry.time.to_string()),
                by: done.map(|entry| entry.reviewer.clone()),
                note: done.and_then(|entry| entry.what.note.clone()),
            }
        };
        Self {
            id: &book.id,
            title: &book.title,
            when: &book.when,
            begun: progress.begun.map(|at| at.to_string()),
            next: progress.next().map(|step| step.id.as_str()),
            steps: book.steps.iter().zip(&progress.done).map(step).collect(),
        }
    }
}

impl OneWatch {
    fn new((of, until): (&BoxMode, Timestamp)) -> Self {
        let (box_name, switched) = (of.name.clone(), of.switched_at.to_string());
        Self { box_name, switched, until: until.to_string() }
    }
}

impl Runbooks {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, book) in self.runbooks.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}: {}", book.id, book.title)?;
            writeln!(out, "  {}", book.when)?;
            for step in &book.steps {
                step.write(out, book.next == Some(step.id))?;
            }
        }
        writeln!(out, "\n`foureyes runbook done RUNBOOK STEP` marks a step as done")
    }
}

impl OneStep {
    fn write(&self, out: &mut dyn Write, next: bool) -> io::Result<()> {
        let sign = match (&self.done, next) {
            (Some(_), _) => "[x]",
            (None, true) => "[>]",
            (None, false) => "[ ]",
        };
        writeln!(out, "  {sign} {:<10} {}", self.id, self.text)?;
        if let (Some(at), Some(by)) = (&self.done, &self.by) {
            let note = self.note.as_deref().map_or(String::new(), |n| format!(": {n}"));
            return writeln!(out, "                 {at} by {}{}", visible(by), visible(&note));
        }
        if let Some(due) = &self.due {
            writeln!(out, "                 from {due} on")?;
        }
        for OneWatch { box_name, switched, until } in &self.watch {
            if let Some(name) = box_name {
                let name = visible(name);
                writeln!(out, "                 {name}: blocks since {switched}, until {until}")?;
            }
        }
        match &self.command {
            Some(command) => writeln!(out, "                 {command}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Runbooks);
        crate::cli::output::assert_asset("runbook.schema.json", &schema);
    }
}
