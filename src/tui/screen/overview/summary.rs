//! What is known at the first glance.

use crate::domain::{Timestamp, Triage};
use crate::overview::What;
use crate::page::write::console::FocusId;
use crate::report::words;
use crate::tui::model::PickMode;
use crate::tui::page::drill_down::{Documents, DrillDown};
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::{Glyphs, Role, Sign};

const NAME: &str = "top";

pub(super) fn blocks(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let triage = documents.triage;
    let mut block = Block::untitled(width, glyphs);
    let news = words::news(triage, &minute);
    let first = match documents.fleet {
        true => {
            "Everything that operators published. What is new to you is known without `--fleet`."
        }
        false => "First visit. From the next visit on, this line shows what is new.",
    };
    block.text(Row::new(), Role::Notice, &news.unwrap_or_else(|| first.to_owned()));
    let flagged = Row::stop(NAME, "flagged").cell(
        Role::Figure,
        words::flagged(triage),
        DrillDown::Whole(What::Flagged),
    );
    let repeated = triage.flagged_total > 0 && triage.counts.repeats > 0;
    block.add(if !repeated {
        flagged
    } else {
        flagged.note("the queue leaves out repeats".to_owned())
    });
    escalations(&mut block, documents);
    outcomes(&mut block, documents);
    picks(&mut block, documents);
    if let Some(text) = words::stale(triage) {
        block.text(Row::new(), Role::Stale, &text);
    }
    if let Some(text) = words::unbalanced(triage) {
        block.text(Row::new(), Role::Error, text);
    }
    if let Some(gap) = triage.caveats.iter().find(|c| c.id == "coverage_gap") {
        block.text(Row::new(), Role::Warning, &crate::tui::page::sanitize(&gap.text));
    }
    if triage.counts.in_window == 0 {
        let text = "No records in this window: look further back, or at all records.";
        block.text(Row::new(), Role::Warning, text);
    }
    vec![block]
}

/// How many tasks wait for a person, where any does.
fn escalations(block: &mut Block, documents: &Documents<'_>) {
    let waiting = documents.breakdowns.map_or(0, |breakdowns| breakdowns.escalations);
    if waiting > 0 {
        let of = crate::tui::widget::counted(waiting as usize, "task waits", "tasks wait");
        let text = format!("{of} for a person");
        let row = Row::stop(NAME, "escalations");
        block.add(row.cell(Role::Figure, text, DrillDown::Escalations));
    }
}

/// The row on the judge of memories.
const PICKS: &str = "picks";

/// Whether a stop is the row on the judge of memories.
pub(super) fn is_picks(id: &FocusId) -> bool {
    id.block == NAME && id.row == PICKS
}

/// Whether the judge of memories is worth being on, where there are picks of prompts.
fn picks(block: &mut Block, documents: &Documents<'_>) {
    let report = documents.picks.filter(|report| report.has(PickMode::Strict));
    let Some(document) = report.map(|report| &report.strict.document) else { return };
    let (role, decision) = crate::tui::screen::picks::decision(document.result, block.glyphs);
    let text = format!("memories: {decision}; {}", document.comparison());
    let row = Row::stop(NAME, PICKS).note("Enter opens the readiness of picks".to_owned());
    block.text(row, role, &text);
}

/// The window, and when it was counted.
pub(super) fn counted(triage: &Triage) -> String {
    let window = match (triage.window.from, triage.window.to) {
        (None, None) => "everything".to_owned(),
        (Some(from), None) => format!("from {}", from.day_text()),
        _ => words::window(&triage.window),
    };
    format!("{window}, counted {}", minute(triage.generated))
}

/// A time to the minute: `2026-11-22 09:14Z`.
fn minute(time: Timestamp) -> String {
    let text = time.to_string();
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute}Z"),
        _ => text,
    }
}

/// The verdicts of the window, those of every family; on a narrow screen in two rows.
fn outcomes(block: &mut Block, documents: &Documents<'_>) {
    let c = &documents.triage.counts;
    let cells = [
        (Sign::Go, c.go, What::Go),
        (Sign::NoGo, c.no_go, What::NoGo),
        (Sign::Undetermined, c.undetermined, What::Undetermined),
        (Sign::Override, c.overrides, What::Overrides),
        (Sign::Memories, c.picks + c.prompts, What::Memories),
    ];
    let mut row = Row::stop(NAME, "outcomes");
    let is_shown = |sign: Sign, count: u64| count > 0 || sign != Sign::Memories;
    for (sign, count, what) in cells.into_iter().filter(|one| is_shown(one.0, one.1)) {
        let text = format!("{} {count}", block.glyphs.sign(sign));
        if row.used() + text.len() > block.width {
            block.add(row);
            row = Row::stop(NAME, "outcomes, more");
        }
        let gap = if row.used() > 0 { "   " } else { "" };
        row = row.span(Role::Text, gap).cell(sign.role(), text, DrillDown::Whole(what));
    }
    let text = format!("records {}", c.in_window);
    if row.used() + text.len() + 3 > block.width {
        block.add(row);
        row = Row::stop(NAME, "records");
    } else {
        row = row.span(Role::Text, "   ");
    }
    block.add(row.cell(Role::Text, text, DrillDown::Whole(What::Records)));
}
