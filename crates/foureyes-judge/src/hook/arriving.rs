//! Which judged files would arrive: those that stand unchanged at what is pushed.

use super::Wanted;
use crate::git::{self, CommitId, ObjectId, Outgoing, Push, PushedFile};
use std::collections::{HashMap, HashSet};

/// What is pushed, looked at no more often than is needed.
#[derive(Debug, Default)]
pub(super) struct Tips {
    tips: Option<Vec<Tip>>,
}

#[derive(Debug)]
struct Tip {
    id: CommitId,
    /// The commits that it leads to; with one tip all that is pushed belongs to it.
    below: Option<HashSet<CommitId>>,
    files: Option<(Vec<String>, Files)>,
}

type Files = HashMap<Vec<u8>, ObjectId>;

/// What of a content would arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arrival {
    /// All of it, as it was judged.
    Whole,
    /// Some files as they were judged; the others are changed or gone. Of each tip what is there in
    /// the place of the content.
    Part(Vec<Wanted>),
    /// No file as it was judged.
    Gone,
}

impl Tips {
    /// Tells what of a content stands at a pushed tip that its commit belongs to.
    pub(super) fn arrival(
        &mut self,
        git: &Outgoing,
        push: &Push,
        watch: &[String],
        wanted: &Wanted,
    ) -> Result<Arrival, git::Error> {
        if self.tips.is_none() {
            self.tips = Some(look(git, push)?);
        }
        let mut parts = Vec::new();
        for tip in self.tips.iter_mut().flatten() {
            if tip.below.as_ref().is_some_and(|below| !below.contains(&wanted.commit)) {
                continue;
            }
            let dirs = directories(watch, wanted);
            if tip.files.as_ref().is_none_or(|(known, _)| *known != dirs && !known.is_empty()) {
                tip.files = Some((dirs.clone(), git.files(&tip.id, &dirs)?));
            }
            let Some((_, files)) = &tip.files else { continue };
            let same = wanted.files.iter().filter(|f| files.get(&f.path) == Some(&f.blob)).count();
            if same == wanted.files.len() {
                return Ok(Arrival::Whole);
            }
            if same > 0 {
                parts.push(at(tip.id.clone(), files, wanted));
            }
        }
        Ok(if parts.is_empty() { Arrival::Gone } else { Arrival::Part(parts) })
    }
}

/// Tells whether the files of a content are in a commit as they are in the content.
pub(super) fn has(
    git: &Outgoing,
    watch: &[String],
    commit: &CommitId,
    wanted: &Wanted,
) -> Result<bool, git::Error> {
    let files = git.files(commit, &directories(watch, wanted))?;
    Ok(wanted.files.iter().all(|file| files.get(&file.path) == Some(&file.blob)))
}

/// The files of a content as they are at a tip.
fn at(tip: CommitId, files: &Files, wanted: &Wanted) -> Wanted {
    let there = |file: &PushedFile| {
        let blob = files.get(&file.path)?.clone();
        Some(PushedFile { path: file.path.clone(), blob })
    };
    Wanted {
        commit: tip,
        files: wanted.files.iter().filter_map(there).collect(),
        part_of: Some(wanted.commit.clone()),
        unseen: None,
        risk: None,
        ..wanted.clone()
    }
}

fn look(git: &Outgoing, push: &Push) -> Result<Vec<Tip>, git::Error> {
    let mut ids: Vec<CommitId> = git.peeled(&push.tips)?.into_iter().flatten().collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() == 1 {
        return Ok(ids.into_iter().map(|id| Tip { id, below: None, files: None }).collect());
    }
    let parents = git.parents(push)?;
    let tip = |id: CommitId| Tip { below: Some(below(&id, &parents)), id, files: None };
    Ok(ids.into_iter().map(tip).collect())
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

/// The directories that all watched files are in; empty for the whole tree, also where a file is
/// watched only without regard to case.
fn directories(watch: &[String], wanted: &Wanted) -> Vec<String> {
    let exact = |file: &PushedFile| watch.iter().any(|w| file.path.starts_with(w.as_bytes()));
    if !wanted.files.iter().all(exact) {
        return Vec::new();
    }
    let dirs: Option<Vec<String>> =
        watch.iter().map(|prefix| Some(prefix.rsplit_once('/')?.0.to_owned())).collect();
    dirs.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_directory_prefix_reads_whole_tree() {
        let list = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let id: ObjectId = "c".repeat(40).parse().unwrap();
        let file = |path: &str| PushedFile { path: path.into(), blob: id.clone() };
        let wanted = |path: &str| Wanted {
            commit: id.clone(),
            author: String::new(),
            others: Vec::new(),
            files: vec![file(path)],
            links: Vec::new(),
            unseen: None,
            part_of: None,
            risk: None,
        };
        let of = |texts, path| directories(&list(texts), &wanted(path));
        assert_eq!(of(&["a/", "b/c/", "d/ef"], "a/x.md"), ["a", "b/c", "d"]);
        assert!(of(&["a/", "notes"], "a/x.md").is_empty());
        assert!(of(&["a/"], "A/x.md").is_empty(), "the same directory on some file systems");
    }
}
