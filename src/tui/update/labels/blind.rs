//! Hiding the verdict, and showing it.

use crate::tui::model::{BlindMode, Model, Overlay, Question};
use crate::tui::update::gate;
use crate::tui::widget::counted;

/// Hides the verdict, or shows it again. In the calibration queue it is asked first: what
/// is seen there cannot be unseen.
pub(in crate::tui::update) fn blind(model: &mut Model) {
    if is_gated(model) {
        return lift(model);
    }
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

/// Whether a window keeps verdicts back here: the calibration queue of another family has its own eyes.
fn is_gated(model: &Model) -> bool {
    let is_other = model.in_calibration() && !model.calibrate.selection.family.is_default();
    model.gate.is_on() && !is_other
}

/// Lifts the gate for this sitting, which is asked first, or lets it down again.
fn lift(model: &mut Model) {
    if model.gate.is_lifted() {
        return close(model);
    }
    if model.price() == Some(0) {
        return open(model);
    }
    model.overlay = Some(Overlay::Confirm(Question::Open));
}

/// Shows verdicts; labels given from now on do not count as blind.
pub(super) fn open(model: &mut Model) {
    let is_gated = is_gated(model);
    if is_gated {
        gate::lift(model, true);
        model.labels.sight = BlindMode::Open;
    }
    let text = match model.in_calibration() || is_gated {
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
    let text = match model.price() {
        Some(left) => {
            let left = counted(left, "item counts", "items count");
            format!("blind again: verdicts are hidden; {left} as blind")
        }
        None => "blind again: verdicts are hidden".to_owned(),
    };
    model.notices.note(text, model.now);
}

fn hide(model: &mut Model) {
    if model.gate.is_lifted() {
        gate::lift(model, false);
    }
    model.calibrate.sight = BlindMode::Blind;
    model.history.drop_opened();
}

fn turned(model: &mut Model) {
    model.record.revision += 1;
    model.record.scroll = 0;
}
