//! Reading out what to label by.

use super::PlainConsole;
use crate::cli::operator::reading::Trouble;
use crate::cli::output;
use crate::tui::perform::guide;
use crate::tui::screen::guide::LABELS;

impl PlainConsole<'_> {
    /// The rubric, and the guideline of the team.
    pub(super) fn guide(&self) -> Result<(), Trouble> {
        let read = guide::load(&self.context.config);
        let mut text = LABELS.join("\n") + "\n";
        match &read.rubric {
            Ok(rubric) => {
                text.push_str(&rubric.dimensions_text());
                text.push_str(&rubric.scale_text());
                text.push_str(&rubric.push_text());
            }
            Err(problem) => text.push_str(&format!("{}\n{}\n", problem.text, problem.next)),
        }
        match &read.guideline {
            Some(Ok(guideline)) => {
                text.push_str(&format!("Guideline, {}:\n{}\n", guideline.file, guideline.text));
                if guideline.cut {
                    text.push_str("Only the beginning was read: the file is very long.\n");
                }
            }
            Some(Err(problem)) => text.push_str(&format!("{}\n{}\n", problem.text, problem.next)),
            None => {
                text.push_str("Your team has no guideline here: name one under `[reviewer]`.\n")
            }
        }
        // A line of a file cannot pass for one of ours: each stands behind a blank.
        let lines: String =
            text.lines().map(|line| format!("  {}\n", output::visible(line))).collect();
        Ok(output::print(lines)?)
    }
}
