//! Rates by parts: judge, agent, team, repository, path, box, week.

use crate::calibration::{Measure, Part};
use crate::report::calibration::{difference, part_rate};
use crate::tui::model::AssessmentDetails;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::fit;

/// A block for each breakdown.
pub(super) fn blocks(all: &AssessmentDetails, width: usize, glyphs: &'static Glyphs) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (title, parts) in &all.rates {
        let title = format!("Rates by {title}");
        let mut block = Block::new(width, glyphs, &title, "labels of the sample; informational");
        if parts.is_empty() {
            block.add(Row::new().span(Role::Dim, "no evaluations in the window"));
        }
        parts.iter().for_each(|part| add_part(&mut block, part, &title));
        blocks.push(block);
    }
    blocks
}

fn add_part(block: &mut Block, part: &Part, title: &str) {
    let name = if part.name.is_empty() { "not named".to_owned() } else { sanitize(&part.name) };
    let [flagged, passed] = part.contents;
    let counts = format!("  {flagged} NO-GO, {passed} GO");
    let name = fit(&name, block.width.saturating_sub(counts.len()));
    let row = Row::stop("parts", format!("{title} {}", part.name));
    block.add(row.span(Role::Text, name).span(Role::Dim, counts));
    for rate in &part.rates {
        block.indented(if part.few { Role::Dim } else { Role::Text }, &part_rate(rate));
    }
    for one in part.comparisons.iter().filter(|one| one.differs) {
        block.indented(Role::Warning, &difference(one));
    }
    let has_rate = |id| part.rates.iter().any(|rate| rate.id == id);
    if !has_rate(Measure::FalseNegativeRate) {
        // Written out: a rate that is not there must not be taken for none.
        block.indented(Role::Dim, "FNR cannot be estimated from these labels");
    }
    if part.few {
        block.indented(Role::Warning, "too few labels to draw a conclusion");
    }
}
