//! What is copied of the record that is selected, or of the page.

use super::selected_record::{not_yet, raw};
use crate::domain::Record;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::link;
use crate::tui::model::{Model, Screen, ShownRecord};
use crate::tui::screen;
use std::sync::Arc;

/// Copies what an action names, or says why there is nothing to copy.
pub(super) fn copy(model: &mut Model, action: Action) -> Vec<Effect> {
    if action == Action::CopyCommand {
        // What shows a hidden verdict is no help: it would no longer be labelled blind.
        if model.selected().is_some_and(|shown| model.is_hidden(&shown.row)) {
            return not_yet(model);
        }
        let text = Arc::from(command(model));
        return vec![Effect::Copy { what: "the command", text }];
    }
    let Some(shown) = model.selected().cloned() else { return not_yet(model) };
    let (what, text) = match action {
        Action::CopyCommit => ("the commit", shown.row.commit.clone()),
        Action::CopyPath => ("the path", shown.row.files.first().cloned()),
        Action::CopyLink => ("the link", link_of(model, &shown.row)),
        Action::CopyFinding if model.is_hidden(&shown.row) => return not_yet(model),
        Action::CopyFinding => ("the finding", whole(model, &shown).findings.clone()),
        Action::CopyRecord => match raw(model) {
            Some(text) => ("the record", Some(text.to_string())),
            None => return not_yet(model),
        },
        _ => ("the record's id", Some(shown.row.id.to_string())),
    };
    match text {
        Some(text) => vec![Effect::Copy { what, text: Arc::from(text) }],
        None => {
            let text = match (action, &shown.row.commit) {
                (Action::CopyCommit | Action::CopyLink, None) => "this record names no commit",
                (Action::CopyLink, _) => "no address: set `commit_url` in the configuration",
                (Action::CopyPath, _) => "this record names no file",
                _ => "this record has no finding",
            };
            model.notices.note(text, model.now);
            Vec::new()
        }
    }
}

fn link_of(model: &Model, row: &Record) -> Option<String> {
    link::commit(model.facts.commit_url.as_deref(), row.commit.as_deref()?)
}

/// The whole of a record of which the list may keep only the beginning.
fn whole<'m>(model: &'m Model, shown: &'m ShownRecord) -> &'m Record {
    let details = model.record.details.value.as_ref();
    let bare = details.and_then(|details| details.bare.as_ref());
    &bare.filter(|bare| bare.row.id == shown.row.id).unwrap_or(shown).row
}

/// The command that does what the cursor is on, or shows what is here.
fn command(model: &Model) -> String {
    let family = match model.family.is_default() {
        true => String::new(),
        false => format!(" --family {}", model.family.as_str()),
    };
    let line = match model.screen {
        Screen::Queue | Screen::Records => match model.selected() {
            Some(shown) => format!("foureyes show {}", shown.row.id.short()),
            None => "foureyes records".to_owned(),
        },
        Screen::Calibration if model.picks.mode.is_some() => "foureyes memories label".to_owned(),
        Screen::Readiness if model.picks.mode.is_some() => "foureyes memories readiness".to_owned(),
        Screen::Calibration => format!("foureyes calibration{family}"),
        Screen::Readiness => {
            screen::assess::command(model).unwrap_or_else(|| format!("foureyes readiness{family}"))
        }
        Screen::Runs => "foureyes calibration runs".to_owned(),
        Screen::Boxes => "foureyes doctor".to_owned(),
        Screen::Trends => format!("foureyes trend{family}"),
        _ => "foureyes triage".to_owned(),
    };
    let complete = |line| model.facts.command_line.command(line).into_owned();
    line.lines().map(complete).collect::<Vec<_>>().join("\n")
}
