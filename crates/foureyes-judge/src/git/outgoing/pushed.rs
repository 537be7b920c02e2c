//! What a push takes along of agents, and which of its paths are judged.

use super::promised::Changes;
use crate::domain::Timestamp;
use crate::git::history::{After, By, Kept, Stored};
use crate::git::{CommitId, Links, ObjectId, Watching};
use std::collections::{BTreeSet, HashMap};

/// A commit that the remote has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// Its id.
    pub id: CommitId,
    /// Its author's name; hostile text.
    pub author: String,
    /// Its committer's name; hostile text.
    pub committer: String,
    /// Its committer date.
    pub time: Timestamp,
    /// Tells that a shallow clone is cut there: what it changes cannot be told.
    pub cut: bool,
    /// Why what it changes is unknown although it is no such edge; hostile text.
    pub unknown: Option<String>,
    /// The judged files that it adds or changes, as they are in it.
    pub files: Vec<PushedFile>,
    /// Watched paths that it makes links or other repositories' commits: any bytes, hostile.
    pub links: Vec<Vec<u8>>,
    /// Those of them through which other watched paths are reached: what is there by them it does not change.
    pub replaced: Vec<Vec<u8>>,
}

/// What arrives of agents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arriving {
    /// The commits that add or change what is judged; newest first, as git orders them.
    pub commits: Vec<Pushed>,
    /// The links at what is pushed, where any could matter.
    pub links: Links,
    /// Of files that are watched through links: the watched names and targets of those.
    pub through: BTreeSet<(Vec<u8>, Vec<u8>)>,
    /// The paths that are changed, and what becomes of them.
    pub paths: Paths,
}

/// Paths that agents' commits add or change, each counted where that is found out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paths {
    /// All that git lists.
    pub offered: usize,
    /// Files that are judged.
    pub judged: usize,
    /// Links and submodules, which are named.
    pub links: usize,
    /// Those of commits that leave the reason why it is not known whether they are watched.
    pub unknown: usize,
    /// Those that are not watched.
    pub unwatched: usize,
}

impl Pushed {
    fn new(Stored { id, cut, object }: Stored, kept: Kept, paths: &mut Paths) -> Self {
        let (mut files, mut links) = (Vec::new(), Vec::new());
        for (path, after) in kept.changed {
            match after {
                After::File(blob) => {
                    files.push(PushedFile { path, blob });
                    paths.judged += 1;
                }
                After::Link => {
                    links.push(path);
                    paths.links += 1;
                }
            }
        }
        let time = object.time.unwrap_or(Timestamp(0));
        let (author, committer) = (object.author, object.committer);
        let replaced = kept.replaced;
        Self { id, author, committer, time, cut, unknown: None, files, links, replaced }
    }
}

/// A file as it is in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedFile {
    /// Its path: any bytes, hostile.
    pub path: Vec<u8>,
    /// Its content.
    pub blob: ObjectId,
}

impl Arriving {
    pub(super) fn new(
        stored: Vec<Stored>,
        changes: Changes,
        watching: &Watching,
        links: Links,
    ) -> Self {
        let Changes { known: mut changed, mut unknown } = changes;
        let (mut commits, mut paths, mut through) = (Vec::new(), Paths::default(), BTreeSet::new());
        let by = By { watching, links: &links, made: (&HashMap::new(), 0) };
        for stored in stored {
            if let Some(why) = unknown.remove(&stored.id) {
                let pushed = Pushed::new(stored, Kept::default(), &mut paths);
                commits.push(Pushed { unknown: Some(why), ..pushed });
                continue;
            }
            let changed = changed.remove(&stored.id).unwrap_or_default();
            paths.offered += changed.len();
            let mut kept = Kept::new(changed, &by);
            through.append(&mut kept.through);
            let others = kept.unwatched;
            let gap = links.gap.as_ref().filter(|_| others > 0);
            *(if gap.is_some() { &mut paths.unknown } else { &mut paths.unwatched }) += others;
            let unknown = gap.filter(|_| kept.changed.is_empty());
            let unknown =
                unknown.map(|why| format!("not all links to watched paths are known, as {why}"));
            if unknown.is_some() || !kept.changed.is_empty() {
                commits.push(Pushed { unknown, ..Pushed::new(stored, kept, &mut paths) });
            }
        }
        Self { commits, links, through, paths }
    }
}
