//! What triage asks of the slim columns: places, tallies, keys.

use super::build::PART;
use super::fold::{Kind, RowFlags};
use super::format::write_lists;
use super::lists::List;
use super::tally::Tally;
use super::{Frame, FrameError, Keys, LogIndex, Role, Roles, grouped, schema};
use crate::domain::review::OverrideWord;
use crate::domain::{Cause, JudgementKind, RecordId, Timestamp, Window};
use polars::prelude::*;
use std::io::Write;

/// Which rows are doubles of a row elsewhere, which are repeated by a later evaluation, and which a
/// person's override in a log has settled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// The same content stands in an earlier row.
    pub duplicate: Vec<bool>,
    /// A later push evaluation of the same unit exists, or a later round of the same task run; or
    /// it is a verdict on a part of another commit's NO-GO, which is no evaluation.
    pub repeat: Vec<bool>,
    /// It ends a run of a task that an override in a log answers.
    pub settled: Vec<Option<OverrideWord>>,
    /// It ends a run of a task after which another one came to an end.
    pub overtaken: Vec<bool>,
    /// It ends a run of a task on whose rounds judges were at work for so many milliseconds, where it does not say so
    /// itself.
    pub run_latency: Vec<Option<u32>>,
}

/// Column of [`Flags::duplicate`].
pub(super) const DUPLICATE: &str = "duplicate";

impl Flags {
    /// No flag set.
    pub fn none(rows: usize) -> Self {
        let no = || vec![false; rows];
        Self {
            duplicate: no(),
            repeat: no(),
            settled: vec![None; rows],
            overtaken: no(),
            run_latency: vec![None; rows],
        }
    }

    /// Writes them as [`super::write`] does their frame.
    ///
    /// # Errors
    /// The writer's failure.
    pub fn write(&self, out: impl Write) -> Result<(), FrameError> {
        let codes = self.codes();
        write_lists(self.duplicate.len(), &self.lists(&codes), out).map_err(FrameError::Write)
    }

    /// As a frame.
    ///
    /// # Errors
    /// Lists of different lengths.
    pub fn to_frame(&self) -> Result<Frame, FrameError> {
        Frame::of_lists(self.duplicate.len(), &self.lists(&self.codes()))
    }

    /// What is settled, and the latencies of runs, as numbers.
    fn codes(&self) -> [Vec<u32>; 2] {
        let latency = |ms: &Option<u32>| ms.map_or(0, |ms| ms.saturating_add(1));
        [
            self.settled.iter().map(|word| settled_code(*word)).collect(),
            self.run_latency.iter().map(latency).collect(),
        ]
    }

    fn lists<'l>(&'l self, [settled, latency]: &'l [Vec<u32>; 2]) -> [(&'static str, List<'l>); 5] {
        [
            (DUPLICATE, List::Flags(&self.duplicate)),
            (schema::REPEAT, List::Flags(&self.repeat)),
            (schema::SETTLED, List::Codes(settled)),
            (schema::OVERTAKEN, List::Flags(&self.overtaken)),
            (schema::RUN_LATENCY, List::Codes(latency)),
        ]
    }

    /// From a frame that [`Flags::to_frame`] made.
    ///
    /// # Errors
    /// Another frame.
    pub fn of_frame(frame: &Frame) -> Result<Self, FrameError> {
        let read = || -> Polars<Self> {
            let list = |name: &str| -> Polars<Vec<bool>> {
                Ok(frame.column(name)?.bool()?.downcast_as_array().values().iter().collect())
            };
            let settled = frame.column(schema::SETTLED)?.u32()?.cont_slice()?;
            let latencies = frame.column(schema::RUN_LATENCY)?.u32()?.cont_slice()?;
            let is = |code, word| settled_code(Some(word)) == code;
            let word = |code: &u32| OverrideWord::ALL.into_iter().find(|word| is(*code, *word));
            Ok(Self {
                duplicate: list(DUPLICATE)?,
                repeat: list(schema::REPEAT)?,
                settled: settled.iter().map(word).collect(),
                overtaken: list(schema::OVERTAKEN)?,
                run_latency: latencies.iter().map(|ms| ms.checked_sub(1)).collect(),
            })
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// Those of each row.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowFlags> + '_ {
        let over = self.duplicate.iter().zip(self.repeat.iter().zip(&self.settled));
        over.zip(&self.run_latency).map(|((duplicate, (repeat, word)), latency)| RowFlags {
            duplicate: *duplicate,
            repeat: *repeat,
            settled: word.is_some(),
            run_latency: *latency,
        })
    }

    /// Adds those of rows that come after these.
    pub fn extend(&mut self, more: Self) {
        self.duplicate.extend(more.duplicate);
        self.repeat.extend(more.repeat);
        self.settled.extend(more.settled);
        self.overtaken.extend(more.overtaken);
        self.run_latency.extend(more.run_latency);
    }
}

