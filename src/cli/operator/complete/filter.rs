//! Filters: fields and values, and the filters of saved views.

use super::{names, records};
use crate::cli::complete::{Known, Offer};
use crate::domain::Record;
use crate::frame::query::{AtCursor, Field, Noted, completions, fixed_values};
use crate::tui::session::Session;

/// Most bytes of the file of the session.
const SESSION: u64 = 1 << 20;

/// Where a filter could go on.
pub(super) fn filters(known: &Known, typed: &str) -> Vec<Offer> {
    let mut all = gone_on(known, typed);
    // A shell may end a word that is the only one; so a field comes with its values.
    if let [(field, _, false)] = all.as_slice() {
        let values = gone_on(known, field);
        if !values.is_empty() {
            all = values;
        }
    }
    let all = all.into_iter().map(|(text, note, _)| Offer::new(text, note));
    // Of a filter that is begun, the language knows how it goes on.
    let views = if typed.is_empty() { views(known) } else { Vec::new() };
    all.chain(views).collect()
}

/// The text with each way to go on from its end, a few words on it, and whether a condition is whole with it.
fn gone_on(known: &Known, text: &str) -> Vec<(String, String, bool)> {
    // Values of other fields would go on from a bare word, but no shell puts one word in place of another.
    let asked = match AtCursor::find(text, text.len()) {
        AtCursor::Value { field, .. } => Some(field),
        _ => None,
    };
    let values = |field: Field| match asked {
        Some(asked) if asked == field => values(known, field),
        _ => Vec::new(),
    };
    let all = completions(text, text.len(), &values).into_iter().filter_map(|one| {
        let (before, after) = (text.get(..one.range.start)?, text.get(one.range.end..)?);
        Some((format!("{before}{}{after}", one.text), one.note, one.whole))
    });
    all.filter(|(whole, ..)| whole.starts_with(text)).collect()
}

/// Values of a field: those of the language, and those that are known here.
fn values(known: &Known, field: Field) -> Vec<Noted> {
    let of_records =
        |names: fn(&Record) -> Vec<String>| records::named(&records::latest(known), "", names);
    let own = match field.name {
        "box" => names::boxes(known, ""),
        "reviewer" | "claimed" | "assigned" => names::reviewers(known, ""),
        "author" | "agent" => of_records(|record| Vec::from_iter(record.author.clone())),
        "model" => of_records(|record| Vec::from_iter(record.model.clone())),
        "judge" => of_records(|record| Vec::from_iter(record.served_model.clone())),
        "task" => of_records(|record| Vec::from_iter(record.task_id.clone())),
        "commit" => of_records(|record| Vec::from_iter(record.commit.clone())),
        "path" => of_records(|record| record.files.clone()),
        "id" => of_records(|record| vec![record.id.short()]),
        _ => Vec::new(),
    };
    let own = own.into_iter().map(Offer::into_parts);
    fixed_values(field).into_iter().chain(own).collect()
}

/// The filters of saved views, with the names of these.
fn views(known: &Known) -> Vec<Offer> {
    let Some(context) = known.context() else { return Vec::new() };
    let views = Session::saved_views(&context.data.session(), SESSION).into_iter();
    views.map(|view| Offer::new(view.filter, format!("view: {}", view.name))).collect()
}
