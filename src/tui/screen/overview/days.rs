//! Outcomes over time: a bar a day, week or month.

use crate::overview::{Bar, Days, Part, Step, What};
use crate::tui::page::drill_down::{Documents, DrillDown, OutsideBars};
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "days";

/// Bars with a row each, the newest ones; what is older shares one row.
const ROWS: usize = 14;
/// Columns of the longest bar.
const LONGEST: usize = 60;

const COUNTS: [(&str, What); 4] = [
    ("GO", What::Go),
    ("NO-GO", What::NoGo),
    ("UNDET", What::Undetermined),
    ("flagged", What::Flagged),
];

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let Some(days) = documents.breakdowns.map(|b| &b.days) else {
        let mut block = Block::new(width, glyphs, "Outcomes", "");
        block.add(Row::new().span(Role::Dim, "counting…"));
        return vec![block];
    };
    let title = match days.step {
        Step::Day => "Outcomes per day",
        Step::Week => "Outcomes per week, from Monday",
        Step::Month => "Outcomes per month",
    };
    let mut block = Block::new(width, glyphs, title, "all kinds of verdict");
    let widths = ColumnWidths::fit(documents, days, width);
    block.add(head(&widths, glyphs));
    for (place, part) in
        [OutsideBars::Later].into_iter().filter_map(|p| Some((p, documents.outside_bars(p)?)))
    {
        block.add(outside_row(place, part, &widths));
    }
    for (at, bar) in days.bars.iter().enumerate().rev().take(ROWS) {
        block.add(row(at, bar, days.step, &widths, glyphs));
    }
    older(&mut block, days);
    for place in [OutsideBars::Earlier, OutsideBars::Undated] {
        if let Some(part) = documents.outside_bars(place) {
            block.add(outside_row(place, part, &widths));
        }
    }
    vec![block]
}

/// Columns of a row.
struct ColumnWidths {
    label: usize,
    bar: usize,
    counts: [usize; 4],
    /// Verdicts of the longest bar.
    most: u64,
}

impl ColumnWidths {
    fn fit(documents: &Documents<'_>, days: &Days, width: usize) -> Self {
        let outside = [OutsideBars::Earlier, OutsideBars::Later, OutsideBars::Undated];
        let outside = outside.into_iter().filter_map(|p| documents.outside_bars(p));
        let all: Vec<&Part> = days.bars.iter().map(|b| &b.part).chain(outside).collect();
        let counts = COUNTS.map(|(head, what)| {
            let digits = all.iter().map(|p| p.count(what).to_string().len()).max().unwrap_or(1);
            digits.max(head.len()) + 1
        });
        let label = if days.step == Step::Month { 8 } else { 6 };
        let used = label + counts.iter().sum::<usize>();
        let bar = width.saturating_sub(used).min(LONGEST);
        let most = days.bars.iter().map(|b| verdicts(&b.part)).max().unwrap_or(0);
        Self { label, bar: if bar < 4 { 0 } else { bar }, counts, most }
    }
}

fn verdicts(part: &Part) -> u64 {
    part.sums.go + part.sums.no_go + part.sums.undetermined
}

/// The pieces of a bar: GO, NO-GO, UNDETERMINED.
fn pieces(glyphs: &'static Glyphs) -> [(Role, &'static str, &'static str); 3] {
    [
        (Role::Go, glyphs.heat(Some(0.3)), "GO"),
        (Role::NoGo, glyphs.heat(Some(1.0)), "NO-GO"),
        (Role::Undetermined, glyphs.heat(Some(0.5)), "UNDET"),
    ]
}

/// What the pieces of a bar mean, and the heads of the counts.
fn head(widths: &ColumnWidths, glyphs: &'static Glyphs) -> Row {
    let legend: usize =
        pieces(glyphs).iter().map(|(_, g, word)| g.chars().count() + word.len() + 2).sum();
    let mut row = Row::new().pad_to(widths.label);
    if legend <= widths.bar {
        for (role, piece, word) in pieces(glyphs) {
            row = row.span(role, piece).span(Role::Dim, format!(" {word} "));
        }
    }
    row = row.pad_to(widths.label + widths.bar);
    for ((head, _), width) in COUNTS.into_iter().zip(widths.counts) {
        row = row.span(Role::Dim, format!("{head:>width$}"));
    }
    row
}

