//! How far labels agree: with the judge, among reviewers, of one reviewer with himself.

use crate::calibration::Readiness;
use crate::report::calibration::agreement;
use crate::report::readiness;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "agreement";
const QUALITY: &str = "label quality";
const ERRORS: &str = "reviewer error";

/// Each kind of agreement, or that there is none and what would make some.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Agreement", "kappa, AC1, prevalence index");
    for line in agreement(&r.agreement) {
        let role = if line.known { Role::Text } else { Role::Dim };
        block.text(Row::stop(NAME, line.id), role, &sanitize(&line.text));
    }
    super::decision::conflicts(&mut block, r);
    let text = "These labels are not a random sample, so agreement does not show how often the judge errs.";
    block.text(Row::new(), Role::Dim, text);
    block
}

/// What errors of reviewers would do to the rates, and what they seem to be.
pub(super) fn errors(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Reviewer error", "decides nothing");
    let lines = readiness::reviewer_error(&r.reviewer_error);
    if lines.is_empty() {
        let text = "no error rate can be estimated yet";
        block.text(Row::stop(ERRORS, "none"), Role::Dim, text);
    }
    for (at, text) in lines.iter().enumerate() {
        let role = if at < r.reviewer_error.tipping.len() { Role::Text } else { Role::Dim };
        block.text(Row::stop(ERRORS, at.to_string()), role, &sanitize(text));
    }
    block
}

/// How the labels came about: by whom, how many blind, which words were changed.
pub(super) fn quality(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Label quality", "labels of the sample");
    for (at, text) in readiness::label_quality(r).iter().enumerate() {
        block.text(Row::stop(QUALITY, at.to_string()), Role::Text, &sanitize(text));
    }
    block
}
