//! How far labels agree: with the judge, among reviewers, of one reviewer with himself.

use crate::answers::{agreement, reviewer_error};
use crate::calibration::Readiness;
use crate::page;
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
    agreement::rows(&r.agreement).iter().for_each(|row| add(&mut block, NAME, row));
    super::decision::conflicts(&mut block, r);
    let text = "These labels are not a random sample, so agreement does not show how often the judge errs.";
    block.text(Row::new(), Role::Dim, text);
    block
}

/// What errors of reviewers would do to the rates, and what they seem to be.
pub(super) fn errors(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Reviewer error", "decides nothing");
    let lines = reviewer_error::rows(&r.reviewer_error);
    if lines.is_empty() {
        let text = "no error rate can be estimated yet";
        block.text(Row::stop(ERRORS, "none"), Role::Dim, text);
    }
    lines.iter().for_each(|row| add(&mut block, ERRORS, row));
    block
}

/// Adds a row of an answer.
pub(super) fn add(block: &mut Block, name: &'static str, row: &page::Row) {
    let role = row.parts.first().map_or(Role::Text, |part| part.role);
    let id = row.focus.as_ref().map(|focus| focus.id.clone()).unwrap_or_default();
    block.text(Row::stop(name, id), role, &sanitize(&row.text().raw()));
}

/// How the labels came about: by whom, how many blind, which words were changed.
pub(super) fn quality(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Label quality", "labels of the sample");
    for (at, text) in readiness::label_quality(r).iter().enumerate() {
        block.text(Row::stop(QUALITY, at.to_string()), Role::Text, &sanitize(text));
    }
    block
}
