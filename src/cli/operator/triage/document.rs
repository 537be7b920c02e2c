//! The document of triage, which the walk of `foureyes --plain` reads out, too.

use super::rates::{Pushes, Question};
use super::{Args, SHORT};
use crate::assess;
use crate::cli::Context;
use crate::cli::operator::overrides;
use crate::cli::operator::reading::{self, Trouble};
use crate::collect::Collected;
use crate::coverage;
use crate::domain::{JudgementKind, Triage};
use crate::store::cache::Archive;
use crate::triage::{Ask, Seen, triage};

/// The document with the error rates of its families; at most `limit` flagged items and rejects are
/// listed in it. `foureyes --plain` reads its beginning out, so both have the same numbers.
///
/// # Errors
/// Logs, ledgers or the mark of what was seen that cannot be read.
pub(in crate::cli::operator) fn document(
    context: &Context,
    args: &Args,
    (collected, archive): (&Collected, &Archive),
    limit: usize,
) -> Result<Triage, Trouble> {
    let window = args.span.window(&args.from, &context.config, context.now);
    let is_marked = !collected.is_spooled() && !args.fleet.fleet;
    let seen = is_marked.then(|| Seen::load(&context.data, &collected.collection)).transpose();
    let seen = seen.map_err(reading::seen_failure)?.flatten();
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
        policies.get_mut(JudgementKind::DEFAULT).clone_from(&assessment.policy);
    }
    let rejects = limit.min(args.limit.unwrap_or(SHORT));
    let ask = Ask { window, limit, rejects, now: context.now, policies: &policies };
    let mut document = triage(archive, collected, seen.as_ref(), coverage, ask)?;
    if args.from.from.is_empty() {
        document.caveats.extend(overrides::caveat(context)?);
    }
    if let Some((assessment, modes)) = rates {
        question.note(&mut ledgers, JudgementKind::DEFAULT);
        assess::show(&mut document, &assessment, &modes, context.now);
    }
    question.others(&mut ledgers, &mut document)?;
    Ok(document)
}
