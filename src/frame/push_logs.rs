//! Which logs hold push verdicts, and of what time.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Timestamp};
use polars::prelude::*;
use std::collections::BTreeMap;

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

    /// The logs that hold push verdicts, by their index.
    ///
    /// # Errors
    /// A frame without [`Frame::PUSH_LOGS`].
    pub fn push_logs(&self) -> Result<BTreeMap<u32, PushLog>, FrameError> {
        self.read_push_logs().map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_push_logs(&self) -> PolarsResult<BTreeMap<u32, PushLog>> {
        let codes = |name: &str| self.0.column(name)?.u32();
        let (file, family) = (codes(schema::FILE)?, codes(schema::FAMILY)?);
        let byte = self.0.column(schema::BYTE)?.u64()?;
        let ts = self.0.column(schema::TS)?.i64()?;
        let push = Some(u32::from(Family::Push.code()));
        let mut logs: BTreeMap<u32, PushLog> = BTreeMap::new();
        for (((file, byte), ts), family) in
            file.iter().zip(byte.iter()).zip(ts.iter()).zip(family.iter())
        {
            if let (Some(file), true) = (file, family == push) {
                let at = ts.map(Timestamp);
                let last = byte.zip(at);
                logs.entry(file).or_default().join(PushLog { first: at, last });
            }
        }
        Ok(logs)
    }
}
