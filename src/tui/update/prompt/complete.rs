//! What a filter that is being typed could go on with.

use crate::tui::effect::Effect;
use crate::tui::model::{Model, Overlay};

/// A way to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is put in place of the word at the cursor.
    pub text: String,
    /// What it means, in a few words.
    pub note: String,
}

/// The ways to go on from where the cursor is, best first.
pub fn completions(_model: &Model) -> Vec<Completion> {
    Vec::new()
}

/// Takes the selected completion into the line.
pub(super) fn take(model: &mut Model) -> Vec<Effect> {
    if let Some(Overlay::Prompt(prompt)) = &mut model.overlay {
        prompt.choice = None;
    }
    Vec::new()
}
