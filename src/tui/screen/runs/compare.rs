//! An old and a new evaluation: what changed, in one place.

use super::status;
use crate::domain::review::PromptUsed;
use crate::domain::{Dimension, Record};
use crate::tui::page::sheet::Writer;
use crate::tui::theme::{Role, Sign};

/// Digits of a hash that are shown.
const DIGITS: usize = 12;

/// Why it cannot be told whether texts are those of the record.
pub(super) const NO_HASH: &str = "cannot compare: the record has no hash";

/// What changed from one to the other: verdict, scores, model, prompt, content.
pub(super) fn write(writer: &mut Writer, old: Option<&Record>, new: &Record, prompt: &PromptUsed) {
    verdict(writer, old, new);
    for dimension in Dimension::ALL {
        score(writer, dimension, old, new);
    }
    let Some(old) = old else { return };
    model(writer, old, new);
    let asked = status::prompt(prompt);
    let text = match same(old.prompt_sha.as_deref(), Some(&prompt.sha)) {
        Some(true) => format!("the same question ({asked}, {})", short(&prompt.sha)),
        Some(false) => {
            let before = short(old.prompt_sha.as_deref().unwrap_or_default());
            let now = short(&prompt.sha);
            format!("ANOTHER question: {before} {} {now} ({asked})", writer.glyphs.arrow)
        }
        None => format!("cannot compare prompts: the record names none; now {asked}"),
    };
    writer.field("prompt", &text);
    let content = match same(old.content_sha.as_deref(), new.content_sha.as_deref()) {
        Some(true) => "the same, by its hash",
        Some(false) => "ANOTHER hash: other content, or hashed in another way",
        None => NO_HASH,
    };
    writer.field("content", content);
}

fn verdict(writer: &mut Writer, old: Option<&Record>, new: &Record) {
    let is = Sign::from_outcome(new.outcome);
    let now = (is.role(), writer.glyphs.sign(is));
    let label = (Role::Dim, " verdict   ");
    let line = match old {
        Some(old) => {
            let was = Sign::from_outcome(old.outcome);
            let same = old.outcome == new.outcome;
            let word = if same { "  as before" } else { "  CHANGED" };
            let role = if same { Role::Dim } else { Role::Warning };
            let arrow = format!(" {} ", writer.glyphs.arrow);
            vec![
                label,
                (was.role(), writer.glyphs.sign(was)),
                (Role::Dim, arrow.as_str()),
                now,
                (role, word),
            ]
            .into_iter()
            .map(|(role, text)| (role, text.to_owned()))
            .collect()
        }
        None => vec![(label.0, label.1.to_owned()), (now.0, now.1.to_owned())],
    };
    writer.ready(line);
}

fn score(writer: &mut Writer, of: Dimension, old: Option<&Record>, new: &Record) {
    let usable = |row: &Record| row.scores.usable(of);
    let text = |score: Option<f32>| score.map_or("-".to_owned(), |score| score.to_string());
    let is = usable(new);
    let Some(old) = old else {
        return writer.field(of.as_str(), &text(is));
    };
    let was = usable(old);
    let by = match (was, is) {
        (Some(was), Some(is)) if was == is => "  as before".to_owned(),
        (Some(was), Some(is)) => format!("  {:+}", is - was),
        _ => String::new(),
    };
    let arrow = writer.glyphs.arrow;
    writer.field(of.as_str(), &format!("{} {arrow} {}{by}", text(was), text(is)));
}

/// Who was asked and who answered, as far as both say so.
fn model(writer: &mut Writer, old: &Record, new: &Record) {
    let (was, is) = (judge(old), judge(new));
    let text = match (&old.served_model, &new.served_model) {
        _ if was == is => format!("the same: {is}"),
        (None, Some(served)) if old.model == new.model => {
            let asked = new.model.as_deref().unwrap_or_default();
            format!("requested {asked}, as before; answered by {served}, before: not recorded")
        }
        _ => format!("another: {was} {} {is}", writer.glyphs.arrow),
    };
    writer.field("model", &text);
}

/// Who answered, else who was asked.
fn judge(row: &Record) -> String {
    match (&row.model, &row.served_model) {
        (Some(asked), Some(served)) if asked != served => format!("{asked} (served by {served})"),
        (Some(asked), _) => asked.clone(),
        (None, served) => served.clone().unwrap_or_else(|| "not named".to_owned()),
    }
}

/// Whether two hashes are the same; `None` where one is not known.
fn same(old: Option<&str>, new: Option<&str>) -> Option<bool> {
    Some(old.filter(|h| !h.is_empty())? == new.filter(|h| !h.is_empty())?)
}

/// The beginning of a hash. Whatever is in a record's place of it may be no hash.
pub(super) fn short(hash: &str) -> &str {
    hash.get(..hash.floor_char_boundary(DIGITS)).unwrap_or(hash)
}
