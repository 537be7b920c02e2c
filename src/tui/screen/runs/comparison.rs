//! A run beside earlier verdicts: by the records, and by the run that it repeats.

use super::status::Figures;
use crate::calibration::comparison::{RunComparison, differs};
use crate::domain::review::Run;
use crate::report::run_comparison::{compared, judges};
use crate::text::escape;
use crate::text::short_hash;
use crate::tui::model::{Model, RunPhase};
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::Pen;
use ratatui::text::Line;

/// What can be concluded, in as many lines as there is room for: a comparison that does not fit
/// whole says how many were compared and what may be read from that, or nothing.
pub(super) fn lines(
    model: &Model,
    run: &Run,
    figures: &Figures,
    pen: &Pen<'_>,
    (width, mut room): (usize, usize),
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    // Whether anything changed would reveal records that are hidden; of a run that is on, which of
    // its items are answered first is no chance.
    let live = model.runs.live.as_ref().filter(|live| live.has_id(run.id()));
    if figures.changed.is_none() || live.is_some_and(|live| live.phase != RunPhase::Ended) {
        return lines;
    }
    for (title, sentences) in comparisons(model, run) {
        let short = [sentences.first(), sentences.last()].into_iter().flatten().cloned().collect();
        let variants =
            [sentences, short].map(|sentences: Vec<String>| render(pen, &title, &sentences, width));
        let Some(fits) = variants.into_iter().find(|variant| variant.len() <= room) else {
            continue;
        };
        room -= fits.len();
        lines.extend(fits);
    }
    lines
}

/// Each comparison with its title: counts first, what may be read from them last.
fn comparisons(model: &Model, run: &Run) -> Vec<(String, Vec<String>)> {
    // One task is no sample.
    if run.begun.what.task.is_some() {
        return Vec::new();
    }
    let mut all = Vec::new();
    if let Some(id) = run.begun.what.repeats {
        let title = format!("compared with run {}", short_hash(&id.to_string()));
        all.push(match repeated_run(model, run) {
            Some(before) => {
                let mut sentences = compared(&RunComparison::of_run(run, before));
                sentences.insert(1, judges(&differs(run, before)));
                (title, sentences)
            }
            None => (title, vec!["it is in no ledger here, so nothing is compared".to_owned()]),
        });
    }
    if run.begun.what.items.iter().any(|item| item.was.is_some()) {
        all.push((
            "compared with the records".to_owned(),
            compared(&RunComparison::of_records(run)),
        ));
    }
    all
}

/// The run that a run repeats, where a ledger has it.
pub(super) fn repeated_run<'a>(model: &'a Model, run: &Run) -> Option<&'a Run> {
    model.run(run.begun.what.repeats?)
}

/// What an item's verdict was in the run that is repeated, beside what it is now.
pub(super) fn earlier_outcome(model: &Model, run: &Run, at: usize) -> Option<String> {
    let id = run.begun.what.repeats?.to_string();
    let (then, now) = (repeated_run(model, run)?.outcome(at), run.outcome(at));
    let word = then.map_or("no verdict", |then| model.glyphs.sign(Sign::from_outcome(Some(then))));
    let how = match (then, now) {
        (None, _) | (_, None) => "",
        (then, now) if then == now => ", as now",
        _ => ", OTHERWISE than now",
    };
    Some(format!("{word}{how} (run {})", short_hash(&id)))
}

fn render(pen: &Pen<'_>, title: &str, sentences: &[String], width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![pen.line([(Role::Title, format!(" {title}").as_str())])];
    let last = sentences.len().saturating_sub(1);
    for (at, text) in sentences.iter().enumerate() {
        let role = if at == last { Role::Text } else { Role::Dim };
        let block = escape::block(text, "   ", width);
        lines.extend(block.lines().map(|line| pen.line([(role, line)])));
    }
    lines.push(Line::default());
    lines
}
