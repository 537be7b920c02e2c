//! What the task was, as a part of the document.

use super::beginning;
use crate::engine::task_question::{NO_ACCEPTANCE, TaskQuestion};
use crate::text::escape::{line, text};
use crate::text::markdown::fence;
use std::fmt::Write;

/// The question of a task in a document.
#[derive(Debug, Clone, Copy)]
pub(super) enum TaskPart<'a> {
    /// It, masked.
    Whole(&'a TaskQuestion),
    /// It is left out, by this setting of `[task]`.
    LeftOut(&'static str),
}

impl TaskPart<'_> {
    /// The first line of the description, harmless; `None` where nothing can be seen in it.
    pub(super) fn summary(self) -> Option<String> {
        let Self::Whole(asked) = self else { return None };
        let first = asked.description.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(line(first).into_owned())
    }

    /// Writes it as Markdown, of each text at most so many characters.
    pub(super) fn write(self, out: &mut String, most: usize) {
        out.push_str("\n## Question\n\n");
        let asked = match self {
            Self::Whole(asked) => asked,
            Self::LeftOut(setting) => {
                let _ = writeln!(
                    out,
                    "Description and acceptance criteria are left out: see `{setting}` in `[task]`."
                );
                return;
            }
        };
        let shown = |whole: &str| fence(&beginning(&text(whole), most));
        if asked.is_one_text() {
            let text = shown(&asked.description);
            let _ = write!(out, "Description and acceptance criteria:\n\n{text}");
            return;
        }
        let _ = write!(out, "Description:\n\n{}\n", shown(&asked.description));
        match &asked.acceptance {
            Some(acceptance) => {
                let _ = write!(out, "Acceptance criteria:\n\n{}", shown(acceptance));
            }
            None => {
                let _ = writeln!(out, "Acceptance criteria: {NO_ACCEPTANCE}.");
            }
        }
    }
}
