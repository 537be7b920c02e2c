//! What a filter that is being typed could go on with.

use crate::frame::query::{AtCursor, Field, Query, quoted};
use crate::overview::{Breakdowns, Groups};
use crate::report::mask;
use crate::tui::effect::Effect;
use crate::tui::model::{Model, Overlay, Prompt, PromptKind};
use crate::tui::widget::counted;
use std::ops::Range;

/// Most ways to go on.
const MOST: usize = 60;

/// Longest value that is offered, in bytes.
const LONGEST: usize = 200;

/// From so many characters on a bare word is looked for among the values of all fields.
const BARE: usize = 2;

/// A way to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is put in place of the word at the cursor.
    pub text: String,
    /// What it means, in a few words.
    pub note: String,
    /// The bytes of the line whose place it takes.
    pub range: Range<usize>,
    /// A condition is whole with it: a space may follow.
    whole: bool,
}

/// The ways to go on from where the cursor is, best first.
pub fn completions(model: &Model) -> Vec<Completion> {
    match &model.overlay {
        Some(Overlay::Prompt(prompt)) if prompt.kind == PromptKind::Filter => {
            filter_completions(model, prompt)
        }
        _ => Vec::new(),
    }
}

fn filter_completions(model: &Model, prompt: &Prompt) -> Vec<Completion> {
    let text = prompt.input.value();
    let mut found = match AtCursor::find(text, prompt.cursor_byte()) {
        AtCursor::Unknown => Vec::new(),
        AtCursor::Value { field, exact, range, begun } => {
            let values = values(model, field).into_iter();
            let ready = values.filter_map(|(value, note)| {
                let written = quoted(&value, exact);
                let fits = reads(field, exact, &written);
                let completion =
                    Completion { text: written, note, range: range.clone(), whole: true };
                fits.then_some((value, completion))
            });
            matching(&begun, ready)
        }
        AtCursor::Word { range, begun } => {
            let names = Field::all().map(|field| {
                let (text, note) = (format!("{}:", field.name), field.note.to_owned());
                let completion = Completion { text, note, range: range.clone(), whole: false };
                (field.name.to_owned(), completion)
            });
            let mut completions = matching(&begun, names);
            if begun.chars().count() >= BARE {
                completions.extend(value_completions(model, &begun, &range));
            }
            completions
        }
    };
    // What is there already is no way to go on.
    found.retain(|completion| text.get(completion.range.clone()) != Some(completion.text.as_str()));
    found.truncate(MOST);
    found
}

/// Those that begin with what was typed, then those that hold it, whatever the case.
fn matching(begun: &str, all: impl Iterator<Item = (String, Completion)>) -> Vec<Completion> {
    let begun = begun.to_lowercase();
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for (name, completion) in all {
        match name.to_lowercase().find(&begun) {
            Some(0) => first.push(completion),
            Some(_) => then.push(completion),
            None => {}
        }
    }
    first.extend(then);
    first
}

/// Conditions whose value begins with a bare word: `time` may have meant `error:timeout`.
fn value_completions(model: &Model, begun: &str, range: &Range<usize>) -> Vec<Completion> {
    let begun = begun.to_lowercase();
    let mut completions = Vec::new();
    // Other names of a field would only say the same again.
    let again = ["agent", "cause", "outcome", "judge", "has"];
    for field in Field::all().filter(|f| !again.contains(&f.name)) {
        for (value, note) in values(model, field) {
            let written = quoted(&value, false);
            if value.to_lowercase().starts_with(&begun) && reads(field, false, &written) {
                let text = format!("{}:{written}", field.name);
                completions.push(Completion { text, note, range: range.clone(), whole: true });
            }
        }
    }
    completions
}

fn reads(field: Field, exact: bool, written: &str) -> bool {
    let equal = if exact { "=" } else { "" };
    Query::parse(&format!("{}:{equal}{written}", field.name)).is_ok()
}

/// Values of a field with a few words each: those of the language, and those that are known here.
fn values(model: &Model, field: Field) -> Vec<(String, String)> {
    let counts = model.overview.breakdowns.value.as_deref();
    let named = |groups: fn(&Breakdowns) -> &Groups| counts.map(groups).map_or(Vec::new(), names);
    let mut values = match field.name {
        "box" => {
            let boxes = model.loaded.iter().flat_map(|l| l.boxes.iter());
            boxes.map(|name| (name.clone(), "a box".to_owned())).collect()
        }
        "author" | "agent" => named(|b| &b.agents),
        "model" | "judge" => named(|b| &b.models),
        "path" => named(|b| &b.paths),
        _ => fixed(field, counts),
    };
    // A secret that is masked everywhere is not shown here either.
    values.retain(|(value, _)| value.len() <= LONGEST && mask::mask(value).1 == 0);
    values
}

fn fixed(field: Field, counts: Option<&Breakdowns>) -> Vec<(String, String)> {
    let note = |value: &str| match field.name {
        "error" | "cause" => counts.map_or(String::new(), |b| caused(b, value)),
        "is" => meaning(value).to_owned(),
        _ => String::new(),
    };
    field.values().into_iter().map(|value| (value.to_owned(), note(value))).collect()
}

fn meaning(value: &str) -> &'static str {
    match value {
        "evaluation" => "counts in the KPIs",
        "flagged" => "NO-GO or UNDETERMINED, no bypass",
        "unfinished" => "a run of a task that did not end",
        "odd_score" => "a score outside 1 to 5",
        "repeat" => "a later verdict replaces it",
        "undated" => "without a usable time",
        _ => "",
    }
}

/// How many evaluations a cause left undetermined in the window.
fn caused(counts: &Breakdowns, value: &str) -> String {
    let row = counts.causes.iter().find(|c| c.cause.is_some_and(|c| c.as_str() == value));
    row.map_or(String::new(), |row| evaluations(row.share.numerator))
}

fn names(groups: &Groups) -> Vec<(String, String)> {
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