/// A word in the column [`schema::SETTLED`].
pub(super) fn settled_code(word: Option<OverrideWord>) -> u32 {
    match word {
        None => 0,
        Some(OverrideWord::Accept) => 1,
        Some(OverrideWord::Reject) => 2,
    }
}

/// Where the bytes of a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The record.
    pub id: RecordId,
    /// Index of the part of a file.
    pub part: u32,
    /// Line in the part, from 1.
    pub line: u64,
    /// Offset in the part.
    pub byte: u64,
    /// Length in bytes.
    pub len: u64,
    /// When, in microseconds since 1970.
    pub ts: Option<i64>,
}

type Polars<T> = Result<T, PolarsError>;

/// The slim columns as slices.
struct View<'a> {
    ts: &'a Int64Chunked,
    family: &'a [u32],
    outcome: &'a [u32],
    cause: &'a [u32],
    evaluation: &'a [u32],
    reports_outages: &'a BooleanChunked,
    latency: &'a Int64Chunked,
}

impl<'a> View<'a> {
    fn new(frame: &'a Frame) -> Polars<Self> {
        let codes = |name: &str| frame.column(name)?.u32()?.cont_slice();
        Ok(Self {
            ts: frame.column(schema::TS)?.i64()?,
            family: codes(schema::FAMILY)?,
            outcome: codes(schema::OUTCOME)?,
            cause: codes(schema::CAUSE)?,
            evaluation: codes(schema::EVALUATION)?,
            reports_outages: frame.column(schema::REPORTS_OUTAGES)?.bool()?,
            latency: frame.column(schema::LATENCY)?.i64()?,
        })
    }
}

impl Frame {
    /// The columns that [`Frame::tally`] reads.
    pub const TALLY: [&'static str; 7] = [
        schema::TS,
        schema::FAMILY,
        schema::OUTCOME,
        schema::CAUSE,
        schema::EVALUATION,
        schema::REPORTS_OUTAGES,
        schema::LATENCY,
    ];

    /// Counts the rows of a window that are no doubles.
    ///
    /// # Errors
    /// A frame without [`Frame::TALLY`].
    pub fn tally(&self, flags: &Flags, window: Window) -> Result<Tally, FrameError> {
        let view = View::new(self).map_err(|e| FrameError::Read(Box::new(e)))?;
        let mut tally = Tally::default();
        let columns = view.family.iter().zip(view.outcome).zip(view.cause);
        let calls = view.latency.iter().zip(view.reports_outages.iter());
        let dated = view.ts.iter().zip(view.evaluation.iter().zip(calls));
        let flags = flags.rows();
        let of_group = |e| FrameError::Read(Box::new(e));
        let times = grouped::times(self).map_err(of_group)?;
        let times = times.into_iter().zip(grouped::timed(self).map_err(of_group)?);
        for (
            row,
            ((((codes, cause), (ts, (evaluation, (latency, reports)))), flags), (times, timed)),
        ) in columns.zip(dated).zip(flags).zip(times).enumerate()
        {
            let time = ts.map(Timestamp);
            if flags.duplicate || !window.holds(time) {
                continue;
            }
            let kind = Kind::classify((*codes.0, *codes.1, *cause), flags);
            tally.add(kind, times);
            if *evaluation == 0 && kind.is_unfinished() {
                tally.unfinished += times;
            }
            if let Some(of) = JudgementKind::from_code(*evaluation).filter(|_| !flags.repeat) {
                let own = latency.and_then(|ms| u64::try_from(ms).ok());
                let latency = flags.run_latency.map(u64::from).or(own);
                let reports = reports == Some(true);
                let units = tally.units.get_mut(of);
                units.add(kind.outcome, kind.cause, reports, times);
                units.add_latency(latency, timed);
            }
            if kind.is_flagged() && times > 0 {
                tally.flagged_total += times;
                tally.flagged.push((ts.unwrap_or(i64::MIN), row as u32));
            }
        }
        Ok(tally)
    }

