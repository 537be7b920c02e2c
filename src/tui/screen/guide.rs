//! What to label by: the rubric as text for people, and the guideline of the team. Beside the item where
//! there is room, else above it.

use crate::engine::rubric::Rubric;
use crate::tui::layout;
use crate::tui::model::{Guide, GuidePage, Guideline, Model, Overlay, Problem};
use crate::tui::page::sheet::{SheetLine, Writer};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, window};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// What the labels mean, by the verdict that would be right.
const LABELS: [&str; 3] = [
    "acceptable: GO is the right verdict",
    "poor: NO-GO is the right verdict",
    "unsure: you cannot tell which is right",
];

/// The lines of a page for so many columns.
pub fn lines(model: &Model, page: GuidePage, width: usize) -> Vec<SheetLine> {
    let mut writer = Writer::new(width, model.glyphs, "open the file in an editor".to_owned());
    match (model.guide.value.as_deref(), page) {
        (None, _) => writer.paragraph(Role::Dim, "reading…"),
        (Some(Guide { rubric: Ok(rubric), .. }), GuidePage::Rubric) => write(&mut writer, rubric),
        (Some(Guide { rubric: Err(problem), .. }), GuidePage::Rubric) => {
            failed(&mut writer, problem);
        }
        (Some(Guide { guideline, .. }), GuidePage::Guideline) => match guideline {
            Some(Ok(guideline)) => written(&mut writer, guideline),
            Some(Err(problem)) => failed(&mut writer, problem),
            None => {
                writer.paragraph(Role::Text, "No team guideline is configured.");
                let text = "Write one as a text file and name it under `[reviewer]` in the \
                    configuration: guideline = \"~/guideline.md\"";
                writer.paragraph(Role::Dim, text);
            }
        },
    }
    writer.lines()
}

fn failed(writer: &mut Writer, problem: &Problem) {
    writer.quote(Role::Error, &problem.text);
    writer.quote(Role::Text, &problem.next);
}

fn written(writer: &mut Writer, guideline: &Guideline) {
    writer.field("file", &guideline.file);
    writer.gap();
    writer.block(Role::Text, &guideline.text);
    if guideline.cut {
        writer.paragraph(Role::Warning, "The file is very long; only its beginning is shown.");
    }
}

fn write(writer: &mut Writer, rubric: &Rubric) {
    writer.title("Labels");
    for line in LABELS {
        writer.paragraph(Role::Text, line);
    }
    for aspect in &rubric.aspects {
        writer.gap();
        writer.title(aspect.dimension.as_str());
        writer.quote(Role::Text, &aspect.question);
        for criterion in &aspect.criteria {
            writer.block(Role::Text, &format!("- {criterion}"));
        }
    }
    writer.gap();
    writer.title("Scores");
    for (score, meaning) in (1..).zip(&rubric.scale) {
        writer.field(&format!("{score}"), meaning);
    }
    writer.gap();
    writer.title("Verdicts");
    let least = rubric.push.least;
    let push = format!("GO if every score is at least {least}, otherwise NO-GO");
    writer.field("push", &push);
    let task = &rubric.task;
    let text = format!(
        "accepted if every score is at least {} and the average at least {}; rejected if a score is \
         below {}; otherwise to be improved",
        task.accept_least, task.accept_average, task.improve_least
    );
    writer.field("task", &text);
}

/// Where it is: in place of the list, where the record is beside that.
fn place(model: &Model) -> Rect {
    let Some(areas) = layout::areas(model) else { return Rect::ZERO };
    let split = layout::split(model, areas.body);
    match (split.list, split.record) {
        (Some(list), Some(_)) if is_wide(model) => list,
        _ => areas.body,
    }
}

/// So narrow a list is no place to read a text.
const READABLE: u16 = 44;

fn is_wide(model: &Model) -> bool {
    let Some(areas) = layout::areas(model).filter(|_| model.list().is_some()) else { return false };
    let split = layout::split(model, areas.body);
    split.record.is_some() && split.list.is_some_and(|list| list.width >= READABLE)
}

/// Whether the item is beside it.
pub fn is_beside(model: &Model) -> bool {
    is_wide(model)
}

fn page(model: &Model) -> (GuidePage, usize) {
    match model.overlay {
        Some(Overlay::Guide { page, top }) => (page, top),
        _ => (GuidePage::default(), 0),
    }
}

/// Lines that it has, and lines of the screen for them: one at least.
pub fn size(model: &Model) -> (usize, usize) {
    let area = place(model);
    let lines = lines(model, page(model).0, usize::from(area.width)).len();
    (lines, usize::from(area.height.saturating_sub(1)).max(1))
}

/// Draws it from a line on.
pub(in crate::tui) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer) {
    let area = place(model);
    let (page, top) = page(model);
    let lines = lines(model, page, usize::from(area.width));
    let room = usize::from(area.height.saturating_sub(1));
    let top = top.min(lines.len().saturating_sub(room));
    let left = lines.len().saturating_sub(top + room);
    let more = if left > 0 { format!(", {left} more lines") } else { String::new() };
    let title = format!("[{}] {}{more}", page.title(), page.other().title());
    let inside = window(pen, buffer, area, &title);
    for (row, line) in lines.iter().skip(top).take(room).enumerate() {
        let parts = line.iter().map(|(role, text)| Span::styled(text.as_str(), pen.style(*role)));
        pen.put(buffer, inside, row as u16, &Line::from(parts.collect::<Vec<_>>()));
    }
}
