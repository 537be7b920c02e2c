//! Outcomes over time on a console: a bar a span, the newest first.

use super::{Line, Maker};
use crate::page::chart::{OUTCOME_NAMES, Outcomes, Span};
use crate::page::{Focus, Glyphs, Role};
use foureyes_core::text::{escape, separated};

/// Columns of the longest bar.
const LONGEST: usize = 60;
/// Columns of the shortest that is worth being drawn.
const SHORTEST: usize = 4;
/// What stands before the spans that have no bar of their own.
const OLDER: &str = "older ";
/// Which of the four counts is what is flagged.
const FLAGGED: usize = 3;

/// Columns of a row.
struct Widths {
    label: usize,
    bar: usize,
    counts: [usize; 4],
    /// What the longest bar is of.
    most: u64,
}

impl Maker<'_> {
    pub(super) fn outcomes(&self, block: &'static str, outcomes: &Outcomes) -> Vec<Line> {
        let widths = self.widths(outcomes);
        let mut lines = vec![self.outcomes_head(&widths)];
        let bars = outcomes.spans.iter().filter(|span| span.is_bar).count();
        let older = bars.saturating_sub(outcomes.newest);
        let mut left = bars;
        for span in outcomes.spans.iter().rev() {
            if span.is_bar && left <= older {
                if left == older {
                    lines.push(self.older(block, outcomes, older));
                }
            } else {
                lines.push(self.span_row(block, span, &widths));
            }
            left -= usize::from(span.is_bar);
        }
        lines
    }

    fn widths(&self, outcomes: &Outcomes) -> Widths {
        let spans = &outcomes.spans;
        let bars = || spans.iter().filter(|span| span.is_bar);
        let label = bars().map(|span| escape::width(&self.options.line(&span.label))).max();
        let label = label.unwrap_or(0) + 1;
        let column = |at: usize, head: &str| {
            let digits = spans.iter().filter_map(|span| span.counts.get(at));
            let digits = digits.map(|(count, _)| separated(count).len()).max().unwrap_or(1);
            digits.max(head.len()) + 1
        };
        let [a, b, c, d] = OUTCOME_NAMES;
        let counts = [column(0, a), column(1, b), column(2, c), column(3, d)];
        let bar = self.width.saturating_sub(label + counts.iter().sum::<usize>()).min(LONGEST);
        let most = bars().map(|span| outcomes_of(span).iter().sum()).max().unwrap_or(0);
        Widths { label, bar: if bar < SHORTEST { 0 } else { bar }, counts, most }
    }

    /// What the pieces of a bar mean, and the heads of the counts.
    fn outcomes_head(&self, widths: &Widths) -> Line {
        let legend: usize = pieces(self.glyphs).iter().map(|(_, _, word)| word.len() + 3).sum();
        let mut line = Line::default().pad_to(widths.label);
        if legend <= widths.bar {
            for (role, piece, word) in pieces(self.glyphs) {
                line = line.span(role, piece).span(Role::Dim, format!(" {word} "));
            }
        }
        line = line.pad_to(widths.label + widths.bar);
        OUTCOME_NAMES
            .into_iter()
            .zip(widths.counts)
            .fold(line, |line, (head, width)| line.span(Role::Dim, format!("{head:>width$}")))
    }

    fn span_row(&self, block: &'static str, span: &Span, widths: &Widths) -> Line {
        let all = widths.label + widths.bar;
        let room = if span.is_bar { widths.label } else { all }.saturating_sub(1);
        let label = self.options.line(&span.label);
        let label = escape::truncate(&label, room).into_owned();
        let line = Line::new(Some(self.stop(block, &span.focus))).span(span.role, label);
        let line = line.pad_to(if span.is_bar { widths.label } else { all });
        let line = if span.is_bar { self.bar(line, span, widths) } else { line };
        counts(line.pad_to(all), span, widths)
    }

    fn bar(&self, line: Line, span: &Span, widths: &Widths) -> Line {
        match (span.is_silent, widths.bar) {
            (_, 0) => line,
            (true, _) => line.span(Role::Dim, self.glyphs.nothing),
            (false, width) => {
                let lengths = stack(outcomes_of(span), widths.most, width - 1);
                let pieces = pieces(self.glyphs).into_iter().zip(lengths);
                pieces.fold(line, |line, ((role, piece, _), length)| {
                    line.span(role, piece.repeat(length))
                })
            }
        }
    }

    /// Spans that have no row of their own: a cell each, as dark as much is flagged.
    fn older(&self, block: &'static str, outcomes: &Outcomes, count: usize) -> Line {
        let room = self.width.saturating_sub(OLDER.len());
        let bars = outcomes.spans.iter().filter(|span| span.is_bar).take(count);
        let shown: Vec<&Span> = bars.skip(count.saturating_sub(room)).collect();
        let flagged = |span: &Span| span.counts.get(FLAGGED).map_or(0, |(count, _)| *count);
        let most = shown.iter().map(|span| flagged(span)).max().unwrap_or(0);
        let focus = Focus { first: shown.len().saturating_sub(1), ..Focus::new("older") };
        let line = Line::new(Some(self.stop(block, &focus))).span(Role::Text, OLDER);
        shown.into_iter().fold(line, |line, span| {
            let count = (!span.is_silent).then(|| flagged(span));
            let (role, sign) = self.heat_sign(count, most);
            line.cell(role, sign, span.counts.get(FLAGGED).and_then(|(_, link)| link.as_ref()))
        })
    }
}

/// GO, NO-GO and UNDETERMINED.
fn outcomes_of(span: &Span) -> [u64; 3] {
    let [(go, _), (no_go, _), (undetermined, _), _] = span.counts;
    [go, no_go, undetermined]
}

/// The pieces of a bar: GO, NO-GO, UNDETERMINED.
fn pieces(glyphs: &'static Glyphs) -> [(Role, &'static str, &'static str); 3] {
    let [go, no_go, undetermined, _] = OUTCOME_NAMES;
    [
        (Role::Go, glyphs.heat(Some(0.3)), go),
        (Role::NoGo, glyphs.heat(Some(1.0)), no_go),
        (Role::Undetermined, glyphs.heat(Some(0.5)), undetermined),
    ]
}

/// The four counts, each leading to its records.
fn counts(line: Line, span: &Span, widths: &Widths) -> Line {
    let roles = [Role::Go, Role::NoGo, Role::Undetermined, Role::Figure];
    let all = span.counts.iter().zip(roles).zip(widths.counts);
    all.fold(line, |line, (((count, link), role), width)| {
        let text = separated(count);
        let role = if *count == 0 { Role::Dim } else { role };
        let line = line.span(Role::Text, " ".repeat(width.saturating_sub(text.len())));
        line.cell(role, text, link.as_ref())
    })
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
