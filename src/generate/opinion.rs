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
pub(super) fn improvements(
    recipe: &Recipe,
    scores: [u64; 3],
    topic: &str,
    stream: &mut Stream,
) -> Vec<Improvement> {
    let count = 1 + stream.below(2);
    let filled = |stream: &mut Stream, sentence: &str| {
        let mut text = String::new();
        fill(&mut text, sentence, topic, stream);
        Some(text)
    };
    let part = |stream: &mut Stream, words: &[String]| {
        let sentence = stream.pick(words);
        filled(stream, sentence)
    };
    let one = |_| {
        let (dimension, issue) = recipe.bad(scores, stream);
        Improvement {
            dimension: Some(dimension.as_str().to_owned()),
            location: part(stream, &recipe.locations),
            issue: filled(stream, issue),
            suggestion: part(stream, &recipe.advice),
        }
    };
    (0..count).map(one).collect()
}
