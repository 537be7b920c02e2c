//! The cursor of the overview, and what follows it. All of it is asked by `update`.

use super::page::{Halt, Key, Page};
use super::room;
use crate::tui::model::Model;
use crate::tui::view::layout;
use std::sync::Arc;

/// Makes the page where its documents or the width have changed, keeps the cursor on what it
/// stood on, and scrolls to it.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(triage) = model.overview.summary.value.clone() else { return };
    // Breakdowns of another window must not stand beside the counts of this one.
    let same = |b: &&Arc<crate::overview::Breakdowns>| b.window == triage.window;
    let breakdowns = model.overview.breakdowns.value.as_ref().filter(same).cloned();
    let width = usize::from(areas.body.width);
    let key = Key { triage, breakdowns, width, glyphs: model.glyphs };
    if model.overview.page.key.as_ref() != Some(&key) {
        let before = model.overview.page.halts.get(model.overview.cursor).map(|h| &h.stop.id);
        let page = Page::of(key);
        let same = |h: &Halt| Some(&h.stop.id) == before;
        let found = page.halts.iter().position(same);
        let last = page.halts.len().saturating_sub(1);
        model.overview.cursor = found.unwrap_or(model.overview.cursor.min(last));
        model.overview.page = Arc::new(page);
        hold_cell(model);
    }
    follow(model, usize::from(room(areas.body).height));
}

/// Keeps the selected cell among those that there are.
fn hold_cell(model: &mut Model) {
    let last = super::cells(model).saturating_sub(1);
    model.overview.cell = model.overview.cell.min(last);
}

/// Scrolls as little as it takes to show the selected stop, with what only it shows.
fn follow(model: &mut Model, height: usize) {
    let page = &model.overview.page;
    let Some(halt) = page.halts.get(model.overview.cursor) else { return };
    let mut top = model.overview.top.min(page.height.saturating_sub(height));
    let last = page.halts.iter().rfind(|h| h.column == halt.column);
    let is_last = last.is_some_and(|h| h.lines == halt.lines);
    let end = if is_last { page.height } else { halt.lines.end };
    // The whole of it where it fits, and always its first line.
    for lines in [halt.around.start..end, halt.around.start..halt.lines.end, halt.lines.clone()] {
        if lines.len() <= height {
            top = top.min(lines.start).max((lines.end).saturating_sub(height));
            break;
        }
        if lines == halt.lines {
            top = lines.start;
        }
    }
    model.overview.top = top;
}

/// Goes so many stops on.
pub(in crate::tui) fn step(model: &mut Model, stops: isize) {
    let last = super::figures(model).saturating_sub(1);
    go(model, model.overview.cursor.saturating_add_signed(stops).min(last));
}

/// Goes so many lines on, to the stop that is nearest there in the same column of blocks.
pub(in crate::tui) fn page(model: &mut Model, lines: isize) {
    let halts = &model.overview.page.halts;
    let Some(halt) = halts.get(model.overview.cursor) else { return };
    let to = halt.lines.start.saturating_add_signed(lines);
    let below = |h: &&Halt| h.column == halt.column;
    let near = |h: &Halt| h.lines.start.abs_diff(to);
    let found = halts.iter().enumerate().filter(|(_, h)| below(h)).min_by_key(|(_, h)| near(h));
    let found = found.map(|(at, _)| at);
    match found {
        Some(at) if at != model.overview.cursor => go(model, at),
        // At the end of a column: on to the next stop.
        _ => step(model, lines.signum()),
    }
}

/// Goes to the first stop of the next block, or of the one before.
pub(in crate::tui) fn block(model: &mut Model, by: isize) {
    let halts = &model.overview.page.halts;
    let name = |at: usize| halts.get(at).map(|h| h.stop.id.block);
    let here = name(model.overview.cursor);
    let starts: Vec<usize> =
        (0..halts.len()).filter(|at| *at == 0 || name(at - 1) != name(*at)).collect();
    let own = starts.iter().rposition(|at| name(*at) == here && *at <= model.overview.cursor);
    let Some(own) = own else { return };
    // The last goes on to the first, and the other way round.
    let next = (own as isize + by).rem_euclid(starts.len().max(1) as isize) as usize;
    let Some(at) = starts.get(next) else { return };
    // As much of the block as there is room for.
    let title = halts.get(*at).map_or(0, |h| h.around.start);
    go(model, *at);
    model.overview.top = title;
}

/// Moves the cursor; in another block it begins with that block's own cell.
fn go(model: &mut Model, at: usize) {
    let halts = &model.overview.page.halts;
    let (from, to) = (halts.get(model.overview.cursor), halts.get(at));
    let Some(to) = to else { return };
    let alike = |from: &Halt| {
        from.stop.id.block == to.stop.id.block && from.stop.cells.len() == to.stop.cells.len()
    };
    if !from.is_some_and(alike) {
        model.overview.cell = to.stop.first;
    }
    model.overview.cursor = at;
}
