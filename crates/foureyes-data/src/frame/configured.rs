//! How the judges of boxes were asked.

use super::hashes::asked;
use super::slim::DUPLICATE;
use super::{Frame, FrameError, schema};
use crate::domain::{Family, Timestamp, Window};
use polars::prelude::*;

/// The records of one box that one configuration of a judge made, or one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configured {
    /// Index of the box.
    pub box_index: u32,
    /// The configuration, as [`schema::JUDGE`] names it; the question in the same way, [`Configured::name`].
    pub judge: u64,
    /// Its records with a time.
    pub records: u64,
    /// The time of the first.
    pub first: Timestamp,
    /// The time of the last.
    pub last: Timestamp,
}

impl Configured {
    /// The name of a configuration or a question with this hash: its first 16 digits as a number.
    pub fn name(sha: &str) -> u64 {
        asked(Some(sha))
    }

    /// Those of several frames together: by box, in the order of their first record.
    pub fn merged(parts: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut all: PlHashMap<(u32, u64), Self> = PlHashMap::new();
        for part in parts {
            let none = Self { records: 0, ..part };
            let one = all.entry((part.box_index, part.judge)).or_insert(none);
            one.records += part.records;
            (one.first, one.last) = (one.first.min(part.first), one.last.max(part.last));
        }
        let mut all: Vec<Self> = all.into_values().collect();
        all.sort_unstable_by_key(|c| (c.box_index, c.first, c.last, c.judge));
        all
    }
}

impl Frame {
    /// The columns that [`Frame::configured`] reads, beside the flags.
    pub const CONFIGURED: [&'static str; 4] =
        [schema::BOX, schema::TS, schema::FAMILY, schema::JUDGE];

    /// The configurations of judges that made the push records of a window, no doubles.
    ///
    /// # Errors
    /// A frame without [`Frame::CONFIGURED`] and its flags.
    pub fn configured(&self, window: Window) -> Result<Vec<Configured>, FrameError> {
        self.read_configured(window).map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The columns that [`Frame::questions`] reads, beside the flags.
    pub const QUESTIONS: [&'static str; 4] =
        [schema::BOX, schema::TS, schema::FAMILY, schema::PROMPT];

    /// The questions (`prompt_sha`) of the push records of a window, no doubles.
    ///
    /// # Errors
    /// A frame without [`Frame::QUESTIONS`] and its flags.
    pub fn questions(&self, window: Window) -> Result<Vec<Configured>, FrameError> {
        let read = || -> PolarsResult<Vec<Configured>> {
            let prompts = self.text(schema::PROMPT)?;
            // A log has the same one line after line.
            let mut last: (Option<&str>, u64) = (None, 0);
            let names = (0..prompts.len()).map(|row| {
                let prompt = prompts.get(row);
                if prompt != last.0 {
                    last = (prompt, asked(prompt));
                }
                last.1
            });
            self.of_pushes(names, window)
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_configured(&self, window: Window) -> PolarsResult<Vec<Configured>> {
        let judges = self.column(schema::JUDGE)?.u64()?.cont_slice()?;
        self.of_pushes(judges.iter().copied(), window)
    }

    fn of_pushes(
        &self,
        judges: impl Iterator<Item = u64>,
        window: Window,
    ) -> PolarsResult<Vec<Configured>> {
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let kinds = codes(schema::BOX)?.iter().zip(codes(schema::FAMILY)?);
        let times = self.column(schema::TS)?.i64()?.iter();
        let doubles = self.column(DUPLICATE)?.bool()?.iter();
        let push = u32::from(Family::Push.code());
        let rows = judges.zip(kinds).zip(times.zip(doubles));
        let counted = rows.filter_map(|((judge, (box_index, family)), (time, double))| {
            let time = time.map(Timestamp).filter(|time| window.holds(Some(*time)))?;
            let counts = judge != 0 && *family == push && double != Some(true);
            let box_index = *box_index;
            counts.then_some(Configured { box_index, judge, records: 1, first: time, last: time })
        });
        Ok(Configured::merged(counted))
    }
}
