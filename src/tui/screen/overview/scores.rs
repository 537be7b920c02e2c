//! The three scores: their means over time, and how often each was given.

use crate::overview::{ScoreStrip, What};
use crate::report::number;
use crate::tui::page::drill_down::{Documents, DrillDown};
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "scores";

/// Columns of names and means.
const LABEL: usize = 11;

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let Some(all) = documents.breakdowns else { return Vec::new() };
    let more = "mean (1-5) and distribution";
    let mut block = Block::new(width, glyphs, "Scores", more);
    for (at, strip) in all.scores.iter().enumerate() {
        block.add(means(strip, width, glyphs));
        block.add(histogram(at, strip, width, glyphs));
    }
    vec![block]
}

fn means(strip: &ScoreStrip, width: usize, glyphs: &'static Glyphs) -> Row {
    let name = strip.dimension.as_str();
    let mean = match strip.mean.estimate {
        Some(mean) => format!("{} n {}", number::mean(mean), strip.mean.n),
        None => "none, n 0".to_owned(),
    };
    let row = Row::stop(NAME, name).span(Role::Text, name).pad_to(LABEL).span(Role::Figure, mean);
    let mut row = row.span(Role::Text, "  ");
    let room = width.saturating_sub(row.used());
    let skip = strip.means.len().saturating_sub(room);
    let wide = if room >= 2 * strip.means.len() { " " } else { "" };
    for (bar, mean) in strip.means.iter().enumerate().skip(skip) {
        let sign = glyphs.spark(mean.estimate.map(|m| (m - 1.0) / 4.0));
        let role = if mean.n == 0 { Role::Dim } else { Role::Gauge };
        row = row.cell(role, sign, DrillDown::Bar(bar, What::Scored(strip.dimension)));
        row = row.span(Role::Text, wide);
    }
    row.first(strip.means.len().saturating_sub(skip + 1))
}

fn histogram(at: usize, strip: &ScoreStrip, width: usize, glyphs: &'static Glyphs) -> Row {
    let most = strip.histogram.iter().map(|b| b.count).max().unwrap_or(0).max(1);
    let digits = most.to_string().len();
    let label = if width >= 50 { LABEL } else { 0 };
    let each = (width.saturating_sub(label) / 5).clamp(5, 16);
    let bar = each.saturating_sub(digits + 5);
    let mut row = Row::stop(NAME, format!("{} histogram", strip.dimension.as_str())).pad_to(label);
    for (score, bin) in strip.histogram.iter().enumerate() {
        let column = label + score * each;
        let drawn = glyphs.bar(bin.count as f64 / most as f64, bar as u16);
        row = row.pad_to(column).span(Role::Dim, format!("{} ", bin.score));
        let gap = if drawn.is_empty() { "" } else { " " };
        row = row.span(Role::Gauge, drawn).span(Role::Text, gap);
        row = row.cell(Role::Text, bin.count.to_string(), DrillDown::Bin(at, score));
    }
    row
}
