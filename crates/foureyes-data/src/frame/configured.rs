//! How the judges of boxes were asked.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Timestamp, Window};
use polars::prelude::*;
use std::collections::HashMap;

/// The records of one box that one configuration of a judge made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configured {
    /// Index of the box.
    pub box_index: u32,
    /// The configuration, as [`schema::JUDGE`] names it.
    pub judge: u64,
    /// Its records with a time.
    pub records: u64,
    /// The time of the first.
    pub first: Timestamp,
    /// The time of the last.
    pub last: Timestamp,
}

impl Frame {
    /// The columns that [`Frame::configured`] reads.
    pub const CONFIGURED: [&'static str; 4] =
        [schema::BOX, schema::TS, schema::FAMILY, schema::JUDGE];

    /// The configurations of judges that made the push records of a window: by box, in the order of
    /// their first record.
    ///
    /// # Errors
    /// A frame without [`Frame::CONFIGURED`].
    pub fn configured(&self, window: Window) -> Result<Vec<Configured>, FrameError> {
        self.read_configured(window).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_configured(&self, window: Window) -> PolarsResult<Vec<Configured>> {
        let codes = |name: &str| self.0.column(name)?.u32();
        let (boxes, family) = (codes(schema::BOX)?, codes(schema::FAMILY)?);
        let ts = self.0.column(schema::TS)?.i64()?;
        let judge = self.0.column(schema::JUDGE)?.u64()?;
        let push = Some(u32::from(Family::Push.code()));
        let mut all: HashMap<(u32, u64), Configured> = HashMap::new();
        for at in 0..self.len() {
            let (Some(box_index), Some(judge), Some(time)) =
                (boxes.get(at), judge.get(at), ts.get(at).map(Timestamp))
            else {
                continue;
            };
            if judge == 0 || family.get(at) != push || !window.holds(Some(time)) {
                continue;
            }
            let new = Configured { box_index, judge, records: 0, first: time, last: time };
            let one = all.entry((box_index, judge)).or_insert(new);
            one.records += 1;
            (one.first, one.last) = (one.first.min(time), one.last.max(time));
        }
        let mut all: Vec<Configured> = all.into_values().collect();
        all.sort_unstable_by_key(|c| (c.box_index, c.first, c.last, c.judge));
        Ok(all)
    }
}
