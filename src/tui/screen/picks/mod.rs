//! Picks of memories on the screens Calibration and Readiness: one that is labelled, and whether the judge is
//! worth being on.

mod gate;
mod label;

pub(in crate::tui::screen) use gate::sign;

use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::layout;
use crate::tui::model::{Load, Model, PicksKey, Problem, Screen, Subject};
use crate::tui::page::{Page, sanitize};
use crate::tui::screen::page_cursor::PageCursor;
use crate::tui::screen::page_view::{PageView, room};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the one of the two screens that is shown.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    heading(model, pen, buffer, body);
    let texts = texts(model);
    if texts.is_empty() {
        let view = PageView::on_screen(model);
        view.rows(pen, buffer, room(body));
        view.draw_status(pen, buffer, body);
        return;
    }
    let inside = room(body);
    let lines = texts.iter().flat_map(|(role, text)| {
        let block = escape::block(text, "  ", usize::from(inside.width));
        block.lines().map(|line| (*role, line.to_owned())).collect::<Vec<_>>()
    });
    for (row, (role, line)) in lines.enumerate() {
        pen.put(buffer, inside, row as u16, &pen.line([(role, line.as_str())]));
    }
}

fn heading(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let title = format!(" {} ", subject(model));
    let (role, state) = match &model.picks.result.load {
        Load::Failed(_) => (Role::Error, "reading failed "),
        Load::Busy => (Role::Notice, "reading… "),
        Load::Idle => (Role::Dim, ""),
    };
    let mut parts = vec![(Role::Title, title.as_str()), (role, state)];
    let place = place(model);
    if let Some(place) = &place {
        parts.push((Role::Dim, place));
    }
    pen.heading(buffer, body, true, &pen.line(parts));
    if texts(model).is_empty() {
        PageView::on_screen(model).more(pen, buffer, body);
    }
}

fn subject(model: &Model) -> String {
    let of = model.picks.mode.map(|mode| Subject::Picks(mode).title()).unwrap_or_default();
    format!("{} of {of}", model.screen.title())
}

/// What the screen shows, and which pick.
pub(in crate::tui) fn title(model: &Model) -> String {
    let place = place(model).unwrap_or_default();
    format!("{} {place}", subject(model)).trim_end().to_owned()
}

/// The lines of the page, so many columns wide.
pub(in crate::tui) fn lines(model: &Model, width: usize) -> Vec<String> {
    inputs(model, width).map(|key| page(&key).texts()).unwrap_or_default()
}

/// Which pick is labelled, how many candidates are marked, and what cannot be labelled.
fn place(model: &Model) -> Option<String> {
    model.labelled_pick()?;
    let (picks, report) = (&model.picks, model.picks.result.value.as_ref()?);
    let mut text = format!("{} of {}", picks.place + 1, picks.queue.len());
    if !picks.pending.is_empty() {
        text.push_str(", saving");
    }
    match picks.mode.map_or(0, |mode| report.assessment(mode).without_text) {
        0 => {}
        n => text.push_str(&format!(", {n} more without a prompt")),
    }
    Some(text + " ")
}

/// What is said while there is no page.
pub(in crate::tui) fn texts(model: &Model) -> Vec<(Role, String)> {
    let picks = &model.picks;
    let Some((report, mode)) = picks.result.value.as_ref().zip(picks.mode) else {
        return match (&picks.result.load, &model.opening.load) {
            (Load::Failed(problem), _) => failed("the picks could not be read", problem),
            (_, Load::Failed(problem)) => failed("the logs are not open", problem),
            _ => vec![(Role::Text, "reading picks and labels…".to_owned())],
        };
    };
    if model.screen == Screen::Readiness || picks.card.is_some() {
        return Vec::new();
    }
    let of = report.assessment(mode);
    let counts = &of.document.measured.picks;
    let title = match counts.judged {
        0 => "No judge has chosen memories yet, so there is nothing to label.",
        _ => "No pick is left to label.",
    };
    let mut texts =
        vec![(Role::Title, title.to_owned()), (Role::Text, format!("{}.", of.document.labels()))];
    if of.without_text > 0 {
        let picks = counted(of.without_text, "pick has", "picks have");
        let text = format!(
            "{picks} no prompt: `[memories] keep_prompts` keeps prompts on the box, and `logs` of the box must list them."
        );
        texts.push((Role::Warning, text));
    }
    if let Some(key) = model.keymap.hint(Context::List, Action::GoReadiness) {
        let text = format!("{key} shows whether the judge is worth being on.");
        texts.push((Role::Text, text));
    }
    texts
}

fn failed(what: &str, problem: &Problem) -> Vec<(Role, String)> {
    vec![
        (Role::Error, format!("{what}: {}", sanitize(&problem.text))),
        (Role::Text, sanitize(&problem.next)),
    ]
}

/// Makes the page on the screen where what it shows has changed, and scrolls to the cursor.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(key) = inputs(model, usize::from(areas.body.width)) else { return };
    let is_labelling = model.screen == Screen::Calibration;
    let shown =
        if is_labelling { &mut model.picks.calibration } else { &mut model.picks.readiness };
    let page = (shown.key.as_ref() != Some(&key)).then(|| page(&key));
    let mut cursor = PageCursor::page(&mut shown.place);
    if let Some(page) = page {
        cursor.replace_page(page);
        shown.key = Some(key);
    }
    PageCursor::page(&mut shown.place).scroll_to_cursor(usize::from(room(areas.body).height));
}

/// What a page is made of; `None` before the picks are read.
fn inputs(model: &Model, width: usize) -> Option<PicksKey> {
    let (report, mode) = model.picks.result.value.clone().zip(model.shown_picks())?;
    let card = model.labelled_pick().cloned();
    let marks = card.as_ref().map(|card| model.picks.marks_of(card.record)).unwrap_or_default();
    let (left, glyphs) = (model.picks.queue.len(), model.glyphs);
    Some(PicksKey { report, mode, card, marks, left, width, glyphs })
}

fn page(key: &PicksKey) -> Page {
    match &key.card {
        Some(card) => label::page(card, key),
        None => gate::page(key),
    }
}

/// The place of the candidate under the cursor in its pick.
pub(in crate::tui) fn candidate(model: &Model) -> Option<usize> {
    let card = model.labelled_pick()?;
    let id = &PageView::on_screen(model).selected_stop()?.stop.id;
    let at = label::candidate(id)?;
    Some(card.candidates.get(at)?.place)
}

/// Whether the cursor is on the row that leads to what is left to label.
pub(in crate::tui) fn leads_to_queue(model: &Model) -> bool {
    let here = model.screen == Screen::Readiness;
    here && PageView::on_screen(model).selected_stop().is_some_and(|h| gate::is_queue(&h.stop.id))
}
