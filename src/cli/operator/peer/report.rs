//! `foureyes peer report`.

use super::{Context, Failure, ledger, output, reading};
use crate::assess::Evaluations;
use crate::peer::{self, PeerDocument};
use crate::report::PlainOrJson;
use crate::report::mask::mask;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Show how often the peer differs from the judge, where, and from week to week
///
/// Reads the last pull and the ledgers; nobody is asked. Figures come with 95 % intervals, and what stands out
/// is corrected for everything that is looked at. Two judges that agree may both be wrong: only labels say
/// how often a judge errs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of UTC days to include, counting today
    #[arg(long, value_name = "N", default_value_t = peer::DAYS, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,
    #[command(flatten)]
    from: reading::From,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    #[command(flatten)]
    plain: reading::Plain,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let mut document = document(context, &args.from, args.days)?.ok_or_else(|| {
        Failure::local(format!("no verdict of the last {} days has a review", args.days))
            .hint("`foureyes peer review` asks the judge of `[judges.peer]` about a sample")
    })?;
    let masked = hide(&mut document);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    reading::note_masked(masked);
    Ok(ExitCode::SUCCESS)
}

/// What the reviews of so many days say; `None` without any.
pub(in crate::cli::operator) fn document(
    context: &Context,
    from: &reading::From,
    days: u32,
) -> Result<Option<PeerDocument>, Failure> {
    let collected = reading::collect(context, from)?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let (present, reviews) = (ledgers.present(context.now), ledgers.reviews(context.now));
    let families = context.config.families.with_makers();
    let span = (peer::since(context.now, days), context.now);
    reading::warn_stale(&collected);
    reading::ask(context, &collected, |archive| {
        let cancelled = || Failure::local("the question was cancelled");
        let all = Evaluations::load(archive, peer::family(), &|| false)?;
        let all = all.ok_or_else(cancelled)?;
        Ok(peer::report(archive, &all, (&present, &reviews), &families, span)?)
    })
}

/// Masks what looks like a secret in names of agents, paths and models; tells how much that was.
fn hide(document: &mut PeerDocument) -> usize {
    let parts = document.figures.parts.iter_mut().flatten().map(|part| &mut part.name);
    let names = parts.chain(&mut document.peers);
    let hidden = names.map(|name| {
        let (text, found) = mask(name);
        let text = text.into_owned();
        *name = text;
        found
    });
    hidden.sum()
}
