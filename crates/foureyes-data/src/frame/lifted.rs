//! Contents that a judge passed after it had flagged them.

use super::{Frame, FrameError, schema};
use crate::domain::{Family, Outcome, Timestamp, Window};
use polars::prelude::*;
use std::collections::{HashMap, HashSet};

impl Frame {
    /// The slim columns that [`Frame::lifted`] reads.
    pub const LIFTED: [&'static str; 4] =
        [schema::CONTENT, schema::FAMILY, schema::OUTCOME, schema::TS];

    /// The text columns by which it tells judges and prompts apart, where the frame has them.
    pub const LIFTED_BY: [&'static str; 2] = [schema::MODEL, schema::PROMPT];

    /// Counts the contents of pushes in a window that were NO-GO first and GO later, by one judge and
    /// prompt. Without [`Frame::LIFTED_BY`], by whichever.
    ///
    /// # Errors
    /// A frame without [`Frame::LIFTED`].
    pub fn lifted(&self, window: Window) -> Result<u64, FrameError> {
        self.count_lifted(window).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn count_lifted(&self, window: Window) -> PolarsResult<u64> {
        let codes = |name: &str| self.0.column(name)?.u32();
        let content = self.0.column(schema::CONTENT)?.u64()?;
        let (family, outcome) = (codes(schema::FAMILY)?, codes(schema::OUTCOME)?);
        let ts = self.0.column(schema::TS)?.i64()?;
        let text = |name: &str| self.0.column(name).ok().and_then(|column| column.str().ok());
        let [model, prompt] = Self::LIFTED_BY.map(text);
        let push = u32::from(Family::Push.code());
        let row = |at: usize| {
            let time = ts.get(at)?;
            let is_push = family.get(at) == Some(push) && window.holds(Some(Timestamp(time)));
            let content = content.get(at).filter(|content| is_push && *content != 0)?;
            let by = [model, prompt].map(|column| column.and_then(|column| column.get(at)));
            Some(((content, by), Outcome::from_code(outcome.get(at)? as u8)?, time))
        };
        let rows = || (0..self.len()).filter_map(row);
        let mut flagged: HashMap<_, i64> = HashMap::new();
        for (key, _, time) in rows().filter(|(_, outcome, _)| *outcome == Outcome::NoGo) {
            let first = flagged.entry(key).or_insert(time);
            *first = time.min(*first);
        }
        let passed = rows().filter(|(_, outcome, _)| *outcome == Outcome::Go);
        let later = |(key, _, time): &(_, _, i64)| flagged.get(key).is_some_and(|no| no < time);
        let lifted: HashSet<_> = passed.filter(later).map(|(key, _, _)| key).collect();
        Ok(lifted.len() as u64)
    }
}
