//! Checking the copies of a box against what was pulled.

use super::asking::put_aside;
use super::work::Work;
use crate::files::paths::DataDir;
use crate::store::blocks::Blocks;
use crate::store::lock::BoxLock;
use crate::store::mirror::{BoxMirror, Error, counting};
use crate::store::state::Entry;
use std::time::{Duration, Instant};

/// Checking copies in turn takes this part of the time of a pull.
const CHECKED_PART: u32 = 20;

/// How the copies of a box are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkup {
    /// Copies that were compared.
    pub copies: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Copies of an earlier version, of which nothing is known to compare with.
    pub unknown: u64,
    /// Paths on the box of the copies that are not what was pulled; raw text.
    pub damaged: Vec<String>,
}

/// Compares every copy of a box as a whole. One that is damaged is pulled again by the next pull.
///
/// `None` where another process has the mirror. It reads the whole mirror, and blocks.
///
/// # Errors
/// A mirror that cannot be read or written.
pub fn check_mirror(data: &DataDir, box_name: &str) -> Result<Option<Checkup>, Error> {
    let mirror = BoxMirror::open(data, box_name)?;
    let Some(_lock) = BoxLock::try_take(mirror.dir())? else { return Ok(None) };
    let (mut store, _) = mirror.load()?;
    let (mut checkup, mut facts) = (Checkup::default(), Vec::new());
    let counts = counting(&store.files);
    for entry in store.files.iter_mut().filter(|entry| counts(entry)) {
        if entry.damaged || !is_whole(&mirror, entry) {
            checkup.damaged.push(entry.path.lossy());
            if !entry.damaged {
                put_aside(&mirror, entry, &mut facts);
            }
            continue;
        }
        let known = entry.cursor.hashes.is_some();
        checkup.copies += u64::from(known);
        checkup.unknown += u64::from(!known);
        checkup.bytes += if known { entry.cursor.offset } else { 0 };
    }
    if !facts.is_empty() {
        store.save(mirror.dir())?;
    }
    Ok(Some(checkup))
}

impl Work {
    /// Checks copies of earlier pulls in turn: at least one, and as many as take a twentieth of the time of
    /// this pull.
    pub(super) fn check_some(&mut self, took: Duration) {
        let (start, count) = (Instant::now(), self.known as u64);
        for _ in 0..count {
            let (at, turn) = ((self.store.checked % count) as usize, self.store.checked / count);
            self.store.checked += 1;
            let entry = &mut self.store.files[at];
            let path = self.mirror.path(&entry.local);
            if entry.damaged {
                continue;
            }
            match &entry.cursor.hashes {
                None => entry.cursor.hashes = Blocks::of(&path, entry.cursor.offset).ok(),
                Some(hashes) if !hashes.hold(&path, turn).unwrap_or(true) => {
                    put_aside(&self.mirror, entry, &mut self.facts);
                }
                Some(_) => {}
            }
            if start.elapsed() >= took / CHECKED_PART {
                return;
            }
        }
    }
}

/// Whether all of a copy still is what was pulled, as far as that can be known.
pub(super) fn is_whole(mirror: &BoxMirror, entry: &Entry) -> bool {
    let hashes = entry.cursor.hashes.as_ref();
    hashes.is_none_or(|hashes| hashes.hold_all(&mirror.path(&entry.local)).unwrap_or(true))
}
