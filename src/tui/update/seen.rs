//! Whose verdict the person was shown in this run: no later label of such a record is a blind one. And
//! whose content: a label without it does not count.

use crate::domain::review::ContentHash;
use crate::domain::{Record, RecordId};
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{List, Model, Overlay, Tab};
use crate::tui::screen;
use std::collections::BTreeSet;

/// Notes what the screen shows now; what of it was not to be known yet is an exposure. What is drawn hidden shows
/// nothing.
pub(super) fn note(model: &mut Model) -> Option<Effect> {
    let shown = |row: &&Record| !model.is_hidden(row);
    let rows = in_list(model).chain(in_record_pane(model)).chain(in_form(model));
    let mut seen: Vec<RecordId> = rows.filter(shown).map(|row| row.id).collect();
    seen.extend(screen::runs::revealed(model));
    let new = |record: &RecordId| !model.labels.seen.contains(record);
    let exposed = |record: &RecordId| new(record) && model.gate.exposes(*record);
    let records: BTreeSet<RecordId> = seen.iter().copied().filter(exposed).collect();
    model.labels.seen.extend(seen);
    let content = drawn_content(model);
    model.labels.contents.extend(content);
    (!records.is_empty()).then(|| Effect::Expose { records: records.into_iter().collect() })
}

/// Notes the content of the selected record as seen: line by line it is written out, on no screen.
pub(in crate::tui) fn note_written(model: &mut Model) {
    let content = content_of_side(model);
    model.labels.contents.extend(content);
}

/// The content that is on the screen, where it was not before.
fn drawn_content(model: &Model) -> Option<(RecordId, ContentHash)> {
    let areas = layout::areas(model)?;
    layout::split(model, areas.body).record?;
    content_of_side(model)
}

/// The content that the side of the selected record shows, where it was not seen before.
fn content_of_side(model: &Model) -> Option<(RecordId, ContentHash)> {
    let here = model.list().is_some() && matches!(model.record.tab, Tab::Content | Tab::Diff);
    let id = model.record.id.filter(|id| !model.labels.contents.contains_key(id))?;
    let highlighted = model.record.content.value.as_deref().filter(|_| here)?;
    Some((id, highlighted.content.as_ref().ok()?.shown_hash()?))
}

/// The lines of a list that is on the screen, and the record that is selected in it.
fn in_list(model: &Model) -> impl Iterator<Item = &Record> {
    let is_drawn = layout::areas(model)
        .is_some_and(|areas| layout::split(model, areas.body).list.is_some())
        && !layout::has_form(model);
    let height = layout::list_height(model).max(1);
    let list = model.list().filter(|_| is_drawn).into_iter();
    let of = move |list: &'_ List| {
        let read = |(_, row)| model.rows.get(list.edition, row);
        list.visible(height).filter_map(read).collect::<Vec<_>>()
    };
    let selected = model.list().and_then(|_| model.selected());
    list.flat_map(of).chain(selected).map(|shown| &shown.row)
}

/// Other records that the history of the selected one names.
fn in_record_pane(model: &Model) -> impl Iterator<Item = &Record> {
    let here = model.list().is_some() && model.record.tab == Tab::History;
    let details = model.record.details.value.as_deref().filter(|_| here);
    details.into_iter().flat_map(|d| d.rounds.iter().chain(&d.file)).map(|shown| &shown.row)
}

/// The one or two verdicts that an override is about.
fn in_form(model: &Model) -> impl Iterator<Item = &Record> {
    let form = match &model.overlay {
        Some(Overlay::Override(form)) => Some(form),
        _ => None,
    };
    let both = form.into_iter().flat_map(|form| [form.single(), form.newest()]);
    both.flatten().map(|shown| &shown.row)
}
