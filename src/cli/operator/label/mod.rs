//! `foureyes label`.

pub(super) mod find;
mod import;
mod plain;
mod requested;
mod row;
mod saved;
mod undo;

pub(super) use saved::Document;

use super::reading::{self, From};
use super::{Context, Failure, ledger, text_argument};
use crate::domain::review::{Act, GivenScores, Label, Selection, Word};
use crate::store::ledger::{Ledger, fresh_id};
use std::path::PathBuf;
use std::process::ExitCode;

/// Label records as acceptable, poor or unsure
///
/// Labels are appended to your ledger; nothing in it is ever changed. Labelling a record again
/// corrects your earlier label, `--undo` revokes it, `--redo` restores it.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("mode").multiple(false), after_long_help = REASONS)]
pub(in crate::cli) struct Args {
    /// Records, then `acceptable`, `poor` or `unsure`. Name a record by a prefix of its id (at
    /// least 4 digits) or of its commit, if only one record matches
    #[arg(value_name = "ID… LABEL", group = "mode")]
    words: Vec<String>,
    /// Reason code, one of the list below
    #[arg(long, value_name = "CODE", requires = "words")]
    reason: Option<String>,
    /// Note; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", requires = "words")]
    note: Option<String>,
    /// How the records were selected: the whole stratum, a random sample of it, or by hand
    #[arg(long, value_name = "HOW", requires = "words", value_parser = ["census", "audit", "picked"], default_value = "picked")]
    selection: String,
    /// Sampling probability of the audit
    #[arg(long, value_name = "PI", requires = "words")]
    pi: Option<f64>,
    /// Labelled without having seen the verdict
    #[arg(long, requires = "words")]
    blind: bool,
    /// Your scores from 1 to 5: semantic, pragmatic, syntactic; `-` for none
    #[arg(long, value_name = "S,P,X", requires = "words")]
    scores: Option<GivenScores>,
    /// Time spent, in seconds
    #[arg(long, value_name = "N", requires = "words")]
    seconds: Option<u32>,
    /// Resolve a disagreement between reviewers
    #[arg(long, requires = "words")]
    adjudicate: bool,
    /// Add a repeat label instead of correcting your earlier one
    #[arg(long, requires = "words")]
    again: bool,
    /// Reviewer [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Import labels from a JSON Lines file, all or none; `-` for standard input
    #[arg(long, value_name = "FILE", group = "mode")]
    import: Option<PathBuf>,
    /// List the labels in force; with --json in the format that --import reads
    #[arg(long, group = "mode")]
    export: bool,
    /// Revoke your last labels, or those of this entry or record
    #[arg(long, value_name = "ID", group = "mode", num_args = 0..=1, default_missing_value = "")]
    undo: Option<String>,
    /// Restore what you revoked last, or this entry
    #[arg(long, value_name = "ID", group = "mode", num_args = 0..=1, default_missing_value = "")]
    redo: Option<String>,
    #[command(flatten)]
    from: From,
    /// Print one JSON document; with --export, one per label
    #[arg(long)]
    json: bool,
}

/// The codes in short; docs/labels.md has what they mean.
const REASONS: &str = "\
Reasons:
  wrong_fact, unsupported_claim, contradiction, wrong_term, not_actionable, off_topic,
  incomplete, bad_structure, broken_reference, judge_misread, judge_too_strict,
  judge_too_lenient, needs_context, other, and those of `[reasons]` in the configuration";

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if args.export {
        return plain::export(context, &args.from, args.json);
    }
    let document = if let Some(file) = &args.import {
        import::run(context, args, file)?
    } else if let Some(id) = &args.undo {
        undo::run(context, args, id, true)?
    } else if let Some(id) = &args.redo {
        undo::run(context, args, id, false)?
    } else {
        label(context, args)?
    };
    ledger::print(&document, args.json)
}

/// Labels the records that are named: all or, where one is not found, none.
fn label(context: &Context, args: &Args) -> Result<Document, Failure> {
    let Some((word, ids)) = args.words.split_last().filter(|(_, ids)| !ids.is_empty()) else {
        return Err(Failure::usage("records and a label are needed")
            .hint("such as `foureyes label 3a27bae51430 poor`"));
    };
    let word = Word::from_name(word).ok_or_else(|| {
        Failure::usage(format!("`{word}` is not a label"))
            .hint("the last word is `acceptable`, `poor` or `unsure`")
    })?;
    let selection = Selection::from_name(&args.selection).unwrap_or_default();
    let pi = selection.pi(args.pi).map_err(Failure::usage)?;
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let logs = args.from.from.iter().any(|path| path.as_os_str() == "-");
    if logs && args.note.as_deref() == Some("-") {
        return Err(Failure::usage("standard input cannot be both the logs and the note"));
    }
    let (reason, reasons) = checked_reason(context, args.reason.as_deref())?;
    let collected = reading::collect(context, &args.from)?;
    let found = find::all(context, &collected, ids)?;
    let note = text_argument::text(args.note.as_deref(), "--note", super::NOTE)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let asked = requested::requested(context, &collected, &present, &reviewer.name, &found)?;
    let own = |record| present.word_of(record, &reviewer.name);
    let mut labels: Vec<Label> = Vec::new();
    for record in found {
        if labels.iter().any(|label| label.record == record) {
            continue;
        }
        // A correction of what was asked for is what was asked for.
        let corrected = own(record).filter(|_| !args.again);
        let requested = match corrected {
            Some(given) => given.label.requested,
            None => asked.get(&record).copied(),
        };
        labels.push(Label {
            scores: args.scores,
            reason: reason.clone(),
            reasons,
            note: note.clone(),
            blind: args.blind,
            selection,
            pi,
            seconds: args.seconds,
            replaces: corrected.map(|given| given.entry),
            adjudicates: args.adjudicate,
            requested: requested.filter(|_| !args.adjudicate),
            ..Label::new(record, word)
        });
    }
    let act = match labels.len() {
        1 => Act::Label(labels.remove(0)),
        _ => Act::Labels { labels, import: None },
    };
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    Ok(Document::new(&reviewer, context.now, &act, &saved))
}

/// A code that is in the list, and the version of the list.
fn checked_reason(
    context: &Context,
    code: Option<&str>,
) -> Result<(Option<String>, Option<u32>), Failure> {
    let Some(code) = code else { return Ok((None, None)) };
    let known = context.config.all_reasons();
    if known.iter().any(|reason| reason.code == code) {
        return Ok((Some(code.to_owned()), Some(crate::config::reasons::version())));
    }
    let codes: Vec<&str> = known.iter().map(|reason| reason.code.as_str()).collect();
    Err(Failure::usage(format!("`{code}` is not a known reason"))
        .hint(format!("reasons are: {}", codes.join(", ")))
        .hint("`[reasons]` in the configuration adds others"))
}
