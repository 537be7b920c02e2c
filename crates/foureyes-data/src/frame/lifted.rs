//! Contents that a judge passed after it had flagged them.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Outcome, Timestamp, Window};
use polars::prelude::*;
use std::hash::Hash;

/// A verdict of a frame: its row, what it is on, whether it passed that, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Its row.
    pub row: u32,
    /// GO; else NO-GO.
    pub passed: bool,
    /// [`schema::CONTENT`].
    pub content: u64,
    /// Microseconds since 1970.
    pub time: i64,
}

/// The dated GO and NO-GO of a frame on pushes of which the content is known.
pub struct Verdicts<'f> {
    contents: &'f [u64],
    families: &'f [u32],
    outcomes: &'f [u32],
    times: &'f Int64Chunked,
}

impl Verdicts<'_> {
    /// Rows, with a verdict or without one.
    pub fn rows(&self) -> usize {
        self.contents.len()
    }

    /// Those of each row, in order.
    pub fn iter(&self) -> impl Iterator<Item = Verdict> + Clone + '_ {
        let push = u32::from(Family::Push.code());
        let [go, no_go] = [Outcome::Go, Outcome::NoGo].map(|outcome| u32::from(outcome.code()));
        let kinds = self.families.iter().zip(self.outcomes);
        let rows =
            (0..).zip(self.contents.iter().zip(kinds).zip(self.times.downcast_as_array().iter()));
        rows.filter_map(move |(row, ((content, (family, outcome)), time))| {
            let decided = *outcome == go || *outcome == no_go;
            let counts = decided && *family == push && *content != 0;
            let time = *time.filter(|_| counts)?;
            Some(Verdict { row, passed: *outcome == go, content: *content, time })
        })
    }
}

/// Contents that have a verdict.
pub struct Judged(PlHashSet<u64>);

/// A verdict on a content that a judge passed after it had flagged it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictOn {
    /// [`schema::CONTENT`].
    pub content: u64,
    /// A hash of [`Frame::LIFTED_BY`].
    pub by: [u8; 16],
    /// GO; else NO-GO.
    pub passed: bool,
    /// Microseconds since 1970.
    pub time: i64,
}

impl Judged {
    /// Those of some frames, of each from some row on.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`].
    pub fn of<'a>(frames: impl Iterator<Item = (&'a Frame, u64)>) -> Result<Self, FrameError> {
        let mut judged = PlHashSet::new();
        for (frame, from) in frames {
            let verdicts = frame.verdicts()?;
            let rows = verdicts.iter().filter(|verdict| u64::from(verdict.row) >= from);
            judged.extend(rows.map(|verdict| verdict.content));
        }
        Ok(Self(judged))
    }

    /// Whether a content is one of them.
    pub fn has(&self, content: u64) -> bool {
        self.0.contains(&content)
    }

    /// Whether a frame has any of them; it needs [`schema::CONTENT`] alone.
    ///
    /// # Errors
    /// A frame without that.
    pub fn is_any_in(&self, frame: &Frame) -> Result<bool, FrameError> {
        frame.has_word(schema::CONTENT, |content| self.has(content))
    }
}

impl VerdictOn {
    /// How many contents one judge with one prompt passed in a window, after it had flagged them there.
    pub fn lifted(verdicts: &[Self], window: Window) -> u64 {
        let inside = || verdicts.iter().filter(|one| window.holds(Some(Timestamp(one.time))));
        let rows = || inside().map(|one| ((one.content, one.by), one.passed, one.time));
        lifted(rows()).len() as u64
    }
}

/// The keys that were NO-GO first and GO later, of keys with whether they passed and when; in any order.
pub fn lifted<K: Copy + Hash + Eq>(
    rows: impl Iterator<Item = (K, bool, i64)> + Clone,
) -> PlHashSet<K> {
    let mut flagged = PlHashMap::new();
    for (key, _, time) in rows.clone().filter(|(_, passed, _)| !passed) {
        let first = flagged.entry(key).or_insert(time);
        *first = time.min(*first);
    }
    let passed = rows.filter(|(_, passed, _)| *passed && !flagged.is_empty());
    let later = passed.filter(|(key, _, time)| flagged.get(key).is_some_and(|first| first < time));
    later.map(|(key, ..)| key).collect()
}

impl Frame {
    /// The slim columns that [`Frame::verdicts`] reads. Doubles need no flags here: the same record once
    /// more changes nothing.
    pub const LIFTED: [&'static str; 4] =
        [schema::CONTENT, schema::FAMILY, schema::OUTCOME, schema::TS];

    /// The text columns by which [`Frame::judged_by`] tells judges and prompts apart.
    pub const LIFTED_BY: [&'static str; 2] = [schema::MODEL, schema::PROMPT];

    /// Its dated GO and NO-GO on pushes of which the content is known.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`].
    pub fn verdicts(&self) -> Result<Verdicts<'_>, FrameError> {
        let read = || -> PolarsResult<Verdicts<'_>> {
            let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
            Ok(Verdicts {
                contents: self.column(schema::CONTENT)?.u64()?.cont_slice()?,
                families: codes(schema::FAMILY)?,
                outcomes: codes(schema::OUTCOME)?,
                times: self.column(schema::TS)?.i64()?,
            })
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// Whose verdicts of a segment are, where these are its texts.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED_BY`].
    pub fn judged_by(&self, verdicts: &[Verdict]) -> Result<Vec<VerdictOn>, FrameError> {
        let read = || -> PolarsResult<Vec<VerdictOn>> {
            let [model, prompt] = Self::LIFTED_BY.map(|name| self.text(name));
            let columns = [model?, prompt?];
            let named = |&Verdict { row, passed, content, time }: &Verdict| VerdictOn {
                content,
                by: hash(columns.map(|column| column.get(row as usize))),
                passed,
                time,
            };
            Ok(verdicts.iter().map(named).collect())
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }
}

/// Names texts; one that is absent is not an empty one.
fn hash(texts: [Option<&str>; 2]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        let len = text.map_or(u64::MAX, |text| text.len() as u64);
        hasher.update(&len.to_le_bytes()).update(text.unwrap_or_default().as_bytes());
    }
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_counts_after_the_first_no_go_alone() {
        let rows = [(1, false, 5), (1, true, 5), (2, true, 3), (2, false, 5), (3, true, 9)];
        assert!(lifted(rows.into_iter()).is_empty());
        let more = [(1, true, 6), (2, false, 2), (4, false, 8), (4, false, 1), (4, true, 7)];
        let mut found: Vec<i32> = lifted(rows.into_iter().chain(more)).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, [1, 2, 4]);
    }
}
