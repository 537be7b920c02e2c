//! What happens to a judge that may not judge an author, or of which nobody can tell.

use super::Decision;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What happens to a judge of the author's own family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// It is not asked, and where it answered all the same that answer does not count.
    #[default]
    Refuse,
    /// Its verdict counts, with a caveat in the record.
    Caveat,
    /// It is not asked either, and neither is one whose family or whose author's family is not known.
    Require,
}

impl Rule {
    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Caveat => "caveat",
            Self::Require => "require",
        }
    }

    /// Why a judge may not judge; `None` where it may. All that ask or show who may be asked go by it.
    pub fn refusal(self, decision: &Decision) -> Option<Refusal> {
        match (self, decision) {
            (Self::Refuse | Self::Require, Decision::Same { family }) => {
                Some(Refusal::Same { family: family.clone() })
            }
            (Self::Require, Decision::Unknown { author, judge }) => {
                Some(Refusal::Unknown { author: *author, judge: *judge })
            }
            _ => None,
        }
    }
}

/// Why a judge may not judge.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// It is of the author's family.
    Same {
        /// The name of the family.
        family: String,
    },
    /// It cannot be told, and must be.
    Unknown {
        /// The author is in no family.
        author: bool,
        /// The judge is in no family.
        judge: bool,
    },
}

impl Refusal {
    /// The sentence on a judge that is not asked.
    pub fn unasked(&self) -> String {
        format!("Not asked: {self}.")
    }

    /// The sentence on an answer that came all the same.
    pub fn uncounted(&self) -> String {
        match self {
            Self::Same { family } => format!(
                "The answer does not count: the model that gave it is of the author's family {family}."
            ),
            Self::Unknown { .. } => format!("The answer does not count: {self}."),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = match self {
            Self::Same { family } => {
                return write!(f, "author and judge are both of the family {family}");
            }
            Self::Unknown { author: true, judge: true } => {
                "the families of author and judge are not both known"
            }
            Self::Unknown { author: true, .. } => "the family of the author is not known",
            Self::Unknown { .. } => "the family of the judge is not known",
        };
        write!(f, "{who}, and `four_eyes` is `require`")
    }
}
