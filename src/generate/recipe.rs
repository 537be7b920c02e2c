//! The words that records are made of.

use super::Error;
use super::stream::Stream;
use crate::domain::Dimension;
use serde::Deserialize;

/// The vocabulary, as `assets/demo.toml` holds it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    pub(super) agents: Vec<String>,
    pub(super) people: Vec<String>,
    boxes: Vec<String>,
    pub(super) reviewers: Vec<String>,
    pub(super) route: String,
    pub(super) renamed_route: String,
    pub(super) served: [String; 2],
    pub(super) tiers: [String; 3],
    pub(super) judges: [String; 3],
    pub(super) folders: Vec<String>,
    pub(super) topics: Vec<String>,
    pub(super) good: Vec<String>,
    bad: Faults,
    pub(super) advice: Vec<String>,
    pub(super) locations: Vec<String>,
    pub(super) timeout: Vec<String>,
    pub(super) unavailable: Vec<String>,
    pub(super) invalid: Vec<String>,
    pub(super) unsure: Vec<String>,
    pub(super) overrule: Vec<String>,
    pub(super) uphold: Vec<String>,
    pub(super) paragraph_good: Vec<String>,
    pub(super) paragraph_bad: Vec<String>,
    pub(super) garbage: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) hostile: Vec<String>,
    pub(super) hostile_files: Vec<String>,
}

/// What a judge writes where a dimension is at fault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    semantic: Vec<String>,
    pragmatic: Vec<String>,
    syntactic: Vec<String>,
}

/// Chance that a judge writes of any dimension, whatever it marked down.
const BESIDE: f64 = 0.1;

impl Recipe {
    /// Reads the embedded vocabulary.
    pub(super) fn load() -> Result<Self, Error> {
        let text = include_str!("../../assets/demo.toml");
        let recipe: Self = toml::from_str(text).map_err(|source| Error::Recipe { source })?;
        Ok(recipe)
    }

    /// The name of a box.
    pub(super) fn box_name(&self, number: u32) -> String {
        let known = self.boxes.get(number as usize).cloned();
        known.unwrap_or_else(|| format!("box-{}", number + 1))
    }

    /// What a judge writes of a dimension: mostly of one with the lowest of its scores.
    pub(super) fn bad(&self, scores: [u64; 3], stream: &mut Stream) -> (Dimension, &str) {
        let lowest = scores.into_iter().min();
        let all = Dimension::ALL.into_iter().zip(scores);
        let low: Vec<Dimension> =
            all.filter(|(_, score)| Some(*score) == lowest).map(|(one, _)| one).collect();
        let from = if stream.chance(BESIDE) { &Dimension::ALL[..] } else { &low };
        let dimension = *stream.pick(from);
        let sentences = match dimension {
            Dimension::Semantic => &self.bad.semantic,
            Dimension::Pragmatic => &self.bad.pragmatic,
            Dimension::Syntactic => &self.bad.syntactic,
        };
        let sentence: &String = stream.pick(sentences);
        (dimension, sentence)
    }

    /// The topic of that number.
    pub(super) fn topic(&self, number: u64) -> &str {
        &self.topics[(number % self.topics.len() as u64) as usize]
    }
}

/// Writes a sentence with its topic and a small number filled in.
pub(super) fn fill(out: &mut String, sentence: &str, topic: &str, stream: &mut Stream) {
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some(("t", after)) => {
                out.push_str(topic);
                rest = after;
            }
            Some(("n", after)) => {
                out.push(char::from(b'2' + stream.below(7) as u8));
                rest = after;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::super::stream::Seed;
    use super::*;

    #[test]
    fn every_list_of_the_recipe_has_words() {
        let recipe = Recipe::load().unwrap();
        let text = format!("{recipe:?}");
        assert!(!text.contains("[]"), "{text}");
        assert!(recipe.hostile.iter().any(|h| h.contains('\u{1b}')));
    }

    #[test]
    fn a_sentence_is_filled_and_other_braces_are_left() {
        let mut out = String::new();
        fill(&mut out, "{t} in {n} {x} {", "rate limits", &mut Seed::new(1).stream("x", [0; 3]));
        assert!(out.starts_with("rate limits in ") && out.ends_with(" {x} {"), "{out}");
    }
}
