//! What a message changes, and what is to be done about it. Pure: no clock, no file, no task.

mod act;
mod box_task;
mod cancel;
mod claims;
mod command;
mod copy;
mod data;
mod decide;
mod dispositions;
mod export;
mod family;
#[cfg(test)]
pub(in crate::tui) mod fixture;
mod form;
mod gate;
mod guide;
mod input;
mod labels;
mod line;
mod menu;
mod mouse;
mod movement;
mod navigate;
mod picks;
mod prompt;
mod queues;
mod runs;
mod search;
mod seen;
mod selected_record;
mod settle;
mod trends;

pub(in crate::tui) use family::next as next_subject;
pub(in crate::tui) use form::problem as form_problem;
pub(in crate::tui) use labels::{chosen as chosen_reason, reason_menu, reasons, wrong_scores};
pub use menu::{Choice, choices, fits, found_by, keys};
pub use prompt::{Completion, completions};
pub(in crate::tui) use queues::REVEALING;
pub(in crate::tui) use seen::note_written;

use super::effect::Effect;
use super::message::Message;
use super::model::Model;

/// Why nothing is done with the selected record.
const NO_RECORD: &str = "No record selected (or it is still loading).";

/// Takes in one message; gives what the outside must do.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = match message {
        Message::Input(input) => input::input(model, input),
        Message::Command(command) => command::follow(model, command),
        other => data::take(model, other),
    };
    model.note_operation();
    menu::clamp_scroll(model);
    guide::clamp_scroll(model);
    if model.ended {
        settle::clamp_scroll(model);
    } else {
        settle::settle(model, &mut effects);
    }
    effects.extend(seen::note(model));
    effects
}

/// What is to be done before the first message.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![Effect::Open];
    effects.extend(model.mouse.then_some(Effect::Mouse(true)));
    if model.facts.boxes && !model.facts.read_only {
        model.pulls.begin();
        effects.push(Effect::Pull);
    }
    effects
}
