//! Judges that cannot be asked as they are configured.

use crate::cli::{Context, Failure};
use crate::config::{JudgeConfig, JudgeKind};

/// What to do about a judge that cannot be asked as it is configured.
pub(super) const MODELS: &str =
    "`foureyes config check` lists every such judge; docs/providers.md has the names of models";

/// Refuses the judge of pushes. To show what Anthropic would be asked, nobody is.
pub(super) fn refuse_push(
    context: &Context,
    judge: &JudgeConfig,
    is_shown: bool,
) -> Result<(), Failure> {
    match judge.kind() {
        JudgeKind::Anthropic if is_shown => Ok(()),
        _ => refuse(context, [(None, judge.clone())]),
    }
}

/// Refuses judges that cannot be asked, with the place that says so. One without a place of its own is asked as
/// `[judge]` is.
pub(super) fn refuse(
    context: &Context,
    judges: impl IntoIterator<Item = (Option<&'static str>, JudgeConfig)>,
) -> Result<(), Failure> {
    let all = &context.unfit_judges;
    for (name, judge) in judges {
        let own = all.iter().find(|one| one.name.as_deref() == name);
        let known = own.or_else(|| all.iter().find(|one| one.name.is_none()));
        if let Some(unfit) = known.filter(|_| judge.is_unfit()) {
            return Err(Failure::usage(unfit.to_string()).hint(MODELS));
        }
    }
    Ok(())
}
