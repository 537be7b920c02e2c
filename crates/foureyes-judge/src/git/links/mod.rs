//! Links of a tree through which watched paths are reached.
//!
//! A path of a commit is what a clone reads under that name: through symbolic links at it and above it. So what lies
//! below the target of such a link is watched too. Targets are resolved in the tree itself, as a file system would, and
//! never out of it; nothing is checked out.

mod walk;

use super::Watching;
use super::call::Started;
use super::{Error, ObjectId};
use crate::text::escape::line as visible;
use std::collections::BTreeMap;
use std::{fmt, io, thread};
use walk::Walk;

/// A link or submodule in what is watched, or above it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WatchedLink {
    /// Its path in the tree: any bytes, hostile.
    pub path: Vec<u8>,
    /// Where it leads.
    pub leads: Leads,
    /// Whether it takes the place of a watched path, or of one above it.
    pub replaces: bool,
}

/// Where a link leads. Paths are any bytes, hostile.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leads {
    /// To a file or directory of the same tree; empty for all of it.
    To(Vec<u8>),
    /// Out of the repository, to this target.
    Away(Vec<u8>),
    /// To nothing.
    Nowhere(Vec<u8>),
    /// Through more links than any system follows, as in a circle.
    Circle,
    /// Into another repository's commit, which is not fetched; of a submodule itself its own path.
    Submodule(Vec<u8>),
}

impl WatchedLink {
    /// Whether what it leads to is judged where it changes.
    pub fn is_followed(&self) -> bool {
        matches!(self.leads, Leads::To(_))
    }
}

impl fmt::Display for WatchedLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &[u8]| visible(&String::from_utf8_lossy(bytes)).into_owned();
        let path = text(&self.path);
        match &self.leads {
            Leads::To(to) if to.is_empty() => {
                write!(f, "{path} is a link to the top of the repository")
            }
            Leads::To(to) => write!(f, "{path} is a link to {}", text(to)),
            Leads::Away(to) => write!(f, "{path} is a link out of the repository, to {}", text(to)),
            Leads::Nowhere(to) => write!(f, "{path} is a link to {}, which is not there", text(to)),
            Leads::Circle => write!(f, "{path} is a link that leads through too many links"),
            Leads::Submodule(at) if *at == self.path => write!(f, "{path} is a submodule"),
            Leads::Submodule(at) => write!(f, "{path} is a link into the submodule {}", text(at)),
        }
    }
}

/// The links of trees that matter for what is watched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The links and submodules, by path.
    pub named: Vec<WatchedLink>,
    /// Why there may be more of them; hostile text.
    pub gap: Option<String>,
    /// Directories that watched names lead to: those names. The empty one is the whole tree.
    trees: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The same of files.
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Links on the way from watched names, and whether one of these takes the place of a watched path.
    passed: BTreeMap<Vec<u8>, (Vec<u8>, bool)>,
}

/// A watched name of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alias {
    /// The name.
    pub(super) name: Vec<u8>,
    /// What of the path is the target of a link.
    pub(super) target: Vec<u8>,
    /// The name of that.
    pub(super) link: Vec<u8>,
}

impl Links {
    /// Finds the links of the trees of commits (or of tags of them). `git` is a `cat-file --batch` that waits. What git
    /// fails to tell is a gap.
    pub(super) fn find(
        git: Result<Started, Error>,
        tips: &[ObjectId],
        watching: &Watching,
    ) -> Self {
        let unknown = |why| Self { gap: Some(why), ..Self::default() };
        let git = match git {
            Ok(git) => git,
            Err(error) => return unknown(error.to_string()),
        };
        // Trees may lie deeper in each other than the stack of any thread of ours is.
        let found = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(walk::STACK);
            let walker = builder.spawn_scoped(scope, || Self::walk(git, tips, watching))?;
            walker.join().map_err(|_| io::Error::other("the search for links failed"))
        });
        found.unwrap_or_else(|error| unknown(error.to_string()))
    }

    fn walk(git: Started, tips: &[ObjectId], watching: &Watching) -> Self {
        let mut walk = Walk::new(git, watching);
        for tip in tips {
            if let Err(error) = walk.tip(tip) {
                walk.links.gap = Some(crate::domain::chain(&error));
                break;
            }
        }
        walk.links.named.sort_unstable();
        walk.links.named.dedup();
        walk.links
    }

    /// A sentence for each link or submodule that takes the place of a watched path, or leads to what is never judged;
    /// of the latter at most so many, and how many more there are.
    pub fn sentences(&self, most: usize) -> Vec<String> {
        let own = self.named.iter().filter(|link| link.replaces);
        let is_unjudged = |link: &&WatchedLink| !link.replaces && !link.is_followed();
        let unjudged: Vec<&WatchedLink> = self.named.iter().filter(is_unjudged).collect();
        let first = unjudged.iter().take(most).copied();
        let mut all: Vec<_> = own.chain(first).map(ToString::to_string).collect();
        let more = unjudged.len().saturating_sub(most);
        if more > 0 {
            let lead =
                if more == 1 { "link or submodule leads" } else { "links or submodules lead" };
            all.push(format!("{more} more {lead} to what is not judged"));
        }
        all
    }

    /// The watched names of a path to which links lead: of a link to it, and of those to directories above it.
    pub(super) fn aliases<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = Alias> + 'a {
        let own = self.files.get(path).map(|link| Alias {
            name: link.clone(),
            target: path.to_vec(),
            link: link.clone(),
        });
        let ends = path.iter().enumerate().rev().filter(|(_, b)| **b == b'/').map(|(at, _)| at);
        let below = move |at: usize| {
            let (target, rest) = path.split_at_checked(at)?;
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            let link = self.trees.get(target)?;
            let name = [link.as_slice(), rest].join(b"/".as_slice());
            Some(Alias { name, target: target.to_vec(), link: link.clone() })
        };
        own.into_iter().chain(ends.chain([0]).filter_map(below))
    }

    /// The links through which a watched name leads: their own paths.
    pub(super) fn passages_of(&self, name: &[u8]) -> impl Iterator<Item = &Vec<u8>> {
        let leads = move |at: &[u8]| {
            name.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        self.passed.iter().filter(move |(_, (at, _))| leads(at)).map(|(link, _)| link)
    }

    /// Whether a watched name leads through a link of this path: whether that takes the place of a watched path.
    pub(super) fn passage(&self, link: &[u8]) -> Option<bool> {
        self.passed.get(link).map(|(_, replaces)| *replaces)
    }
}
