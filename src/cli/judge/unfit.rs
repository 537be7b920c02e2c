//! Judges that cannot be asked for their models.

use crate::cli::{Context, Failure};
use crate::config::{JudgeConfig, JudgeKind};

/// What to do about a model that its kind of judge cannot be asked for.
pub(super) const MODELS: &str =
    "`foureyes config check` lists every such judge; docs/providers.md has the names of models";

/// Refuses the judge of pushes, where it is opencode.
pub(super) fn refuse_push(context: &Context, judge: &JudgeConfig) -> Result<(), Failure> {
    match judge.kind() {
        JudgeKind::Opencode => refuse(context, [(None, judge.clone())]),
        _ => Ok(()),
    }
}

/// Refuses judges that cannot be asked for their models, with the place that says so.
pub(super) fn refuse(
    context: &Context,
    judges: impl IntoIterator<Item = (Option<&'static str>, JudgeConfig)>,
) -> Result<(), Failure> {
    for (name, judge) in judges {
        let known = context.unfit_judges.iter().find(|one| one.name.as_deref() == name);
        if let Some(unfit) = known.filter(|_| judge.unfit_model().is_some()) {
            return Err(Failure::usage(unfit.to_string()).hint(MODELS));
        }
    }
    Ok(())
}
