//! Who judges, as configured.

use super::message;
use crate::config::Config;
use crate::domain::chain;
use crate::engine::prompt::Section;
use crate::files::paths::DataDir;
use crate::hook::{Endpoint, NoJudge, TaskJudges};
use crate::judging::configured;
use crate::task;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Finds who judges commits as tasks. A command for a key is waited for until some instant at most. If it
/// fails, judges are asked without a key, and what was judged before is known all the same.
pub(super) fn of_tasks(config: &Config, until: Instant) -> Result<TaskJudges, NoJudge> {
    let mut has_failed = false;
    let judges = task::judges_with_keys(config, None, |tier| {
        if has_failed {
            return Ok(None);
        }
        let left = until.saturating_duration_since(Instant::now());
        let key = configured::key_within(&config.judge_of(tier).1, left);
        Ok(key.unwrap_or_else(|error| {
            has_failed = true;
            let why = chain(&error);
            message::line(&format!("judges are asked without a key: {}: {why}", tier.name()));
            None
        }))
    });
    let judges = judges.map_err(|(tier, error)| {
        NoJudge::Unusable(format!("the judge {}: {}", tier.name(), chain(&error)))
    })?;
    let acceptance = config.hook.acceptance.as_deref().map(acceptance).transpose()?;
    Ok(TaskJudges { config: config.clone(), judges, acceptance })
}

/// The text of the file with acceptance criteria.
pub(super) fn acceptance(path: &Path) -> Result<String, NoJudge> {
    let unusable =
        |why: String| NoJudge::Unusable(format!("failed to read {}: {why}", path.display()));
    let length = std::fs::metadata(path).map_err(|error| unusable(error.to_string()))?;
    if !length.is_file() || length.len() > Section::MOST_BYTES as u64 {
        return Err(unusable(format!("it is not a file of at most {} bytes", Section::MOST_BYTES)));
    }
    std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))
}

/// Finds who is asked. Nothing is connected or looked up yet; a command for the key is waited for until
/// some instant at most. Without a key nobody is asked, and what was judged before is known all the
/// same. Without a place for files of our own, what a model refuses is found out anew each time.
pub(super) fn find(
    config: &Config,
    data: Option<&DataDir>,
    until: Instant,
) -> Result<Endpoint, NoJudge> {
    let of_config = &config.judge;
    let left = until.saturating_duration_since(Instant::now());
    // A script is asked without one.
    let key = of_config.script.is_none().then(|| configured::key_within(of_config, left));
    let (key, absent) = match key {
        None => (None, None),
        Some(Ok(Some(key))) => (Some(key), None),
        Some(Ok(None)) if !of_config.needs_key() => (None, None),
        Some(Ok(None)) => (None, Some(format!("the key {} is not set", of_config.key_name()))),
        Some(Err(error)) => (None, Some(chain(&error))),
    };
    let judge = configured::judge(config, key, data.map(DataDir::refused));
    let judge = judge.map_err(|e| NoJudge::Unusable(chain(&e)))?;
    Ok(Endpoint::new(Arc::new(judge), of_config.budget, of_config.spend_cap, absent))
}
