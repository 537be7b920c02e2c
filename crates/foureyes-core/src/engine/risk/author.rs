//! What is known of authors: rates that an operator publishes, signed, for boxes that have no labels.

use crate::domain::{JudgementKind, Timestamp};
use crate::engine::prompt::folded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What stands before the bytes of rates where they are signed: a signature of them is none of anything
/// else.
const SIGNED: &[u8] = b"foureyes/rates/1\0";

/// The format of rates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RatesFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/rates/1")]
    Rates1,
}

/// Rates with their signature, as they are in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedRates {
    /// The rates as JSON ([`RatesSnapshot`]): a text, since its bytes are what is signed.
    #[schemars(extend("contentMediaType" = "application/json"))]
    pub rates: String,
    /// The Ed25519 signature, in 128 hexadecimal digits.
    pub signature: String,
    /// The public key that it was made for, in 64 hexadecimal digits. A box trusts only those that it has
    /// pinned.
    pub key: String,
}

impl SignedRates {
    /// The bytes that are signed.
    pub fn signed_bytes(rates: &str) -> Vec<u8> {
        [SIGNED, rates.as_bytes()].concat()
    }
}

/// The rates of all authors that are known, at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatesSnapshot {
    /// Name and version of this format.
    pub schema: RatesFormat,
    /// When they were taken.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub made_at: Timestamp,
    /// Days that they look back.
    pub days: u32,
    /// The rates, an author and family each.
    pub authors: Vec<AuthorRate>,
}

/// A share with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// The estimate.
    pub estimate: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// What is known of one author. Its name is hostile text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorRate {
    /// The name, as commits have it.
    pub author: String,
    /// What its contents were judged as.
    pub family: JudgementKind,
    /// Contents that were judged.
    pub judged: u64,
    /// Those of them that were flagged.
    pub flagged: u64,
    /// Those of them that are labelled, and count.
    pub labelled: u64,
    /// The share of poor content; absent where labels do not give it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poor: Option<Rate>,
    /// Overrides by which a person rejected its content.
    pub overrides: u64,
}

/// A name as people read it: without case, hidden characters, differences between blanks, and letters that
/// only look like others.
pub fn author_key(name: &str) -> String {
    folded(name).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The record of those who had a hand in a change: of several the worst figures count. `None` where one of
/// them is unknown.
pub fn author_rate<'a>(
    snapshot: &RatesSnapshot,
    family: JudgementKind,
    people: impl IntoIterator<Item = &'a str>,
) -> Option<AuthorRate> {
    let known = |name: &str| {
        let key = author_key(name);
        let mut own = snapshot
            .authors
            .iter()
            .filter(|rate| rate.family == family && author_key(&rate.author) == key);
        let first = own.next()?.clone();
        // Two spellings of one name are one author.
        Some(own.fold(first, |worst, rate| worst.and(rate)))
    };
    let mut all = people.into_iter().map(known);
    let first = all.next()??;
    all.try_fold(first, |worst, rate| Some(worst.and(&rate?)))
}

impl AuthorRate {
    /// The worse of two records.
    fn and(self, other: &Self) -> Self {
        let poor = match (self.poor, other.poor) {
            (Some(a), Some(b)) => Some(if b.high > a.high { b } else { a }),
            _ => None,
        };
        Self {
            judged: self.judged.min(other.judged),
            flagged: self.flagged.max(other.flagged),
            labelled: self.labelled.min(other.labelled),
            overrides: self.overrides.max(other.overrides),
            poor,
            ..self
        }
    }
}
