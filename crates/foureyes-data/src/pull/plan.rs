//! Which files of a listing to ask for, and what in the mirror each may be the rest of. Pure.

mod matching;

use crate::domain::FileCounts;
use crate::domain::log_name::{self, NameKind, is_packed, stem};
use crate::source::digest::Algorithm;
use crate::source::listing::{Abilities, FileKind, Listing, Root, RootKind, Seen, Stat};
use crate::store::cursor::{RemotePath, Stamp};
use crate::store::state::{Entry, Fact, NAMED};
use matching::{Matching, is_another};
use std::collections::HashSet;

/// Seconds that a change must be old so that another one shows in a time of whole seconds.
const SETTLED: i64 = 2;
/// Nanoseconds that it must be old where times have them: clocks of files go on in steps of up to
/// 10 ms.
const SETTLED_NANOS: i64 = 100_000_000;

/// A file to ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    /// Its number in the listing.
    pub(super) number: usize,
    /// Its path.
    pub(super) path: RemotePath,
    /// What the box said of it.
    pub(super) stamp: Stamp,
    /// Entries it may continue, likeliest first, and whether through gzip.
    pub(super) candidates: Vec<(usize, bool)>,
    /// The entry that stood under its path.
    pub(super) own: Option<usize>,
    /// How far this pull got with it.
    pub(super) progress: Progress,
}

/// How far a pull got with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing of it came.
    New,
    /// A part of it came, and the rest is to come.
    Begun,
    /// Another file was found in its place meanwhile.
    Replaced,
    /// And then one more: the next pull goes on with it, for this could go on forever.
    Unsteady,
}

impl Progress {
    /// Whether the copy of it is of this pull.
    pub(super) fn is_begun(self) -> bool {
        self != Self::New
    }

    /// After a question, unless the next pull is to go on with it.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::New | Self::Begun => Some(Self::Begun),
            Self::Replaced => Some(Self::Replaced),
            Self::Unsteady => None,
        }
    }

    /// After an answer that nothing of it is known.
    pub(super) fn unknown(self) -> Self {
        match self {
            Self::New => Self::New,
            Self::Begun => Self::Replaced,
            Self::Replaced | Self::Unsteady => Self::Unsteady,
        }
    }
}

/// What to do about a listing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Files to ask for, in order: files that are surely known first.
    pub(super) asks: Vec<Ask>,
    /// Entries whose file is certainly as it was.
    pub(super) unchanged: Vec<usize>,
    /// What was noticed.
    pub(super) facts: Vec<Fact>,
    /// Where the files that look like logs went; those that are asked for are not counted as read yet.
    pub(super) listed: FileCounts,
}

/// Plans a pull of what was listed against what is known.
pub(super) fn plan(known: &[Entry], listing: &Listing, roots: &[String], largest: u64) -> Plan {
    let mut plan = Plan { facts: root_facts(&listing.roots, roots), ..Plan::default() };
    let mut files = Vec::new();
    for seen in &listing.files {
        let kind = kind(seen, &listing.roots);
        plan.listed.offered += u64::from(kind != NameKind::Other);
        match judged(seen, kind, largest) {
            Ok(stat) => files.push((seen, stamp(&stat, &listing.abilities))),
            Err(fact) => plan.refuse(fact),
        }
    }
    plan.facts.extend(plan.also_unread());
    let verifies = listing.abilities.algorithm != Algorithm::None;
    let mut matching = Matching::new(known, &files, listing, verifies);
    for (seen, stamp) in &files {
        let path = RemotePath(seen.path.clone());
        let own = matching.own.get(&seen.path).copied();
        let kept = own.filter(|o| proves(&known[*o], stamp));
        if let Some(own) = kept {
            plan.unchanged.push(own);
            plan.listed.read += 1;
            continue;
        }
        let candidates = matching.candidates(&path, stamp, own);
        plan.asks.push(Ask {
            number: seen.number,
            path,
            stamp: *stamp,
            candidates,
            own,
            progress: Progress::New,
        });
    }
    // A file that continues its own copy comes before one that may be a copy of it.
    plan.asks.sort_by_key(|ask| {
        let first = ask.candidates.first().map(|(entry, _)| *entry);
        (first.is_none_or(|f| Some(f) != ask.own), is_packed(&ask.path.0))
    });
    plan
}

impl Plan {
    /// Counts a file that is not read, and names it where there is room for names.
    fn refuse(&mut self, fact: Option<Fact>) {
        let Some(fact) = fact else { return };
        self.listed.unread += 1;
        if self.listed.unread <= NAMED as u64 {
            self.facts.push(fact);
        }
    }

    /// The files that are not read and not named.
    fn also_unread(&self) -> Option<Fact> {
        let files = self.listed.unread.saturating_sub(NAMED as u64);
        (files > 0).then_some(Fact::AlsoUnread { files })
    }
}

