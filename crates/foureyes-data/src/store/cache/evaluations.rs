//! The evaluations of a collection.

use super::archive::Archive;
use super::collection::{Collection, Segment};
use super::shared::EvaluationParts;
use super::{CacheError, Cached};
use crate::domain::{JudgementKind, Window};
use crate::frame::{EvaluationRows, Frame, LogSpan};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

impl Collection {
    /// Hands over the evaluations of a kind, those of a segment at a time with its index; `None` where `cancel`
    /// said so, which is asked once a segment. No more segments are read at once than there are threads.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn each_evaluation_rows(
        &self,
        of: JudgementKind,
        cancel: &(dyn Fn() -> bool + Sync),
        mut take: impl FnMut(usize, EvaluationRows),
    ) -> Cached<Option<()>> {
        let segments: Vec<_> = self.segments(Window::default()).collect();
        for some in segments.chunks(rayon::current_num_threads()) {
            let read = some.par_iter().map(|(at, segment)| {
                if cancel() {
                    return Ok(None);
                }
                self.evaluation_rows_of(of, segment).map(|rows| Some((*at, rows)))
            });
            for rows in read.collect::<Cached<Vec<_>>>()? {
                let Some((at, rows)) = rows else { return Ok(None) };
                take(at, rows);
            }
        }
        Ok(Some(()))
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
        // Whoever asks keeps what is made of them.
        let slim = self.slim_once(segment, &Frame::EVALUATIONS)?;
        let texts = self.text(segment, &Frame::EVALUATION_TEXTS)?;
        let flags = self.flags(segment)?;
        slim.evaluation_rows(of, &texts, &flags).map_err(CacheError::frame(&self.dir))
    }
}

impl Archive {
    /// The evaluations of a kind, part after part; `None` where they are on this machine.
    ///
    /// # Errors
    /// A store that does not answer.
    pub fn evaluation_parts(
        &self,
        of: JudgementKind,
    ) -> Cached<Option<Box<dyn EvaluationParts + '_>>> {
        self.store().map(|store| store.evaluation_parts(of)).transpose()
    }
}
