//! What people and peers say of a record, as a query asks for it.

use super::ast::Match;

/// What reviewers said of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Label {
    /// Nothing.
    None,
    /// Anything.
    Any,
    /// It is acceptable.
    Acceptable,
    /// It is poor.
    Poor,
    /// They could not tell, or they differ.
    Unsure,
    /// They differ.
    Conflict,
    /// All who labelled it are unsure: a second look would settle it.
    SecondLook,
}

impl Label {
    /// All of them.
    pub const ALL: [Self; 7] = crate::domain::variants();

    /// The word in a query.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Any => "any",
            Self::Acceptable => "acceptable",
            Self::Poor => "poor",
            Self::Unsure => "unsure",
            Self::Conflict => "conflict",
            Self::SecondLook => "second_look",
        }
    }
}

/// What a reviewer decided to do with a record, whatever its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Decision {
    /// Nothing.
    None,
    /// Anything.
    Any,
    /// It passes.
    Accept,
    /// It does not.
    Reject,
    /// Its box was heard to hold it.
    Confirmed,
    /// Its box was not.
    Unconfirmed,
}

impl Decision {
    /// All of them.
    pub const ALL: [Self; 6] = crate::domain::variants();

    /// The word in a query.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Any => "any",
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Confirmed => "confirmed",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

/// What a peer found that reviewed the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Peer {
    /// None reviewed it.
    None,
    /// One did.
    Any,
    /// It gave the same verdict.
    Agrees,
    /// It gave the other verdict.
    Differs,
    /// It gave none.
    Undetermined,
}

impl Peer {
    /// All of them.
    pub const ALL: [Self; 5] = crate::domain::variants();

    /// The word in a query.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Any => "any",
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Undetermined => "undetermined",
        }
    }
}

/// Who holds the claim of a record, or to whom it is assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimant {
    /// Nobody.
    None,
    /// Anybody.
    Any,
    /// Whoever asks: the reader of the reviews.
    Me,
    /// Somebody of that name.
    Named(Match, String),
}

impl Claimant {
    /// The words that are no names.
    pub const WORDS: [&str; 3] = ["none", "any", "me"];
}
