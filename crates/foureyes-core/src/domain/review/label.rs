//! A person's word on whether content is acceptable.

use super::{EntryId, Shown};
use crate::domain::{RecordId, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// What a person says of the content of a record.
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
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// It may pass.
    Acceptable,
    /// It may not.
    Poor,
    /// The person cannot tell.
    Unsure,
}

impl Word {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The word in files, filters and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Acceptable => "acceptable",
            Self::Poor => "poor",
            Self::Unsure => "unsure",
        }
    }

    /// Finds a word by its text.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.as_str() == text)
    }
}

/// How a record came to be labelled; decides what a label is evidence of.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All records of its stratum are labelled.
    Census,
    /// It was drawn at random, with a known probability.
    Audit,
    /// Somebody chose it.
    #[default]
    Picked,
}

impl Selection {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Census => "census",
            Self::Audit => "audit",
            Self::Picked => "picked",
        }
    }

    /// Finds a selection by its word.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|selection| selection.as_str() == text)
    }

    /// The probability that a label of this selection has, where that of the argument can be it:
    /// 1 for a census, above 0 and at most 1 for an audit, none for what somebody chose.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn pi(self, given: Option<f64>) -> Result<Option<f64>, &'static str> {
        match (self, given) {
            (Self::Census, None) => Ok(Some(1.0)),
            (Self::Census, Some(1.0)) => Ok(Some(1.0)),
            (Self::Census, Some(_)) => Err("of a census `pi` is 1"),
            (Self::Audit, Some(pi)) if pi > 0.0 && pi <= 1.0 => Ok(Some(pi)),
            (Self::Audit, _) => Err("of an audit `pi` must be given, above 0 and at most 1"),
            (Self::Picked, None) => Ok(None),
            (Self::Picked, Some(_)) => Err("what was picked has no `pi`"),
        }
    }
}

/// Why the program itself asked for a label, of a record that somebody had labelled before.
///
/// A word that was asked for is no change of an earlier one.
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
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Requested {
    /// A repeat: how steady the reviewer is. It is from then on the reviewer's word.
    Repeat,
    /// A double label of the share drawn before any word. It counts beside the first word: where
    /// they differ the record is unsure.
    Double,
    /// A second word drawn because of the first: it is compared with it and counts in no rate.
    Compare,
    /// A second word that the policy asks for before poor counts. It counts beside the first word.
    Confirm,
    /// A second look at what was unsure. It settles the doubt.
    SecondLook,
}

impl Requested {
    /// All of them.
    pub const ALL: [Self; 5] = crate::domain::variants();

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Repeat => "repeat",
            Self::Double => "double",
            Self::Compare => "compare",
            Self::Confirm => "confirm",
            Self::SecondLook => "second_look",
        }
    }

    /// Finds one by its word.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|requested| requested.as_str() == text)
    }
}

/// A selection that is evidence of a rate: which, and with which probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drawn {
    /// All of its stratum are labelled.
    Census,
    /// It was drawn with this probability, in (0, 1].
    Audit(f64),
}

impl Drawn {
    /// The probability with which it was chosen.
    pub fn pi(self) -> f64 {
        match self {
            Self::Census => 1.0,
            Self::Audit(pi) => pi,
        }
    }
}

/// The scores that a person would have given, each from 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GivenScores {
    /// Semantic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<u8>,
    /// Pragmatic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pragmatic: Option<u8>,
    /// Syntactic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syntactic: Option<u8>,
}

impl GivenScores {
    /// All three, in the order of [`crate::domain::Dimension::ALL`].
    pub fn all(self) -> [Option<u8>; 3] {
        [self.semantic, self.pragmatic, self.syntactic]
    }

    /// Whether each that is given is from 1 to 5.
    pub fn is_in_range(self) -> bool {
        self.all().into_iter().flatten().all(|score| (1..=5).contains(&score))
    }
}

