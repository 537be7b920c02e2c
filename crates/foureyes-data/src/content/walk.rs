//! From paths to objects, through the trees of a commit.

use super::Absence;
use super::object_source::ObjectSource;
use super::path::{Names, is_named};
use crate::git::{Ask, Entry, Mode, ObjectId, ObjectKind, object, tree};
use std::collections::HashMap;

/// Largest directory that is read, in bytes.
const TREE: u64 = 16 << 20;
/// Most bytes of directories in one walk.
const TREES: usize = 64 << 20;

/// Where a way through the trees leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// To an entry; the names on the way as they are there.
    Entry(Entry, Vec<u8>),
    /// To nothing.
    Nothing,
    /// To a directory that cannot be read.
    Unreadable(Absence),
}

/// A way that is not at its end.
struct Way<'a> {
    names: &'a [Vec<u8>],
    tree: ObjectId,
    taken: Vec<u8>,
    found: Option<Found>,
}

/// Walks all ways from one tree, a directory's depth at a time.
pub(super) fn walk(
    objects: &mut dyn ObjectSource,
    root: &ObjectId,
    paths: &[Names],
) -> Result<Vec<Found>, Absence> {
    let mut ways: Vec<_> = paths
        .iter()
        .map(|names| Way { names, tree: root.clone(), taken: Vec::new(), found: None })
        .collect();
    let mut trees: HashMap<ObjectId, Result<Vec<Entry>, Absence>> = HashMap::new();
    let mut room = TREES;
    while ways.iter().any(|way| way.found.is_none()) {
        let mut missing: Vec<ObjectId> = ways
            .iter()
            .filter(|way| way.found.is_none() && !trees.contains_key(&way.tree))
            .map(|way| way.tree.clone())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        read(objects, &missing, &mut trees, &mut room)?;
        ways.iter_mut().filter(|way| way.found.is_none()).for_each(|way| way.step(&trees));
    }
    Ok(ways.into_iter().map(|way| way.found.unwrap_or(Found::Nothing)).collect())
}

fn read(
    objects: &mut dyn ObjectSource,
    ids: &[ObjectId],
    trees: &mut HashMap<ObjectId, Result<Vec<Entry>, Absence>>,
    room: &mut usize,
) -> Result<(), Absence> {
    let asks: Vec<_> = ids.iter().map(|id| Ask::Object { id: id.clone(), most: TREE }).collect();
    let replies = if asks.is_empty() { Vec::new() } else { objects.ask(&asks)? };
    for (id, reply) in ids.iter().zip(replies) {
        let entries = match object(&reply.bytes, TREE).filter(|o| o.kind == ObjectKind::Tree) {
            None => Err(Absence::NotHere),
            Some(o) if o.size > o.bytes.len() as u64 || o.bytes.len() > *room => {
                Err(Absence::Failed { reason: "a directory is too large to be read".to_owned() })
            }
            Some(o) => {
                *room -= o.bytes.len();
                Ok(tree(&o.bytes, id.as_str().len() / 2))
            }
        };
        trees.insert(id.clone(), entries);
    }
    Ok(())
}

impl Way<'_> {
    /// Goes on from a tree that was read.
    fn step(&mut self, trees: &HashMap<ObjectId, Result<Vec<Entry>, Absence>>) {
        let entries = match trees.get(&self.tree) {
            Some(Ok(entries)) => entries,
            Some(Err(absence)) => {
                self.found = Some(Found::Unreadable(absence.clone()));
                return;
            }
            None => {
                self.found = Some(Found::Nothing);
                return;
            }
        };
        let Some((name, rest)) = self.names.split_first() else {
            self.found = Some(Found::Nothing);
            return;
        };
        let Some(entry) = named(entries, name) else {
            self.found = Some(Found::Nothing);
            return;
        };
        if !self.taken.is_empty() {
            self.taken.push(b'/');
        }
        self.taken.extend_from_slice(&entry.name);
        if rest.is_empty() {
            self.found = Some(Found::Entry(entry.clone(), std::mem::take(&mut self.taken)));
        } else if entry.mode == Mode::Tree {
            (self.tree, self.names) = (entry.id.clone(), rest);
        } else {
            self.found = Some(Found::Nothing);
        }
    }
}

/// The entry of a name; else the only one that came into the record with replaced bytes.
fn named<'e>(entries: &'e [Entry], name: &[u8]) -> Option<&'e Entry> {
    let exact = entries.iter().find(|e| e.name == name);
    exact.or_else(|| {
        let mut like = entries.iter().filter(|e| is_named(&e.name, name, true));
        like.next().filter(|_| like.next().is_none())
    })
}
