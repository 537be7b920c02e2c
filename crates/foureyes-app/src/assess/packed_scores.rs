//! The scores of one evaluation, as they are held once for all that have the same.

use crate::domain::Scores;

/// Scores by their bits, so that equal ones can be found; not a number where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PackedScores([u32; 3]);

impl From<Scores> for PackedScores {
    fn from(scores: Scores) -> Self {
        let Scores { semantic, pragmatic, syntactic } = scores;
        Self([semantic, pragmatic, syntactic].map(|score| score.unwrap_or(f32::NAN).to_bits()))
    }
}

impl From<PackedScores> for Scores {
    fn from(PackedScores(scores): PackedScores) -> Self {
        let [semantic, pragmatic, syntactic] =
            scores.map(|bits| Some(f32::from_bits(bits)).filter(|score| !score.is_nan()));
        Self { semantic, pragmatic, syntactic }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_scores_are_the_same() {
        for score in [None, Some(1.0), Some(3.5), Some(f32::INFINITY), Some(-0.0)] {
            let scores = Scores { semantic: score, pragmatic: None, syntactic: Some(2.25) };
            assert_eq!(Scores::from(PackedScores::from(scores)), scores);
        }
    }
}