    /// The columns that [`Frame::beyond`] reads.
    pub const BEYOND: [&'static str; 6] =
        [schema::TS, schema::FAMILY, schema::OUTCOME, schema::CAUSE, schema::FILE, schema::BYTE];

    /// Counts the rows of a window, no doubles, that stand beyond the offset given for their
    /// file, and the flagged ones among them.
    ///
    /// # Errors
    /// A frame without [`Frame::BEYOND`].
    pub fn beyond(
        &self,
        flags: &Flags,
        window: Window,
        reached: &[u64],
    ) -> Result<(u64, u64), FrameError> {
        let count = || -> Polars<(u64, u64)> {
            let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
            let kinds = codes(schema::OUTCOME)?.iter().zip(codes(schema::CAUSE)?);
            let bytes = self.column(schema::BYTE)?.u64()?.cont_slice()?;
            let places = codes(schema::FILE)?.iter().zip(bytes);
            let ts = self.column(schema::TS)?.i64()?;
            let families = codes(schema::FAMILY)?.iter();
            let flags = flags.rows();
            let mut sum = (0, 0);
            for (((((file, byte), (outcome, cause)), family), ts), flags) in
                places.zip(kinds).zip(families).zip(ts.iter()).zip(flags)
            {
                let known = reached.get(*file as usize).is_some_and(|end| byte < end);
                if known || flags.duplicate || !window.holds(ts.map(Timestamp)) {
                    continue;
                }
                sum.0 += 1;
                sum.1 += u64::from(Kind::classify((*family, *outcome, *cause), flags).is_flagged());
            }
            Ok(sum)
        };
        count().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The columns that [`Frame::keys`] reads.
    pub const KEYS: [&'static str; 14] = [
        schema::ID[0],
        schema::ID[1],
        schema::BOX,
        schema::TS,
        schema::CAUSE,
        schema::EVALUATION,
        schema::UNIT,
        schema::ROUND,
        schema::RUN,
        schema::JUDGE,
        schema::ROLE,
        schema::LATENCY,
        schema::FILE,
        schema::BYTE,
    ];

    /// What decides on doubles and repeats.
    ///
    /// # Errors
    /// A frame that is not slim.
    pub fn keys(&self) -> Result<Keys, FrameError> {
        self.read_keys().map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_keys(&self) -> Polars<Keys> {
        let words = |name: &str| self.column(name)?.u64()?.cont_slice();
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let id = words(schema::ID[0])?.iter().zip(words(schema::ID[1])?);
        let evaluations = codes(schema::EVALUATION)?;
        let causes = codes(schema::CAUSE)?;
        let roles = codes(schema::ROLE)?.iter().zip(codes(schema::ROUND)?);
        let asked = words(schema::RUN)?.iter().zip(words(schema::JUDGE)?);
        let asked = asked.zip(self.column(schema::LATENCY)?.i64()?.iter());
        let role: Roles = roles
            .zip(causes.iter().zip(asked))
            .map(|((role, round), (cause, ((run, entry), latency)))| {
                let round = (*round, Cause::from_code(*cause as u8), *run, latency);
                Role::from_code(*role, round, (*entry, *run))
            })
            .collect();
        let units = words(schema::UNIT)?;
        let unit = units.iter().zip(evaluations).zip(role.iter());
        let parts = units.iter().zip(causes);
        let logs = codes(schema::BOX)?.iter().zip(codes(schema::FILE)?);
        Ok(Keys {
            id: id.map(|(a, b)| u128::from(*a) << 64 | u128::from(*b)).collect(),
            unit: unit
                .map(|((unit, evaluation), role)| {
                    (*evaluation > 0 || role != Role::None).then_some(*unit)
                })
                .collect(),
            part_of: parts
                .map(|(unit, cause)| *unit == PART && !Cause::is_code_without_judge(*cause))
                .collect(),
            role,
            ts: self.column(schema::TS)?.i64()?.iter().collect(),
            logs: logs.map(|(on, file)| LogIndex { box_index: *on, file: *file }).collect(),
            byte: words(schema::BYTE)?.to_vec(),
        })
    }

    /// The columns that [`Frame::places`] reads.
    pub const PLACES: [&'static str; 9] = [
        schema::ID[0],
        schema::ID[1],
        schema::ID[2],
        schema::ID[3],
        schema::FILE,
        schema::LINE,
        schema::BYTE,
        schema::LEN,
        schema::TS,
    ];

    /// Where the bytes of rows are.
    ///
    /// # Errors
    /// A frame that is not slim, or a row beyond its end.
    pub fn places(&self, rows: &[u32]) -> Result<Vec<Place>, FrameError> {
        self.read_places(rows).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_places(&self, rows: &[u32]) -> Polars<Vec<Place>> {
        let words = |name: &str| self.column(name)?.u64()?.cont_slice();
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let id = [words("id0")?, words("id1")?, words("id2")?, words("id3")?];
        let (part, line, byte, len) =
            (codes(schema::FILE)?, codes(schema::LINE)?, words(schema::BYTE)?, codes(schema::LEN)?);
        let ts = self.column(schema::TS)?.i64()?;
        let place = |row: usize| {
            let mut words = [0; 4];
            for (word, column) in words.iter_mut().zip(id) {
                *word = *column.get(row)?;
            }
            Some(Place {
                id: RecordId::from_words(words),
                part: *part.get(row)?,
                line: u64::from(*line.get(row)?),
                byte: *byte.get(row)?,
                len: u64::from(*len.get(row)?),
                ts: ts.get(row),
            })
        };
        let beyond = || polars_err!(OutOfBounds: "a row beyond the end of the frame");
        rows.iter().map(|row| place(*row as usize).ok_or_else(beyond)).collect()
    }
}
