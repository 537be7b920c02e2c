//! How the judge did from day to day: a chart, this week against last week, and two parts side by side.

use crate::answers::trends::{self, CHART, CHOOSERS, PARTS, WEEKS};
use crate::domain::Measure;
use crate::page::write::Options;
use crate::page::write::console::{FocusId, Layout, Unfolded};
use crate::page::{Page as Answer, Place};
use crate::text::escape;
use crate::tui::layout;
use crate::tui::model::{Load, Model, TrendsPageKey};
use crate::tui::page::{Page, sanitize};
use crate::tui::screen::page_cursor::PageCursor;
use crate::tui::screen::page_view::{PageView, room};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// From so many columns on the two weeks are beside the chart, with whole names.
const BESIDE: usize = 118;

/// Draws the page, or why there is none.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    heading(model, pen, buffer, body);
    let inside = room(body);
    if model.trends.result.value.is_none() {
        for (row, (role, text)) in waiting(model).iter().enumerate() {
            pen.put(buffer, inside, row as u16, &pen.line([(*role, text.as_str())]));
        }
        return;
    }
    let at = PageView::on_screen(model);
    at.rows(pen, buffer, inside);
    at.draw_status(pen, buffer, body);
}

fn heading(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let (role, how) = match &model.trends.result.load {
        Load::Failed(_) => (Role::Error, "counting failed "),
        Load::Busy => (Role::Notice, "counting… "),
        Load::Idle => (Role::Dim, ""),
    };
    let title = format!(" {} of {} ", model.screen.title(), model.family.plural());
    let parts = [(Role::Title, title.as_str()), (role, how)];
    pen.heading(buffer, body, true, &pen.line(parts));
    if model.trends.result.value.is_some() {
        PageView::on_screen(model).more(pen, buffer, body);
    }
}

/// What is said before anything is counted.
fn waiting(model: &Model) -> Vec<(Role, String)> {
    match (&model.trends.result.load, &model.opening.load) {
        (Load::Failed(problem), _) | (_, Load::Failed(problem)) => {
            let text = format!("  the trends could not be counted: {}", sanitize(&problem.text));
            let next = model.facts.command_line.complete(&problem.next).into_owned();
            vec![(Role::Error, text), (Role::Text, format!("  {}", escape::line(&next)))]
        }
        (_, Load::Busy) => vec![(Role::Text, "  reading the logs…".to_owned())],
        _ => vec![(Role::Text, "  counting the days…".to_owned())],
    }
}

/// Makes the page where what it shows has changed, and scrolls to the cursor.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(trends) = model.trends.result.value.clone() else { return };
    let (width, glyphs) = (usize::from(areas.body.width), model.glyphs);
    let assessed = model.assessments.get(trends.family).result.value.clone();
    let key = TrendsPageKey { trends, choice: model.trends.choice, assessed, width, glyphs };
    let page = (model.trends.made.as_ref() != Some(&key)).then(|| page(model, width));
    if model.trends.made.is_none() {
        // Today is selected first: the last cell of the chart.
        model.trends.place.cell = usize::MAX;
    }
    let mut page_cursor = PageCursor::page(&mut model.trends.place);
    if let Some(page) = page.flatten() {
        page_cursor.replace_page(page);
    }
    page_cursor.scroll_to_cursor(usize::from(room(areas.body).height));
    model.trends.made = Some(key);
}

fn page(model: &Model, width: usize) -> Option<Page> {
    let mut answer = answer(model)?;
    if width < BESIDE {
        answer.blocks.iter_mut().for_each(|block| block.place = Place::Above);
    }
    let options = Options { is_masked: true, width, command_line: model.facts.command_line };
    Some(Page::laid_out(Layout::new(&answer, width, model.glyphs, &options, &Unfolded::new())))
}

/// What the page says; `None` before it is counted.
pub(in crate::tui) fn answer(model: &Model) -> Option<Answer> {
    let all = model.trends.result.value.as_deref()?;
    let assessed = model.assessments.get(all.family).result.value.as_deref();
    let readiness = assessed.map(|report| &report.readiness);
    Some(trends::page(all, readiness, &model.trends.choice, model.glyphs))
}

fn selected(model: &Model) -> Option<&FocusId> {
    PageView::on_screen(model).selected_stop().map(|placed| &placed.stop.id)
}

/// Whether the cursor is on the chart, where up and down choose its figure.
pub(in crate::tui) fn is_chart(model: &Model) -> bool {
    selected(model).is_none_or(|id| id.block == CHART)
}

/// Shows the figure of the row of the two weeks under the cursor.
pub(in crate::tui) fn take_figure(model: &mut Model) {
    let row = selected(model).filter(|id| id.block == WEEKS).map(|id| id.row.clone());
    let measure = row.and_then(|row| Measure::kpis().find(|measure| measure.as_str() == row));
    if let Some(measure) = measure {
        model.trends.choice.measure = measure;
    }
}

/// What the row under the cursor chooses: the kind of parts, or one of the two; `None` where it chooses nothing.
pub(in crate::tui) fn chooser(model: &Model) -> Option<usize> {
    let id = selected(model).filter(|id| id.block == PARTS)?;
    CHOOSERS.iter().position(|chooser| *chooser == id.row)
}

/// The day under the cursor, where it is on the chart: days since 1970.
pub(in crate::tui) fn selected_day(model: &Model) -> Option<i32> {
    let view = PageView::on_screen(model);
    selected(model).filter(|id| id.block == CHART)?;
    // The oldest days may be left out.
    let from_last = view.cells().checked_sub(view.cell() + 1)?;
    let days = &model.trends.result.value.as_ref()?.days;
    days.get(days.len().checked_sub(from_last + 1)?).map(|day| day.day)
}