fn row(at: usize, bar: &Bar, step: Step, widths: &ColumnWidths, glyphs: &'static Glyphs) -> Row {
    let day = crate::domain::Timestamp::of_day(bar.span.first).day_text();
    let label: String = match step {
        Step::Day | Step::Week => day.chars().skip(5).collect(),
        Step::Month => day.chars().take(7).collect(),
    };
    let mut row = Row::stop(NAME, day).span(Role::Text, label).pad_to(widths.label);
    if bar.part.is_silent() {
        row = row.span(Role::Dim, if widths.bar > 0 { glyphs.nothing } else { "" });
    } else if widths.bar > 0 {
        let sums = &bar.part.sums;
        let lengths = stack([sums.go, sums.no_go, sums.undetermined], widths.most, widths.bar - 1);
        for ((role, piece, _), length) in pieces(glyphs).into_iter().zip(lengths) {
            row = row.span(role, piece.repeat(length));
        }
    }
    row = row.pad_to(widths.label + widths.bar);
    counts(row, &bar.part, widths, |what| DrillDown::Bar(at, what))
}

/// The four counts, each leading to its records; what is flagged is selected first.
fn counts(
    mut row: Row,
    part: &Part,
    widths: &ColumnWidths,
    drill_down: impl Fn(What) -> DrillDown,
) -> Row {
    for ((_, what), width) in COUNTS.into_iter().zip(widths.counts) {
        let count = part.count(what);
        let text = count.to_string();
        let role = match what {
            _ if count == 0 => Role::Dim,
            What::NoGo => Role::NoGo,
            What::Undetermined => Role::Undetermined,
            What::Go => Role::Go,
            _ => Role::Figure,
        };
        row = row.span(Role::Text, " ".repeat(width.saturating_sub(text.len())));
        row = row.cell(role, text, drill_down(what));
    }
    row.first(COUNTS.len() - 1)
}

fn outside_row(place: OutsideBars, part: &Part, widths: &ColumnWidths) -> Row {
    let role = if place == OutsideBars::Later { Role::Warning } else { Role::Text };
    let room = (widths.label + widths.bar).saturating_sub(1);
    let label = crate::tui::widget::fit(place.label(), room);
    let row = Row::stop(NAME, place.label()).span(role, label).pad_to(widths.label + widths.bar);
    counts(row, part, widths, |what| DrillDown::Outside(place, what))
}

/// Bars that have no row of their own: a cell each, as dark as much is flagged.
fn older(block: &mut Block, days: &Days) {
    let count = days.bars.len().saturating_sub(ROWS);
    if count == 0 {
        return;
    }
    let label = "older ";
    let room = block.width.saturating_sub(label.len());
    let mut row = Row::stop(NAME, "older").span(Role::Text, label);
    let shown: Vec<(usize, &Bar)> =
        days.bars.iter().enumerate().take(count).skip(count.saturating_sub(room)).collect();
    let most = shown.iter().map(|(_, b)| b.part.count(What::Flagged)).max().unwrap_or(0);
    for (at, bar) in &shown {
        let (role, sign) = super::heat::sign(&bar.part, most, block.glyphs);
        row = row.cell(role, sign, DrillDown::Bar(*at, What::Flagged));
    }
    block.add(row.first(shown.len().saturating_sub(1)));
}

/// Lengths of the pieces of a bar of at most `width` columns: what is there is never left out.
fn stack(counts: [u64; 3], most: u64, width: usize) -> [usize; 3] {
    let length = |count: u64| {
        let exact = count as f64 / most.max(1) as f64 * width as f64;
        // A float becomes the nearest whole number inside the bounds.
        if count == 0 { 0 } else { (exact.round() as usize).clamp(1, width) }
    };
    let mut lengths = counts.map(length);
    while lengths.iter().sum::<usize>() > width {
        match lengths.iter_mut().max() {
            Some(longest) if *longest > 1 => *longest -= 1,
            _ => break,
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_length_matches_share_and_is_at_least_one() {
        assert_eq!(stack([50, 30, 20], 100, 10), [5, 3, 2]);
        assert_eq!(stack([998, 1, 1], 1_000, 10), [8, 1, 1]);
        assert_eq!(stack([0, 0, 1], 1_000, 10), [0, 0, 1]);
        assert_eq!(stack([0, 0, 0], 0, 10), [0, 0, 0]);
    }
}
