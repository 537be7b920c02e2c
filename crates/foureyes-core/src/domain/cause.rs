//! Why an evaluation ended without a decision.

use serde::{Deserialize, Serialize};

/// Why an evaluation is UNDETERMINED.
///
/// Most are values of the `error` field of records; those of `Cause::READ_OFF` are read off records that carry
/// no such field.
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
#[repr(u8)]
pub enum Cause {
    /// The judge did not answer in time.
    Timeout = 1,
    /// The proxy or the model could not be reached.
    Unavailable = 2,
    /// The key was refused.
    Unauthorized = 3,
    /// The provider refused because of a rate or a balance.
    RateLimited = 4,
    /// The provider answered with a server error.
    ServerError = 5,
    /// The answer was no verdict.
    InvalidAnswer = 6,
    /// The prompt or its configuration could not be read, or the content could not be shown to a judge. Older
    /// programs wrote it for a spent cap, a limit on calls, four eyes and a missing key as well.
    PromptMissing = 7,
    /// A person skipped the evaluation.
    Bypassed = 8,
    /// An `error` value that this version does not know.
    OtherError = 9,
    /// The record has no verdict, or one that is not text.
    MissingVerdict = 10,
    /// The verdict is text, but not one of the exact words of its family.
    UnknownVerdict = 11,
    /// Models disagreed, and the run was escalated to a person.
    Escalated = 12,
    /// The judge said that the evidence is not enough.
    InsufficientEvidence = 13,
    /// The judge itself said UNDETERMINED.
    NoConfidence = 14,
    /// History that is pushed for the first time: one record for all of its commits.
    History = 15,
    /// A file of answers was asked in place of a judge.
    Scripted = 16,
    /// Every file of the content is empty or blank: there was nothing to ask about.
    Empty = 17,
    /// An answer held against the content, and a later one to the same question passed it.
    ContradictedAnswer = 18,
    /// It might have cost more than the spend cap allows.
    SpendCap = 19,
    /// All calls were made that a task may take.
    CallLimit = 20,
    /// The judge is of the author's family.
    FamilyRefused = 21,
    /// The family of author or judge is not known, and four eyes require both.
    FamilyUnknown = 22,
    /// There is no key to ask with.
    NoKey = 23,
}

impl Cause {
    /// All causes, in the order of their codes.
    pub const ALL: [Self; 23] = crate::domain::variants();

    /// Those that no `error` field names.
    const READ_OFF: [Self; 7] = [
        Self::OtherError,
        Self::MissingVerdict,
        Self::UnknownVerdict,
        Self::Escalated,
        Self::InsufficientEvidence,
        Self::NoConfidence,
        Self::Scripted,
    ];

    /// Those of records for which no judge was to be asked, so that they count in no rate.
    pub const NO_JUDGE: [Self; 4] = [Self::Bypassed, Self::History, Self::Scripted, Self::Empty];

