//! How far labels agree: with the judge, among reviewers, of one reviewer with himself.

use crate::calibration::Readiness;
use crate::report::calibration::agreement;
use crate::tui::screen::overview::row::{Block, Row, outside};
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "agreement";

/// Each kind of agreement, or that there is none and what would make some.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Agreement", "kappa, AC1, prevalence index");
    for told in agreement(&r.agreement) {
        let role = if told.known { Role::Text } else { Role::Dim };
        block.text(Row::stop(NAME, told.id), role, &outside(&told.text));
    }
    super::decision::conflicts(&mut block, r);
    let text = "Labels are no random sample: agreement says nothing on how often the judge errs.";
    block.text(Row::new(), Role::Dim, text);
    block
}
