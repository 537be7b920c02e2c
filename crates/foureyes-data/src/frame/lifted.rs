//! Contents that a judge passed after it had flagged them.

use super::slim::DUPLICATE;
use super::{Frame, FrameError, schema};
use crate::domain::{Family, Outcome, Timestamp, Window};
use polars::prelude::*;
use std::hash::Hash;

/// Contents that were NO-GO, and when each was it first.
pub struct Contents(PlHashMap<u64, i64>);

/// A verdict on one of them, by one judge and prompt.
pub struct VerdictOn {
    key: (u64, [Option<String>; 2]),
    outcome: Outcome,
    time: i64,
}

/// Of a row: its number, its content, what was decided on it and when.
type Judged = (usize, u64, Outcome, i64);

impl Contents {
    /// Those of pushes in a window, by whichever judge.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`] and its flags, here and below.
    pub fn flagged(frames: &[Frame], window: Window) -> Result<Self, FrameError> {
        let mut flagged = PlHashMap::new();
        for frame in frames {
            first_no_go(&mut flagged, frame.judged(window)?.map(|(_, key, o, t)| (key, o, t)));
        }
        Ok(Self(flagged))
    }

    /// Those that are GO later in a frame.
    ///
    /// # Errors
    /// As [`Contents::flagged`].
    pub fn passed_in(&self, frame: &Frame, window: Window) -> Result<Vec<u64>, FrameError> {
        let judged = frame.judged(window)?.map(|(_, key, o, t)| (key, o, t));
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

    /// How many of them one judge with one prompt passed, after it had flagged them.
    pub fn count(verdicts: &[Vec<VerdictOn>]) -> u64 {
        let rows = || verdicts.iter().flatten().map(|one| (&one.key, one.outcome, one.time));
        let mut flagged = PlHashMap::new();
        first_no_go(&mut flagged, rows());
        later_go(&flagged, rows()).collect::<PlHashSet<_>>().len() as u64
    }
}

/// Notes when each key was NO-GO first.
fn first_no_go<K: Hash + Eq>(
    flagged: &mut PlHashMap<K, i64>,
    rows: impl Iterator<Item = (K, Outcome, i64)>,
) {
    for (key, _, time) in rows.filter(|(_, outcome, _)| *outcome == Outcome::NoGo) {
        let first = flagged.entry(key).or_insert(time);
        *first = time.min(*first);
    }
}

/// The keys that are GO later than that.
fn later_go<K: Hash + Eq>(
    flagged: &PlHashMap<K, i64>,
    rows: impl Iterator<Item = (K, Outcome, i64)>,
) -> impl Iterator<Item = K> {
    let passed = rows.filter(|(_, outcome, _)| *outcome == Outcome::Go);
    let later = |(key, _, time): &(K, _, i64)| flagged.get(key).is_some_and(|first| first < time);
    passed.filter(later).map(|(key, ..)| key)
}

impl Frame {
    /// The slim columns that [`Contents::flagged`] reads, beside the flags.
    pub const LIFTED: [&'static str; 4] =
        [schema::CONTENT, schema::FAMILY, schema::OUTCOME, schema::TS];

    /// The text columns by which [`Frame::verdicts_on`] tells judges and prompts apart.
    pub const LIFTED_BY: [&'static str; 2] = [schema::MODEL, schema::PROMPT];

    /// The verdicts on some contents in a window.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`] and its flags, or texts without [`Frame::LIFTED_BY`].
    pub fn verdicts_on(
        &self,
        contents: &Contents,
        texts: &Self,
        window: Window,
    ) -> Result<Vec<VerdictOn>, FrameError> {
        let read = || -> PolarsResult<Vec<VerdictOn>> {
            let [model, prompt] = Self::LIFTED_BY.map(|name| texts.text(name));
            let columns = [model?, prompt?];
            let by = |row: usize| columns.map(|column| column.get(row).map(str::to_owned));
            let judged = self
                .read_judged(window)?
                .filter(|(_, content, ..)| contents.0.contains_key(content));
            let verdict = |(row, content, outcome, time): Judged| VerdictOn {
                key: (content, by(row)),
                outcome,
                time,
            };
            Ok(judged.map(verdict).collect())
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The dated verdicts on pushes in a window whose content is known, no doubles.
    fn judged(&self, window: Window) -> Result<impl Iterator<Item = Judged> + '_, FrameError> {
        self.read_judged(window).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_judged(&self, window: Window) -> PolarsResult<impl Iterator<Item = Judged> + '_> {
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let contents = self.column(schema::CONTENT)?.u64()?.cont_slice()?;
        let kinds = codes(schema::FAMILY)?.iter().zip(codes(schema::OUTCOME)?);
        let times = self.column(schema::TS)?.i64()?.iter();
        let doubles = self.column(DUPLICATE)?.bool()?.iter();
        let push = u32::from(Family::Push.code());
        let rows = contents.iter().zip(kinds).zip(times.zip(doubles)).enumerate();
        Ok(rows.filter_map(move |(row, ((content, (family, outcome)), (time, double)))| {
            let (time, is_push) = (time?, *family == push && double != Some(true));
            let counts = is_push && *content != 0 && window.holds(Some(Timestamp(time)));
            let outcome = Outcome::from_code(*outcome as u8).filter(|_| counts)?;
            Some((row, *content, outcome, time))
        }))
    }
}
