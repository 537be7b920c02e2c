//! How much of the content is poor: of what was flagged and how often the judge errs.

use crate::answers::prevalence;
use crate::calibration::Readiness;
use crate::tui::page::row::Block;
use crate::tui::theme::Glyphs;

const NAME: &str = "poor";

/// The raw share, the corrected one, and what that rests on.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, prevalence::TITLE, "no KPI");
    let rows = r.prevalence.iter().flat_map(prevalence::rows);
    rows.for_each(|row| super::agreement::add(&mut block, NAME, &row));
    block
}
