//! The question of a machine, whole: so that another one can ask the same.

use super::configured;
use crate::config::JudgeConfig;
use crate::engine::problem::Problems;
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Its schema.
const SCHEMA: &str = "foureyes/hook-question/1";

/// Template and rubric as a machine asks with them, and the hash that its records carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// `foureyes/hook-question/1`.
    pub schema: String,
    /// The words around the content.
    pub template: String,
    /// The rubric, as TOML.
    pub rubric: String,
    /// Version of the question: `prompt_sha` of the records.
    pub prompt_sha: String,
}

/// What a machine says of its question cannot be asked here.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// It is another document.
    #[error("it answers with something else than its question")]
    Schema,
    /// Its words cannot be read.
    #[error("its {what} cannot be used")]
    Wrong {
        /// Template or rubric.
        what: &'static str,
        /// Why.
        #[source]
        problems: Problems,
    },
    /// The same words have another hash here: one of both programs is older.
    #[error("its question is {there}, and the same words make {here} here")]
    Hash {
        /// What it says.
        there: String,
        /// What comes of it here.
        here: String,
    },
}

impl Question {
    /// The question of a configuration.
    ///
    /// # Errors
    /// A prompt or a rubric that cannot be used.
    pub fn new(config: &JudgeConfig) -> Result<Self, configured::Error> {
        let template = configured::template(config.prompt.as_deref())?;
        let rubric = configured::rubric(config.rubric.as_deref())?;
        Ok(Self {
            schema: SCHEMA.to_owned(),
            prompt_sha: template.prompt_sha(&rubric),
            template: template.text().to_owned(),
            rubric: rubric.text().to_owned(),
        })
    }

    /// What to ask with, which makes the question that it says.
    ///
    /// # Errors
    /// Words that cannot be used here, or that make another question.
    pub fn read(&self) -> Result<(Template, Rubric), Unusable> {
        if self.schema != SCHEMA {
            return Err(Unusable::Schema);
        }
        let wrong = |what| move |problems| Unusable::Wrong { what, problems };
        let template = Template::parse(&self.template).map_err(wrong("prompt"))?;
        let rubric = Rubric::parse(&self.rubric).map_err(wrong("rubric"))?;
        let here = template.prompt_sha(&rubric);
        if here != self.prompt_sha {
            return Err(Unusable::Hash { there: self.prompt_sha.clone(), here });
        }
        Ok((template, rubric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_round_trips_and_rejects_others() {
        let question = Question::new(&JudgeConfig::default()).unwrap();
        let (template, rubric) = question.read().unwrap();
        assert_eq!(template, Template::embedded().unwrap());
        assert_eq!(template.prompt_sha(&rubric), question.prompt_sha);
        let other = Question { rubric: question.rubric.clone() + "\n", ..question.clone() };
        assert!(matches!(other.read(), Err(Unusable::Hash { .. })));
        let other = Question { template: "no places".to_owned(), ..question.clone() };
        assert!(matches!(other.read(), Err(Unusable::Wrong { what: "prompt", .. })));
        let other = Question { schema: "foureyes/hook-check/1".to_owned(), ..question };
        assert!(matches!(other.read(), Err(Unusable::Schema)));
    }
}
