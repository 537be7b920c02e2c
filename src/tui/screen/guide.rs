//! What to label by: the rubric as text for people, and the guideline of the team.

use super::record::{SheetLine, Writer};
use crate::engine::rubric::Rubric;
use crate::tui::model::{Guide, GuidePage, Guideline, Model, Problem};
use crate::tui::theme::Role;

/// What the labels mean, by the verdict that would be right.
pub const LABELS: [&str; 3] = [
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
