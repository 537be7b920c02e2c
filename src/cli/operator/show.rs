//! `foureyes show`.

use super::reading::{self, Fleet, From, Plain, Show};
use super::{Context, Failure, exposure, fleet, output};
use crate::domain::review::Reviews;
use crate::domain::{Record, Window};
use crate::fleet::Question;
use crate::frame::query::{Query, Scope};
use crate::overrides;
use crate::report::{claims, json, record};
use crate::store::cache::{Archive, Located, RowError};
use crate::store::questions;
use crate::triage;
use std::process::ExitCode;

/// Show one record: its fields, its bytes and where it is logged
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Record id or commit, or a prefix of at least 4 digits
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    #[command(flatten)]
    show: Show,
    #[command(flatten)]
    plain: Plain,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let hex =
        args.id.len() >= 4 && args.id.len() <= 64 && args.id.bytes().all(|b| b.is_ascii_hexdigit());
    if !hex {
        return Err(Failure::usage(format!("`{}` is neither a record id nor a commit", args.id))
            .hint("an id has 64 hexadecimal digits; at least the first 4 are needed"));
    }
    let digits = args.id.to_lowercase();
    let query = Query::parse(&format!("id:{digits} | commit:{digits}")).map_err(Failure::usage)?;
    let (mut located, settling) = match args.fleet.fleet {
        true => match shared(context, &query)? {
            Ok(found) => found,
            Err(code) => return Ok(code),
        },
        false => here(context, &args.from, &query)?,
    };
    if located.len() > 1 {
        let ids: Vec<String> = located.iter().take(5).map(|l| l.record.id.to_string()).collect();
        return Err(Failure::usage(format!("`{}` names {} records", args.id, located.len()))
            .hint(format!("give more digits of an id: {}", ids.join(", "))));
    }
    let Some(located) = located.pop() else {
        return Err(Failure::usage(format!("no record id or commit starts with `{}`", args.id))
            .hint("`foureyes records` lists them; `--from` reads other logs"));
    };
    let raw = located.raw.clone();
    let question = questions::known(&located.record, located.log.as_deref());
    let (row, options) = (located.record, args.show.options(context));
    let decided = super::overrides::of_record(context, row.id)?;
    let claims = super::overrides::claims_of(context)?.remove(&row.id).unwrap_or_default();
    if args.json {
        output::to_stdout(|mut out| {
            let claims = claims::Beside::new(&claims, settling.as_ref());
            let beside = decided.extra_fields(claims, question.as_ref(), options.masking);
            json::record_with(&mut out, &row, options.masking, &beside).map(reading::note_masked)
        })?;
    } else {
        output::to_stdout(|out| {
            record::write(out, &row, question.as_ref(), Some(&raw), &options)?;
            claims::write_below(out, &claims, settling.as_ref())?;
            decided.write_below(out, options.masking)
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The records that match, and of one alone what answers its run.
type Found = (Vec<Located>, Option<Record>);

/// Those of the logs here.
fn here(context: &Context, from: &From, query: &Query) -> Result<Found, Failure> {
    let collected = reading::collect(context, from)?;
    reading::warn_stale(&collected);
    reading::ask(context, &collected, |archive| {
        let scope = Scope { boxes: archive.boxes(), now: context.now, reviews: Reviews::none() };
        let found = archive.matching(query, &scope, Window::ALL)?;
        let located = archive.records(&found)?;
        let [one] = located.as_slice() else { return Ok((located, None)) };
        let settling = settling(archive, &one.record)?;
        exposure::note(context, "show", [&one.record], Some((&collected, archive)));
        Ok((located, settling))
    })
}

/// Those of the store that operators share, or the exit code of a signal.
fn shared(context: &Context, query: &Query) -> Result<Result<Found, ExitCode>, Failure> {
    let (now, reviews) = (context.now, Reviews::none());
    let question = Question { query, window: Window::ALL, most: None, now, reviews };
    let (mut all, mut settling) = (Vec::new(), None);
    let found = fleet::found(context, &question, async |reader, located| {
        if let [one] = located.as_slice() {
            exposure::note(context, "show", [&one.record], None);
            settling = fleet::settling(context, reader, &one.record).await?;
        }
        all.extend(located);
        Ok(true)
    })?;
    Ok(found.map(|_| (all, settling)))
}

/// So many lines of a task are looked at for what answers its run.
const LINES: usize = 1000;

/// The override in a log that answers the run that a record ends.
fn settling(archive: &Archive, row: &Record) -> Result<Option<Record>, RowError> {
    if row.decision.is_none() {
        return Ok(None);
    }
    let history = triage::history(archive, row, LINES, &|| false)?.unwrap_or_default();
    Ok(overrides::settling(row, &history.rounds).cloned())
}
