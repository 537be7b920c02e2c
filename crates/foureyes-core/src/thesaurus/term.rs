//! A term, what it is about, and where it was found.

use super::problem::{Fault, Problem};
use crate::domain::Dimension;
use crate::text::position::Position;
use std::ops::Range;

/// What terms are about, by the title of their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A dimension of the rubric.
    Dimension(Dimension),
    /// Words of verdicts.
    Verdict,
    /// Elements of a good answer.
    Checklist,
    /// Anything else: a file of the user's.
    Own,
}

impl Topic {
    /// By the title of a file, whatever its case, with or without `judge` before it: files for terraphim are
    /// titled as they are named, such as `judge-checklist`.
    pub fn of_title(title: &str) -> Self {
        let title = title.to_lowercase();
        let words = title.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let name = match *words {
            [name] | ["judge", name] => name,
            _ => return Self::Own,
        };
        let dimension = Dimension::ALL.into_iter().find(|d| d.as_str() == name);
        match name {
            "verdict" | "verdicts" => Self::Verdict,
            "checklist" => Self::Checklist,
            _ => dimension.map_or(Self::Own, Self::Dimension),
        }
    }

    /// The dimension, where it is one.
    pub fn dimension(self) -> Option<Dimension> {
        match self {
            Self::Dimension(dimension) => Some(dimension),
            Self::Verdict | Self::Checklist | Self::Own => None,
        }
    }

    /// The word in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dimension(dimension) => dimension.as_str(),
            Self::Verdict => "verdict",
            Self::Checklist => "checklist",
            Self::Own => "own",
        }
    }
}

/// One listed term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// As listed, a space for each run of white space.
    pub text: String,
    /// The heading above it: what it is a synonym of.
    pub normalized: String,
    /// What its file is about.
    pub topic: Topic,
    /// The file that lists it.
    pub file: String,
    /// Where it is in that file.
    pub position: Position,
}

impl Term {
    /// Its dimension, where it has one, and its heading in lower case.
    pub(super) fn names(&self) -> Vec<String> {
        let dimension = self.topic.dimension().map(|dimension| dimension.as_str().to_owned());
        dimension.into_iter().chain([self.normalized.to_lowercase()]).collect()
    }

    /// Something that is wrong with it, at its place.
    pub(super) fn problem(&self, fault: Fault) -> Problem {
        Problem { file: self.file.clone(), position: self.position, fault }
    }
}

/// A term in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'v> {
    /// Which.
    pub term: &'v Term,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// A set of dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dimensions(u8);

impl Dimensions {
    /// Whether a dimension is in the set.
    pub fn contains(self, dimension: Dimension) -> bool {
        self.0 & Self::bit(dimension) != 0
    }

    /// Those of this set that are not in another.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its dimensions, in their order.
    pub fn iter(self) -> impl Iterator<Item = Dimension> {
        Dimension::ALL.into_iter().filter(move |d| self.contains(*d))
    }

    fn bit(dimension: Dimension) -> u8 {
        1 << dimension as u8
    }
}

impl FromIterator<Dimension> for Dimensions {
    fn from_iter<I: IntoIterator<Item = Dimension>>(dimensions: I) -> Self {
        Self(dimensions.into_iter().fold(0, |all, d| all | Self::bit(d)))
    }
}
