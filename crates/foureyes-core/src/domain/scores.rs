//! The three dimensions of the rubric and their scores.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// A dimension of the rubric (Krogstie, Lindland, Sindre).
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Does it represent the domain accurately?
    Semantic,
    /// Does it enable the intended decision or action?
    Pragmatic,
    /// Is it consistent and well structured?
    Syntactic,
}

impl Dimension {
    /// All three, in the order in which they are shown.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The name in records, JSON and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Pragmatic => "pragmatic",
            Self::Syntactic => "syntactic",
        }
    }

    /// The letter used where room is short.
    pub fn letter(self) -> char {
        match self {
            Self::Semantic => 'S',
            Self::Pragmatic => 'P',
            Self::Syntactic => 'X',
        }
    }
}

/// Scores as the judge gave them, each 1 (poor) to 5 (excellent) or absent.
///
/// A value outside 1 to 5 is kept as it was written and flagged by
/// [`Scores::out_of_range`]; [`Scores::usable`] never gives it to a mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Semantic quality.
    #[serde(serialize_with = "shortest")]
    pub semantic: Option<f32>,
    /// Pragmatic quality.
    #[serde(serialize_with = "shortest")]
    pub pragmatic: Option<f32>,
    /// Syntactic quality.
    #[serde(serialize_with = "shortest")]
    pub syntactic: Option<f32>,
}

/// Writes a score as a judge would: `4`, not `4.0`; what is no finite number as `null`.
pub(super) fn shortest<S: Serializer>(score: &Option<f32>, out: S) -> Result<S::Ok, S::Error> {
    match *score {
        Some(value) if value.fract() == 0.0 && value.abs() < 1e9 => out.serialize_i64(value as i64),
        Some(value) if value.is_finite() => out.serialize_f32(value),
        _ => out.serialize_none(),
    }
}

impl Scores {
    /// The score of a dimension as written.
    pub fn get(&self, dimension: Dimension) -> Option<f32> {
        match dimension {
            Dimension::Semantic => self.semantic,
            Dimension::Pragmatic => self.pragmatic,
            Dimension::Syntactic => self.syntactic,
        }
    }

    /// The place of a dimension's score.
    pub fn slot(&mut self, dimension: Dimension) -> &mut Option<f32> {
        match dimension {
            Dimension::Semantic => &mut self.semantic,
            Dimension::Pragmatic => &mut self.pragmatic,
            Dimension::Syntactic => &mut self.syntactic,
        }
    }

    /// The score of a dimension where it may enter a mean: 1 to 5.
    pub fn usable(&self, dimension: Dimension) -> Option<f32> {
        self.get(dimension).filter(|v| (1.0..=5.0).contains(v))
    }

    /// Whether a score was given that lies outside 1 to 5.
    pub fn out_of_range(&self) -> bool {
        Dimension::ALL.iter().any(|d| self.get(*d).is_some() && self.usable(*d).is_none())
    }

    /// Whether no score was given at all.
    pub fn is_empty(&self) -> bool {
        Dimension::ALL.iter().all(|d| self.get(*d).is_none())
    }
}
