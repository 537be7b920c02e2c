//! The judge of pushes, its log, and what it would judge.

use super::{asked, endpoint, place, records};
use crate::config::{Config, HookProtocol};
use crate::domain::Timestamp;
use crate::hook::check::Finding;
use crate::hook::judge_findings::PUSHES;
use std::path::Path;

/// What was found of the judge of pushes.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) checks: Vec<Finding>,
    pub(super) prompt_sha: Option<String>,
    pub(super) models: Option<Vec<String>>,
}

/// Looks at the judge of pushes and its log; not where tasks are judged.
pub(super) fn check(config: &Config, home: Option<&Path>, now: Timestamp) -> Looked {
    if config.hook.protocol == HookProtocol::Task {
        return Looked::default();
    }
    let asked = asked::check(config);
    let endpoint = endpoint::check(&config.judge, asked.key, PUSHES);
    let mut checks = asked.checks;
    checks.extend(endpoint.checks);
    checks.extend(place::check(config, HookProtocol::Push, home));
    checks.extend(records::check(config, home, now));
    Looked { checks, prompt_sha: asked.prompt_sha, models: endpoint.models }
}