    /// The name in JSON and in filters (`error:timeout`).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unavailable => "unavailable",
            Self::Unauthorized => "unauthorized",
            Self::RateLimited => "rate_limited",
            Self::ServerError => "server_error",
            Self::InvalidAnswer => "invalid_answer",
            Self::PromptMissing => "prompt_missing",
            Self::Bypassed => "bypassed",
            Self::OtherError => "other_error",
            Self::MissingVerdict => "missing_verdict",
            Self::UnknownVerdict => "unknown_verdict",
            Self::Escalated => "escalated",
            Self::InsufficientEvidence => "insufficient_evidence",
            Self::NoConfidence => "no_confidence",
            Self::History => "history",
            Self::Scripted => "scripted",
            Self::Empty => "empty",
            Self::ContradictedAnswer => "contradicted_answer",
            Self::SpendCap => "spend_cap",
            Self::CallLimit => "call_limit",
            Self::FamilyRefused => "family_refused",
            Self::FamilyUnknown => "family_unknown",
            Self::NoKey => "no_key",
        }
    }

    /// Reads the value of an `error` field; a value of no known name is [`Cause::OtherError`].
    pub fn from_error(text: &str) -> Self {
        let named = Self::from_name(text).filter(|cause| !Self::READ_OFF.contains(cause));
        named.unwrap_or(Self::OtherError)
    }

    /// The cause that a `reason` names, with which a run of a task was handed to a person; `None`
    /// where a judge had answered.
    pub fn from_reason(text: &str) -> Option<Self> {
        match text {
            "timeout" => Some(Self::Timeout),
            "unreachable" => Some(Self::Unavailable),
            "parse_error" => Some(Self::InvalidAnswer),
            _ => None,
        }
    }

    /// Finds a cause by its name.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.as_str() == text)
    }

    /// The code in the columnar cache, 1 to 23; 0 there means none.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache or the fleet. One of a later version is [`Self::OtherError`], as its name
    /// would be.
    pub fn from_code(code: u8) -> Option<Self> {
        let at = usize::from(code).checked_sub(1)?;
        Some(Self::ALL.get(at).copied().unwrap_or(Self::OtherError))
    }

    /// Whether the judge could not be reached: what availability counts. What kept this machine from asking, such
    /// as a limit, a missing key or four eyes, says nothing of the judge.
    pub fn is_outage(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::Unavailable
                | Self::Unauthorized
                | Self::RateLimited
                | Self::ServerError
        )
    }

    /// Whether no judge decided anything, so that the same may be asked once more.
    pub fn is_no_answer(self) -> bool {
        let decided = [Self::NoConfidence, Self::Escalated, Self::InsufficientEvidence];
        !self.has_no_judge() && !decided.contains(&self)
    }

    /// Whether no judge was to be asked: one of [`Cause::NO_JUDGE`].
    pub fn has_no_judge(self) -> bool {
        Self::NO_JUDGE.contains(&self)
    }

    /// The same of a code in a column.
    pub fn is_code_without_judge(code: u32) -> bool {
        Self::NO_JUDGE.iter().any(|cause| u32::from(cause.code()) == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_round_trip() {
        for c in Cause::ALL {
            assert_eq!(Cause::from_code(c.code()), Some(c));
            assert_eq!(Cause::from_name(c.as_str()), Some(c));
        }
        assert_eq!(Cause::from_code(0), None);
        for later in [Cause::ALL.len() as u8 + 1, u8::MAX] {
            assert_eq!(Cause::from_code(later), Some(Cause::OtherError));
        }
        for cause in Cause::READ_OFF {
            assert_eq!(Cause::from_error(cause.as_str()), Cause::OtherError);
        }
        let own = [
            Cause::SpendCap,
            Cause::CallLimit,
            Cause::FamilyRefused,
            Cause::FamilyUnknown,
            Cause::NoKey,
        ];
        for cause in own {
            assert_eq!(Cause::from_error(cause.as_str()), cause);
            // They count as `prompt_missing`, which older records have in their place.
            let counts = |c: Cause| (c.is_outage(), c.is_no_answer(), c.has_no_judge());
            assert_eq!(counts(cause), counts(Cause::PromptMissing));
        }
        assert_eq!(Cause::from_error("history"), Cause::History);
        assert_eq!(Cause::from_error("empty"), Cause::Empty);
        assert_eq!((Cause::Empty.code(), Cause::Empty.is_no_answer()), (17, false));
        let codes: Vec<_> = (0..30).filter(|c| Cause::is_code_without_judge(*c)).collect();
        assert_eq!(codes, Cause::NO_JUDGE.map(|c| u32::from(c.code())));
    }

    #[test]
    fn schemas_that_are_written_by_hand_have_every_cause() {
        for schema in [
            include_str!("../../../../assets/record.schema.json"),
            include_str!("../../../../assets/triage.schema.json"),
        ] {
            for cause in Cause::ALL {
                let name = format!("\"{}\"", cause.as_str());
                assert!(schema.contains(&name), "{name}");
            }
        }
    }
}
