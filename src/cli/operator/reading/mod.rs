//! What every command that reads logs has in common: which, over what time, and how to show it.

mod arguments;
mod filter;
mod natural;
mod notes;
mod reviews;
mod settings;
mod store;
mod trouble;

pub(super) use arguments::{Fleet, From, Plain, Show, Span, columns, options};
pub(super) use filter::parse as parse_filter;
pub(super) use natural::natural_offer;
pub(super) use notes::{note, note_masked, warn_stale, warn_unsound};
pub(super) use reviews::{reviews, seen_failure, visit};
pub(super) use settings::settings;
pub(super) use store::{failure as store_failure, nodes, opened};
pub(super) use trouble::{Trouble, cache_failure, row_failure};

use super::{Context, Failure};
use crate::collect::{self, Collected};
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// The logs of the run: those of the store that operators share, where that is asked for, else those of
/// [`collect`].
pub(super) fn collect_from(
    context: &Context,
    from: &From,
    fleet: Fleet,
) -> Result<Collected, Failure> {
    if fleet.fleet { store::collected(context) } else { collect(context, from) }
}

/// The ledgers of the run: those here, and with the store that operators share those that were published.
pub(super) fn ledgers(context: &Context, collected: &Collected) -> Result<Ledger, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(crate::advice::of_ledger)?;
    if let Some(store) = collected.store() {
        ledgers.count_published(store.ledgers().map_err(cache_failure)?);
        let present = ledgers.present(context.now);
        store.look_for(present.labels.keys().copied().collect());
    }
    Ok(ledgers)
}

/// The logs of the run: those given, or those of the boxes as they were pulled last.
pub(super) fn collect(context: &Context, from: &From) -> Result<Collected, Failure> {
    let collected = if from.from.is_empty() {
        Ok(collect::configured(&context.data, &context.config, context.now))
    } else {
        collect::given(&context.data, &from.from, context.now, &mut std::io::stdin().lock())
            .map_err(trouble::collect_failure)
    };
    let collected = collected?;
    if collected.boxes.is_empty() {
        let failure = Failure::usage("nothing to read: no box is configured");
        return Err(failure
            .hint("give logs with `--from PATH`, or a box with `foureyes config init --box HOST` (docs/faq.md#nothing-to-read-no-box-is-configured)")
            .hint("`foureyes --demo` opens demo data"));
    }
    Ok(collected)
}

/// Asks the logs something, with a bar on stderr where that is a terminal. It is asked again where
/// the cache turns out not to say what the logs do: so nothing may be printed before the last
/// error that a second look may mend.
pub(super) fn ask<T>(
    context: &Context,
    collected: &Collected,
    mut question: impl FnMut(&Archive) -> Result<T, Trouble>,
) -> Result<T, Failure> {
    let bar = bar("reading logs");
    let settings = settings(context, &context.config);
    let answer = collected.ask(&settings, &|bytes| bar.inc(bytes), |archive| {
        bar.finish_and_clear();
        archive.beyond_bounds().for_each(|text| note(&text));
        if let Some(why) = archive.aside() {
            note(&format!("the cache is not writable, so logs are read for this run only: {why}"));
        }
        question(archive)
    });
    bar.finish_and_clear();
    if !collected.is_spooled() && collected.store().is_none() {
        collect::forget_old(&context.data, &collected.collection);
    }
    answer.map_err(Trouble::into_failure)
}

fn bar(what: &'static str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{msg}: {bytes} ({bytes_per_sec})");
    let bar = ProgressBar::with_draw_target(None, target).with_message(what);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
