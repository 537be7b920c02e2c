//! The verdict on a push.

use super::{Kind, Texts, Verdict};
use crate::domain::Outcome;
use crate::engine::rubric::{Rubric, Scores};
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
        PUSH.word(self)
    }

    /// The verdict of a word, to the letter.
    pub fn of_word(word: &str) -> Option<Self> {
        PUSH.verdict(word)
    }

    /// The outcome it groups into.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Go => Outcome::Go,
            Self::NoGo => Outcome::NoGo,
            Self::Undetermined => Outcome::Undetermined,
        }
    }
}

impl Verdict for PushVerdict {
    const NONE: Self = Self::Undetermined;

    fn by_rule(rubric: &Rubric, scores: &Scores) -> Self {
        rubric.verdict(scores)
    }

    fn strictness(self) -> u8 {
        match self {
            Self::Go => 0,
            Self::Undetermined => 1,
            Self::NoGo => 2,
        }
    }

    fn passes(self) -> bool {
        self == Self::Go
    }

    fn fails(self) -> bool {
        self == Self::NoGo
    }
}

/// The judgement of what is pushed.
pub const PUSH: Kind<PushVerdict> = Kind {
    words: &[
        ("GO", PushVerdict::Go),
        ("NO-GO", PushVerdict::NoGo),
        ("UNDETERMINED", PushVerdict::Undetermined),
    ],
    texts: Texts { findings: "findings", suggestions: "revision_suggestions", objects: false },
    rule: Rubric::push_text,
};

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
