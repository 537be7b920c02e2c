//! Whether this machine's program asks another question than the newest records of the boxes were asked.

use super::check::Check;
use super::tasks::check;
use crate::assess::{AssessError, Evaluations};
use crate::boxes;
use crate::cli::Context;
use crate::cli::operator::reading::settings;
use crate::collect;
use crate::config::Config;
use crate::domain::JudgementKind;
use crate::hook::earlier_question::EarlierQuestion;
use crate::judging::configured;
use crate::store::ledger::Ledger;

/// What the copies of the logs and the ledgers show. What cannot be read is no finding of this check.
pub(super) fn earlier(context: &Context, config: &Config) -> Option<EarlierQuestion> {
    if context.global.demo || config.boxes.is_empty() {
        return None;
    }
    let rubric = configured::rubric(config.judge.rubric.as_deref()).ok()?;
    let template = configured::template(config.judge.prompt.as_deref()).ok()?;
    let prompt_sha = template.prompt_sha(&rubric);
    let present = Ledger::load(&context.data).ok()?.present(context.now);
    let collected = collect::configured(&context.data, config, context.now);
    // A check makes no cache: reading all logs for the first time may take minutes.
    if !collected.collection.is_dir() {
        return None;
    }
    let read = collected.ask(&settings(context, config), &|_| {}, |archive| {
        let all = Evaluations::load(archive, JudgementKind::DEFAULT, &|| false)?;
        Ok::<_, AssessError>(
            all.and_then(|all| boxes::earlier_question(&all, &present, &prompt_sha)),
        )
    });
    read.ok().flatten()
}

/// It as a check.
pub(super) fn checks(earlier: Option<&EarlierQuestion>) -> Option<Check> {
    Some(check(earlier?.finding()))
}
