//! What runs and evaluations say, in words and numbers.

use super::is_hidden;
use crate::domain::review::{Dated, Evaluated, ItemLeft, Run, RunFigures};
use crate::report::Masking;
pub(in crate::tui) use crate::report::runs::{money, prompt, thousands};
use crate::tui::model::{ItemState, LiveRun, Model, RunPhase, ShownRecord};
use crate::tui::theme::Role;
use crate::tui::widget::counted;

/// Figures of a run, without what is hidden.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) items: usize,
    pub(super) judged: usize,
    /// Verdicts that differ from those before; `None` where some of them are hidden.
    pub(super) changed: Option<usize>,
    /// Evaluations without a verdict for a reason that is not the content.
    pub(super) errors: usize,
    all: RunFigures,
}

impl Figures {
    pub(super) fn count(model: &Model, run: &Run) -> Self {
        let mut all = RunFigures::new(run);
        let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
        if let (None, Some(live)) = (&run.ended, live) {
            let cut =
                |item: &ItemState| matches!(item, ItemState::Skipped(why) if why == ItemLeft::CUT);
            all.cut = live.count(cut);
        }
        let hidden = run.begun.what.items.iter().any(|item| is_hidden(model, item));
        let changed = (!hidden).then_some(all.changed);
        Self { items: all.items, judged: all.judged, changed, errors: all.errors, all }
    }

    /// Tokens and cost, as far as they are known.
    pub(super) fn spent(&self) -> String {
        crate::report::runs::spent(&self.all)
    }
}

/// State of a run, in words.
pub(super) fn state(model: &Model, run: &Run, figures: &Figures) -> (Role, String) {
    let of = format!("{} of {}", figures.judged, figures.items);
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    match live {
        Some(live) if live.phase != RunPhase::Ended => (Role::Notice, phase(live, &of)),
        Some(live) if live.problem.is_some() && run.evaluations.is_empty() => {
            (Role::Error, "FAILED: no request was sent".to_owned())
        }
        Some(live) if live.unkept > 0 => {
            (Role::Error, format!("{of} judged, {} NOT KEPT", live.unkept))
        }
        _ if run.ended.is_none() && live.is_none() => {
            (Role::Warning, format!("{of} judged; end not recorded"))
        }
        _ if figures.judged < figures.items => (Role::Warning, format!("{of} judged")),
        _ => (Role::Text, counted(figures.judged, "judged", "judged")),
    }
}

fn phase(live: &LiveRun, of: &str) -> String {
    let asked = live.count(|item| *item == ItemState::Asked);
    match live.phase {
        RunPhase::Stopping => format!("STOPPING {of}, {asked} asked"),
        RunPhase::Dropping => format!("ENDING {of}"),
        _ => format!("RUNNING {of}, {asked} asked"),
    }
}

/// An evaluation as any record is shown: read by the same reader, its secrets masked.
pub(super) fn shown(evaluated: &Dated<Evaluated>) -> Option<ShownRecord> {
    let raw = serde_json::to_vec(&evaluated.what.evaluation).ok()?;
    let record = crate::jsonl::read_one(&raw, &crate::jsonl::Settings::default())?;
    Some(ShownRecord::new(&record, Masking::On))
}
