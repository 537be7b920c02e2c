//! Filters that held before, in the line where one is typed.

use crate::tui::effect::Effect;
use crate::tui::model::{Model, Overlay, PromptKind};
use tui_input::Input;

/// So many filters are kept.
const KEPT: usize = crate::tui::session::FILTERS;

/// Keeps a filter as the last one that held; an earlier one of the same text goes.
pub(super) fn keep(model: &mut Model, text: &str) {
    if text.is_empty() {
        return;
    }
    model.filters.retain(|filter| filter != text);
    model.filters.insert(0, text.to_owned());
    model.filters.truncate(KEPT);
}

/// Goes back to the filter before.
pub(super) fn older(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    if prompt.kind != PromptKind::Filter {
        return Vec::new();
    }
    let at = prompt.past.map_or(0, |at| at + 1);
    // The one that is there when the line is opened is no step back.
    let skip = usize::from(prompt.past.is_none() && model.filters.first() == Some(&prompt.before))
        * usize::from(prompt.input.value() == prompt.before);
    let Some(text) = model.filters.get(at + skip).cloned() else { return Vec::new() };
    if prompt.past.is_none() {
        prompt.typed = prompt.input.value().to_owned();
    }
    prompt.past = Some(at + skip);
    prompt.choice = None;
    prompt.input = Input::new(text);
    super::apply(model)
}

/// Goes on to the filter after; after the last one is what was typed.
pub(super) fn newer(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    let Some(at) = prompt.past else { return Vec::new() };
    let newer = at.checked_sub(1).filter(|at| model.filters.get(*at) != Some(&prompt.typed));
    let text = newer.and_then(|at| model.filters.get(at)).cloned();
    prompt.past = text.is_some().then_some(newer).flatten();
    prompt.input = Input::new(text.unwrap_or_else(|| std::mem::take(&mut prompt.typed)));
    super::apply(model)
}
