//! What is judged, by whom, and what came of it.

use super::judges::Asked;
use super::log::Line;
use super::memories::Memories;
use crate::domain::Timestamp;
use crate::engine::judgements::{Choice, EvaluationDocument, RelevanceRequest, RequestCandidate};
use crate::judging::Item;
use std::time::Duration;
use tokio::time::Instant;

/// What is judged, and who is asked.
#[derive(Debug)]
pub(super) enum Subject {
    /// A content, which gets a verdict.
    Content {
        asked: Asked,
        item: Item,
        /// Everybody who had a hand in it.
        people: Vec<String>,
        /// The families of the client's token.
        families: Vec<String>,
    },
    /// Memories, of which some are kept.
    Memories { judge: Memories, request: RelevanceRequest },
}

/// What came of asking.
pub(super) enum Made {
    Evaluation(Box<EvaluationDocument>),
    Choice(Choice),
}

impl Subject {
    /// The time that its judge has.
    pub(super) fn each(&self) -> Duration {
        match self {
            Self::Content { asked, .. } => asked.each(),
            Self::Memories { judge, .. } => judge.each(),
        }
    }

    /// The model that is asked for.
    pub(super) fn model(&self) -> &str {
        match self {
            Self::Content { asked, .. } => &asked.model,
            Self::Memories { judge, .. } => judge.model(),
        }
    }

    /// Bytes that its judge is shown at most, without the question around them.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Content { item, .. } => {
                let files = item.files.iter().map(|file| file.path.len() + file.bytes.len());
                files.sum::<usize>() + item.sections.iter().map(|s| s.text.len()).sum::<usize>()
            }
            Self::Memories { request, .. } => {
                let words = |one: &RequestCandidate| {
                    let texts = one.title.iter().chain(&one.category).chain(&one.tags);
                    texts.map(String::len).sum::<usize>()
                };
                let context = request.context.iter().map(String::len).sum::<usize>();
                request.prompt.len() + context + request.candidates.iter().map(words).sum::<usize>()
            }
        }
    }

    /// Asks the judge.
    pub(super) async fn evaluate(&self, until: Instant) -> Made {
        match self {
            Self::Content { asked, item, .. } => {
                Made::Evaluation(Box::new(asked.evaluate(item, until).await))
            }
            Self::Memories { judge, request } => Made::Choice(judge.choose(request, until).await),
        }
    }

    /// The line of the log with what came of it.
    pub(super) fn line(&self, begun: &Line, made: Made, now: Timestamp) -> Line {
        let line = Line { at_us: now.0, ..begun.clone() };
        match (made, self) {
            (Made::Evaluation(evaluation), Self::Content { asked, people, families, .. }) => {
                let (model, served) = (&evaluation.judge_model, evaluation.served_model.as_deref());
                let four_eyes = (&asked.decide(people, families, model, served)).into();
                Line { four_eyes, evaluation: Some(*evaluation), ..line }
            }
            (Made::Evaluation(evaluation), Self::Memories { .. }) => {
                Line { evaluation: Some(*evaluation), ..line }
            }
            (Made::Choice(choice), _) => Line { choice: Some(choice), ..line },
        }
    }
}

impl Made {
    /// Tokens, as the answers count them.
    pub(super) fn tokens(&self) -> u64 {
        let usage = match self {
            Self::Evaluation(evaluation) => evaluation.usage,
            Self::Choice(choice) => choice.usage,
        };
        usage.map_or(0, |usage| {
            usage.prompt_tokens.unwrap_or_default() + usage.completion_tokens.unwrap_or_default()
        })
    }

    /// What it cost, where that is known.
    pub(super) fn cost(&self) -> Option<f64> {
        match self {
            Self::Evaluation(evaluation) => evaluation.cost,
            Self::Choice(choice) => choice.cost,
        }
    }
}
