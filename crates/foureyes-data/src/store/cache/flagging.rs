//! Judges rows against those that were there before: which are doubles, which are repeated.

use super::flags::{self, Run};
use super::manifest::{Manifest, SegmentEntry};
use super::segment::{read_frame, write_columns};
use super::segment_writer::Written;
use super::wanted::Wanted;
use super::{CacheError, Cached};
use crate::frame::{Flags, Frame, Keys, schema};
use rayon::prelude::*;
use std::path::Path;

/// Flags the fresh segments against those that are there, and enters them.
pub(super) fn flag(dir: &Path, manifest: &mut Manifest, fresh: Vec<Written>) -> Cached<()> {
    let keys: Vec<&Keys> = fresh.iter().map(|(_, keys)| keys).collect();
    let (wanted, mut runs) = witnesses(dir, manifest, &keys)?;
    let old: Vec<usize> = runs.iter().map(|(at, _)| *at).collect();
    let mut all: Vec<Run> = runs.drain(..).map(|(_, run)| run).collect();
    let mut entries = Vec::new();
    for (entry, keys) in fresh {
        entries.push(entry);
        all.push(Run::new(keys));
    }
    flags::assign(&mut all, &wanted, (&manifest.ranks(), &manifest.owners()));
    let fresh = all.split_off(old.len());
    for (at, run) in old.into_iter().zip(all).filter(|(_, run)| run.touched) {
        let number = manifest.next;
        manifest.next += 1;
        if let Some(entry) = manifest.segments.get_mut(at) {
            count(entry, &run);
            enter(dir, number, entry, &run)?;
        }
    }
    let first = manifest.next;
    manifest.next += fresh.len() as u64;
    let entered = entries.into_par_iter().zip(fresh).enumerate().map(|(at, (mut entry, run))| {
        count(&mut entry, &run);
        enter(dir, first + at as u64, &mut entry, &run)?;
        Ok(entry)
    });
    manifest.segments.extend(entered.collect::<Cached<Vec<_>>>()?);
    Ok(())
}

fn enter(dir: &Path, number: u64, entry: &mut SegmentEntry, run: &Run) -> Cached<()> {
    let name = format!("{number:08}.flags.columns");
    entry.flags = write_columns(dir, &name, |out| run.flags.write(out))?;
    Ok(())
}

/// Counts the flagged rows of a segment.
pub(super) fn count(entry: &mut SegmentEntry, run: &Run) {
    let duplicates = || run.flags.duplicate.iter();
    entry.duplicates = duplicates().filter(|d| **d).count() as u64;
    entry.distinct = duplicates().filter(|d| !**d).count() as u64;
    entry.undated =
        run.keys.ts.iter().zip(duplicates()).filter(|(ts, d)| ts.is_none() && !**d).count() as u64;
    if !run.new {
        return;
    }
    entry.span = span(&run.keys);
    entry.seen = run.seen.iter().map(|(b, n)| (*b, *n)).collect();
    entry.seen.sort_unstable();
}

fn span(keys: &Keys) -> Option<(i64, i64)> {
    let dated = || keys.ts.iter().flatten().copied();
    dated().min().zip(dated().max())
}

/// What new rows ask of old ones, and the segments that have an answer, by their index.
type Witnesses = (Wanted, Vec<(usize, Run)>);

/// Segments with rows that equal a new one, or that stand in a unit of which the latest may change.
pub(super) fn witnesses(dir: &Path, manifest: &Manifest, fresh: &[&Keys]) -> Cached<Witnesses> {
    if manifest.segments.is_empty() || fresh.iter().all(|k| k.id.is_empty()) {
        return Ok((Wanted::default(), Vec::new()));
    }
    let mut wanted = Wanted::new(fresh);
    let look = |wanted: &Wanted| {
        of_each(manifest, |at, entry| {
            if !may_have(dir, entry, wanted)? {
                return Ok((Vec::new(), None));
            }
            let keys = keys(dir, entry)?;
            let more = wanted.more_units(&keys);
            let run = match wanted.any(&keys) {
                true => Some((at, Run::old(keys, read_flags(dir, entry)?))),
                false => None,
            };
            Ok((more, run))
        })
    };
    let (more, mut found): (Vec<_>, Vec<_>) = look(&wanted)?.into_iter().unzip();
    if more.iter().any(|units| !units.is_empty()) {
        wanted.add_units(more.into_iter().flatten());
        found = look(&wanted)?.into_iter().map(|(_, run)| run).collect();
    }
    Ok((wanted, found.into_iter().flatten().collect()))
}

/// Whether a segment may have rows that are wanted: two columns show it, and mostly it has none.
fn may_have(dir: &Path, entry: &SegmentEntry, wanted: &Wanted) -> Cached<bool> {
    const COLUMNS: [&str; 2] = [schema::ID[0], schema::UNIT];
    let frame = read_frame(dir, &entry.slim, Some(&COLUMNS))?;
    let has = |column, is: &dyn Fn(u64) -> bool| {
        frame.has_word(column, is).map_err(CacheError::frame(&dir.join(&entry.slim.name)))
    };
    Ok(has(COLUMNS[0], &|head| wanted.may_be(head))?
        || has(COLUMNS[1], &|unit| wanted.may_be_of(unit))?)
}

/// Asks each segment, in parallel.
fn of_each<T: Send>(
    manifest: &Manifest,
    ask: impl Fn(usize, &SegmentEntry) -> Cached<T> + Sync,
) -> Cached<Vec<T>> {
    manifest.segments.par_iter().enumerate().map(|(at, entry)| ask(at, entry)).collect()
}

fn keys(dir: &Path, entry: &SegmentEntry) -> Cached<Keys> {
    let slim = read_frame(dir, &entry.slim, Some(&Frame::KEYS))?;
    slim.keys().map_err(CacheError::frame(&dir.join(&entry.slim.name)))
}

/// The flags of a segment.
pub(super) fn read_flags(dir: &Path, entry: &SegmentEntry) -> Cached<Flags> {
    let frame = read_frame(dir, &entry.flags, None)?;
    Flags::of_frame(&frame).map_err(|e| CacheError::frame(&dir.join(&entry.flags.name))(e))
}
