//! What next: the steps of the report, each with what Enter opens.

use foureyes_calibration::calibration::{Opens, Readiness, Step};
use foureyes_page::page::{Block, Mark, Place, Role, Row, Text, Untrusted};
use foureyes_page::text;

/// The name of this block; its rows are named by the places of the steps.
pub const NEXT: &str = "next";

/// All steps, in the order in which to take them.
pub(super) fn block(r: &Readiness) -> Block {
    let mut block = Block::new(NEXT, "What next").at(Place::Right);
    for (at, step) in r.steps.iter().enumerate() {
        let row = Row::new(Role::Title, Untrusted(&step.title)).mark(Mark::Number(at + 1));
        let row = row.focus(at.to_string()).note(note(step));
        // The first one is shown whole: it is what to do now.
        block.add(if at == 0 { row } else { row.folded() });
        block.add(Row::new(Role::Text, Untrusted(&step.text)).level(1));
        for way in &step.ways {
            block.add(Row::new(Role::Dim, Untrusted(&way.text)).mark(Mark::Bullet).level(1));
            let lines = way.lines.iter();
            lines.for_each(|line| block.add(Row::command(Untrusted(line)).level(2)));
        }
    }
    block
}

/// What an answer from the logs that are there costs, where no window runs.
pub(super) fn prices(r: &Readiness) -> Option<Block> {
    let mut block = Block::new("prices", "What an answer costs").at(Place::Right);
    for price in &r.prices {
        block.add(Row::new(Role::Text, Untrusted(&price.sentence())).mark(Mark::Bullet));
    }
    (!r.prices.is_empty()).then_some(block)
}

/// What Enter opens for a step.
pub(super) fn note(step: &Step) -> Text {
    match &step.opens {
        Some(Opens::Records(filter)) => text!("Enter shows records: {}", Untrusted(filter)),
        Some(Opens::Queue(name)) => text!("Enter opens the {} queue", Untrusted(name)),
        Some(Opens::AuditRate) => "Enter sets the audit rate".into(),
        Some(Opens::Window(day)) => text!("Enter starts the window on {}", Untrusted(day)),
        None if step.is_waivable() => {
            "Waive it here, or run one of these commands in a shell".into()
        }
        None if step.ways.iter().all(|way| way.lines.is_empty()) => Text::EMPTY,
        None => "Run one of these commands in a shell".into(),
    }
}
