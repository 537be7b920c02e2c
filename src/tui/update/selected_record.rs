//! What is done with the record that is selected: its secrets shown, its texts opened elsewhere.

use crate::tui::effect::Effect;
use crate::tui::model::{Model, Tab};
use std::sync::Arc;

/// Shows the secrets of the record, or hides them again.
pub(super) fn reveal(model: &mut Model) {
    let Some(shown) = model.selected().cloned() else { return };
    let reveal = !model.record.reveal;
    if model.facts.fleet {
        let text = "secrets were masked before they were published: the store does not have them";
        model.notices.note(text, model.now);
        return;
    }
    if reveal && !matches!(model.record.tab, Tab::Verdict | Tab::Raw) {
        let text = "secrets stay masked here; Verdict and Raw can show them";
        model.notices.note(text, model.now);
        return;
    }
    model.record.reveal = reveal;
    model.record.revision += 1;
    model.record.details = Default::default();
    if reveal {
        let text =
            format!("secrets of record {} are visible on Verdict and Raw", shown.row.id.short());
        model.notices.warn(text, "the same key hides them", model.now);
    }
}

/// The record as the log holds it, where it is read already and not hidden.
pub(super) fn raw(model: &Model) -> Option<Arc<str>> {
    model.selected().filter(|shown| !model.is_hidden(&shown.row))?;
    let details = model.record.details.value.as_ref()?;
    Some(Arc::from(details.raw.as_str()))
}

/// Opens a copy in the editor: what its tab shows of git, elsewhere the record.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let (suffix, text) = match model.record.tab {
        Tab::Content => (".md", crate::tui::screen::record::content_text(model)),
        Tab::Diff => (".diff", crate::tui::screen::record::diff_text(model)),
        _ => (".json", raw(model)),
    };
    match text {
        Some(text) => vec![Effect::Edit { suffix, text }],
        None if suffix == ".json" => not_yet(model),
        None => {
            let text = match model.record.content.is_busy() {
                true => "still waiting for git",
                false => "git has nothing to open here; Raw shows the record",
            };
            model.notices.note(text, model.now);
            Vec::new()
        }
    }
}

/// Opens its commit in the browser.
pub(super) fn open_commit(model: &mut Model) -> Vec<Effect> {
    match model.selected().map(|s| s.row.commit.clone()) {
        Some(Some(commit)) => vec![Effect::OpenCommit { commit }],
        Some(None) => {
            model.notices.note("this record names no commit", model.now);
            Vec::new()
        }
        None => not_yet(model),
    }
}

/// Why nothing is done with it.
pub(super) fn not_yet(model: &mut Model) -> Vec<Effect> {
    if model.selected().is_some_and(|shown| model.is_hidden(&shown.row)) {
        let text = "the record is hidden until you have labelled it";
        model.notices.note(text, model.now);
        return Vec::new();
    }
    model.notices.note(super::NO_RECORD, model.now);
    Vec::new()
}
