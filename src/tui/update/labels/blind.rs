//! Hiding the verdict, and showing it.

use crate::tui::model::{BlindMode, Model, Overlay, Question};
use crate::tui::widget::counted;

/// Hides the verdict, or shows it again. In the calibration queue it is asked first: what
/// is seen there cannot be unseen.
pub(in crate::tui::update) fn blind(model: &mut Model) {
    match model.sight() {
        BlindMode::Open => {
            match model.in_calibration() {
                true => hide(model),
                false => model.labels.sight = BlindMode::Blind,
            }
            turned(model);
            let text = "blind: verdicts are hidden until you have saved your label";
            model.notices.note(text, model.now);
        }
        BlindMode::Blind if model.in_calibration() && model.blind_left() > 0 => {
            model.overlay = Some(Overlay::Confirm(Question::Open));
        }
        BlindMode::Blind => open(model),
    }
}

/// Shows verdicts; labels given from now on do not count as blind.
pub(super) fn open(model: &mut Model) {
    let text = match model.in_calibration() {
        true => {
            model.calibrate.sight = BlindMode::Open;
            model.history.push_opened();
            "verdicts shown: labels of items seen now do not count as blind"
        }
        false => {
            model.labels.sight = BlindMode::Open;
            "no longer blind: verdicts are shown"
        }
    };
    turned(model);
    model.notices.note(text, model.now);
}

/// The calibration queue is blind again, wherever the person is by now.
pub(in crate::tui::update) fn close(model: &mut Model) {
    hide(model);
    turned(model);
    let left = counted(model.blind_left(), "item counts", "items count");
    let text = format!("undone: the calibration queue is blind again; {left} as blind");
    model.notices.note(text, model.now);
}

fn hide(model: &mut Model) {
    model.calibrate.sight = BlindMode::Blind;
    model.history.drop_opened();
}

fn turned(model: &mut Model) {
    model.record.revision += 1;
    model.record.scroll = 0;
}