/// A text names no scores.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScoresError {
    /// There are more or fewer than three.
    #[error("three scores are needed, such as 4,2,- where a dimension has none")]
    NotThree,
    /// One of them is none.
    #[error("{0:?} is not a valid score (1 to 5, or - for none)")]
    Wrong(String),
}

impl FromStr for GivenScores {
    type Err = ScoresError;

    /// Reads `S,P,X`: each from 1 to 5, or `-` for none.
    fn from_str(text: &str) -> Result<Self, ScoresError> {
        let one = |part: &str| match part.trim() {
            "-" | "" => Ok(None),
            digit => match digit.parse() {
                Ok(score @ 1..=5) => Ok(Some(score)),
                _ => Err(ScoresError::Wrong(digit.to_owned())),
            },
        };
        let parts = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
        let [semantic, pragmatic, syntactic] = parts[..] else { return Err(ScoresError::NotThree) };
        Ok(Self { semantic, pragmatic, syntactic })
    }
}

impl Display for GivenScores {
    /// As they are typed: `4,2,-`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let one = |score: Option<u8>| score.map_or("-".to_owned(), |score| score.to_string());
        write!(f, "{}", self.all().map(one).join(","))
    }
}

/// A label: bound to the content of a record by its id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// Of which record.
    pub record: RecordId,
    /// What it says.
    pub label: Word,
    /// Whose word it is, where not of the one who wrote the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    /// When it was given, where before the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
    /// The person's own scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<GivenScores>,
    /// A code of the list of reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Version of that list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<u32>,
    /// What the person adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The verdict was not seen before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// How the record was chosen.
    #[serde(default)]
    pub selection: Selection,
    /// With which probability, above 0 and at most 1; see [`Selection::pi`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pi: Option<f64>,
    /// Seconds spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// The entry that it corrects; without one a second label of a record is a repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<EntryId>,
    /// It settles a disagreement between reviewers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicates: bool,
    /// Why the program asked for it, where it did; earlier versions did not write it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<Requested>,
    /// What was on this program's screen when the word was typed. Imports, the command line and
    /// earlier versions write none: their words are stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
}

impl Label {
    /// Whether it was typed where its content was shown. What else is said of it is stated.
    pub fn is_seen(&self) -> bool {
        self.shown.is_some_and(Shown::is_content)
    }

    /// Whether it was typed where nothing was shown: such a word is kept and counts in no rate.
    pub fn is_unseen(&self) -> bool {
        self.shown == Some(Shown::Nothing)
    }

    /// How its record was drawn; `None` where somebody chose it, or where the probability is none.
    pub fn drawn(&self) -> Option<Drawn> {
        match self.selection {
            Selection::Census => Some(Drawn::Census),
            Selection::Audit => self.pi.filter(|pi| *pi > 0.0 && *pi <= 1.0).map(Drawn::Audit),
            Selection::Picked => None,
        }
    }

    /// A label with nothing but its word: picked, not blind.
    pub fn new(record: RecordId, label: Word) -> Self {
        Self {
            record,
            label,
            reviewer: None,
            time: None,
            scores: None,
            reason: None,
            reasons: None,
            note: None,
            blind: false,
            selection: Selection::Picked,
            pi: None,
            seconds: None,
            replaces: None,
            adjudicates: false,
            requested: None,
            shown: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_three_from_1_to_5_or_none() {
        let (semantic, pragmatic, syntactic) = (Some(4), None, Some(1));
        let scores = GivenScores { semantic, pragmatic, syntactic };
        assert_eq!("4, -,1".parse(), Ok(scores));
        assert_eq!(scores.to_string(), "4,-,1");
        for bad in ["", "1,2", "1,2,3,4", "0,1,1", "1,6,1", "a,b,c", "1,2,300", "1,-1,2", "3.5,1,1"]
        {
            assert!(bad.parse::<GivenScores>().is_err(), "{bad}");
        }
    }
}
