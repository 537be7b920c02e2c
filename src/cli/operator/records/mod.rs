//! `foureyes records`.

mod fleet;
mod listing;
mod order;
mod rejects;

use super::exposure::Exposed;
use super::reading::{self, Fleet, From, Plain, Show, Span};
use super::{Context, Failure, look};
use crate::domain::Record;
use crate::fleet::Question;
use crate::frame::query::Scope;
use crate::report::records::Listing;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// List records that match a filter, or what could not be read
///
/// Plain text has one line per record, newest first: time, outcome, id, scores (semantic,
/// pragmatic, syntactic), box, commit or task, files. It is as wide as the terminal, or 80 columns
/// in a pipe.
#[derive(Debug, clap::Args)]
#[command(after_long_help = FIELDS)]
pub(in crate::cli) struct Args {
    /// Filter, such as `verdict:no-go path:research/ since:7d "free words"`; see docs/filter.md
    #[arg(value_name = "FILTER", allow_hyphen_values = true)]
    filter: Option<String>,
    // Only the first word may begin with a dash: of more than one, flags would be words as well.
    /// More of the filter, where it is not quoted
    #[arg(value_name = "FILTER", hide = true)]
    more: Vec<String>,
    /// List log fragments that could not be read as records instead: box, file, line, byte, reason
    #[arg(long, conflicts_with_all = ["filter", "more", "fleet", "days", "csv", "markdown"])]
    rejects: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    /// Number of UTC days to include, counting today [default: everything]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: Option<u32>,
    #[command(flatten)]
    show: Show,
    #[command(flatten)]
    plain: Plain,
    /// Print JSON Lines, one document per record
    #[arg(long, group = "format")]
    json: bool,
    /// Print comma-separated values
    #[arg(long, group = "format")]
    csv: bool,
    /// Print a Markdown table
    #[arg(long, group = "format")]
    markdown: bool,
    #[command(flatten)]
    order: order::Order,
    /// List at most N: the first in the order, or the first rejects
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The fields of a filter in short; docs/filter.md has all of each.
const FIELDS: &str = "\
Fields of a filter:
  verdict: outcome:        go, no-go, undetermined, none, or a word of a task or ladder judge
  family:                  push, task, ladder, override, pick, prompt
  evaluation:              push, task: in whose rates it counts
  is:                      new, flagged, stopped, escalation, evaluation, unfinished, repeat,
                           undated, odd_score, unexplained
  since: until: day:       7d, 12h, today, yesterday, 2026-02-15, 2026-02-15T10:30:00Z
  path: commit: id:        beginning of the text
  box: model: judge: author: agent: task: mode: reviewer: text:
                           part of the text
  has:                     commit, path, task, author, …: has such a field
  tier: depth: consensus:  quick, deep, tiebreaker, human; quick, sequential, panel;
                           unanimous, majority, split
  terms:                   semantic, pragmatic, syntactic, …: what the findings speak of
  round:                   1, >1
  score: score.semantic: score.pragmatic: score.syntactic:
                           3, <3, >=4, 2..4
  latency:                 >2s, 500ms..2s
  error: cause:            timeout, unavailable, …, any, none
  repeat: undated:         yes, no
  label:                   none, any, acceptable, poor, unsure, conflict,
                           second_look
  override:                none, any, accept, reject, confirmed, unconfirmed
  claimed: assigned:       none, any, me, or part of a name
  peer:                    none, any, agrees, differs, undetermined

A space means `and`, `|` means `or`, `-` negates, parentheses group, `:=` matches the whole text.";

/// Runs the command; newest first, undated records last.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if args.rejects {
        return rejects::run(context, args);
    }
    let query = reading::parse_filter(&words(args)?)?;
    let window = match args.days {
        None => crate::domain::Window::ALL,
        days => Span { days }.window(&args.from, &context.config, context.now),
    };
    let (sort, columns) = (args.order.sort()?, args.order.columns(context.now)?);
    let most = args.limit.unwrap_or(usize::MAX);
    let listing = match (args.json, args.csv, args.markdown) {
        (true, ..) => Listing::JsonLines,
        (_, true, _) => Listing::Csv,
        (.., true) => Listing::Markdown,
        _ => Listing::Plain,
    };
    let reviews = reading::reviews(context, &query)?;
    if query.asks_errors() {
        look::record_anew(context, "records")?;
    }
    // Ledgers are read only where the filter or the form asks for what is in them.
    let claims = match (query.asks_reviews(), listing) {
        (true, _) => super::overrides::claims_of(context)?,
        (false, Listing::JsonLines) => super::overrides::claims_of(context).unwrap_or_default(),
        (false, _) => BTreeMap::new(),
    };
    let options = args.show.options(context);
    if args.fleet.fleet {
        let (most, now) = (args.limit, context.now);
        let question = Question { query: &query, window, most, now, reviews: &reviews };
        return fleet::run(context, &question, listing, (options, columns), claims);
    }
    let collected = reading::collect(context, &args.from)?;
    reading::warn_stale(&collected);
    let mut found = 0;
    let visit = reading::visit(context, &collected, &query)?;
    let written = reading::ask(context, &collected, |archive| {
        let reviews = match &visit {
            Some(visit) => reviews.clone().read_until(visit.reached(archive)?),
            None => reviews.clone(),
        };
        let scope = Scope { boxes: archive.boxes(), now: context.now, reviews: &reviews };
        let rows = archive.matching(&query, &scope, window)?;
        let rows = order::first(sort, archive, rows, most)?;
        found = rows.len();
        let mut exposed = Exposed::begin(context, "records");
        let take = |record: &Record| exposed.iter_mut().for_each(|shown| shown.take(record));
        let written =
            listing::list(archive, &rows, listing, (options, columns.as_ref()), &claims, take)?;
        exposed.into_iter().for_each(|shown| shown.finish(Some((&collected, archive))));
        Ok(written)
    })?;
    if found == 0 {
        reading::note("no record matches");
    }
    reading::note_masked(written.masked);
    Ok(ExitCode::SUCCESS)
}

/// The filter in one line; a flag that does not exist is no filter.
fn words(args: &Args) -> Result<String, Failure> {
    if let Some(flag) = args.filter.as_deref().filter(|word| word.starts_with("--")) {
        return Err(Failure::usage(format!(
            "`{flag}` is neither an option of this command nor a filter"
        ))
        .hint("`foureyes records --help` lists the options"));
    }
    let words: Vec<&str> = args.filter.iter().chain(&args.more).map(String::as_str).collect();
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_help_names_every_field_of_a_filter() {
        for field in crate::frame::query::Field::all() {
            let name = format!("{}:", field.name);
            assert!(super::FIELDS.contains(&name), "{name}");
        }
    }
}
