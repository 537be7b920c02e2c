//! What a filter that is being typed could go on with: for the console, and for a shell.

use super::{AtCursor, Field, Query, quoted};
use crate::text::mask::mask;
use std::ops::Range;

/// Most ways to go on.
const MOST: usize = 60;

/// Longest value that is offered, in bytes.
const LONGEST: usize = 200;

/// From so many characters on a bare word is looked for among the values of all fields.
const BARE: usize = 2;

/// A value, and a few words on it.
pub type Noted = (String, String);

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
    pub whole: bool,
}

/// The ways to go on from byte `cursor` of a text, best first. `values` has those of a field, the words of
/// the language among them: [`fixed_values`].
pub fn completions(
    text: &str,
    cursor: usize,
    values: &dyn Fn(Field) -> Vec<Noted>,
) -> Vec<Completion> {
    let values = |field| {
        let mut values = values(field);
        // A secret that is masked everywhere is not shown here either.
        values.retain(|(value, _)| value.len() <= LONGEST && mask(value).1 == 0);
        values
    };
    let mut found = match AtCursor::find(text, cursor) {
        AtCursor::Unknown => Vec::new(),
        AtCursor::Value { field, exact, range, begun } => {
            let ready = values(field).into_iter().filter_map(|(value, note)| {
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
                completions.extend(of_bare_word(&values, &begun, &range));
            }
            completions
        }
    };
    // What is there already is no way to go on.
    found.retain(|completion| text.get(completion.range.clone()) != Some(completion.text.as_str()));
    found.truncate(MOST);
    found
}

/// The words that the language has for a field, each with what it means where the word does not tell.
pub fn fixed_values(field: Field) -> Vec<Noted> {
    let note = |value| if field.name == "is" { meaning(value) } else { "" };
    field.values().into_iter().map(|value| (value.to_owned(), note(value).to_owned())).collect()
}

fn meaning(value: &str) -> &'static str {
    match value {
        "evaluation" => "counts in the KPIs",
        "new" => "came after your last visit",
        "flagged" => "NO-GO or UNDETERMINED, no bypass",
        "stopped" => "a push that a NO-GO stopped",
        "unfinished" => "a run of a task that did not end",
        "odd_score" => "a score outside 1 to 5",
        "repeat" => "a later verdict replaces it",
        "undated" => "without a usable time",
        _ => "",
    }
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
fn of_bare_word(
    values: &dyn Fn(Field) -> Vec<Noted>,
    begun: &str,
    range: &Range<usize>,
) -> Vec<Completion> {
    let begun = begun.to_lowercase();
    let mut completions = Vec::new();
    // Other names of a field would only say the same again.
    let again = ["agent", "cause", "outcome", "judge", "has"];
    for field in Field::all().filter(|f| !again.contains(&f.name)) {
        for (value, note) in values(field) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let values = |field: Field| match field.name {
            "box" => ["alpha", "a box (old)", "ghp_0123456789abcdefghijABCDEFGHIJ012345"]
                .map(|name| (name.to_owned(), "a box".to_owned()))
                .to_vec(),
            _ => fixed_values(field),
        };
        completions(text, text.len(), &values).into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn fields_and_their_values_are_offered_and_no_secret() {
        assert_eq!(texts("").len(), Field::all().count());
        assert_eq!(texts("verdi"), ["verdict:", "terms:verdict"]);
        assert_eq!(texts("-verdict:und"), ["undetermined"]);
        assert_eq!(texts("is:flagged box:"), ["alpha", "\"a box (old)\""]);
        assert_eq!(texts("box:alpha"), [""; 0]);
        assert_eq!(texts("nonsense:"), [""; 0]);
        assert_eq!(texts("timeo"), ["error:timeout"]);
    }

    #[test]
    fn value_is_noted_where_it_does_not_explain_itself() {
        let field = Field::named("is").unwrap();
        let notes = fixed_values(field);
        let flagged = notes.iter().find(|(value, _)| value == "flagged").unwrap();
        assert_eq!(flagged.1, "NO-GO or UNDETERMINED, no bypass");
        assert!(fixed_values(Field::named("path").unwrap()).is_empty());
    }
}
