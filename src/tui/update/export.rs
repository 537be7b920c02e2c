//! Exporting what is on the screen to a file, and naming files that were written.

use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::{
    BlindMode, Export, ExportForm, ExportHides, ExportSource, ExportedDocument, ExportedRecords,
    Model, QueueKind, Screen, WrittenFile, key_context,
};
use crate::tui::screen;
use std::path::PathBuf;
use std::sync::Arc;

/// Exports the list as it is filtered, or the page.
pub(super) fn export(model: &mut Model, form: ExportForm) -> Vec<Effect> {
    // Its counts of open days by outcome would tell few hidden verdicts; the page says which it leaves out.
    let is_assessed = matches!(model.screen, Screen::Calibration | Screen::Readiness);
    if form == ExportForm::Json && is_assessed && model.gate.days().is_some() {
        model.notices.note("JSON would tell hidden verdicts: export CSV or Markdown", model.now);
        return Vec::new();
    }
    let source = match model.screen {
        Screen::Queue | Screen::Records => records(model).map(ExportSource::Records),
        _ => page(model),
    };
    let Some(source) = source else {
        model.notices.note("nothing here to export", model.now);
        return Vec::new();
    };
    let name = match model.screen {
        Screen::Queue if model.calibrate.selection.kind == QueueKind::Triage => "triage",
        Screen::Queue => "label-queue",
        Screen::Records => "records",
        Screen::Calibration => "calibration",
        // The report has the name of its screen.
        Screen::Readiness => "readiness-figures",
        _ => "overview",
    };
    vec![Effect::Export(Box::new(Export { name, form, source }))]
}

fn records(model: &Model) -> Option<ExportedRecords> {
    let list = model.list().filter(|list| !list.is_empty())?;
    let hides = match model.sight() {
        BlindMode::Blind if model.in_calibration() => ExportHides::All,
        BlindMode::Blind => ExportHides::Unlabelled,
        BlindMode::Open => ExportHides::None,
    };
    Some(ExportedRecords {
        edition: list.edition,
        rows: Arc::clone(list.rows.value.as_ref()?),
        hides,
        open_days: model.gate.window_days().cloned(),
        is_lifted: model.gate.is_lifted(),
    })
}

fn page(model: &Model) -> Option<ExportSource> {
    let (answer, document) = match model.screen {
        Screen::Overview => {
            let mut triage = model.overview.summary.value.clone()?;
            if model.gate.days().is_some() {
                // As on the page: one new push that is flagged would be told by its count.
                Arc::make_mut(&mut triage).new_since = None;
            }
            (screen::overview::answer(model, false)?, ExportedDocument::Triage(triage))
        }
        Screen::Calibration | Screen::Readiness if model.picks.mode.is_none() => {
            let report = model.assess().result.value.clone()?;
            (screen::assess::answer(model)?, ExportedDocument::Report(report))
        }
        _ => return None,
    };
    Some(ExportSource::Page(answer, document))
}

/// A report or an export was written; `name` is its path, shortened as far as that needs no width.
pub(super) fn written(model: &mut Model, path: PathBuf, name: &str, is_report: bool) {
    let key = model.keymap.hint(key_context(model), Action::OpenReport);
    let (begin, end) = match (is_report, key) {
        (true, Some(key)) => ("Report written: ", format!("; {key} opens it")),
        (true, None) => ("Report written: ", String::new()),
        (false, _) => ("Exported to ", String::new()),
    };
    // A path that is broken is none: it stays on one line.
    let room = match model.size.0 {
        0 => usize::MAX,
        width => usize::from(width).saturating_sub(2 + begin.len() + end.len()).max(8),
    };
    let name = escape::line(name);
    let name = escape::truncate_path(&name, room).into_owned();
    model.notices.note(format!("{begin}{name}{end}"), model.now);
    if is_report {
        model.report = Some(path.clone());
    }
    model.written = Some(WrittenFile { path, name });
}