/// Directories give logs and rotated logs; a configured file gives itself and its rotated ones.
fn kind(seen: &Seen, roots: &[Root]) -> NameKind {
    let kinds = roots.iter().map(|root| match root.kind {
        RootKind::Directory => log_name::kind(&seen.path),
        // What a file was rotated to is no directory.
        _ if seen.kind == FileKind::Directory && seen.path != root.path => NameKind::Other,
        _ => log_name::kind_of_file(&seen.path, &root.path),
    });
    kinds.fold(NameKind::Other, |known, kind| match (known, kind) {
        (NameKind::Log, _) | (_, NameKind::Other) => known,
        _ => kind,
    })
}

fn root_facts(roots: &[Root], configured: &[String]) -> Vec<Fact> {
    let fact = |(root, text): (&Root, &String)| {
        let path = RemotePath(text.clone().into_bytes());
        match root.kind {
            RootKind::Missing => Some(Fact::Missing { path }),
            RootKind::Closed => Some(Fact::Unreadable { path }),
            RootKind::Directory | RootKind::File => None,
        }
    };
    roots.iter().zip(configured).filter_map(fact).collect()
}

/// The file's size and times, or why it is not asked for; `None` where it does not look like a log.
fn judged(seen: &Seen, kind: NameKind, largest: u64) -> Result<Stat, Option<Fact>> {
    let path = RemotePath(seen.path.clone());
    let refused = |what: &str| Fact::Refused { path: path.clone(), what: what.to_owned() };
    let what = match kind {
        NameKind::Other => return Err(None),
        NameKind::Log => None,
        NameKind::Unread(what) => Some(what),
    };
    Err(Some(match (seen.kind, seen.stat, what) {
        (FileKind::Directory, ..) => refused("a directory"),
        (FileKind::Dangling, ..) => refused("a link to nothing or in a circle"),
        (FileKind::Kernel, ..) => refused("a file of the kernel's"),
        (FileKind::Special, ..) => refused("a pipe, a socket or a device"),
        (_, _, Some(what)) => refused(what),
        (FileKind::Closed, ..) => Fact::Unreadable { path },
        // It went while it was listed.
        (FileKind::Regular, None, _) => refused("gone again"),
        (FileKind::Regular, Some(stat), _) if stat.size > largest => {
            Fact::TooLarge { path, bytes: stat.size }
        }
        (FileKind::Regular, Some(stat), _) => return Ok(stat),
    }))
}

fn stamp(stat: &Stat, can: &Abilities) -> Stamp {
    Stamp {
        device: stat.device,
        inode: stat.inode,
        size: stat.size,
        modified: stat.modified,
        changed: stat.changed,
        nanos: stat.nanos,
        settled: stat.changed.is_some_and(|changed| settled(changed, stat.nanos, can)),
    }
}

/// Whether a file that is written again from now on will have another time.
fn settled(changed: i64, nanos: Option<(u32, u32)>, can: &Abilities) -> bool {
    let seconds = can.now.saturating_sub(changed);
    let fine = |nanos: u32| {
        let below = i64::from(can.now_nanos) - i64::from(nanos);
        seconds.saturating_mul(1_000_000_000).saturating_add(below) >= SETTLED_NANOS
    };
    can.now > 0
        && match nanos {
            // A file system of whole seconds has none.
            Some((_, changed)) if changed > 0 => fine(changed),
            _ => seconds >= SETTLED,
        }
}

fn proves(entry: &Entry, stamp: &Stamp) -> bool {
    entry.cursor.stamp.is_some_and(|s| s.proves_unchanged(stamp))
}

/// What to say of an entry whose path holds another content now.
pub(super) fn displaced(entry: &Entry, now: &Stamp, listing: &Listing) -> Option<Fact> {
    let path = entry.path.clone();
    if entry.cursor.offset == 0 {
        return None;
    }
    if stem(&path.0) != path.0 {
        // Rotated files do not grow: the last of them goes when the others move on.
        return Some(Fact::Deleted { path });
    }
    let rotated = |s: &Seen| s.path != path.0 && stem(&s.path) == path.0;
    Some(match (is_another(entry, now), now.size < entry.cursor.offset) {
        (true, _) if listing.files.iter().any(rotated) => Fact::Gap { path },
        (true, _) => Fact::Replaced { path },
        (false, true) => Fact::Truncated { path },
        (false, false) => Fact::Changed { path },
    })
}

/// Whether an entry's file was looked for and is not there; of a listing with names left out nobody knows.
/// `there` are the paths that were listed.
pub(super) fn is_gone(entry: &Entry, listing: &Listing, there: &HashSet<&[u8]>) -> bool {
    let path = &entry.path.0;
    let parent = path.iter().rposition(|b| *b == b'/').map_or(&[][..], |i| &path[..i]);
    let looked = listing.roots.iter().any(|r| match r.kind {
        RootKind::Directory => r.path == parent,
        RootKind::File => log_name::kind_of_file(path, &r.path) == NameKind::Log,
        RootKind::Closed | RootKind::Missing => false,
    });
    entry.live && looked && listing.left_out == 0 && !there.contains(&**path)
}

#[cfg(test)]
mod tests;
