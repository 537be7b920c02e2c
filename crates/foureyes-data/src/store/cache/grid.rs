//! The sums of a window by day, box and names.

use super::collection::{Collection, Segment};
use super::{CacheError, Cached};
use crate::domain::{JudgementKind, Window};
use crate::frame::grid::Grid;
use crate::frame::{Configured, Contents, Frame};
use rayon::prelude::*;

impl Collection {
    /// Sums a window in one pass, with the units of a kind of judgement; `None` where `cancel` said so, which is asked once a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn grid(
        &self,
        of: JudgementKind,
        window: Window,
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Cached<Option<Grid>> {
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let grids = segments.into_par_iter().map(|segment| {
            if cancel() { Ok(None) } else { self.grid_of(segment, of, window).map(Some) }
        });
        let mut whole = Grid::default();
        for grid in grids.collect::<Cached<Vec<_>>>()? {
            let Some(grid) = grid else { return Ok(None) };
            whole.merge(grid);
        }
        Ok(Some(whole))
    }

    fn grid_of(&self, segment: &Segment, of: JudgementKind, window: Window) -> Cached<Grid> {
        let slim = self.slim(segment, &Frame::GRID)?;
        let texts = self.text(segment, &Frame::GRID_TEXTS)?;
        let flags = self.flags(segment)?;
        slim.grid(&texts, &flags, of, window).map_err(CacheError::frame(&self.dir))
    }

    /// Counts the contents of pushes in a window that were NO-GO first and GO later, by one judge and prompt.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn lifted(&self, window: Window) -> Cached<u64> {
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let frames = segments.par_iter().map(|segment| self.whole(segment, &Frame::LIFTED));
        let frames = frames.collect::<Cached<Vec<_>>>()?;
        let flagged = Contents::flagged(&frames, window).map_err(CacheError::frame(&self.dir))?;
        let passed = frames
            .par_iter()
            .map(|frame| flagged.passed_in(frame, window).map_err(CacheError::frame(&self.dir)));
        let passed = passed.collect::<Cached<Vec<_>>>()?;
        let contents = flagged.only(passed.into_iter().flatten());
        // Texts cost more, and mostly there is no such content.
        if contents.is_empty() {
            return Ok(0);
        }
        let verdicts = segments.par_iter().zip(&frames).map(|(segment, frame)| {
            let texts = self.text(segment, &Frame::LIFTED_BY)?;
            let verdicts = frame.verdicts_on(&contents, &texts, window);
            verdicts.map_err(CacheError::frame(&self.dir))
        });
        Ok(Contents::count(&verdicts.collect::<Cached<Vec<_>>>()?))
    }

    /// The configurations of judges in a window: see [`Frame::configured`].
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn configured(&self, window: Window) -> Cached<Vec<Configured>> {
        let segments: Vec<_> = self.segments(window).map(|(_, segment)| segment).collect();
        let of_each = segments.into_par_iter().map(|segment| {
            let frame = self.whole(segment, &Frame::CONFIGURED)?;
            frame.configured(window).map_err(CacheError::frame(&self.dir))
        });
        let of_each = of_each.collect::<Cached<Vec<_>>>()?;
        Ok(Configured::merged(of_each.into_iter().flatten()))
    }
}
