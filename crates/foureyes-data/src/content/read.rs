//! From a commit that was found to the content of its files.

use super::object_source::{ObjectSource, single};
use super::path::{Names, readings};
use super::text::{SNIFF, is_binary};
use super::walk::{Found, walk};
use super::{Absence, Base, Content, FileContent, MOST_BYTES, MOST_FILES, Where};
use crate::git::{
    Ask, Change, ChangeKind, CommitObject, Entry, Mode, Object, ObjectId, Reply, changes, commit,
    object,
};
use std::collections::HashSet;

/// Longest list of what a commit changed, in bytes.
const CHANGES: u64 = 16 << 20;
/// Most bytes of all files together.
const TOTAL: u64 = 16 << 20;
/// Largest text that is compared, in bytes.
const COMPARED: u64 = 8 << 20;

/// Reads the files of a commit.
pub(super) fn read(
    objects: &mut dyn ObjectSource,
    source: Where,
    id: &ObjectId,
    bytes: &[u8],
    files: &[String],
) -> Result<Content, Absence> {
    let odd = || Absence::Failed { reason: "the commit cannot be read".to_owned() };
    let commit = commit(bytes).ok_or_else(odd)?;
    let base = base(objects, &commit)?;
    let changed = Changed::read(objects, id, &base)?;
    let mut seen = HashSet::new();
    let files: Vec<_> = files.iter().filter(|f| seen.insert(f.as_str())).collect();
    let left_out = files.len().saturating_sub(MOST_FILES);
    let files = &files[..files.len() - left_out];
    let mut plans = plan(objects, &commit.tree, files, &changed)?;
    fill(objects, &mut plans)?;
    let files = plans.iter().map(|plan| plan.content(&base, &changed)).collect();
    let CommitObject { subject, author, committer, time, .. } = commit;
    let commit = id.clone();
    Ok(Content { source, commit, subject, author, committer, time, base, files, left_out })
}

fn base(objects: &mut dyn ObjectSource, commit: &CommitObject) -> Result<Base, Absence> {
    let Some(parent) = commit.parents.first().cloned() else { return Ok(Base::Root) };
    let reply = single(objects, Ask::Object { id: parent.clone(), most: 1 })?;
    Ok(match (object(&reply.bytes, 1), commit.parents.len()) {
        (None, _) => Base::Cut,
        (Some(_), 1) => Base::Parent(parent),
        (Some(_), parents) => Base::FirstOf { parent, parents },
    })
}

/// What a commit changed.
pub(super) struct Changed {
    all: Vec<Change>,
    /// Whether all of it is known.
    pub(super) whole: bool,
}

impl Changed {
    fn read(objects: &mut dyn ObjectSource, id: &ObjectId, base: &Base) -> Result<Self, Absence> {
        let (Base::Parent(parent) | Base::FirstOf { parent, .. }) = base else {
            return Ok(Self { all: Vec::new(), whole: *base == Base::Root });
        };
        let ask = Ask::Changes { old: parent.clone(), new: id.clone(), most: CHANGES };
        let reply = single(objects, ask)?;
        let whole = !reply.cut && reply.failed.is_none();
        Ok(Self { all: changes(&reply.bytes), whole })
    }

    fn get(&self, path: &[u8]) -> Option<&Change> {
        self.all.iter().find(|c| c.kind != ChangeKind::Deleted && c.path == path)
    }

    /// How a path that is not there any more went away.
    fn gone(&self, names: &Names) -> Option<&Change> {
        let path = names.join(&b'/');
        self.all.iter().find(|c| {
            let away = matches!(c.kind, ChangeKind::Deleted | ChangeKind::Renamed(_));
            away && c.from == path
        })
    }
}

/// What is to be shown of a file, and what came of it.
pub(super) struct Plan<'a> {
    pub(super) path: &'a str,
    pub(super) what: What<'a>,
    /// The object at the commit, or the one that is gone.
    pub(super) shown: Option<Object>,
    /// The beginning of the object before.
    pub(super) before: Option<Object>,
    pub(super) difference: Option<Reply>,
}

