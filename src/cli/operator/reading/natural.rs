//! The window that would begin with the first record ever of the judge in use.

use super::{From, Trouble, ask, collect};
use crate::assess::{self, Evaluations, NaturalOffer};
use crate::cli::operator::{Context, Failure};
use crate::domain::JudgementKind;
use crate::domain::review::Present;

/// What that window would be over the logs of the run; `None` where no judge has judged yet.
pub(in crate::cli::operator) fn natural_offer(
    context: &Context,
    from: &From,
    family: JudgementKind,
    present: &Present,
) -> Result<Option<NaturalOffer>, Failure> {
    let collected = collect(context, from)?;
    let all = ask(context, &collected, |archive| {
        Ok::<_, Trouble>(Evaluations::load(archive, family, &|| false)?.unwrap_or_default())
    })?;
    let boxes: Vec<String> = collected.boxes.iter().map(|of| of.name.clone()).collect();
    let policy = assess::policy_in_force(present, family, context.now).0;
    Ok(assess::natural_offer(&all, present, &policy, &boxes, context.now))
}
