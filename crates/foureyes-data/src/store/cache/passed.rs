//! Contents that a judge passed after it had flagged them, found once.
//!
//! Which contents these are depends on all segments. But new rows can only add to them, and the rows of a
//! shorter window are among them. So all verdicts are kept on contents that were NO-GO and GO later in some
//! segments, and a window counts those that are in it. A segment that is new is compared with
//! the others by its contents alone.

use super::collection::{Collection, Segment};
use super::counted::{self, Passed, Remembered};
use super::partitions::Partitions;
use super::wanted::ReadyState;
use super::{CacheError, Cached, lock};
use crate::domain::Window;
use crate::frame::{self, Frame, FrameError, Judged, Verdict, VerdictOn, Verdicts, schema};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};

impl Collection {
    /// Counts the contents of pushes in a window that were NO-GO first and GO later, by one judge and prompt.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn lifted(&self, window: Window) -> Cached<u64> {
        let mut slot = lock(&self.passed);
        let remembered = slot.get_or_insert_with(|| Remembered {
            value: self.read_passed().unwrap_or_default(),
            changed: false,
        });
        let (held, stored): (Vec<_>, Vec<_>) = self
            .segments(window)
            .map(|(_, segment)| segment)
            .partition(|segment| segment.held.is_some());
        remembered.changed |= self.add_passed(&mut remembered.value, &stored)?;
        if held.is_empty() {
            return Ok(VerdictOn::lifted(&remembered.value.verdicts, window));
        }
        let mut all = remembered.value.clone();
        drop(slot);
        self.add_passed(&mut all, &held)?;
        Ok(VerdictOn::lifted(&all.verdicts, window))
    }

    /// What is known of segments that are all there still.
    fn read_passed(&self) -> Option<Passed> {
        let passed = counted::read_passed(&self.dir, self.counter.as_ref()?)?;
        let present: BTreeSet<&str> = self.segments.iter().map(name).collect();
        passed.of.keys().all(|name| present.contains(name.as_str())).then_some(passed)
    }

    /// Adds segments, where they are not known; whether there were any.
    fn add_passed(&self, passed: &mut Passed, segments: &[&Segment]) -> Cached<bool> {
        let rows = |segment: &Segment| passed.of.get(name(segment)).copied();
        let is_fresh = |segment: &&Segment| rows(segment) != Some(segment.entry.rows);
        let fresh: Vec<&Segment> = segments.iter().copied().filter(is_fresh).collect();
        if fresh.is_empty() {
            return Ok(false);
        }
        let is_known = |segment: &&Segment| {
            rows(segment).is_some() && !fresh.iter().any(|one| std::ptr::eq(*one, *segment))
        };
        let known: Vec<&Segment> = self.segments.iter().filter(is_known).collect();
        let from: Vec<u64> = fresh.iter().map(|segment| rows(segment).unwrap_or(0)).collect();
        let error = |error: FrameError| CacheError::frame(&self.dir)(error);
        let slim = |segments: &[&Segment]| {
            segments.par_iter().map(|s| self.slim(s, &Frame::LIFTED)).collect::<Cached<Vec<_>>>()
        };
        let mut frames = slim(&fresh)?;
        let mut all = fresh.clone();
        let mut among = None;
        if !known.is_empty() || from.iter().any(|from| *from > 0) {
            let judged = Judged::of(frames.iter().zip(from)).map_err(error)?;
            let has = |segment: &&&Segment| {
                let frame = self.slim(segment, &[schema::CONTENT])?;
                judged.is_any_in(&frame).map_err(error)
            };
            let has = known.par_iter().map(|s| has(&s)).collect::<Cached<Vec<_>>>()?;
            let more = known.into_iter().zip(has).filter(|(_, has)| *has);
            let more: Vec<&Segment> = more.map(|(segment, _)| segment).collect();
            frames.extend(slim(&more)?);
            all.extend(more);
            among = Some(judged);
        }
        let verdicts = frames.iter().map(Frame::verdicts).collect::<Result<Vec<_>, _>>();
        let verdicts = verdicts.map_err(error)?;
        let is_among = |one: &Verdict| among.as_ref().is_none_or(|some| some.has(one.content));
        let rows = verdicts.iter().map(Verdicts::rows).sum();
        let lifted = lifted_of(rows, verdicts.iter().map(|all| all.iter().filter(is_among)));
        // Texts cost more, and mostly there is no such content.
        let named = all.par_iter().zip(&lifted).filter(|(_, verdicts)| !verdicts.is_empty());
        let named = named.map(|(segment, verdicts)| {
            let texts = self.text(segment, &Frame::LIFTED_BY)?;
            texts.judged_by(verdicts).map_err(error)
        });
        let named = named.collect::<Cached<Vec<_>>>()?;
        // All at once: what fails above leaves what was known.
        passed.of.extend(fresh.iter().map(|s| (name(s).to_owned(), s.entry.rows)));
        if !passed.verdicts.is_empty() {
            let contents = lifted.iter().flatten().map(|verdict| verdict.content);
            let contents: HashSet<u64, ReadyState> = contents.collect();
            passed.verdicts.retain(|verdict| !contents.contains(&verdict.content));
        }
        passed.verdicts.extend(named.into_iter().flatten());
        Ok(true)
    }
}

/// Of lists of verdicts, which have no more than so many in all, each those on contents that were NO-GO first and
/// GO later, by whichever judge.
fn lifted_of<I>(rows: usize, lists: impl ExactSizeIterator<Item = I>) -> Vec<Vec<Verdict>>
where
    I: Iterator<Item = Verdict> + Clone + Send,
{
    let mut of_each = vec![Vec::new(); lists.len()];
    let hashed = lists.map(|list| list.map(|verdict| (verdict.content, verdict)));
    let partitions = Partitions::new(rows, hashed.collect());
    let found = partitions.map(|lists| {
        let all = lists.iter().copied().flatten();
        let keyed = all.map(|verdict| (verdict.content, verdict.passed, verdict.time));
        let contents = frame::lifted(keyed);
        let rows = (0..).zip(lists).filter(|_| !contents.is_empty());
        let rows = rows.flat_map(|(at, rows)| rows.iter().map(move |row| (at, *row)));
        rows.filter(|(_, row)| contents.contains(&row.content)).collect::<Vec<_>>()
    });
    for (at, verdict) in found.into_iter().flatten() {
        of_each[at].push(verdict);
    }
    of_each
}

/// Names the rows of a segment, whatever its flags.
fn name(segment: &Segment) -> &str {
    segment.entry.slim.seal.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_found_in_whichever_list_and_partition_they_are() {
        // Of each content a NO-GO and a GO in another list; of every third the GO comes first.
        let content = |n: u64| n << 30 | n;
        let list = |passed: bool| -> Vec<Verdict> {
            let verdict = |n: u32| {
                let first = passed == n.is_multiple_of(3);
                let time = if first { 1 } else { 2 };
                Verdict { row: n, passed, content: content(n.into()), time }
            };
            (0..40_000).map(verdict).collect()
        };
        let lists = [list(false), list(true)];
        let mut found = lifted_of(80_000, lists.iter().map(|list| list.iter().copied()));
        for (found, list) in found.iter_mut().zip(&lists) {
            found.sort_unstable_by_key(|verdict| verdict.row);
            let wanted: Vec<_> =
                list.iter().filter(|verdict| !verdict.row.is_multiple_of(3)).copied().collect();
            assert_eq!(*found, wanted);
        }
    }
}