/// What a path of a record stands for.
pub(super) enum What<'a> {
    Entry(Entry, Option<&'a Change>),
    Gone(&'a Change),
    Absent(Absence),
}

fn plan<'a>(
    objects: &mut dyn ObjectSource,
    root: &ObjectId,
    files: &[&'a String],
    changed: &'a Changed,
) -> Result<Vec<Plan<'a>>, Absence> {
    let meant: Vec<_> = files.iter().map(|file| readings(file)).collect();
    let ways: Vec<Names> = meant.iter().flatten().flatten().cloned().collect();
    let mut found = walk(objects, root, &ways)?.into_iter();
    let mut plans = Vec::new();
    for (path, meant) in files.iter().zip(meant) {
        let what = match meant {
            Err(absence) => What::Absent(absence),
            Ok(ways) => what(&ways, found.by_ref().take(ways.len()).collect(), changed),
        };
        plans.push(Plan { path, what, shown: None, before: None, difference: None });
    }
    Ok(plans)
}

fn what<'a>(ways: &[Names], found: Vec<Found>, changed: &'a Changed) -> What<'a> {
    let mut absence = Absence::NotAtCommit;
    for found in found {
        match found {
            Found::Entry(entry, path) => {
                let change = changed.get(&path);
                return What::Entry(entry, change);
            }
            Found::Unreadable(why) => absence = why,
            Found::Nothing => {}
        }
    }
    let gone = ways.iter().find_map(|names| changed.gone(names));
    gone.map_or(What::Absent(absence), What::Gone)
}

/// The objects before and after, where there are any to be read.
fn ids_of<'p>(plan: &'p Plan<'_>) -> (Option<&'p ObjectId>, Option<&'p ObjectId>) {
    match &plan.what {
        What::Entry(entry, change) if matches!(entry.mode, Mode::File | Mode::Link) => {
            (change.and_then(|c| c.old.as_ref()), Some(&entry.id))
        }
        What::Gone(change) => (None, change.old.as_ref()),
        What::Entry(..) | What::Absent(_) => (None, None),
    }
}

/// Has the objects and the differences read, in two questions.
fn fill(objects: &mut dyn ObjectSource, plans: &mut [Plan<'_>]) -> Result<(), Absence> {
    let most = (TOTAL / plans.len().max(1) as u64).min(MOST_BYTES);
    let mut asks = Vec::new();
    for plan in plans.iter() {
        let (before, shown) = ids_of(plan);
        asks.extend(shown.map(|id| Ask::Object { id: id.clone(), most }));
        asks.extend(before.map(|id| Ask::Object { id: id.clone(), most: SNIFF as u64 }));
    }
    let mut replies = answers(objects, &asks)?;
    for plan in plans.iter_mut() {
        let (before, shown) = ids_of(plan);
        let (before, shown) = (before.is_some(), shown.is_some());
        let mut next = |is: bool| if is { object(&replies.next()?.bytes, most) } else { None };
        plan.shown = next(shown);
        plan.before = next(before);
    }
    let asks: Vec<_> = plans.iter().filter_map(|plan| compared(plan, most)).collect();
    let mut replies = answers(objects, &asks)?;
    for plan in plans.iter_mut() {
        if compared(plan, most).is_some() {
            plan.difference = replies.next();
        }
    }
    Ok(())
}

fn answers(
    objects: &mut dyn ObjectSource,
    asks: &[Ask],
) -> Result<std::vec::IntoIter<Reply>, Absence> {
    let replies = if asks.is_empty() { Vec::new() } else { objects.ask(asks)? };
    Ok(replies.into_iter())
}

/// The question for a difference, where two texts differ.
fn compared(plan: &Plan<'_>, most: u64) -> Option<Ask> {
    let (Some(old), Some(new)) = ids_of(plan) else { return None };
    let text = |o: &Object| o.size <= COMPARED && !is_binary(&o.bytes);
    let texts = text(plan.shown.as_ref()?) && text(plan.before.as_ref()?);
    (old != new && texts).then(|| Ask::Diff { old: old.clone(), new: new.clone(), most })
}

/// Whether a text is too long to be compared.
pub(super) fn is_long(object: &Object) -> bool {
    object.size > COMPARED
}

impl Plan<'_> {
    fn content(&self, base: &Base, changed: &Changed) -> FileContent {
        let (state, diff) = (self.state(), self.diff(base, changed));
        FileContent { path: self.path.to_owned(), state, diff }
    }
}
