//! What to do step by step: what is done, by whom and when, and what is next.

use crate::assess::{Progress, Runbook, Step};
use crate::domain::Timestamp;
use crate::domain::review::{Dated, StepSaid};
use crate::text::CommandLine;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

/// The name of these blocks.
pub(super) const NAME: &str = "runbook";

/// A block a runbook.
pub(super) fn blocks(
    all: &[Progress],
    (now, command_line): (Timestamp, CommandLine),
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let one = |progress| block(progress, (now, command_line), width, glyphs);
    all.iter().map(one).collect()
}

fn block(
    progress: &Progress,
    (now, command_line): (Timestamp, CommandLine),
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let book = progress.runbook;
    let done = progress.done.iter().flatten().count();
    let steps = book.steps.len();
    let how = match progress.begun {
        None => "not begun".to_owned(),
        Some(at) => format!("{done} of {steps} done, started {}", minute(at)),
    };
    let mut block = Block::new(width, glyphs, &format!("Runbook {}", book.id), &how);
    block.text(Row::new(), Role::Text, &format!("{}: {}", book.title, book.when));
    let next = progress.next().map(|step| step.id.as_str());
    for (step, done_entry) in book.steps.iter().zip(&progress.done) {
        add_step(&mut block, book, step, done_entry.as_ref());
        if done_entry.is_none() && next == Some(step.id.as_str()) {
            what_next(&mut block, progress, step, (now, command_line));
        }
        for (of, until) in progress.watching(step) {
            if let Some(name) = &of.name {
                let text = format!("{}: watched until {}", sanitize(name), minute(until));
                block.indented(Role::Notice, &text);
            }
        }
    }
    block
}

fn add_step(block: &mut Block, book: &Runbook, step: &Step, done_entry: Option<&Dated<StepSaid>>) {
    let row = Row::stop(NAME, id(&book.id, &step.id));
    let (role, sign) = match done_entry {
        Some(_) => (Role::Dim, "[x]"),
        None => (Role::Text, "[ ]"),
    };
    block.text(row, role, &format!("{sign} {}: {}", step.id, step.text));
    if let Some(done_entry) = done_entry {
        let note = done_entry.what.note.as_deref();
        let note = note.map_or(String::new(), |note| format!(": {}", sanitize(note)));
        let text =
            format!("{} by {}{note}", minute(done_entry.time), sanitize(&done_entry.reviewer));
        block.indented(Role::Dim, &text);
    }
}

/// What helps with the first step that is not done, and from when on it may be.
fn what_next(
    block: &mut Block,
    progress: &Progress,
    step: &Step,
    (now, command_line): (Timestamp, CommandLine),
) {
    match progress.due(step) {
        Some(Some(due)) if due > now => {
            let text = format!("next; possible from {}", minute(due));
            block.indented(Role::Notice, &text);
        }
        _ => block.indented(Role::Notice, "this is next"),
    }
    if let Some(command) = &step.command {
        block.indented(Role::Dim, &command_line.command(command));
    }
}

/// The name of a step's row.
fn id(runbook: &str, step: &str) -> String {
    format!("{runbook} {step}")
}

/// The runbook and the step of a row.
pub(super) fn named(all: &'static [Runbook], row: &str) -> Option<(&'static str, &'static str)> {
    let of = |book: &'static Runbook| {
        let step = book.steps.iter().find(|step| id(&book.id, &step.id) == row)?;
        Some((book.id.as_str(), step.id.as_str()))
    };
    all.iter().find_map(of)
}

/// Day and minute: `2026-02-20 12:34Z`.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    text.get(..16).map_or_else(String::new, |t| format!("{}Z", t.replace('T', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::runbooks;

    #[test]
    fn every_step_is_found_by_its_row() {
        for book in runbooks() {
            for step in &book.steps {
                let row = id(&book.id, &step.id);
                assert_eq!(named(runbooks(), &row), Some((book.id.as_str(), step.id.as_str())));
            }
        }
        assert_eq!(named(runbooks(), "enable nothing"), None);
    }
}
