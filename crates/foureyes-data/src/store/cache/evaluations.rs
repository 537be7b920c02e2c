//! The evaluations of a collection.

use super::collection::{Collection, Segment};
use super::{CacheError, Cached};
use crate::domain::{JudgementKind, Window};
use crate::frame::{EvaluationRows, Frame, LogSpan};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

impl Collection {
    /// The evaluations of a kind in each segment with its index; `None` where `cancel` said so, which is
    /// asked once a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn evaluation_rows(
        &self,
        of: JudgementKind,
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Cached<Option<Vec<(usize, EvaluationRows)>>> {
        let segments: Vec<_> = self.segments(Window::default()).collect();
        let all = segments.into_par_iter().map(|(at, segment)| {
            if cancel() {
                Ok(None)
            } else {
                self.evaluation_rows_of(of, segment).map(|rows| Some((at, rows)))
            }
        });
        // Each segment that was cancelled is none, and one is enough.
        Ok(all.collect::<Cached<Vec<_>>>()?.into_iter().collect())
    }

    /// Those of the wanted logs that hold verdicts of a kind; both by their index among
    /// [`Collection::files`].
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> Cached<BTreeMap<u32, LogSpan>> {
        let parts = self.segments.par_iter().map(|segment| {
            let frame = self.slim(segment, &Frame::LOG_SPANS)?;
            frame.log_spans(of, wanted).map_err(CacheError::frame(&self.dir))
        });
        let mut all: BTreeMap<u32, LogSpan> = BTreeMap::new();
        for (file, log) in parts.collect::<Cached<Vec<_>>>()?.into_iter().flatten() {
            all.entry(file).or_default().join(log);
        }
        Ok(all)
    }

    fn evaluation_rows_of(&self, of: JudgementKind, segment: &Segment) -> Cached<EvaluationRows> {
        let slim = self.slim(segment, &Frame::EVALUATIONS)?;
        let texts = self.text(segment, &Frame::EVALUATION_TEXTS)?;
        let flags = self.flags(segment)?;
        slim.evaluation_rows(of, &texts, &flags).map_err(CacheError::frame(&self.dir))
    }
}
