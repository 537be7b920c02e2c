//! What a judge of another family found about the verdicts on pushes.

use crate::peer::PeerDocument;
use crate::report::peer::{disagreement, stands_out};
use crate::tui::page::drill_down::DrillDown;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "peer review";

/// How often the two differ, which way, where more than elsewhere, and from week to week.
pub(super) fn block(found: &PeerDocument, width: usize, glyphs: &'static Glyphs) -> Block {
    let what = format!("verdicts since {}; decides nothing", found.since.day_text());
    let mut block = Block::new(width, glyphs, "Peer review", &what);
    let (differ, rest) = disagreement(found);
    let row = Row::stop(NAME, "differ").cell(Role::Figure, differ, DrillDown::PeerDiffers);
    block.add(row.span(Role::Text, " reviews differ"));
    for line in rest {
        block.indented(Role::Dim, &sanitize(&line));
    }
    let marked = stands_out(found);
    if marked.is_empty() {
        block.text(Row::stop(NAME, "even"), Role::Dim, "nothing stands out from the rest");
    }
    for (at, line) in marked.iter().enumerate() {
        block.text(Row::stop(NAME, at.to_string()), Role::Warning, &sanitize(line));
    }
    let row = Row::stop(NAME, "weeks").span(Role::Text, "by week").pad_to(11);
    block.add(found.weeks.iter().fold(row, |row, week| {
        let share = (week.reviewed > 0).then(|| week.differ as f64 / week.reviewed as f64);
        row.span(Role::Gauge, glyphs.spark(share))
    }));
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::Breakdown;
    use crate::calibration::peer::{PeerItem, compare};
    use crate::domain::Timestamp;
    use crate::peer::{PEER_SCHEMA, PeerWeek};

    /// What a peer found that differs from the first so many of twenty verdicts on what one agent wrote.
    fn found(differs: usize) -> PeerDocument {
        let item = |differs| PeerItem {
            stratum: 0,
            flagged: false,
            peer: Some(differs),
            scores: [None; 3],
        };
        let items: Vec<PeerItem> = (0..40).map(|n| item(n < differs)).collect();
        let name = |n| if n < 20 { "evil\u{202e}\u{1b}[2J" } else { "Ada" };
        let agents = (0..40).map(|n| name(n).to_owned()).collect();
        let figures = compare(&[("doubtful", 900)], &items, &[agents]);
        let disagreement = figures.disagreement;
        let week = PeerWeek {
            monday: "2026-01-05".to_owned(),
            verdicts: 900,
            reviewed: 40,
            differ: differs as u64,
            disagreement,
        };
        PeerDocument {
            schema: PEER_SCHEMA,
            generated: Timestamp(0),
            since: Timestamp(0),
            peers: Vec::new(),
            figures,
            by: vec![Breakdown::Agent],
            weeks: vec![week],
            queue: Vec::new(),
        }
    }

    fn lines(found: &PeerDocument) -> Vec<String> {
        let block = block(found, 70, &Glyphs::ASCII);
        let line = |row: &Row| row.parts.iter().map(|(_, text)| text.as_str()).collect();
        block.rows.iter().map(line).collect()
    }

    #[test]
    fn what_stands_out_is_named_and_shown_harmless() {
        let lines = lines(&found(15));
        let has = |text: &str| lines.iter().any(|line| line.contains(text));
        assert!(has("15 of 40 reviews differ") && has("37.5 % (22.7 to 54.2 %)"), "{lines:#?}");
        assert!(has("evil") && has("15 of 20 differ"), "{lines:#?}");
        let raw = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!lines.iter().any(|line| line.contains(raw)), "{lines:#?}");
    }

    #[test]
    fn nothing_is_named_where_nothing_stands_out() {
        let lines = lines(&found(2));
        assert!(lines.iter().any(|line| line.contains("nothing stands out")), "{lines:#?}");
    }
}
