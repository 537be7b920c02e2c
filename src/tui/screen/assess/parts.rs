//! Rates by parts, and drift.

use crate::calibration::Part;
use crate::report::number;
use crate::tui::model::Assessed;
use crate::tui::screen::overview::row::{Block, Row, outside};
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::fit;

/// A block for each breakdown, and one for drift.
pub(super) fn blocks(assessed: &Assessed, width: usize, glyphs: &'static Glyphs) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !assessed.drift.is_empty() {
        let mut block = Block::new(width, glyphs, "Drift", "scores per week");
        for (at, text) in assessed.drift.iter().enumerate() {
            block.text(Row::stop("drift", at.to_string()), Role::Text, &outside(text));
        }
        blocks.push(block);
    }
    for (title, parts) in &assessed.breakdowns {
        let title = format!("Rates by {title}");
        let mut block = Block::new(width, glyphs, &title, "labels of the sample; decides nothing");
        if parts.is_empty() {
            block.add(Row::new().say(Role::Dim, "no evaluation in the window"));
        }
        parts.iter().for_each(|part| one(&mut block, part, &title));
        blocks.push(block);
    }
    blocks
}

fn one(block: &mut Block, part: &Part, title: &str) {
    let name = if part.name.is_empty() { "not named".to_owned() } else { outside(&part.name) };
    let [flagged, passed] = part.contents;
    let counts = format!("  {flagged} NO-GO, {passed} GO");
    let name = fit(&name, block.width.saturating_sub(counts.len()));
    let row = Row::stop("parts", format!("{title} {}", part.name));
    block.add(row.say(Role::Text, name).say(Role::Dim, counts));
    for rate in &part.rates {
        let ends = number::share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
        let labels = number::counted(rate.labels, "label", "labels");
        let share = number::percent(rate.estimate);
        let text = format!("  {} {share}, {ends}, {labels}", rate.id.definition().to_uppercase());
        block.text(Row::new(), if part.few { Role::Dim } else { Role::Text }, &text);
    }
    if part.few {
        block.text(Row::new(), Role::Warning, "  too few labels to read anything off it");
    }
}
