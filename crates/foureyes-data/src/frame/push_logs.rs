//! Which logs hold push verdicts, and of what time.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Timestamp};
use polars::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The time of a log's push verdicts; doubles and bypasses among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PushLog {
    /// The earliest time that one names.
    pub first: Option<Timestamp>,
    /// Of those with a time the one that stands last: its byte and its time.
    pub last: Option<(u64, Timestamp)>,
}

impl PushLog {
    /// Takes what another part of the same log holds.
    pub fn join(&mut self, other: Self) {
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
    }
}

impl Frame {
    /// The columns that [`Frame::push_logs`] reads.
    pub const PUSH_LOGS: [&'static str; 4] =
        [schema::FILE, schema::BYTE, schema::TS, schema::FAMILY];

    /// Those of the wanted logs that hold push verdicts, by their index.
    ///
    /// # Errors
    /// A frame without [`Frame::PUSH_LOGS`].
    pub fn push_logs(&self, wanted: &BTreeSet<u32>) -> Result<BTreeMap<u32, PushLog>, FrameError> {
        self.read_push_logs(wanted).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_push_logs(&self, wanted: &BTreeSet<u32>) -> PolarsResult<BTreeMap<u32, PushLog>> {
        let codes = |name: &str| self.0.column(name)?.u32()?.cont_slice();
        let (file, family) = (codes(schema::FILE)?, codes(schema::FAMILY)?);
        let byte = self.0.column(schema::BYTE)?.u64()?.cont_slice()?;
        let ts = self.0.column(schema::TS)?.i64()?;
        let push = u32::from(Family::Push.code());
        let mut logs: BTreeMap<u32, PushLog> = BTreeMap::new();
        let mut from = 0;
        // Rows of a log stand together, so each run of them is looked up once.
        for rows in file.chunk_by(|a, b| a == b) {
            let run = from..from + rows.len();
            from = run.end;
            let Some(number) = rows.first().filter(|number| wanted.contains(number)) else {
                continue;
            };
            for row in run.filter(|row| family[*row] == push) {
                let first = ts.get(row).map(Timestamp);
                let last = first.map(|at| (byte[row], at));
                logs.entry(*number).or_default().join(PushLog { first, last });
            }
        }
        Ok(logs)
    }
}
