//! One content judged: question, answer, verdict; and many of them at the same time.

pub mod configured;
mod evaluate;
mod evaluation;
mod question;
mod run;

pub use crate::engine::prompt::JudgedFile as File;
pub use evaluate::evaluate;
pub use evaluation::Evaluation;
pub use question::{Question, Unusable};
pub use run::{Control, Event, RunLimits, Skipped, Summary, run};

use crate::engine::cost::Prices;
use crate::engine::four_eyes::{Families, Rule};
use crate::engine::prompt::{Limits, Template};
use crate::engine::rubric::Rubric;
use crate::provider::Provider;

/// Whoever judges, and by what.
#[derive(Debug)]
pub struct Judge {
    /// Whoever is asked.
    pub provider: Provider,
    /// The model that is asked for.
    pub model: String,
    /// The rubric.
    pub rubric: Rubric,
    /// The words of the question.
    pub template: Template,
    /// Who is of which family.
    pub families: Families,
    /// What calls cost.
    pub prices: Prices,
    /// How it is asked.
    pub settings: Settings,
}

/// How a judge is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Settings {
    /// What happens to a judge of the author's own family.
    pub four_eyes: Rule,
    /// How much of the content is shown.
    pub limits: Limits,
    /// Sampling temperature, where one is asked for.
    pub temperature: Option<f64>,
    /// Most tokens of an answer, where bounded.
    pub max_tokens: Option<u32>,
}

/// One content to be judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// The commit that it stands in.
    pub commit: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The files, judged together.
    pub files: Vec<File>,
}

impl Judge {
    /// Version of the question: hash of template and rubric.
    pub fn prompt_sha(&self) -> String {
        self.template.prompt_sha(&self.rubric)
    }

    /// What judging an item may cost at most; `None` where the model has no price.
    pub fn estimate(&self, item: &Item) -> Option<f64> {
        /// Bytes of template, rubric and the words around the content.
        const AROUND: usize = 16 << 10;
        /// Tokens of an answer that is not bounded.
        const ANSWER: u32 = 4096;
        let content: usize = item.files.iter().map(|f| f.bytes.len() + f.path.len()).sum();
        let bytes = content.min(self.settings.limits.content_bytes) + AROUND;
        let answer = self.settings.max_tokens.unwrap_or(ANSWER);
        Some(self.prices.of(&self.model)?.estimate(bytes, answer))
    }
}
