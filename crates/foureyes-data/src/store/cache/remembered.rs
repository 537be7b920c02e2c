//! Counts of windows, of which whole segments are counted once.

use super::collection::{Collection, Segment};
use super::counted::{self, Counted, PLACES, Part, Remembered};
use super::row::Row;
use super::{CacheError, Cached, lock};
use crate::domain::review::Reviews;
use crate::domain::{Timestamp, Window};
use crate::frame::query::{Node, Query, Scope, Term, TextField};
use crate::frame::{Configured, Flags, Frame, FrameError, Place, Tally};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// One part of two.
type Choice = fn(&mut Counted) -> &mut Part;

/// The part of a segment that a window has whole; `None` where it has only some of these rows, or where some
/// of what decides on them is not on disk.
fn part(segment: &Segment, window: Window) -> Option<Choice> {
    if segment.held.is_some() || segment.flags.is_some() {
        return None;
    }
    if window.is_all() || segment.entry.undated == 0 && holds(segment, window) {
        return Some(|counted| &mut counted.all);
    }
    let dated: Choice = |counted| &mut counted.dated;
    holds(segment, window).then_some(dated)
}

fn holds(segment: &Segment, window: Window) -> bool {
    let ends = segment.entry.span.map(|(first, last)| [first, last]);
    ends.is_some_and(|ends| ends.iter().all(|end| window.holds(Some(Timestamp(*end)))))
}

