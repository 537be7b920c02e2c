//! Memories of a coding agent: whether there are any, and who judges them.

use super::check::{Check, Part};
use crate::cli::Context;
use crate::config::{Config, MemoriesConfig};
use crate::domain::chain;
use crate::judging::relevance::RelevanceJudge;
use crate::memories::Directory;
use crate::report::counted;
use std::path::Path;

/// Checks the memories of this machine and their judge; nothing, where none are in use.
pub(super) fn checks(context: &Context, config: &Config) -> Vec<Check> {
    let home = context.environment.home();
    if context.global.demo || !is_in_use(&config.memories, home.as_deref()) {
        return Vec::new();
    }
    let mut checks = vec![directory(&config.memories, home.as_deref())];
    if config.memories.judge {
        checks.extend(judge(config));
    }
    checks
}

fn is_in_use(memories: &MemoriesConfig, home: Option<&Path>) -> bool {
    let is_there = |dir: Option<std::path::PathBuf>| dir.is_some_and(|dir| dir.is_dir());
    memories.judge || is_there(memories.directory(home)) || is_there(memories.log_dir(home))
}

fn directory(memories: &MemoriesConfig, home: Option<&Path>) -> Check {
    let Some(path) = memories.directory(home) else {
        return Check::warn("memories", "the home directory is not known").advise("set HOME");
    };
    let listing = Directory::open(&path).and_then(|directory| directory.listing());
    let count = match listing {
        Ok(listing) => counted(listing.listed.len() as u64, "memory", "memories"),
        Err(error) => {
            return Check::warn("memories", chain(&error))
                .advise("`directory` in [memories] names it; docs/memories.md describes its form");
        }
    };
    let chosen = match memories.judge {
        true => format!("a judge keeps at most {}", memories.keep),
        false => format!("the judge is off, so search gives the best {}", memories.unjudged_keep),
    };
    Check::ok("memories", format!("{}: {count}; before a prompt {chosen}", path.display()))
}

/// Who judges them, and whether the key is there.
fn judge(config: &Config) -> Vec<Check> {
    let (_, judge) = config.relevance_judge();
    let mut checks = vec![match RelevanceJudge::obstacle(config) {
        None => Check::ok("memories judge", judge.who()),
        Some(why) => {
            let text = format!("{}: {why}", judge.who());
            Check::fail("memories judge", text, Part::Configuration)
                .advise("correct [judges.relevance] or [memories]; until then search alone chooses")
        }
    }];
    if judge.needs_key() && judge.key_command.is_none() {
        let name = judge.key_name();
        checks.push(match judge.key_variable() {
            Some(_) => Check::ok("memories key", format!("{name} is set")),
            None => Check::warn("memories key", format!("{name} is not set")).advise(
                "set it where the agent runs, or `key_env` or `key_command` in [judges.relevance]",
            ),
        });
    }
    checks
}
