//! Whether the hook would find anything to judge: what a newcomer is likeliest to have wrong.

use crate::config::Config;
use crate::git::{Links, Recent, recent};
use crate::hook::check::Finding;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "agents";
/// Commits that are looked at.
const MOST: usize = 100;
/// Commits below which nothing is concluded.
const FEW: usize = 5;
/// Names that are listed.
const NAMED: usize = 5;

/// What to do where no agent of the configuration commits.
const UNKNOWN: &str =
    "list the agents in `agents` in the configuration (docs/faq.md#nothing-is-judged)";
/// What to do where agents change other files.
const UNWATCHED: &str =
    "set `watch` and `files` in the configuration (docs/faq.md#nothing-is-judged)";

/// One finding for each repository that has some commits.
pub(in crate::cli) fn check(config: &Config, repositories: &[PathBuf]) -> Vec<Finding> {
    let of = |repository: &PathBuf| {
        // What cannot be read the finding on the hook says already.
        let Ok(recent) = recent(repository, &config.selection(), MOST) else { return Vec::new() };
        one(repository, &recent).into_iter().chain(links(repository, &recent.links)).collect()
    };
    repositories.iter().flat_map(of).collect()
}

/// What is watched and is a link, or may be.
fn links(repository: &Path, links: &Links) -> Vec<Finding> {
    let (shown, name) = (repository.display(), "links");
    let sentences = links.sentences(NAMED).into_iter().map(|text| {
        Finding::warn(name, format!("{shown}: {text}"))
            .hint("what it leads to is judged where it changes; what was there before, in a submodule or out of the repository is not")
    });
    let gap = links.gap.as_ref().map(|why| {
        Finding::warn(name, format!("{shown}: not all links to watched paths are known: {why}"))
    });
    sentences.chain(gap).collect()
}

fn one(repository: &Path, commits: &Recent) -> Option<Finding> {
    let Recent { all, agents, judged, committers, elsewhere, .. } = commits;
    if *all < FEW {
        return None;
    }
    let shown = repository.display();
    if *agents == 0 {
        let text = format!(
            "{shown}: none of the last {all} commits is by a configured agent; committers: {}",
            listed(committers)
        );
        return Some(Finding::warn(NAME, text).hint(UNKNOWN));
    }
    if *judged == 0 {
        let text = format!(
            "{shown}: none of the last {agents} agent commits changes a file under `watch` that matches `files`; they change: {}",
            listed(elsewhere)
        );
        return Some(Finding::warn(NAME, text).hint(UNWATCHED));
    }
    let text = format!(
        "{shown}: of the last {all} commits {agents} are by agents, and {judged} of those change judged files"
    );
    Some(Finding::ok(NAME, text))
}

/// The most frequent names with their counts.
fn listed(counts: &BTreeMap<String, usize>) -> String {
    let mut names: Vec<_> = counts.iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let shown = names.iter().take(NAMED).map(|(name, count)| format!("{name} ({count})"));
    let more = if names.len() > NAMED { ", …" } else { "" };
    shown.collect::<Vec<_>>().join(", ") + more
}
