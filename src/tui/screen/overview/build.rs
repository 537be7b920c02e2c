//! The page of the overview, made once for its documents and a width.

use super::{days, heat, kpi, scores, sources, summary, tables};
use crate::domain::ByKind;
use crate::tui::layout;
use crate::tui::model::Model;
use crate::tui::page::drill_down::Documents;
use crate::tui::page::row::Block;
use crate::tui::page::{Page, PageInputs};
use crate::tui::screen::page_cursor::PageCursor;
use crate::tui::screen::page_view::room;
use crate::tui::theme::Glyphs;
use std::sync::Arc;

/// Makes the overview where its documents or the width have changed, keeps the cursor on what it
/// stood on, and scrolls to it.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(triage) = model.overview.summary.value.clone() else { return };
    // Breakdowns of another window must not be beside the counts of this one.
    let same = |b: &&Arc<crate::overview::Breakdowns>| b.window == triage.window;
    let breakdowns = model.overview.breakdowns.value.as_ref().filter(same).cloned();
    let assessed = ByKind::new(|of| model.assessments.get(of).result.value.clone());
    let width = usize::from(areas.body.width);
    let now = model.now;
    let (picks, glyphs) = (model.picks.result.value.clone(), model.glyphs);
    let fleet = model.facts.fleet;
    let command_line = model.facts.command_line;
    let key =
        PageInputs { triage, breakdowns, assessed, picks, fleet, command_line, now, width, glyphs };
    let mut page_cursor = PageCursor::on_screen(model);
    if page_cursor.made_of() != Some(&key) {
        page_cursor.replace_page(page(key));
    }
    page_cursor.scroll_to_cursor(usize::from(room(areas.body).height));
}

/// Makes the page of some documents.
fn page(key: PageInputs) -> Page {
    let documents = key.documents();
    let link = |drill_down, family| documents.target(drill_down, family);
    let mut page = Page::default();
    let (full, glyphs) = (key.width, key.glyphs);
    let half = Page::half(full);
    let two = half < full;
    let room = |width: usize| width.saturating_sub(2);
    let y = page.column((0, 0), full, 0, summary::blocks(&documents, room(full), glyphs), &link);
    let y = page.column((0, 0), full, y, kpi::of_pushes(&documents, room(full), glyphs), &link);
    let (left, right) = sides(&documents, room(half), glyphs);
    let end = page.column((0, 0), half, y, left, &link);
    page.height = match two {
        true => end.max(page.column((1, half + 1), full - half - 1, y, right, &link)),
        false => page.column((0, 0), full, end, right, &link),
    };
    page.key = Some(key);
    page
}

/// The blocks below the KPIs, in two columns; in one they follow each other.
fn sides(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> (Vec<Block>, Vec<Block>) {
    let mut left = days::blocks(documents, width, glyphs);
    left.extend(heat::blocks(documents, width, glyphs));
    left.extend(kpi::of_others(documents, width, glyphs));
    left.extend(scores::blocks(documents, width, glyphs));
    let mut right = sources::boxes(documents, width, glyphs);
    right.extend(tables::blocks(documents, width, glyphs));
    right.extend(sources::blocks(documents, width, glyphs));
    (left, right)
}
