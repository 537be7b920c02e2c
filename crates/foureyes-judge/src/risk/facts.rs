//! What git says of a change, as the rules look at it.

use crate::engine::risk::{ChangeKind, ChangedPath};
use crate::git::{BlobText, CommitId, Error, ObjectId, Outgoing, Touched};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Most bytes of contents that are looked at.
const MOST_CONTENTS: u64 = 32 << 20;
/// Most bytes of all targets of links.
const MOST_LINKS: u64 = 4 << 20;
/// Most parts of a path in which a link is followed.
const MOST_PARTS: usize = 64;

/// What rules look at, beyond what costs nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    /// Whether contents are binary.
    pub(super) binary: bool,
    /// Whether paths count, and so links that lead to them.
    pub(super) paths: bool,
}

/// The paths that each commit touches, under all names by which they are reached at `tips`.
pub(super) fn paths(
    git: &Outgoing,
    ids: &[CommitId],
    tips: &[ObjectId],
    wish: Wish,
) -> Result<HashMap<CommitId, Vec<ChangedPath>>, Error> {
    let all = git.touched(ids)?;
    let texts = texts(git, &all, wish)?;
    let mut links = Vec::new();
    for tip in tips.iter().filter(|_| wish.paths) {
        links.extend(git.links(tip, MOST_LINKS)?);
    }
    let links = links.into_iter().map(|(path, target)| (lossy(&path), lossy(&target)));
    let links: BTreeSet<(String, String)> = links
        .filter_map(|(path, target)| Some((path.clone(), resolved(&path, &target)?)))
        .collect();
    let of = |touched: Vec<Touched>| {
        let own = kinds(&touched, &texts, wish);
        let others = own.iter().flat_map(|path| aliases(path, &links)).collect::<Vec<_>>();
        [own, others].concat()
    };
    Ok(all.into_iter().map(|(id, touched)| (id, of(touched))).collect())
}

/// The contents that are to be looked at: all where it counts whether they are binary, else those of which
/// no lines were counted.
fn texts(
    git: &Outgoing,
    all: &HashMap<CommitId, Vec<Touched>>,
    wish: Wish,
) -> Result<HashMap<ObjectId, BlobText>, Error> {
    let touched = all.values().flatten();
    let wanted = touched.filter(|one| wish.binary || one.lines.is_none());
    let sides = wanted.flat_map(|one| one.before.iter().chain(&one.after));
    let files = sides.filter(|side| side.mode.starts_with("100")).map(|side| side.id.clone());
    let ids: Vec<_> = files.collect::<BTreeSet<_>>().into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    git.texts(&ids, MOST_CONTENTS)
}

fn kinds(touched: &[Touched], texts: &HashMap<ObjectId, BlobText>, wish: Wish) -> Vec<ChangedPath> {
    let ids = |sides: &mut dyn Iterator<Item = &ObjectId>| sides.cloned().collect::<BTreeSet<_>>();
    let gone = touched.iter().filter(|one| one.after.is_none());
    let gone = ids(&mut gone.flat_map(|one| &one.before).map(|side| &side.id));
    let new = touched.iter().filter(|one| one.before.is_empty());
    let new = ids(&mut new.filter_map(|one| Some(&one.after.as_ref()?.id)));
    let of = |one: &Touched| {
        let (mut kinds, mut maybe) = (BTreeSet::new(), BTreeSet::new());
        let counterpart = match (one.before.as_slice(), &one.after) {
            ([], Some(after)) => {
                kinds.insert(ChangeKind::Added);
                Some((gone.contains(&after.id), !gone.is_empty()))
            }
            (before, None) => {
                kinds.insert(ChangeKind::Deleted);
                Some((before.iter().any(|side| new.contains(&side.id)), !new.is_empty()))
            }
            (before, Some(after)) => {
                if before.iter().any(|side| side.id != after.id) {
                    kinds.insert(ChangeKind::Modified);
                }
                if before.iter().any(|side| side.mode != after.mode) {
                    kinds.insert(ChangeKind::Mode);
                }
                None
            }
        };
        match counterpart {
            Some((true, _)) => drop(kinds.insert(ChangeKind::Renamed)),
            // One that was changed on the way has another content.
            Some((false, true)) => drop(maybe.insert(ChangeKind::Renamed)),
            _ => {}
        }
        let sides = || one.before.iter().chain(&one.after);
        if sides().any(|side| matches!(side.mode.as_str(), "120000" | "160000")) {
            kinds.insert(ChangeKind::Link);
        }
        // A new program is no more than a program that was one before.
        if one.before.is_empty() && one.after.as_ref().is_some_and(|side| side.mode == "100755") {
            kinds.insert(ChangeKind::Mode);
        }
        for side in sides().filter(|side| wish.binary && side.mode.starts_with("100")) {
            match texts.get(&side.id) {
                Some(text) if text.is_binary => drop(kinds.insert(ChangeKind::Binary)),
                Some(_) => {}
                None => drop(maybe.insert(ChangeKind::Binary)),
            }
        }
        ChangedPath {
            path: lossy(&one.path),
            kinds: kinds.into_iter().collect(),
            maybe: maybe.into_iter().collect(),
            lines: one.lines.or_else(|| lines(one, texts)),
        }
    };
    touched.iter().map(of).collect()
}

