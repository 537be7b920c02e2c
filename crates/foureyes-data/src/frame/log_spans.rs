//! Where rows stand in the logs, and which logs hold verdicts of a kind.

use super::{Frame, FrameError, schema};
use crate::domain::{JudgementKind, Timestamp};
use polars::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The time of a log's verdicts of a kind; doubles and bypasses among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogSpan {
    /// The earliest time that one names.
    pub first: Option<Timestamp>,
    /// Of those with a time the one that stands last: its byte and its time.
    pub last: Option<(u64, Timestamp)>,
}

impl LogSpan {
    /// Takes what another part of the same log holds.
    pub fn join(&mut self, other: Self) {
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
    }
}

impl Frame {
    /// The columns that [`Frame::offsets`] reads.
    pub const OFFSETS: [&'static str; 2] = [schema::FILE, schema::BYTE];

    /// Of each row the index of its log and its byte there.
    ///
    /// # Errors
    /// A frame without [`Frame::OFFSETS`].
    pub fn offsets(&self) -> Result<Vec<(u32, u64)>, FrameError> {
        let find = || -> PolarsResult<Vec<(u32, u64)>> {
            let parts = self.column(schema::FILE)?.u32()?.cont_slice()?;
            let bytes = self.column(schema::BYTE)?.u64()?.cont_slice()?;
            Ok(parts.iter().copied().zip(bytes.iter().copied()).collect())
        };
        find().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The columns that [`Frame::log_spans`] reads.
    pub const LOG_SPANS: [&'static str; 4] =
        [schema::FILE, schema::BYTE, schema::TS, schema::FAMILY];

    /// Those of the wanted logs that hold verdicts of a kind, by their index.
    ///
    /// # Errors
    /// A frame without [`Frame::LOG_SPANS`].
    pub fn log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> Result<BTreeMap<u32, LogSpan>, FrameError> {
        self.read_log_spans(of, wanted).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> PolarsResult<BTreeMap<u32, LogSpan>> {
        let codes = |name: &str| self.column(name)?.u32()?.cont_slice();
        let (file, family) = (codes(schema::FILE)?, codes(schema::FAMILY)?);
        let byte = self.column(schema::BYTE)?.u64()?.cont_slice()?;
        let ts = self.column(schema::TS)?.i64()?;
        let codes: Vec<u32> = of.families().map(|family| u32::from(family.code())).collect();
        let mut logs: BTreeMap<u32, LogSpan> = BTreeMap::new();
        let mut from = 0;
        // Rows of a log stand together, so each run of them is looked up once.
        for rows in file.chunk_by(|a, b| a == b) {
            let run = from..from + rows.len();
            from = run.end;
            let Some(number) = rows.first().filter(|number| wanted.contains(number)) else {
                continue;
            };
            for row in run.filter(|row| codes.contains(&family[*row])) {
                let first = ts.get(row).map(Timestamp);
                let last = first.map(|at| (byte[row], at));
                logs.entry(*number).or_default().join(LogSpan { first, last });
            }
        }
        Ok(logs)
    }
}
