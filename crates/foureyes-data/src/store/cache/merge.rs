//! Makes one segment of many small ones, so that a year opens as fast as a week.

use super::counted;
use super::flagging::read_flags;
use super::manifest::{Manifest, SegmentEntry, Stored};
use super::segment::{read_frame, write_columns, write_frame};
use super::{CacheError, Cached};
use crate::frame::{Flags, Frame};
use crate::jsonl::Settings;
use std::collections::BTreeMap;
use std::path::Path;

/// A segment of fewer rows is small.
const SMALL: u64 = 16_384;
/// So many small segments may stand side by side.
const MANY: usize = 8;
/// Bytes that one is made of at most, since all of them are in memory meanwhile. One of long texts has
/// few rows and many bytes.
const MOST: u64 = 64 << 20;

/// Merges the small segments where they are many.
pub(super) fn small_segments(
    dir: &Path,
    manifest: &mut Manifest,
    settings: &Settings,
) -> Cached<()> {
    let small = |s: &SegmentEntry| s.rows < SMALL && s.bytes < MOST / MANY as u64;
    if manifest.segments.iter().filter(|s| small(s)).count() <= MANY {
        return Ok(());
    }
    let (merge, keep): (Vec<_>, Vec<_>) =
        std::mem::take(&mut manifest.segments).into_iter().partition(small);
    manifest.segments = keep;
    let mut bytes = 0;
    let mut groups = vec![Vec::new()];
    for segment in merge {
        if bytes + segment.bytes > MOST {
            groups.push(Vec::new());
            bytes = 0;
        }
        bytes += segment.bytes;
        groups.last_mut().into_iter().for_each(|group| group.push(segment.clone()));
    }
    for group in &groups {
        let whole = merged(dir, manifest, group)?;
        counted::merge_passed(dir, settings, group, &whole);
        manifest.segments.push(whole);
    }
    Ok(())
}

/// One segment of several.
fn merged(dir: &Path, manifest: &mut Manifest, merge: &[SegmentEntry]) -> Cached<SegmentEntry> {
    let mut merged = SegmentEntry::default();
    let number = manifest.next;
    manifest.next += 1;
    merged.slim = join(dir, merge, |s| &s.slim, format!("{number:08}.slim.columns"))?;
    merged.text = join(dir, merge, |s| &s.text, format!("{number:08}.text.columns"))?;
    merged.flags = flags(dir, merge, format!("{number:08}.flags.columns"))?;
    merge.iter().for_each(|part| add(&mut merged, part));
    Ok(merged)
}

fn join(
    dir: &Path,
    merge: &[SegmentEntry],
    file: impl Fn(&SegmentEntry) -> &Stored,
    name: String,
) -> Cached<Stored> {
    // One without rows only where there is no other: it has the columns.
    let any = merge.iter().any(|s| s.rows > 0);
    let part = merge.iter().filter(|s| s.rows > 0 || !any);
    let frames = part.map(|s| read_frame(dir, file(s), None));
    let frames = frames.collect::<Cached<Vec<_>>>()?;
    let frame = Frame::concat(frames).map_err(CacheError::frame(&dir.join(&name)))?;
    write_frame(dir, &name, &frame)
}

fn flags(dir: &Path, merge: &[SegmentEntry], name: String) -> Cached<Stored> {
    let mut all = Flags::default();
    for entry in merge {
        all.extend(read_flags(dir, entry)?);
    }
    write_columns(dir, &name, |out| all.write(out))
}

/// Adds the totals of another segment.
pub(super) fn add(sum: &mut SegmentEntry, part: &SegmentEntry) {
    sum.rows += part.rows;
    sum.bytes += part.bytes;
    sum.duplicates += part.duplicates;
    sum.distinct += part.distinct;
    sum.undated += part.undated;
    let mut seen: BTreeMap<u32, u64> = sum.seen.iter().copied().collect();
    for (box_index, records) in &part.seen {
        *seen.entry(*box_index).or_default() += records;
    }
    sum.seen = seen.into_iter().collect();
    sum.span = match (sum.span, part.span) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    };
}
