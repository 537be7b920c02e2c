//! Runbooks: what is done, by whom and when, and what is next.

use foureyes_app::assess::{Progress, Step};
use foureyes_core::domain::Timestamp;
use foureyes_core::domain::review::{Dated, StepSaid};
use foureyes_page::page::{Block, Forms, Mark, Place, Role, Row, Text, Untrusted, minute};
use foureyes_page::text;

/// The name of these blocks; each row is named by its runbook and its step.
pub const RUNBOOK: &str = "runbook";

/// A runbook, as far as it is done at a time.
pub(super) fn block(progress: &Progress, now: Timestamp) -> Block {
    let book = progress.runbook;
    let done = progress.done.iter().flatten().count();
    let note = match progress.begun {
        None => "not begun".into(),
        Some(at) => text!("{} of {} done, started {}", done, book.steps.len(), minute(at)),
    };
    let block = Block::new(RUNBOOK, text!("Runbook {}", book.id.as_str())).folded(note);
    let mut block = block.at(Place::Below).only(Forms::Console);
    block.text(Role::Text, text!("{}: {}", book.title.as_str(), book.when.as_str()));
    let next = progress.next().map(|step| step.id.as_str());
    for (step, done) in book.steps.iter().zip(&progress.done) {
        let role = if done.is_some() { Role::Dim } else { Role::Text };
        let row = Row::new(role, text!("{}: {}", step.id.as_str(), step.text.as_str()));
        let row = row.mark(Mark::Done(done.is_some()));
        block.add(row.focus(format!("{} {}", book.id, step.id)));
        match done {
            Some(done) => block.add(Row::new(Role::Dim, entry(done)).level(1)),
            None if next == Some(step.id.as_str()) => what_next(&mut block, progress, step, now),
            None => {}
        }
        for (of_box, until) in progress.watching(step) {
            if let Some(name) = &of_box.name {
                let text = text!("{}: watched until {}", Untrusted(name), minute(until));
                block.add(Row::new(Role::Notice, text).level(1));
            }
        }
    }
    block
}

/// When a step was done, by whom, and what was noted.
fn entry(done: &Dated<StepSaid>) -> Text {
    let note = done.what.note.as_ref();
    let note = note.map_or(Text::EMPTY, |note| text!(": {}", Untrusted(note)));
    text!("{} by {}{}", minute(done.time), Untrusted(&done.reviewer), note)
}

/// What helps with the first step that is not done, and from when on it may be.
fn what_next(block: &mut Block, progress: &Progress, step: &'static Step, now: Timestamp) {
    let text = match progress.due(step) {
        Some(Some(due)) if due > now => text!("next; possible from {}", minute(due)),
        _ => "this is next".into(),
    };
    block.add(Row::new(Role::Notice, text).level(1));
    if let Some(command) = &step.command {
        block.add(Row::command(command.as_str()).level(1));
    }
}
