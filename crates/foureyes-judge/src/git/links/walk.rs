//! Going through trees: watched directories whole, above them only what leads to them.

use super::{Leads, Links, WatchedLink};
use crate::git::batch::Batch;
use crate::git::call::Started;
use crate::git::object::{Entry, Mode, tree};
use crate::git::watching::{Reach, folded};
use crate::git::{Error, ObjectId, ObjectKind, Watching, commit};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Most links that one name is resolved through, as on Linux.
const MOST_HOPS: usize = 40;
/// Most bytes of a target: no system has longer paths.
const MOST_TARGET: u64 = 4096;
/// Most directories that are read.
const MOST_TREES: usize = 500_000;
/// Most directories in each other, those behind links among them: git itself goes no deeper (`core.maxTreeDepth`).
const MOST_DEPTH: usize = 2048;
/// Bytes of stack that so many take, with room to spare in a build without optimizations.
pub(super) const STACK: usize = 64 << 20;
/// Most entries of directories that are held for when they are needed again.
const MOST_HELD: usize = 1 << 20;

/// Where a name leads in the tree.
enum Place {
    Tree(Vec<Vec<u8>>, ObjectId),
    File(Vec<Vec<u8>>),
    /// No such place, and why.
    None(Leads),
}

pub(super) struct Walk<'a> {
    git: Batch,
    watching: &'a Watching,
    pub(super) links: Links,
    /// The tree of the tip.
    root: Option<ObjectId>,
    /// Directories of the tip that were gone through as watched ones.
    seen: HashSet<Vec<u8>>,
    /// Trees without any link at any depth, whatever tip they are of.
    linkless: HashSet<ObjectId>,
    trees: HashMap<ObjectId, Rc<Vec<Entry>>>,
    held: usize,
    read: usize,
    depth: usize,
}

