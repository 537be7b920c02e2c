//! What next: the steps of the document, each with what Enter opens.

use super::decision::{ANSWER, FIRST};
use crate::calibration::{Opens, Policy, Readiness, Step};
use crate::page::write::console::FocusId;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

/// The name of this block.
const NAME: &str = "next";

/// All steps, in the order in which to take them.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "What next", "in this order");
    for (at, step) in r.steps.iter().enumerate() {
        let row = Row::stop(NAME, at.to_string()).note(note(step));
        block.text(row, Role::Title, &format!("{}. {}", at + 1, sanitize(&step.title)));
        block.indented(Role::Text, &sanitize(&step.text));
        for way in &step.ways {
            block.indented(Role::Dim, &sanitize(&way.text));
            way.lines
                .iter()
                .for_each(|line| block.indented(Role::Key, &format!("  {}", sanitize(line))));
        }
    }
    block
}

/// What Enter opens for a step.
pub(super) fn note(step: &Step) -> String {
    match &step.opens {
        Some(Opens::Records(filter)) => format!("Enter shows records: {}", sanitize(filter)),
        Some(Opens::Queue(name)) => format!("Enter opens the {} queue", sanitize(name)),
        Some(Opens::AuditRate) => "Enter sets the rate of the audit sample".to_owned(),
        Some(Opens::Window(day)) => format!("Enter starts the window on {}", sanitize(day)),
        None if step.is_waivable() => {
            "Waive it here, or run one of these commands in a shell".to_owned()
        }
        None if step.ways.iter().all(|way| way.lines.is_empty()) => String::new(),
        None => "Run one of these commands in a shell".to_owned(),
    }
}

/// The step that a row is about.
pub(super) fn step<'r>(r: &'r Readiness, id: &FocusId) -> Option<&'r Step> {
    match id.block {
        NAME => r.steps.get(id.row.parse::<usize>().ok()?),
        ANSWER if id.row == FIRST => r.steps.first(),
        _ => None,
    }
}

/// The rule of a name that can be waived.
pub(super) fn rule(name: &str) -> Option<&'static str> {
    Policy::WAIVABLE.into_iter().find(|known| *known == name)
}

/// The rule whose waiver a row is about: of the answer it is that of the first step that has one.
pub(super) fn waivable(r: &Readiness, id: &FocusId) -> Option<&'static str> {
    let of = |step: &Step| rule(step.about.as_deref()?);
    match (step(r, id), id.block) {
        (Some(step), _) if of(step).is_some() => of(step),
        (_, ANSWER) => r.steps.iter().find_map(of),
        _ => None,
    }
}
