//! The page of the overview, made once for its documents and a width.

use crate::answers::overview::{self, Overview, Picks};
use crate::assess::Operation;
use crate::domain::ByKind;
use crate::page::Page as Answer;
use crate::page::write::console::{Layout, Unfolded};
use crate::report::picks::heading;
use crate::tui::layout;
use crate::tui::model::{Model, PickMode};
use crate::tui::page::{Page, PageInputs};
use crate::tui::screen::page_cursor::PageCursor;
use crate::tui::screen::page_view::room;
use crate::tui::screen::picks::sign;
use std::sync::Arc;

/// Makes the overview where its documents or the width have changed, keeps the cursor on what it
/// stood on, and scrolls to it.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(key) = inputs(model, usize::from(areas.body.width)) else { return };
    let mut page_cursor = PageCursor::on_screen(model);
    if page_cursor.made_of() != Some(&key) {
        page_cursor.replace_page(page(key));
    }
    page_cursor.scroll_to_cursor(usize::from(room(areas.body).height));
}

/// The documents that are there; `None` before there are any.
fn inputs(model: &Model, width: usize) -> Option<PageInputs> {
    let triage = model.overview.summary.value.clone()?;
    // Breakdowns of another window must not be beside the counts of this one.
    let same = |b: &&Arc<crate::overview::Breakdowns>| b.window == triage.window;
    let breakdowns = model.overview.breakdowns.value.as_ref().filter(same).cloned();
    let assessed = ByKind::new(|of| model.assessments.get(of).result.value.clone());
    let is_assessing = ByKind::new(|of| model.assessments.get(of).result.is_busy());
    let now = model.now;
    let (picks, glyphs) = (model.picks.result.value.clone(), model.glyphs);
    let fleet = model.facts.fleet;
    let command_line = model.facts.command_line;
    let blocking = model.blocking_caveats();
    let is_gated = model.gate.days().is_some();
    Some(PageInputs {
        triage,
        breakdowns,
        assessed,
        is_assessing,
        blocking,
        picks,
        fleet,
        is_gated,
        command_line,
        now,
        width,
        glyphs,
    })
}

/// Makes the page of some documents.
fn page(key: PageInputs) -> Page {
    let options = key.options();
    let answer = answered(&key, None, overview::page);
    let layout = Layout::new(&answer, key.width, key.glyphs, &options, &Unfolded::new());
    Page { key: Some(key), ..Page::laid_out(layout) }
}

/// What the overview says, or in `brief` only how it stands; `None` before anything is counted.
pub(in crate::tui) fn answer(model: &Model, brief: bool) -> Option<Answer> {
    let key = inputs(model, 0)?;
    let page = if brief { overview::summary } else { overview::page };
    Some(answered(&key, model.operation.as_ref(), page))
}

fn answered(
    key: &PageInputs,
    operation: Option<&Operation>,
    page: fn(&Overview<'_>) -> Answer,
) -> Answer {
    let picks = key.picks.as_deref().filter(|report| report.has(PickMode::Strict));
    let picks = picks.map(|report| &report.strict.document);
    let comparison = picks.map(|document| document.comparison()).unwrap_or_default();
    page(&Overview {
        triage: &key.triage,
        breakdowns: key.breakdowns.as_deref(),
        readiness: ByKind::new(|of| key.assessed.get(of).as_deref().map(|a| &a.readiness)),
        is_assessing: key.is_assessing,
        blocking: &key.blocking,
        operation,
        picks: picks.map(|document| Picks {
            sign: sign(document.result),
            decision: heading(document.result),
            comparison: &comparison,
        }),
        is_fleet: key.fleet,
        is_gated: key.is_gated,
        now: key.now,
    })
}
