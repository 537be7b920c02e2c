//! `foureyes triage`.

mod rates;

use super::reading::{self, Fleet, From, Show, Span, Trouble};
use super::{Context, Failure, output};
use crate::assess;
use crate::collect::Collected;
use crate::coverage;
use crate::domain::{JudgementKind, Triage};
use crate::report::{json, markdown, plain};
use crate::store::cache::Archive;
use crate::triage::{Ask, Seen, SeenError, triage};
use rates::{Pushes, Question};
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
    let document = document(context, args, (collected, archive), limit)?;
    let options = args.show.options(context);
    match &args.markdown {
        _ if args.json => output::to_stdout(|out| json::write(out, &document, &options))?,
        None => output::to_stdout(|out| plain::write(out, &document, &options))?,
        Some(path) if path.as_os_str() == "-" => {
            output::to_stdout(|out| markdown::write(out, &document, &options))?;
        }
        Some(path) => super::file::write(path, |out| markdown::write(out, &document, &options))?,
    }
    if args.seen {
        let mark = Seen::mark(archive, context.now);
        mark.save(&context.data, &collected.collection).map_err(seen_failure)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The document with the error rates of its families; at most `limit` flagged items and rejects are
/// listed in it. `foureyes --plain` reads its beginning out, so both have the same numbers.
///
/// # Errors
/// Logs, ledgers or the mark of what was seen that cannot be read.
pub(super) fn document(
    context: &Context,
    args: &Args,
    (collected, archive): (&Collected, &Archive),
    limit: usize,
) -> Result<Triage, Trouble> {
    let window = args.span.window(&args.from, &context.config, context.now);
    let is_marked = !collected.is_spooled() && !args.fleet.fleet;
    let seen = is_marked.then(|| Seen::load(&context.data, &collected.collection)).transpose();
    let seen = seen.map_err(seen_failure)?.flatten();
    let coverage =
        coverage::compared(&context.config, archive, !args.from.from.is_empty(), window)?;
    let mut ledgers = reading::ledgers(context, collected)?;
    let present = ledgers.present(context.now);
    let pushes = Pushes::new();
    let question =
        Question { context, args, collected, archive, present: &present, pushes: &pushes };
    let rates = question.pushes()?;
    // In a window with labels the policy is the one that it began with, whatever was set since.
    let mut policies = assess::policies_in_force(&present, context.now);
    if let Some((assessment, _)) = &rates {
        policies.get_mut(JudgementKind::Push).clone_from(&assessment.policy);
    }
    let rejects = limit.min(args.limit.unwrap_or(SHORT));
    let ask = Ask { window, limit, rejects, now: context.now, policies: &policies };
    let mut document = triage(archive, collected, seen.as_ref(), coverage, ask)?;
    if args.from.from.is_empty() {
        document.caveats.extend(super::overrides::caveat(context)?);
    }
    if let Some((assessment, modes)) = rates {
        question.note(&mut ledgers, JudgementKind::Push);
        assess::show(&mut document, &assessment, &modes, context.now);
    }
    question.others(&mut ledgers, &mut document)?;
    Ok(document)
}

fn seen_failure(error: SeenError) -> Failure {
    let hint = match error.is_write() {
        true => "the disk may be full or read-only: `--data-dir DIR` puts it elsewhere",
        false => "it only holds what was seen and can be deleted",
    };
    Failure::local(error).hint(hint)
}
