//! The verdict on a push, and which of two is the stricter.

use crate::domain::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on what is pushed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::VariantArray,
)]
pub enum PushVerdict {
    /// Every score is high enough.
    #[serde(rename = "GO")]
    Go,
    /// A score is too low.
    #[serde(rename = "NO-GO")]
    NoGo,
    /// The judge lacks confidence, its answer is none, or it could not be asked.
    #[serde(rename = "UNDETERMINED")]
    Undetermined,
}

impl PushVerdict {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The word in records and answers.
    pub fn word(self) -> &'static str {
        match self {
            Self::Go => "GO",
            Self::NoGo => "NO-GO",
            Self::Undetermined => "UNDETERMINED",
        }
    }

    /// The verdict of a word, to the letter.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|v| v.word() == word)
    }

    /// Which of several verdicts on one content stands, the highest: GO 0, UNDETERMINED 1, NO-GO 2.
    pub fn strictness(self) -> u8 {
        match self {
            Self::Go => 0,
            Self::Undetermined => 1,
            Self::NoGo => 2,
        }
    }

    /// The outcome it groups into.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Go => Outcome::Go,
            Self::NoGo => Outcome::NoGo,
            Self::Undetermined => Outcome::Undetermined,
        }
    }

    /// What holds where the rule gives one verdict and the model says another, and whether the two
    /// contradict each other.
    ///
    /// The stricter of GO and NO-GO holds. A model that says UNDETERMINED lacks confidence, which
    /// is a rule of its own and no contradiction.
    pub fn reconciled_with(self, own: Option<Self>) -> (Self, bool) {
        match own {
            None => (self, false),
            Some(Self::Undetermined) => (Self::Undetermined, false),
            Some(own) if own == self => (self, false),
            Some(_) => (Self::NoGo, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PushVerdict::{Go, NoGo, Undetermined};
    use super::*;
    use crate::domain::Family;

    #[test]
    fn the_stricter_of_rule_and_model_holds() {
        assert_eq!(Go.reconciled_with(None), (Go, false));
        assert_eq!(Go.reconciled_with(Some(Go)), (Go, false));
        assert_eq!(Go.reconciled_with(Some(NoGo)), (NoGo, true));
        assert_eq!(NoGo.reconciled_with(Some(Go)), (NoGo, true));
        assert_eq!(NoGo.reconciled_with(Some(NoGo)), (NoGo, false));
        assert_eq!(NoGo.reconciled_with(Some(Undetermined)), (Undetermined, false));
        assert_eq!(Go.reconciled_with(Some(Undetermined)), (Undetermined, false));
    }

    #[test]
    fn its_words_are_those_of_the_push_family() {
        for verdict in PushVerdict::ALL {
            assert_eq!(Family::Push.outcome(verdict.word()), Some(verdict.outcome()));
            assert_eq!(PushVerdict::of_word(verdict.word()), Some(verdict));
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.word());
        }
        for word in ["go", " GO", "NO GO", "PASS", ""] {
            assert_eq!(PushVerdict::of_word(word), None);
        }
    }
}
