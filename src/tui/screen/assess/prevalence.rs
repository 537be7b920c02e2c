//! How much of the content is poor, by what was flagged and how often the judge errs.

use crate::calibration::Readiness;
use crate::report::readiness;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "poor";

/// The raw share, the corrected one, and what that rests on.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Prevalence of poor content", "no KPI");
    let lines = r.prevalence.iter().flat_map(readiness::prevalence);
    for (at, text) in lines.enumerate() {
        let is_estimated = r.prevalence.as_ref().is_some_and(|p| p.estimate.is_some());
        let role = match at {
            1 if is_estimated => Role::Figure,
            1 => Role::Warning,
            0 => Role::Text,
            _ => Role::Dim,
        };
        block.text(Row::stop(NAME, at.to_string()), role, &sanitize(&text));
    }
    block
}
