//! `foureyes override ID… WORD`.

use super::delivery::{deliveries_of, due, open, send};
use super::{Args, conclude, logs};
use crate::advice;
use crate::cli::operator::{ledger, reading};
use crate::cli::{Context, Failure, text_argument};
use crate::domain::review::{EntryId, OverrideWord};
use crate::overrides::{self, Decisions, Wish};
use crate::report::overrides::Document;
use std::process::ExitCode;

pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let (word, ids) = words(args)?;
    let word = OverrideWord::ALL.into_iter().find(|w| w.as_str() == word).ok_or_else(|| {
        Failure::usage(format!("`{word}` is not an override"))
            .hint("the last word is `accept` or `reject`")
    })?;
    if !args.from.from.is_empty() {
        return Err(Failure::usage(
            "overrides are written to boxes, but these logs were given by path",
        )
        .hint("configure its directory as a box: `local = true`")
        .hint("without boxes and without `--from`, the log of tasks on this machine is used"));
    }
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let box_name = args.box_name.as_deref();
    let rows = match &args.task {
        Some(task) => vec![logs::last_of_task(context, &args.from, task, box_name)?],
        None => logs::rows(context, &args.from, ids)?,
    };
    let reason = text_argument::text(args.reason.as_deref(), "--reason", text_argument::REASON)?;
    let reason = reason.as_deref().unwrap_or(BY_TASK);
    let wishes: Vec<Wish<'_>> =
        rows.iter().map(|row| Wish { row, word, reason, box_name, entry: None }).collect();
    let (mut ledgers, mut book) = open(context)?;
    let config = &context.config;
    let decided =
        overrides::decide(&mut ledgers, &mut book, config, &reviewer, &wishes, context.now);
    let decided = decided.map_err(advice::of_decision).and_then(advice::of_refusals)?;
    let ids: Vec<EntryId> = decided.kept.iter().map(|one| one.id).collect();
    let due = due(context, &ledgers, &book, &ids);
    let sent = match send(context, &mut book, &due)? {
        Ok(sent) => sent,
        Err(code) => return Ok(code),
    };
    let deliveries = deliveries_of(context, &ledgers, &book, &ids);
    let code = conclude(context, Document::new(deliveries, &sent).with(&decided), args.json)?;
    Ok(refused_code(&decided).unwrap_or(code))
}

/// The reason of a decision about a task where none is given.
const BY_TASK: &str = "decided by task";

/// The word, and the records before it.
fn words(args: &Args) -> Result<(&str, &[String]), Failure> {
    let by_task = args.task.is_some();
    let words = args.words.split_last().filter(|(_, ids)| ids.is_empty() == by_task);
    let Some((word, ids)) = words else {
        return Err(match by_task {
            true => Failure::usage("`--task ID` takes one word")
                .hint("such as `foureyes override --task issue-42 accept`"),
            false => Failure::usage("records and a word are needed").hint(
                "such as `foureyes override 3a27bae51430 accept --reason \"known false alarm\"`",
            ),
        });
    };
    if !by_task && args.reason.is_none() {
        return Err(Failure::usage("a reason is needed")
            .hint("`--reason TEXT`, or `--reason -` to read it from standard input"));
    }
    Ok((word, ids))
}

/// The exit code where some were not kept: trying again brings none of those to a box.
fn refused_code(decided: &Decisions) -> Option<ExitCode> {
    if decided.refused.is_empty() {
        return None;
    }
    let local = decided.refused.iter().any(|one| one.why.is_local());
    reading::note(match local {
        true => "repeat the command to add what could not be saved; nothing is added twice",
        false => "what was not saved is listed above; the others are saved",
    });
    Some(ExitCode::from(if local { 74 } else { 1 }))
}
