//! What a judge of a task finds: scores, and what it wants changed.

use super::recipe::{Recipe, fill};
use super::stream::Stream;
use crate::domain::Improvement;

/// Scores by which the rubric's rule gives the verdict.
pub(super) fn scores(verdict: &str, stream: &mut Stream) -> [u64; 3] {
    match verdict {
        "accept" | "SAFE_TO_COMMIT" | "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK" => {
            *stream.pick(&[[4, 4, 4], [4, 5, 5], [5, 4, 4], [3, 4, 4], [5, 5, 5], [4, 3, 5]])
        }
        "reject" | "BLOCK" => *stream.pick(&[[1, 2, 3], [1, 1, 2], [2, 1, 4], [1, 3, 3]]),
        _ => *stream.pick(&[[2, 3, 4], [3, 2, 3], [3, 3, 4], [2, 2, 4], [3, 3, 3]]),
    }
}

/// One or two improvements that a judge asks for.
pub(super) fn improvements(recipe: &Recipe, topic: &str, stream: &mut Stream) -> Vec<Improvement> {
    let count = 1 + stream.below(2);
    let part = |stream: &mut Stream, words: &[String]| {
        let mut text = String::new();
        let sentence = stream.pick(words);
        fill(&mut text, sentence, topic, stream);
        Some(text)
    };
    let one = |_| Improvement {
        dimension: Some((*stream.pick(&["semantic", "pragmatic", "syntactic"])).to_owned()),
        location: part(stream, &recipe.locations),
        issue: part(stream, &recipe.bad),
        suggestion: part(stream, &recipe.advice),
    };
    (0..count).map(one).collect()
}
