//! What the past says, for `explain` and `replay`.

use crate::cli::operator::reading::{self, Trouble};
use crate::cli::{Context, Failure};
use crate::collect::Collected;
use crate::config::Config;
use crate::domain::review::Present;
use crate::domain::{JudgementKind, Timestamp};
use crate::risk::RiskRules;
use crate::risk_replay::{Evidences, Labels, Past, labels_of, past};
use crate::store::cache::Archive;

/// The rules of the configuration.
pub(super) fn rules(context: &Context, family: JudgementKind) -> Result<RiskRules, Failure> {
    let home = context.environment.home();
    RiskRules::new(&context.config, family, home.as_deref(), context.now).ok_or_else(|| {
        Failure::usage("there are no rules of risk")
            .hint("add [[risk.rules]] to the configuration, or to a file that `--config` names")
    })
}

/// What was judged in so many days.
pub(super) fn of_days(
    context: &Context,
    archive: &Archive,
    family: JudgementKind,
    days: u32,
) -> Result<(Past, Timestamp), Trouble> {
    let since = Timestamp::of_day(context.now.day()).minus_days(days.saturating_sub(1));
    Ok((past(archive, family, since, context.now, &context.config.prices)?, since))
}

/// What past runs took, under the limits of the configuration.
pub(super) fn evidences(config: &Config, past: &Past) -> Evidences {
    Evidences::new(&past.runs, &config.task, crate::task::spend_cap(config))
}

/// What people said of the contents of the window.
pub(super) fn labels(
    context: &Context,
    (archive, collected): (&Archive, &Collected),
    family: JudgementKind,
    present: &Present,
) -> Result<Labels, Trouble> {
    Ok(labels_of((archive, &collected.boxes), family, present, context.now)?)
}

/// Reads the logs and asks them something.
pub(super) fn asked<T>(
    context: &Context,
    from: &reading::From,
    question: impl Fn(&Archive, &Collected) -> Result<T, Trouble>,
) -> Result<T, Failure> {
    let collected = reading::collect(context, from)?;
    reading::warn_stale(&collected);
    reading::ask(context, &collected, |archive| question(archive, &collected))
}
