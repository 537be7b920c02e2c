//! What a typed line asks for. It is what a key or an overlay does, with its text at once.

use super::{act, labels, line, navigate, picks, prompt, queues};
use crate::tui::action::Action;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{Model, Overlay, Prompt};
use crate::tui::session::Tab;
use tui_input::Input;

/// Does it.
pub(super) fn follow(model: &mut Model, command: Command) -> Vec<Effect> {
    model.notices.drop_note();
    model.first_key = None;
    match command {
        Command::Action(action) => return act::act(model, action),
        Command::Filter(text) => return prompt::type_filter(model, &text),
        Command::Note(text) => return type_note(model, &text),
        Command::Reason(text) => return type_reason(model, &text),
        Command::Helping(shown) => return picks::save_helping(model, &shown),
        Command::Answer(yes) => return labels::press(model, answer(yes)),
        Command::Leave => return navigate::leave(model),
        Command::Order(order) => queues::order_by(model, order),
        Command::Tab(tab) => turn(model, tab),
    }
    Vec::new()
}

/// Keeps a whole note for the selected record, as if it was typed and accepted.
fn type_note(model: &mut Model, text: &str) -> Vec<Effect> {
    type_draft(model, |prompt| {
        prompt.input = Input::default();
        line::paste(&mut prompt.input, text)
    })
}

/// The same of a reason, named by its number, its code or words of it; `0` is none.
fn type_reason(model: &mut Model, text: &str) -> Vec<Effect> {
    let code = match labels::reason_named(&model.facts.labelling.reasons, text) {
        Ok(code) => code,
        Err(why) => {
            model.notices.note(why, model.now);
            return Vec::new();
        }
    };
    type_draft(model, |prompt| {
        let target = prompt.note_target.as_mut()?;
        target.reason = code;
        None
    })
}

/// Opens the note, changes it and accepts it; a change that is refused says why.
fn type_draft(
    model: &mut Model,
    change: impl FnOnce(&mut Prompt) -> Option<String>,
) -> Vec<Effect> {
    let mut effects = act::act(model, Action::Note);
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return effects };
    if let Some(why) = change(prompt) {
        model.notices.note(why, model.now);
    }
    effects.extend(labels::typed_note(model));
    effects.extend(labels::accept_note(model));
    effects
}

/// The key that answers a question.
fn answer(yes: bool) -> Key {
    if yes { Key::ctrl('s') } else { Key::plain(Code::Esc) }
}

/// Turns to a side of the record, as going left or right does.
fn turn(model: &mut Model, tab: Tab) {
    (model.record.tab, model.record.scroll) = (tab, 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Column, Sort};
    use crate::tui::message::Message;
    use crate::tui::model::{QueueKind, Screen};
    use crate::tui::update::{fixture, update};

    fn follow(model: &mut Model, command: Command) -> Vec<Effect> {
        update(model, Message::Command(command))
    }

    fn last(model: &Model) -> String {
        model.notices.all().next().map(|notice| notice.text.clone()).unwrap_or_default()
    }

    #[test]
    fn command_does_what_its_key_does() {
        let mut model = fixture::console();
        let _ = follow(&mut model, Command::Action(Action::GoQueue));
        assert_eq!(model.screen, Screen::Queue);
        let _ = follow(&mut model, Command::Order(Sort::by(Column::Scores)));
        assert_eq!(model.queue.sort, Sort::by(Column::Scores));
        let _ = follow(&mut model, Command::Filter("box:north".to_owned()));
        assert_eq!((&*model.queue.filter.text, &model.overlay.is_none()), ("box:north", &true));
        let _ = follow(&mut model, Command::Tab(Tab::Diff));
        assert_eq!(model.record.tab, Tab::Diff);
        let effects = follow(&mut model, Command::Leave);
        assert!(effects.contains(&Effect::Quit) && model.ended);
    }

    #[test]
    fn calibration_queue_keeps_its_order_and_refuses_filter_that_reveals() {
        let mut model = fixture::console();
        model.screen = Screen::Queue;
        model.calibrate.selection.kind = QueueKind::Calibration;
        let _ = follow(&mut model, Command::Filter("verdict:go".to_owned()));
        assert!(model.queue.filter.is_all() && last(&model).contains("reveal"), "{}", last(&model));
        let _ = follow(&mut model, Command::Order(Sort::by(Column::Scores)));
        assert_eq!(model.queue.sort, Sort::default());
        assert!(last(&model).contains("earliest open day"), "{}", last(&model));
    }
}
