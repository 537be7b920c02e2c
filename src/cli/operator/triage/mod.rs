//! `foureyes triage`.

mod document;
mod rates;

pub(super) use document::document;

use super::reading::{self, Fleet, From, Show, Span, Trouble};
use super::{Context, Failure, exposure, output};
use crate::answers::triage::page;
use crate::collect::Collected;
use crate::page::write;
use crate::report::json;
use crate::store::cache::Archive;
use crate::triage::Seen;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what happened: counts, KPIs, flagged items, boxes
///
/// Pulls first, unless `--no-pull`, `--from` or `--fleet` is given. KPIs have intervals; `--seen` marks what is
/// shown, so that the next run tells what is new.
#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    #[command(flatten)]
    span: Span,
    #[command(flatten)]
    show: Show,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    /// Print plain text (the default)
    #[arg(long, group = "format")]
    plain: bool,
    /// Write Markdown to a file, `-` for standard output
    #[arg(long, value_name = "FILE", group = "format")]
    markdown: Option<PathBuf>,
    /// List at most N flagged items and rejects [default: 50; in JSON all flagged items]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Mark everything shown as seen
    #[arg(long, conflicts_with = "fleet")]
    seen: bool,
    /// Use the last pull; contact no box
    #[arg(long)]
    no_pull: bool,
    /// Whether not even that this was looked at is noted; the console has the option.
    #[arg(skip)]
    read_only: bool,
}

/// Rows that a person reads through; of what is flagged a program wants all.
const SHORT: usize = 50;

impl Args {
    /// What a run without a subcommand does where there is no terminal.
    pub(super) fn of_console(args: &super::console::Args) -> Self {
        let super::console::Args { from, fleet, span, read_only, .. } = args.clone();
        Self { from, fleet, span, plain: true, no_pull: read_only, read_only, ..Self::default() }
    }
}

/// Runs the command. A box that is down is a caveat in the document, not an exit code.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if args.from.from.is_empty()
        && !args.fleet.fleet
        && !args.no_pull
        && let Some(ended) = super::pull::before_reading(context)?
    {
        return Ok(ended);
    }
    let collected = reading::collect_from(context, &args.from, args.fleet)?;
    reading::ask(context, &collected, |archive| print(context, args, &collected, archive))
}

fn print(
    context: &Context,
    args: &Args,
    collected: &Collected,
    archive: &Archive,
) -> Result<ExitCode, Trouble> {
    if args.seen && collected.is_spooled() {
        return Err(Failure::usage("standard input cannot be marked as seen")
            .hint("`--seen` needs files, directories or boxes")
            .into());
    }
    let limit = args.limit.unwrap_or(if args.json { usize::MAX } else { SHORT });
    let mut document = document(context, args, (collected, archive), limit)?;
    if collected.is_spooled() && document.counts.accounting.lines == 0 {
        reading::note("nothing was read: standard input is empty");
    }
    if args.read_only {
        exposure::hide(context, &mut document.flagged);
    }
    let options = args.show.options(context);
    let page = page(&document, options.masking.is_on());
    match &args.markdown {
        _ if args.json => output::to_stdout(|out| json::write(out, &document, &options))?,
        None => output::to_stdout(|out| write::plain(out, &page, &options.page()))?,
        Some(path) if path.as_os_str() == "-" => {
            output::to_stdout(|out| write::markdown(out, &page, &options.page()))?;
        }
        Some(path) => {
            super::file::write(path, |out| write::markdown(out, &page, &options.page()))?;
        }
    }
    if !args.read_only {
        exposure::note(context, "triage", &document.flagged, Some((collected, archive)));
    }
    if args.seen {
        let mark = Seen::mark(archive, context.now);
        mark.save(&context.data, &collected.collection).map_err(reading::seen_failure)?;
    }
    Ok(ExitCode::SUCCESS)
}
