//! `foureyes label`.

pub(super) mod find;
mod give;
mod import;
mod plain;
mod requested;
mod undo;

use super::reading::From;
use super::{Context, Failure, ledger};
use crate::domain::review::GivenScores;
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
    /// State that you had not seen the verdict. Only labels given in the console count as blind
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
        give::run(context, args)?
    };
    ledger::print(context, &document, args.json)
}
