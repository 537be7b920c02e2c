//! What was read of a file, as it is shown.

use super::diff::{LineKind, note, parse};
use super::read::{Changed, Plan, What, is_long};
use super::text::{is_binary, text};
use super::{Absence, Base, Diff, State};
use crate::git::{Change, ChangeKind, Mode, Object};

impl Plan<'_> {
    /// What the file is at the commit.
    pub(super) fn state(&self) -> State {
        let entry = match &self.what {
            What::Absent(absence) => return State::Absent(absence.clone()),
            What::Gone(_) => return State::Deleted,
            What::Entry(entry, _) => entry,
        };
        match (entry.mode, &self.shown) {
            (Mode::Tree, _) => State::Absent(Absence::Directory),
            (Mode::Submodule, _) => State::Absent(Absence::Submodule),
            (_, None) => State::Absent(Absence::NotHere),
            (Mode::Link, Some(object)) => State::Link { target: text(&object.bytes, false).0 },
            (Mode::File, Some(object)) => file(object),
        }
    }

    /// What the commit changed in it.
    pub(super) fn diff(&self, base: &Base, changed: &Changed) -> Diff {
        let mut diff = match (&self.what, base) {
            (What::Absent(_), _) => return Diff::default(),
            (_, Base::Cut) => return Diff::note(Absence::ParentCut.sentence()),
            (What::Entry(..), Base::Root) => self.all(LineKind::Added, ChangeKind::Added),
            (What::Gone(change), _) => self.gone(change),
            (What::Entry(_, Some(change)), _) => self.changed(change),
            (What::Entry(..), _) if changed.whole => {
                Diff::note("the commit did not change this file")
            }
            (What::Entry(..), _) => Diff::note("whether the commit changed this file is not known"),
        };
        if let Base::FirstOf { parents, .. } = base {
            let text = format!("a merge of {parents}: compared with its first parent");
            diff.lines.insert(0, note(text));
        }
        diff
    }

    /// All of the text that was read, as new or as gone.
    fn all(&self, kind: LineKind, change: ChangeKind) -> Diff {
        let diff = match &self.shown {
            Some(object) if is_binary(&object.bytes) => Diff::note("no text"),
            Some(object) => {
                let cut = is_cut(object);
                Diff::whole(&text(&object.bytes, cut).0, kind, cut)
            }
            None => Diff::default(),
        };
        Diff { change: Some(change), ..diff }
    }

    fn gone(&self, change: &Change) -> Diff {
        let ChangeKind::Renamed(_) = change.kind else {
            return self.all(LineKind::Removed, ChangeKind::Deleted);
        };
        let text = format!("renamed to {}", lossy(&change.path));
        Diff { change: Some(ChangeKind::Deleted), ..Diff::note(text) }
    }

    fn changed(&self, change: &Change) -> Diff {
        if change.kind == ChangeKind::Added {
            return self.all(LineKind::Added, ChangeKind::Added);
        }
        let diff = match (&self.difference, &self.before, &self.shown) {
            (Some(reply), ..) if reply.failed.is_some() => {
                Diff::note("git could not compare the two")
            }
            (Some(reply), ..) => parse(&reply.bytes, reply.cut),
            (None, ..) if change.old == change.new => Diff::note("its content did not change"),
            (None, Some(a), Some(b)) if is_binary(&a.bytes) || is_binary(&b.bytes) => {
                Diff::note("no text")
            }
            (None, Some(a), Some(b)) if is_long(a) || is_long(b) => {
                Diff::note("too large to be compared")
            }
            (None, ..) => Diff::note("what it was before is not here"),
        };
        let renamed = matches!(change.kind, ChangeKind::Renamed(_));
        let from = renamed.then(|| lossy(&change.from));
        Diff { change: Some(change.kind), from, ..diff }
    }
}

fn file(object: &Object) -> State {
    if is_binary(&object.bytes) {
        return State::Binary { size: object.size };
    }
    let cut = is_cut(object);
    let (text, lossy) = text(&object.bytes, cut);
    State::Text { text, size: object.size, cut, lossy }
}

fn is_cut(object: &Object) -> bool {
    object.size > object.bytes.len() as u64
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
