//! Whether the judges carry the call word: what the logs know, and where `--ask` is given a question to each.

use super::tasks::{are_judged, asked};
use crate::cli::{Context, output};
use crate::config::{Config, HookProtocol};
use crate::hook::call_word::{self, CallWordQuestion, CallWordReport, JudgeRole, Roster};
use crate::picks::PickLog;

/// The judges that the hook, agents and memories ask; those of pushes if `pushes` is set.
fn roster(config: &Config, pushes: bool) -> Roster {
    let of_pushes = pushes && config.hook.protocol == HookProtocol::Push;
    let tiers = asked(config).filter(|_| are_judged(config)).map(JudgeRole::Task);
    let pushes = of_pushes.then_some(JudgeRole::Push);
    let others = [JudgeRole::Peer, JudgeRole::Relevance];
    Roster::new(config, pushes.into_iter().chain(tiers).chain(others))
}

/// What is known of each judge; where they are asked, it is said first how many questions that is.
pub(in crate::cli) fn check(
    context: &Context,
    config: &Config,
    (pushes, ask): (bool, bool),
) -> Vec<CallWordReport> {
    let home = context.environment.home();
    let roster = roster(config, pushes);
    let mut reports = call_word::from_logs(config, home.as_deref(), &roster);
    if ask {
        output::to_stderr(&output::visible(&CallWordReport::announcement(&reports)));
        let log = config.memories.log_dir(home.as_deref()).map(PickLog::at);
        let spent = log.map_or(Ok(0.0), |log| log.spent(context.now));
        let question = CallWordQuestion {
            config,
            refused: Some(context.data.refused()),
            spent_today: spent.map_err(|error| error.to_string()),
        };
        question.ask(&roster, &mut reports);
    }
    reports
}
