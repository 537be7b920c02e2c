//! The rubric as data: dimensions, criteria, scale, and the rules from scores to verdicts.

mod file;

use super::problem::Problems;
use super::verdict::{Kind, LADDER, PushVerdict, TASK, TaskVerdict};
use crate::domain::Dimension;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The rubric that comes with the program.
pub const EMBEDDED: &str = include_str!("../../../../../assets/rubric.toml");

/// Lowest score.
pub const LOWEST: u8 = 1;
/// Highest score.
pub const HIGHEST: u8 = 5;

/// What a judge is asked, and what its scores come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubric {
    /// The three dimensions, in the order of [`Dimension::ALL`].
    pub aspects: [Aspect; 3],
    /// What the scores 1 to 5 mean.
    pub scale: [String; 5],
    /// The rule for a push.
    pub push: PushRule,
    /// The rule for a task.
    pub task: TaskRule,
    text: String,
}

/// One dimension as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aspect {
    /// Which one.
    pub dimension: Dimension,
    /// What it asks.
    pub question: String,
    /// What to look at, at least one.
    pub criteria: Vec<String>,
}

/// When a push is a GO.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushRule {
    /// Lowest score of a GO, 1 to 5.
    pub least: u8,
}

/// When a task is accepted, and when it is rejected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskRule {
    /// Lowest score of what is accepted, 1 to 5.
    pub accept_least: u8,
    /// Lowest average of what is accepted, 1 to 5.
    pub accept_average: f64,
    /// Lowest score of what is to be improved and not rejected, 1 to `accept_least`.
    pub improve_least: u8,
}

/// The scores of one answer: all three, each 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Semantic quality.
    #[schemars(range(min = 1, max = 5))]
    pub semantic: u8,
    /// Pragmatic quality.
    #[schemars(range(min = 1, max = 5))]
    pub pragmatic: u8,
    /// Syntactic quality.
    #[schemars(range(min = 1, max = 5))]
    pub syntactic: u8,
}

impl Scores {
    /// The three, in the order of [`Dimension::ALL`].
    pub fn all(&self) -> [u8; 3] {
        [self.semantic, self.pragmatic, self.syntactic]
    }

    /// Their mean, 1 to 5.
    pub fn average(&self) -> f64 {
        f64::from(self.all().iter().map(|score| u16::from(*score)).sum::<u16>()) / 3.0
    }
}

impl Rubric {
    /// The rubric that comes with the program.
    ///
    /// # Errors
    /// None in a program that was tested.
    pub fn embedded() -> Result<Self, Problems> {
        Self::parse(EMBEDDED)
    }

    /// Reads the text of a rubric.
    ///
    /// # Errors
    /// All that is wrong with it; of what is no TOML the first.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        file::parse(text)
    }

    /// BLAKE3 of its text, in hexadecimal digits: its version.
    pub fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex().to_string()
    }

    /// Its text, as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What scores come to on a push.
    pub fn verdict(&self, scores: &Scores) -> PushVerdict {
        if scores.all().iter().all(|score| *score >= self.push.least) {
            PushVerdict::Go
        } else {
            PushVerdict::NoGo
        }
    }

    /// What scores come to on a task.
    pub fn task_verdict(&self, scores: &Scores) -> TaskVerdict {
        let TaskRule { accept_least, accept_average, improve_least } = self.task;
        let lowest = scores.all().into_iter().min().unwrap_or(LOWEST);
        if lowest < improve_least {
            TaskVerdict::Reject
        } else if lowest >= accept_least && scores.average() >= accept_average {
            TaskVerdict::Accept
        } else {
            TaskVerdict::Improve
        }
    }

    /// Dimensions and criteria as they stand in a prompt.
    pub fn dimensions_text(&self) -> String {
        let mut out = String::new();
        for aspect in &self.aspects {
            // Writing to a string does not fail.
            let _ = writeln!(out, "* {}: {}", aspect.dimension.as_str(), aspect.question);
            for criterion in &aspect.criteria {
                let _ = writeln!(out, "  - {criterion}");
            }
        }
        out
    }

    /// The scale as it stands in a prompt.
    pub fn scale_text(&self) -> String {
        let mut out = String::new();
        for (score, meaning) in (LOWEST..).zip(&self.scale) {
            let _ = writeln!(out, "{score} = {meaning}");
        }
        out
    }

    /// The rule for a push as it stands in a prompt.
    pub fn push_text(&self) -> String {
        let least = self.push.least;
        format!(
            "{}: every score is at least {least}.\n{}: any score is below {least}.\n\
             {}: you cannot tell with confidence from what is there.\n",
            PushVerdict::Go.word(),
            PushVerdict::NoGo.word(),
            PushVerdict::Undetermined.word(),
        )
    }

    /// The rule for a task as it stands in a prompt.
    pub fn task_text(&self) -> String {
        self.rule_of(&TASK)
    }

    /// The same in the words of the ladder.
    pub fn ladder_text(&self) -> String {
        let after_check = LADDER.word(TaskVerdict::AcceptAfterCheck);
        let accept = LADDER.word(TaskVerdict::Accept);
        format!(
            "{}{after_check}: as {accept}, and something must be checked where it runs before it is used there: say what.\n",
            self.rule_of(&LADDER)
        )
    }

    fn rule_of(&self, kind: &Kind<TaskVerdict>) -> String {
        let TaskRule { accept_least, accept_average, improve_least } = self.task;
        let word = |verdict| kind.word(verdict);
        format!(
            "{}: every score is at least {accept_least}, and their average is at least {accept_average}.\n\
             {}: any score is below {improve_least}.\n{}: everything else.\n\
             {}: you cannot tell with confidence from what is there.\n",
            word(TaskVerdict::Accept),
            word(TaskVerdict::Reject),
            word(TaskVerdict::Improve),
            word(TaskVerdict::Escalate),
        )
    }
}

#[cfg(test)]
mod tests;