impl Collection {
    /// Counts a window; gives also its flagged rows, in no order: at least the first `most`, if there are so
    /// many.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn tally(&self, window: Window, most: usize) -> Cached<(Tally, Vec<Row>)> {
        let segments: Vec<_> = self.segments(window).collect();
        let tallies = segments.into_par_iter().map(|(at, segment)| {
            let known = |part: &Part| part.tally(most);
            let count = || {
                let frame = self.slim(segment, &Frame::TALLY)?;
                let flags = self.flags(segment)?;
                let path = self.dir.join(&segment.entry.slim.name);
                frame.tally(&flags, window).map(Arc::new).map_err(CacheError::frame(&path))
            };
            let put = |part: &mut Part, tally: &Arc<Tally>| part.put_tally(tally);
            Ok((at, self.counted(segment, window, known, count, put)?))
        });
        let mut whole = Tally::default();
        let mut flagged = Vec::new();
        for (at, tally) in tallies.collect::<Cached<Vec<_>>>()? {
            whole.merge(&tally);
            flagged.extend(Row::of_segment(at, &tally.flagged));
        }
        Ok((whole, flagged))
    }

    /// Counts what [`Collection::tally`], [`Collection::count_fixed`] of some filters,
    /// [`Collection::configured`] and [`Collection::questions`] ask of segments that are whole in a window and that nothing is known of: so each
    /// is read once, and not once a question.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn count_ahead(&self, window: Window, filters: &[&'static str]) -> Cached<()> {
        if self.counter.is_none() {
            return Ok(());
        }
        let queries =
            filters.iter().filter_map(|filter| Some((*filter, Query::parse(filter).ok()?)));
        let queries: Vec<_> = queries.filter(|(_, query)| is_fixed(query)).collect();
        let asked = queries.iter().flat_map(|(_, query)| query.columns());
        let columns: BTreeSet<&str> = {
            let own = Frame::CONFIGURED.into_iter().chain(Frame::QUESTIONS);
            Frame::TALLY.into_iter().chain(own).chain(asked).collect()
        };
        let columns = Vec::from_iter(columns);
        let segments = self.segments(window).map(|(_, segment)| segment);
        let whole: Vec<_> = segments.filter(|segment| part(segment, window).is_some()).collect();
        whole.into_par_iter().try_for_each(|segment| {
            let known = |part: &Part| part.tally.is_some().then(Part::default);
            let count = || {
                let frame = self.whole(segment, &columns)?;
                let counted = self.counted_at_once(&frame, window, &queries);
                counted.map_err(CacheError::frame(&self.dir))
            };
            let put = |part: &mut Part, counted: &Part| part.extend(counted.clone());
            self.counted(segment, window, known, count, put).map(drop)
        })
    }

    fn counted_at_once(
        &self,
        frame: &Frame,
        window: Window,
        queries: &[(&str, Query)],
    ) -> Result<Part, FrameError> {
        let mut part = Part::default();
        part.put_tally(&frame.tally(&Flags::of_frame(frame)?, window)?);
        part.put_configured(&frame.configured(window)?);
        part.put_questions(&frame.questions(window)?);
        for (filter, query) in queries {
            let rows = frame.matching(query, &self.fixed_scope(), window)?;
            part.filters.insert((*filter).to_owned(), rows.len() as u64);
        }
        Ok(part)
    }

    /// What queries need that ask for nothing but what the columns hold.
    pub(super) fn fixed_scope(&self) -> Scope<'_> {
        Scope { boxes: self.boxes(), now: Timestamp(0), reviews: Reviews::none() }
    }

    /// How many records of a window match a filter of the program's own, which asks for nothing but what the
    /// columns hold.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn count_fixed(&self, filter: &'static str, window: Window) -> Cached<u64> {
        let Ok(query) = Query::parse(filter) else { return Ok(0) };
        let (columns, is_fixed) = (query.columns(), is_fixed(&query));
        let scope = self.fixed_scope();
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let counts = segments.into_par_iter().map(|segment| {
            let known = |part: &Part| part.filters.get(filter).filter(|_| is_fixed).copied();
            let count = || {
                let frame = self.whole(segment, &columns)?;
                let rows = frame.matching(&query, &scope, window);
                rows.map(|rows| rows.len() as u64).map_err(CacheError::frame(&self.dir))
            };
            let put = |part: &mut Part, count: &u64| {
                part.filters.insert(filter.to_owned(), *count);
            };
            self.counted(segment, window, known, count, put)
        });
        counts.try_reduce(|| 0, |sum, count| Ok(sum + count))
    }

    /// The configurations of judges in a window: see [`Frame::configured`].
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn configured(&self, window: Window) -> Cached<Vec<Configured>> {
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let of_each = segments.into_par_iter().map(|segment| {
            let known = |part: &Part| part.configured.clone();
            let count = || {
                let frame = self.whole(segment, &Frame::CONFIGURED)?;
                frame.configured(window).map_err(CacheError::frame(&self.dir))
            };
            let put = |part: &mut Part, found: &Vec<Configured>| part.put_configured(found);
            self.counted(segment, window, known, count, put)
        });
        let of_each = of_each.collect::<Cached<Vec<_>>>()?;
        Ok(Configured::merged(of_each.into_iter().flatten()))
    }

    /// The questions of judges in a window: see [`Frame::questions`].
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn questions(&self, window: Window) -> Cached<Vec<Configured>> {
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let of_each = segments.into_par_iter().map(|segment| {
            let known = |part: &Part| part.questions.clone();
            let count = || {
                let frame = self.whole(segment, &Frame::QUESTIONS)?;
                frame.questions(window).map_err(CacheError::frame(&self.dir))
            };
            let put = |part: &mut Part, found: &Vec<Configured>| part.put_questions(found);
            self.counted(segment, window, known, count, put)
        });
        let of_each = of_each.collect::<Cached<Vec<_>>>()?;
        Ok(Configured::merged(of_each.into_iter().flatten()))
    }

    /// What is known of a segment in a window; else what is counted, which is known from then on.
    fn counted<T>(
        &self,
        segment: &Segment,
        window: Window,
        known: impl FnOnce(&Part) -> Option<T>,
        count: impl FnOnce() -> Cached<T>,
        put: impl FnOnce(&mut Part, &T),
    ) -> Cached<T> {
        let (Some(part), Some(counter)) = (part(segment, window), &self.counter) else {
            return count();
        };
        let read = || {
            let value = counted::read(&self.dir, counter, &segment.entry).unwrap_or_default();
            Remembered { value, changed: false }
        };
        if let Some(found) = known(part(&mut lock(&segment.counted).get_or_insert_with(read).value))
        {
            return Ok(found);
        }
        let found = count()?;
        let mut slot = lock(&segment.counted);
        let remembered = slot.get_or_insert_with(read);
        put(part(&mut remembered.value), &found);
        remembered.changed = true;
        Ok(found)
    }

    /// Where the bytes of a row are, if that is known.
    pub(super) fn known_place(&self, row: &Row) -> Option<Place> {
        let slot = lock(&self.segments.get(row.segment as usize)?.counted);
        slot.as_ref()?.value.places.get(&row.row).copied()
    }

    /// Looks up where few rows are while counts are looked at, so that it is known for the next run.
    pub(super) fn look_up(&self, rows: &[Row]) -> Cached<()> {
        let is_counted = |row: &Row| {
            let segment = self.segments.get(row.segment as usize);
            segment.is_some_and(|segment| lock(&segment.counted).is_some())
        };
        if rows.len() <= PLACES && rows.iter().any(is_counted) {
            self.places(rows)?;
        }
        Ok(())
    }

    /// Notes where few rows are, in segments that counts are looked at of.
    pub(super) fn remember_places(&self, rows: &[Row], places: &[Place]) {
        if rows.len() > PLACES {
            return;
        }
        for (row, place) in rows.iter().zip(places) {
            let Some(segment) = self.segments.get(row.segment as usize) else { continue };
            if let Some(remembered) = lock(&segment.counted).as_mut() {
                let places = &mut remembered.value.places;
                if places.len() >= PLACES {
                    places.clear();
                }
                places.insert(row.row, *place);
                remembered.changed = true;
            }
        }
    }

    /// Writes what was counted, for the next run, and drops it. What cannot be written is counted again.
    pub fn remember(&self) {
        let Some(counter) = self.counter.as_ref().filter(|_| self.aside.is_none()) else { return };
        self.segments.par_iter().for_each(|segment| {
            if let Some(Remembered { value, changed: true }) = lock(&segment.counted).take() {
                let _ = counted::write(&self.dir, counter, &segment.entry, &value);
            }
        });
        if let Some(Remembered { value, changed: true }) = lock(&self.passed).take() {
            let _ = counted::write_passed(&self.dir, counter, &value);
        }
    }
}

