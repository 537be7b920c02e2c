//! What holds for a whole session of the console.

use super::{Args, appearance};
use crate::cli::Context;
use crate::cli::operator::pull;
use crate::domain::Timestamp;
use crate::domain::review::Reviewer;
use crate::store::ledger::fresh_id;
use crate::tui::Facts;
use crate::tui::model::{Days, Labelling};

/// What holds for the whole session, as far as it follows from arguments and configuration.
pub(super) fn facts(
    context: &Context,
    args: &Args,
    since: Timestamp,
    reviewer: Option<&Reviewer>,
) -> Facts {
    let given = !args.from.from.is_empty();
    Facts {
        read_only: args.read_only,
        demo: context.global.demo,
        command_line: context.command_line,
        watch: args.watch.then_some(context.config.console.watch_s),
        days: match args.span.days {
            None if given => Days::All,
            days => Days::Last(days.unwrap_or(context.config.days).max(1)),
        },
        boxes: !given && !args.fleet.fleet && pull::any_remote(&context.config),
        given,
        fleet: args.fleet.fleet,
        mouse: context.config.console.mouse,
        may_block: may_block(context),
        themes: Vec::new(),
        // Given logs have no beginning.
        queue_since: (since.0 != i64::MIN).then_some(since),
        commit_url: context.config.console.commit_url.clone(),
        hyperlinks: appearance::has_hyperlinks(&context.environment),
        first_run: false,
        labelling: Labelling {
            reviewer: reviewer.map(|reviewer| reviewer.name.clone()),
            run: fresh_id(context.now),
            reasons: context.config.all_reasons(),
            set: context.config.reviewer.set,
        },
    }
}

/// The boxes that are to be offered first where one is to block.
fn may_block(context: &Context) -> Vec<String> {
    let marked = context.config.boxes.iter().filter(|one| one.may_block);
    marked.map(|one| one.name.clone()).collect()
}
