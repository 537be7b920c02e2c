//! How the labels came about.

use crate::calibration::Readiness;
use crate::report::readiness;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const QUALITY: &str = "label quality";

/// How the labels came about: by whom, how many blind, which words were changed.
pub(super) fn quality(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Label quality", "labels of the sample");
    for (at, text) in readiness::label_quality(r).iter().enumerate() {
        block.text(Row::stop(QUALITY, at.to_string()), Role::Text, &sanitize(text));
    }
    block
}
