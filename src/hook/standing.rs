//! Which judged files would arrive: those that stand unchanged at what is pushed.

use crate::git::{self, CommitId, Outgoing, Push, Pushed};
use std::collections::{HashMap, HashSet};

/// Tells of each commit whether all of its judged files stand, as they are in it, at a pushed tip
/// that it belongs to.
pub(super) fn standing(
    git: &Outgoing,
    push: &Push,
    commits: &[&Pushed],
    watch: &[String],
) -> Result<Vec<bool>, git::Error> {
    let mut tips: Vec<CommitId> = git.peeled(&push.tips)?.into_iter().flatten().collect();
    tips.sort_unstable();
    tips.dedup();
    // With one tip all that is pushed belongs to it.
    let parents = if tips.len() > 1 { git.parents(push)? } else { HashMap::new() };
    let dirs = directories(watch);
    let mut stands = vec![false; commits.len()];
    for tip in &tips {
        let below = if tips.len() > 1 { Some(below(tip, &parents)) } else { None };
        let belongs = |c: &Pushed| below.as_ref().is_none_or(|below| below.contains(&c.id));
        if !commits.iter().zip(&stands).any(|(c, stands)| !stands && belongs(c)) {
            continue;
        }
        let files = git.files(tip, &dirs)?;
        for (commit, stands) in commits.iter().zip(&mut stands) {
            let unchanged = || commit.files.iter().all(|f| files.get(&f.path) == Some(&f.blob));
            *stands = *stands || (belongs(commit) && unchanged());
        }
    }
    Ok(stands)
}

/// The commits that a tip leads to, as far as they are pushed.
fn below(tip: &CommitId, parents: &HashMap<CommitId, Vec<CommitId>>) -> HashSet<CommitId> {
    let (mut found, mut next) = (HashSet::new(), vec![tip]);
    while let Some(id) = next.pop() {
        if let Some(parents) = parents.get(id).filter(|_| found.insert(id.clone())) {
            next.extend(parents);
        }
    }
    found
}

/// The directories that all watched files are in; empty for the whole tree.
fn directories(watch: &[String]) -> Vec<String> {
    let dirs: Option<Vec<String>> =
        watch.iter().map(|prefix| Some(prefix.rsplit_once('/')?.0.to_owned())).collect();
    dirs.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_that_is_no_directory_needs_the_whole_tree() {
        let list = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(directories(&list(&["a/", "b/c/", "d/ef"])), ["a", "b/c", "d"]);
        assert!(directories(&list(&["a/", "notes"])).is_empty());
    }
}
