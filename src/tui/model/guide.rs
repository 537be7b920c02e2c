//! What a reviewer labels by: the rubric, and the guideline of the team.

use super::{Loadable, Problem};
use crate::engine::rubric::Rubric;
use std::sync::Arc;

/// A page of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GuidePage {
    /// What the judge is asked.
    #[default]
    Rubric,
    /// What the team agreed on.
    Guideline,
}

impl GuidePage {
    /// As it is written in headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rubric => "Rubric",
            Self::Guideline => "Guideline",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Rubric => Self::Guideline,
            Self::Guideline => Self::Rubric,
        }
    }
}

/// The guideline of the team, as the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guideline {
    /// Path of the guideline, for people.
    pub file: String,
    /// The whole file. Hostile text.
    pub text: String,
    /// Whether the file is longer than what was read.
    pub cut: bool,
}

/// Both, as they were read.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// The rubric of the configuration, or why it cannot be read.
    pub rubric: Result<Rubric, Problem>,
    /// The guideline, or why it cannot be read; `None` where none is configured.
    pub guideline: Option<Result<Guideline, Problem>>,
}

/// What is known of them; read whenever they are opened.
pub type GuideModel = Loadable<Arc<Guide>>;
