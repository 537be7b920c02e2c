//! What is asked of logs and ledgers.

use crate::assess::{self, Ask, Evaluations, Held, Report, completeness};
use crate::calibration::Policy;
use crate::cli::operator::look;
use crate::cli::operator::reading::{self, Fleet, From};
use crate::cli::{Context, Failure};
use crate::collect::{self, Collected};
use crate::domain::JudgementKind;
use crate::domain::review::Present;
use crate::store::mirror;

/// What readiness says now, under a policy of a file or that of the ledger. What it is `shown` by is
/// written down as a look.
pub(in crate::cli::operator) fn current(
    context: &Context,
    family: JudgementKind,
    (from, fleet): (&From, Fleet),
    policy: Option<&(String, Policy)>,
    shown: &str,
) -> Result<Report, Failure> {
    let collected = reading::collect_from(context, from, fleet)?;
    let mut ledgers = reading::ledgers(context, &collected)?;
    let present = ledgers.present(context.now);
    let (complete_until, missing_boxes) = completeness(&collected.boxes, context.now);
    let held = held(context, family, (from, fleet), &present)?;
    let ask = Ask {
        policy: policy.map(|(name, policy)| (name.as_str(), policy)),
        held: &held,
        known_boxes: &mirror::boxes(&context.data),
        ..Ask::new(family, context.now, complete_until, &missing_boxes)
    };
    let report = report(context, &collected, &present, &ask)?;
    look::record(context, &mut ledgers, &present, family, shown);
    Ok(report)
}

/// What the logs of the configured boxes hold of the window, where other logs are read: those must not
/// lack any of it.
pub(in crate::cli::operator) fn held(
    context: &Context,
    family: JudgementKind,
    (from, fleet): (&From, Fleet),
    present: &Present,
) -> Result<Vec<Held>, Failure> {
    let elsewhere = !from.from.is_empty() || fleet.fleet;
    let window = assess::window_in_force(present, family, context.now);
    if window.is_none() || !elsewhere {
        return Ok(Vec::new());
    }
    let collected = collect::configured(&context.data, &context.config, context.now);
    if collected.boxes.is_empty() {
        return Ok(Vec::new());
    }
    reading::ask(context, &collected, |archive| {
        let all = Evaluations::load(archive, family, &|| false)?;
        Ok(all.map(|all| assess::held(&all, present, context.now)).unwrap_or_default())
    })
}

/// Asks the logs.
pub(super) fn report(
    context: &Context,
    collected: &Collected,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Report, Failure> {
    reading::ask(context, collected, |archive| {
        let cancelled = || Failure::local("the question was cancelled");
        let mut report = assess::report(archive, present, ask)?.ok_or_else(cancelled)?;
        report.boxes = assess::with_data(&collected.boxes);
        Ok(report)
    })
}
