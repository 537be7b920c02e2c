//! What a filter that is being typed could go on with.

use crate::frame::query::{self, Field, Noted, fixed_values};
use crate::overview::{Breakdowns, Groups};
use crate::tui::effect::Effect;
use crate::tui::model::{Model, Overlay, PromptKind};
use crate::tui::widget::counted;

pub use crate::frame::query::Completion;

/// The ways to go on from where the cursor is, best first.
pub fn completions(model: &Model) -> Vec<Completion> {
    match &model.overlay {
        Some(Overlay::Prompt(prompt)) if prompt.kind == PromptKind::Filter => {
            let text = prompt.input.value();
            query::completions(text, prompt.cursor_byte(), &|field| values(model, field))
        }
        _ => Vec::new(),
    }
}

/// Values of a field with a few words each: those of the language, and those that are known here.
fn values(model: &Model, field: Field) -> Vec<Noted> {
    let counts = model.overview.breakdowns.value.as_deref();
    let named = |groups: fn(&Breakdowns) -> &Groups| counts.map(groups).map_or(Vec::new(), names);
    match field.name {
        "box" => {
            let boxes = model.loaded.iter().flat_map(|l| l.boxes.iter());
            boxes.map(|name| (name.clone(), "a box".to_owned())).collect()
        }
        "author" | "agent" => named(|b| &b.agents),
        "model" | "judge" => named(|b| &b.models),
        "path" => named(|b| &b.paths),
        _ => fixed(field, counts),
    }
}

fn fixed(field: Field, counts: Option<&Breakdowns>) -> Vec<Noted> {
    let mut values = fixed_values(field);
    if let ("error" | "cause", Some(counts)) = (field.name, counts) {
        values.iter_mut().for_each(|(value, note)| *note = caused(counts, value));
    }
    values
}

/// How many evaluations a cause left undetermined in the window.
fn caused(counts: &Breakdowns, value: &str) -> String {
    let row = counts.causes.iter().find(|c| c.cause.is_some_and(|c| c.as_str() == value));
    row.map_or(String::new(), |row| evaluations(row.share.numerator))
}

fn names(groups: &Groups) -> Vec<Noted> {
    let named = groups.rows.iter().filter_map(|row| {
        let name = row.name.clone().filter(|n| !n.is_empty())?;
        Some((name, evaluations(row.part.sums.units)))
    });
    named.collect()
}

fn evaluations(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "evaluation", "evaluations")
}

/// Takes the selected completion into the line.
pub(super) fn take(model: &mut Model) -> Vec<Effect> {
    let completions = completions(model);
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    let Some(completion) = prompt.choice.take().and_then(|at| completions.into_iter().nth(at))
    else {
        return Vec::new();
    };
    let text = prompt.input.value();
    let (Some(before), Some(after)) =
        (text.get(..completion.range.start), text.get(completion.range.end..))
    else {
        return Vec::new();
    };
    let space = if completion.whole && after.is_empty() { " " } else { "" };
    let begin = format!("{before}{}{space}", completion.text);
    let (cursor, line) = (begin.chars().count(), format!("{begin}{after}"));
    if line.len() <= crate::tui::update::line::LONGEST {
        prompt.input = tui_input::Input::new(line).with_cursor(cursor);
    }
    super::typed(model)
}

#[cfg(test)]
mod tests;
