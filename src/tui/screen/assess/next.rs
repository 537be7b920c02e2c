//! What next: the steps of the document, each with what Enter opens.

use super::decision::FIRST;
use crate::calibration::{Opens, Readiness, Step};
use crate::tui::screen::overview::row::{Block, Id, Row, outside};
use crate::tui::theme::{Glyphs, Role};

/// The name of this block.
const NAME: &str = "next";

/// All steps, in the order in which to take them.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "What next", "in this order");
    for (at, step) in r.steps.iter().enumerate() {
        let row = Row::stop(NAME, at.to_string()).note(note(step));
        block.text(row, Role::Title, &format!("{}. {}", at + 1, outside(&step.title)));
        block.under(Role::Text, &outside(&step.text));
        for way in &step.ways {
            block.under(Role::Dim, &outside(&way.text));
            way.lines
                .iter()
                .for_each(|line| block.under(Role::Key, &format!("  {}", outside(line))));
        }
    }
    block
}

/// What Enter opens for a step.
pub(super) fn note(step: &Step) -> String {
    match &step.opens {
        Some(Opens::Records(filter)) => format!("Enter shows records: {}", outside(filter)),
        Some(Opens::Queue(name)) => format!("Enter shows the queue of {}", outside(name)),
        Some(Opens::AuditRate) => "Enter sets the rate of the audit sample".to_owned(),
        None if step.is_waivable() => {
            "Waive it here, or type one of these commands in a shell".to_owned()
        }
        None if step.ways.iter().all(|way| way.lines.is_empty()) => String::new(),
        None => "Type one of these commands in a shell".to_owned(),
    }
}

/// The step that a row is about.
pub(super) fn step<'r>(r: &'r Readiness, id: &Id) -> Option<&'r Step> {
    match id.block {
        NAME => r.steps.get(id.row.parse::<usize>().ok()?),
        "answer" if id.row == FIRST => r.steps.first(),
        _ => None,
    }
}