/// Whether a query asks for nothing but what the columns of a row hold: neither for now, nor for names of
/// boxes, nor for what people did.
fn is_fixed(query: &Query) -> bool {
    fn is_fixed_node(node: &Node) -> bool {
        match node {
            Node::All => true,
            Node::Not(part) => is_fixed_node(part),
            Node::And(parts) | Node::Or(parts) => parts.iter().all(is_fixed_node),
            Node::Term(Term::Since(_) | Term::Until(_) | Term::Day(_) | Term::New) => false,
            Node::Term(Term::Text(field, ..) | Term::Has(field)) => *field != TextField::Box,
            Node::Term(_) => true,
        }
    }
    !query.asks_reviews() && is_fixed_node(query.root())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_columns_decide_is_fixed() {
        let is = |filter: &str| is_fixed(&Query::parse(filter).unwrap());
        for filter in ["", "is:flagged score:<=2 | -error:any", "mode:=blocking -(is:repeat word)"]
        {
            assert!(is(filter), "{filter}");
        }
        for filter in ["since:2d", "is:flagged -day:today", "a | (b until:2h)", "box:=north"] {
            assert!(!is(filter), "now or names of boxes: {filter}");
        }
        for filter in
            ["label:poor", "reviewer:ann", "override:any", "is:escalation", "is:stopped", "is:new"]
        {
            assert!(!is(filter), "what people did: {filter}");
        }
    }
}