/// A directory on the way: its own path and name there, and the watched name that leads to it.
struct Dir<'a> {
    real: &'a [Vec<u8>],
    name: &'a [u8],
    id: &'a ObjectId,
    /// All in it is watched.
    inside: bool,
    /// A link leads to it.
    linked: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(git: Started, watching: &'a Watching) -> Self {
        Self {
            git: Batch::new(git),
            watching,
            links: Links::default(),
            root: None,
            seen: HashSet::new(),
            linkless: HashSet::new(),
            trees: HashMap::new(),
            held: 0,
            read: 0,
            depth: 0,
        }
    }

    /// Goes through the tree of a commit. What is none has no tree.
    pub(super) fn tip(&mut self, tip: &ObjectId) -> Result<(), Error> {
        let Some(object) = self.git.object(&format!("{tip}^{{commit}}"))? else { return Ok(()) };
        let Some(commit) = commit(&object.bytes) else { return Ok(()) };
        self.root = Some(commit.tree.clone());
        self.seen.clear();
        let inside = self.watching.holds(b"");
        self.dir(&Dir { real: &[], name: b"", id: &commit.tree, inside, linked: false })?;
        Ok(())
    }

    /// The entries of a directory; none of one that is not here, which is a gap.
    fn entries(&mut self, id: &ObjectId) -> Result<Rc<Vec<Entry>>, Error> {
        if let Some(entries) = self.trees.get(id) {
            return Ok(entries.clone());
        }
        self.read += 1;
        let object = match self.read <= MOST_TREES {
            true => self.git.object(id.as_str())?,
            false => return Ok(self.gap(format!("there are more than {MOST_TREES} directories"))),
        };
        let Some(object) = object.filter(|o| o.kind == ObjectKind::Tree) else {
            return Ok(self.gap(format!("the tree {id} is not here")));
        };
        let entries = Rc::new(tree(&object.bytes, id.as_str().len() / 2));
        if (object.bytes.len() as u64) < object.size {
            self.gap(format!("the tree {id} is too large"));
        }
        self.held += entries.len();
        if self.held > MOST_HELD {
            (self.held, self.trees) = (entries.len(), HashMap::new());
        }
        self.trees.insert(id.clone(), entries.clone());
        Ok(entries)
    }

    fn gap(&mut self, why: String) -> Rc<Vec<Entry>> {
        self.links.gap.get_or_insert(why);
        Rc::default()
    }

    /// Goes through a directory; tells whether there is any link in it.
    fn dir(&mut self, dir: &Dir<'_>) -> Result<bool, Error> {
        let is_linkless = self.linkless.contains(dir.id);
        if dir.inside && (is_linkless || !self.seen.insert(dir.real.join(&b'/'))) {
            return Ok(!is_linkless);
        }
        let mut has_links = false;
        let before = self.links.gap.is_some();
        if self.depth == MOST_DEPTH {
            self.gap(format!("there are more than {MOST_DEPTH} directories in each other"));
            return Ok(true);
        }
        self.depth += 1;
        for entry in self.entries(dir.id)?.iter() {
            has_links |= self.entry(dir, entry)?;
        }
        self.depth -= 1;
        if dir.inside && !has_links && before == self.links.gap.is_some() {
            self.linkless.insert(dir.id.clone());
        }
        Ok(has_links)
    }

    fn entry(&mut self, dir: &Dir<'_>, entry: &Entry) -> Result<bool, Error> {
        if dir.inside && entry.mode == Mode::File {
            return Ok(false);
        }
        let name = under(dir.name, &entry.name);
        let inside = dir.inside || self.watching.is_inside(&name);
        if !inside && self.watching.reach(&name) == Reach::No {
            return Ok(false);
        }
        let real: Vec<_> = dir.real.iter().cloned().chain([entry.name.clone()]).collect();
        match entry.mode {
            Mode::Tree => {
                let inside = dir.inside || self.watching.holds(&name);
                if dir.linked && inside && !dir.inside {
                    self.found(&real, &name, true);
                }
                let linked = dir.linked;
                self.dir(&Dir { real: &real, name: &name, id: &entry.id, inside, linked })
            }
            Mode::File => {
                if dir.linked && inside {
                    self.found(&real, &name, false);
                }
                Ok(false)
            }
            Mode::Submodule => {
                let path = real.join(&b'/');
                self.name(path.clone(), &name, Leads::Submodule(path));
                Ok(true)
            }
            Mode::Link => {
                self.link(dir.real, &real, &name, (&entry.id, inside))?;
                Ok(true)
            }
        }
    }

    /// Notes that a watched name leads to a directory or file of another name.
    fn found(&mut self, real: &[Vec<u8>], name: &[u8], is_tree: bool) {
        let real = real.join(&b'/');
        if is_tree {
            self.links.trees.entry(real).or_insert_with(|| name.to_vec());
            return;
        }
        // Of several names the one that is judged.
        let is_judged = self.watching.has_name(name);
        let place = self.links.files.entry(real).or_insert_with(|| name.to_vec());
        if is_judged {
            *place = name.to_vec();
        }
    }

    fn name(&mut self, path: Vec<u8>, name: &[u8], leads: Leads) {
        let replaces = self.watching.is_replaced_by(name);
        self.links.named.push(WatchedLink { path, leads, replaces });
    }

    /// Follows a link at a watched name.
    fn link(
        &mut self,
        dir: &[Vec<u8>],
        real: &[Vec<u8>],
        name: &[u8],
        (id, inside): (&ObjectId, bool),
    ) -> Result<(), Error> {
        let path = real.join(&b'/');
        let mut passed = vec![path.clone()];
        let place = match self.target(id)? {
            Some(target) => self.follow(dir, &target, &mut passed)?,
            None => return Ok(()),
        };
        let replaces = self.watching.is_replaced_by(name);
        for link in passed {
            let known = self.links.passed.entry(link).or_insert_with(|| (name.to_vec(), replaces));
            known.1 |= replaces;
        }
        let (to, id) = match place {
            Place::None(leads) => {
                self.name(path, name, leads);
                return Ok(());
            }
            Place::Tree(to, id) => (to, Some(id)),
            Place::File(to) => (to, None),
        };
        let target = to.join(&b'/');
        self.name(path, name, Leads::To(target.clone()));
        match id {
            // All in it is watched by its own name.
            Some(_) if self.watching.holds(&target) => {}
            Some(id) => {
                let inside = self.watching.holds(name) || inside;
                if inside {
                    self.found(&to, name, true);
                }
                self.dir(&Dir { real: &to, name, id: &id, inside, linked: true })?;
            }
            None if inside => self.found(&to, name, false),
            None => {}
        }
        Ok(())
    }

    /// The target of a link, as far as a system reads it; `None` of one that is not here, which is a gap.
    fn target(&mut self, id: &ObjectId) -> Result<Option<Vec<u8>>, Error> {
        let Some(object) = self.git.object(id.as_str())? else {
            self.gap(format!("the target {id} of a link is not here"));
            return Ok(None);
        };
        if object.size > MOST_TARGET {
            return Ok(Some(Vec::new()));
        }
        Ok(object.bytes.split(|b| *b == 0).next().map(<[u8]>::to_vec))
    }

    /// Where a target leads from a directory; adds the links on the way.
    fn follow(
        &mut self,
        from: &[Vec<u8>],
        target: &[u8],
        passed: &mut Vec<Vec<u8>>,
    ) -> Result<Place, Error> {
        let none = |leads: Failed| Ok(Place::None(leads(target.to_vec())));
        let Some(root) = self.root.clone() else { return none(Leads::Nowhere) };
        let mut rest: VecDeque<Vec<u8>> = match parts(target) {
            Ok(parts) => from.iter().cloned().chain(parts).collect(),
            Err(leads) => return none(leads),
        };
        let mut at: Vec<(Vec<u8>, ObjectId)> = Vec::new();
        while let Some(part) = rest.pop_front() {
            match part.as_slice() {
                b"" | b"." => continue,
                b".." if at.pop().is_some() => continue,
                b".." => return none(Leads::Away),
                _ => {}
            }
            let here = at.last().map_or(&root, |(_, id)| id).clone();
            let entries = self.entries(&here)?;
            let Some(entry) = named(&entries, &part) else {
                // A link that was made on Windows.
                if part.contains(&b'\\') {
                    let parts = part.split(|b| *b == b'\\').map(<[u8]>::to_vec);
                    rest = parts.chain(rest).collect();
                    continue;
                }
                return none(Leads::Nowhere);
            };
            let path = || {
                at.iter().map(|(name, _)| name).chain([&entry.name]).cloned().collect::<Vec<_>>()
            };
            match entry.mode {
                Mode::Tree => at.push((entry.name.clone(), entry.id.clone())),
                Mode::File if rest.iter().all(Vec::is_empty) => return Ok(Place::File(path())),
                Mode::File => return none(Leads::Nowhere),
                Mode::Submodule => return Ok(Place::None(Leads::Submodule(path().join(&b'/')))),
                Mode::Link => {
                    passed.push(path().join(&b'/'));
                    if passed.len() > MOST_HOPS {
                        return Ok(Place::None(Leads::Circle));
                    }
                    let Some(target) = self.target(&entry.id)? else { return none(Leads::Nowhere) };
                    match parts(&target) {
                        Ok(parts) => rest = parts.into_iter().chain(rest).collect(),
                        Err(leads) => return none(leads),
                    }
                }
            }
        }
        let id = at.last().map_or(root, |(_, id)| id.clone());
        Ok(Place::Tree(at.into_iter().map(|(name, _)| name).collect(), id))
    }
}

/// Why a target leads to no place of the tree.
type Failed = fn(Vec<u8>) -> Leads;

/// The parts of a target.
fn parts(target: &[u8]) -> Result<Vec<Vec<u8>>, Failed> {
    match target {
        b"" => Err(Leads::Nowhere),
        target if is_absolute(target) => Err(Leads::Away),
        target => Ok(target.split(|b| *b == b'/').map(<[u8]>::to_vec).collect()),
    }
}

/// The entry of a name: that of the same bytes, else the first that is the same to some file system.
fn named<'e>(entries: &'e [Entry], name: &[u8]) -> Option<&'e Entry> {
    let alike = || {
        let name = folded(name);
        entries.iter().find(|entry| folded(&entry.name) == name)
    };
    entries.iter().find(|entry| entry.name == name).or_else(alike)
}

fn is_absolute(target: &[u8]) -> bool {
    let is_drive =
        matches!(target, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    target.starts_with(b"/") || is_drive
}

/// A name in a directory; the top has none.
fn under(dir: &[u8], name: &[u8]) -> Vec<u8> {
    if dir.is_empty() { name.to_vec() } else { [dir, name].join(b"/".as_slice()) }
}