/// Lines of a file that git does not compare by lines: all of both sides, since it cannot be fewer than are
/// changed. A link is a line.
fn lines(one: &Touched, texts: &HashMap<ObjectId, BlobText>) -> Option<u64> {
    let of = |side: &crate::git::PathSide| match side.mode.starts_with("100") {
        true => texts.get(&side.id).map(|text| text.lines),
        false => Some(1),
    };
    one.before.iter().chain(&one.after).map(of).sum()
}

/// The names of a path by links that lead to it, or to a directory above it.
fn aliases(path: &ChangedPath, links: &BTreeSet<(String, String)>) -> Vec<ChangedPath> {
    let mut names: BTreeMap<String, ()> = BTreeMap::new();
    let mut left = vec![path.path.clone()];
    while let Some(name) = left.pop() {
        for (link, target) in links {
            let rest = match target.is_empty() {
                true => Some(format!("/{name}")),
                false => name.strip_prefix(target.as_str()).map(str::to_owned),
            };
            let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with('/'));
            let Some(alias) = rest.map(|rest| format!("{link}{rest}")) else { continue };
            let is_short = alias.split('/').count() <= MOST_PARTS && names.len() < MOST_PARTS;
            if is_short && alias != path.path && names.insert(alias.clone(), ()).is_none() {
                left.push(alias);
            }
        }
    }
    names.into_keys().map(|name| ChangedPath { path: name, ..path.clone() }).collect()
}

/// Where a link of the repository leads; `None` where that is outside.
fn resolved(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_leads_to_a_path_of_the_repository() {
        assert_eq!(
            resolved("infra/access/x.md", "../../docs/free.md").as_deref(),
            Some("docs/free.md")
        );
        assert_eq!(resolved("a", "./b/../c").as_deref(), Some("c"));
        assert_eq!(resolved("a", "../out"), None);
        assert_eq!(resolved("a", "/etc"), None);
    }

    #[test]
    fn path_has_the_names_of_links_to_it() {
        let links = [
            ("infra/access", "docs/open"),
            ("y/access", "infra"),
            ("loop", ""),
            ("z", "docs/open/ab"),
        ];
        let links = links.map(|(a, b)| (a.to_owned(), b.to_owned())).into_iter().collect();
        let path = ChangedPath::unknown("docs/open/a.md");
        let names: Vec<_> = aliases(&path, &links).into_iter().map(|p| p.path).collect();
        assert!(names.contains(&"infra/access/a.md".to_owned()), "{names:?}");
        assert!(names.contains(&"y/access/access/a.md".to_owned()), "{names:?}");
        assert!(!names.iter().any(|name| name.starts_with('z')), "{names:?}");
        assert!(names.len() <= MOST_PARTS, "a link to its own directory ends");
    }
}
