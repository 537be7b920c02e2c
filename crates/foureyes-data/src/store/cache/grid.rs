//! The sums of a window by day, box and names.

use super::collection::{Collection, Segment};
use super::{CacheError, Cached};
use crate::domain::{JudgementKind, Window};
use crate::frame::Frame;
use crate::frame::grid::Grid;
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
}
