//! Contents that a judge passed after it had flagged them.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Outcome, Timestamp, Window};
use polars::prelude::*;
use std::hash::Hash;

/// Contents that have a verdict.
pub struct Judged(PlHashSet<u64>);

/// Contents that were NO-GO, and when each was it first.
pub struct Contents(PlHashMap<u64, i64>);

/// A verdict on a content.
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

/// Of a row: its number, its content, whether it passed and when.
type Verdict = (usize, u64, bool, i64);

impl Judged {
    /// Those of pushes in some frames, of each from some row on.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`], here and below.
    pub fn of<'a>(frames: impl Iterator<Item = (&'a Frame, u64)>) -> Result<Self, FrameError> {
        let mut judged = PlHashSet::new();
        for (frame, from) in frames {
            let rows = frame.judged()?.filter(|(row, ..)| *row as u64 >= from);
            judged.extend(rows.map(|(_, content, ..)| content));
        }
        Ok(Self(judged))
    }

    /// Whether a frame has any of them; it needs [`schema::CONTENT`] alone.
    ///
    /// # Errors
    /// A frame without that.
    pub fn is_any_in(&self, frame: &Frame) -> Result<bool, FrameError> {
        frame.has_word(schema::CONTENT, |content| self.0.contains(&content))
    }
}

impl Contents {
    /// The NO-GO of pushes in a frame, by whichever judge, and when; only of some contents where these are given.
    ///
    /// # Errors
    /// As [`Judged::of`].
    pub fn flagged_in(
        frame: &Frame,
        among: Option<&Judged>,
    ) -> Result<Vec<(u64, i64)>, FrameError> {
        let is_among = |key: &u64| among.is_none_or(|some| some.0.contains(key));
        let no_go = frame.judged()?.filter(|(_, key, passed, _)| !passed && is_among(key));
        Ok(no_go.map(|(_, key, _, time)| (key, time)).collect())
    }

    /// Those of all frames.
    pub fn of(flagged: impl IntoIterator<Item = (u64, i64)>) -> Self {
        let mut first = PlHashMap::new();
        first_no_go(&mut first, flagged.into_iter().map(|(key, time)| (key, false, time)));
        Self(first)
    }

    /// Those that are GO later in a frame.
    ///
    /// # Errors
    /// As [`Judged::of`].
    pub fn passed_in(&self, frame: &Frame) -> Result<Vec<u64>, FrameError> {
        let judged = frame.judged()?.map(|(_, key, passed, time)| (key, passed, time));
        Ok(later_go(&self.0, judged).collect())
    }

    /// Some of them.
    #[must_use]
    pub fn only(mut self, some: impl IntoIterator<Item = u64>) -> Self {
        let some: PlHashSet<u64> = some.into_iter().collect();
        self.0.retain(|content, _| some.contains(content));
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a content is one of them.
    pub fn has(&self, content: u64) -> bool {
        self.0.contains_key(&content)
    }
}

impl VerdictOn {
    /// How many contents one judge with one prompt passed in a window, after it had flagged them there.
    pub fn lifted(verdicts: &[Self], window: Window) -> u64 {
        let inside = || verdicts.iter().filter(|one| window.holds(Some(Timestamp(one.time))));
        let rows = || inside().map(|one| ((one.content, one.by), one.passed, one.time));
        let mut flagged = PlHashMap::new();
        first_no_go(&mut flagged, rows());
        later_go(&flagged, rows()).collect::<PlHashSet<_>>().len() as u64
    }
}

/// Notes when each key was NO-GO first.
fn first_no_go<K: Hash + Eq>(
    flagged: &mut PlHashMap<K, i64>,
    rows: impl Iterator<Item = (K, bool, i64)>,
) {
    for (key, _, time) in rows.filter(|(_, passed, _)| !passed) {
        let first = flagged.entry(key).or_insert(time);
        *first = time.min(*first);
    }
}

/// The keys that are GO later than that.
fn later_go<K: Hash + Eq>(
    flagged: &PlHashMap<K, i64>,
    rows: impl Iterator<Item = (K, bool, i64)>,
) -> impl Iterator<Item = K> {
    let passed = rows.filter(|(_, passed, _)| *passed);
    let later = |(key, _, time): &(K, _, i64)| flagged.get(key).is_some_and(|first| first < time);
    passed.filter(later).map(|(key, ..)| key)
}

impl Frame {
    /// The slim columns that [`Contents::flagged_in`] reads. Doubles need no flags here: the same record once
    /// more changes nothing.
    pub const LIFTED: [&'static str; 4] =
        [schema::CONTENT, schema::FAMILY, schema::OUTCOME, schema::TS];

    /// The text columns by which [`Frame::verdicts_on`] tells judges and prompts apart.
    pub const LIFTED_BY: [&'static str; 2] = [schema::MODEL, schema::PROMPT];

    /// The verdicts on some contents.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`], or texts without [`Frame::LIFTED_BY`].
    pub fn verdicts_on(
        &self,
        contents: &Contents,
        texts: &Self,
    ) -> Result<Vec<VerdictOn>, FrameError> {
        let read = || -> PolarsResult<Vec<VerdictOn>> {
            let [model, prompt] = Self::LIFTED_BY.map(|name| texts.text(name));
            let columns = [model?, prompt?];
            let judged = self.read_judged()?.filter(|(_, content, ..)| contents.has(*content));
            let verdict = |(row, content, passed, time): Verdict| VerdictOn {
                content,
                by: hash(columns.map(|column| column.get(row))),
                passed,
                time,
            };
            Ok(judged.map(verdict).collect())
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The dated GO and NO-GO on pushes whose content is known.
    fn judged(&self) -> Result<impl Iterator<Item = Verdict> + '_, FrameError> {
        self.read_judged().map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_judged(&self) -> PolarsResult<impl Iterator<Item = Verdict> + '_> {
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let contents = self.column(schema::CONTENT)?.u64()?.cont_slice()?;
        let kinds = codes(schema::FAMILY)?.iter().zip(codes(schema::OUTCOME)?);
        let times = self.column(schema::TS)?.i64()?.iter();
        let push = u32::from(Family::Push.code());
        let [go, no_go] = [Outcome::Go, Outcome::NoGo].map(|outcome| u32::from(outcome.code()));
        let rows = contents.iter().zip(kinds).zip(times).enumerate();
        Ok(rows.filter_map(move |(row, ((content, (family, outcome)), time))| {
            let decided = *outcome == go || *outcome == no_go;
            let counts = decided && *family == push && *content != 0;
            Some((row, *content, *outcome == go, time.filter(|_| counts)?))
        }))
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
