//! What holds for one push: configuration, variables and push options.

use super::Args;
use super::loaded::Loaded;
use crate::config::{Environment, HookMode, HookProtocol, OnCut};
use crate::domain::Timestamp;
use crate::git::{Known, Selection};
use crate::hook::{Settings, Side, TaskLog};
use crate::risk::RiskRules;
use crate::verdict_log::VerdictLog;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Settings of the push.
pub(super) fn of_push(
    (side, args): (Side, &Args),
    loaded: &Loaded,
    environment: &Environment,
    mode: HookMode,
    (until, budget): (Instant, Duration),
) -> Settings {
    let config = &loaded.config;
    let asked = |variable, option: &str| match side {
        Side::Sender => {
            environment.text(variable).is_some_and(|v| !["0", "false", "no"].contains(&&*v))
        }
        // A variable of the server is nothing that who pushes asks for.
        Side::Receiver => {
            config.hook.allows(option) && environment.has_push_option(&format!("foureyes.{option}"))
        }
    };
    let home = environment.home();
    let family = config.hook.protocol.family();
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let risk = RiskRules::new(config, family, home.as_deref(), now).map(Arc::new);
    let task_log = || {
        let path = config.task.log_file(home.as_deref())?;
        Some(TaskLog { path, vocabulary: config.task.vocabulary })
    };
    let is_task = config.hook.protocol == HookProtocol::Task;
    let acceptance = config.hook.acceptance.as_deref().filter(|_| risk.is_some());
    // To log what came, and to look at what is pushed.
    let rest = (budget / 10).clamp(Duration::from_millis(100), Duration::from_secs(3));
    Settings {
        mode,
        selection: Selection {
            agents: loaded.agents.then(|| config.agents.clone()),
            // Where it cannot be told what is watched, it may be all.
            watch: if loaded.watch { config.watch.clone() } else { vec![String::new()] },
            ..config.selection()
        },
        side,
        known: match side {
            Side::Sender => remote(&args.remote).map_or(Known::Nothing, Known::Remote),
            Side::Receiver => Known::Refs,
        },
        log: config.hook.log_dir(environment.home().as_deref()).map(VerdictLog::at),
        task_log: is_task.then(task_log).flatten(),
        deep_log: (!is_task && risk.is_some()).then(task_log).flatten(),
        acceptance: acceptance.and_then(|path| super::super::judge::acceptance(path).ok()),
        risk,
        model: config.judge.model.clone(),
        skip: asked("GIT_JUDGE_SKIP", "skip"),
        fresh: asked("GIT_JUDGE_FRESH", "fresh"),
        parallel: config.hook.parallel,
        commits: config.hook.commits,
        reuse_days: config.hook.reuse_days,
        cut_stops: config.hook.cut == OnCut::Stop,
        unjudged_stops: false,
        overrides: config.hook.overrides_dir(environment.home().as_deref()),
        asked_until: until.checked_sub(rest).unwrap_or(until),
        until,
    }
}

/// The remote's name. git gives its address in the place of a name that it has not.
fn remote(given: &[OsString]) -> Option<String> {
    let name = given.first().filter(|name| given.get(1) != Some(name))?;
    name.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_without_a_name_has_its_address_in_the_place_of_it() {
        let remote = |given: &[&str]| remote(&given.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(remote(&["origin", "../x"]).as_deref(), Some("origin"));
        assert_eq!(remote(&["../x", "../x"]), None);
        assert_eq!(remote(&["origin"]).as_deref(), Some("origin"));
        assert_eq!(remote(&[]), None);
    }
}
