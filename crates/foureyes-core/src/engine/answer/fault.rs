//! Why a text is no answer.

use crate::domain::Dimension;

/// Why a text is no answer. A text of the model in it is quoted and short.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing at all.
    #[error("the answer is empty")]
    Empty,
    /// More than is read.
    #[error("the answer has {bytes} bytes, more than {}", super::MOST_BYTES)]
    TooLong {
        /// Its bytes.
        bytes: usize,
    },
    /// No object that is about a verdict.
    #[error("the answer has no JSON object with scores or a verdict")]
    NoObject,
    /// No object with a list of numbers.
    #[error("the answer has no JSON object with a list `keep`")]
    NoKeep,
    /// Objects about a verdict, none with the call word.
    #[error("call word missing: no object in the answer carries the word of this request")]
    NoCall,
    /// A verdict inside another object or inside a text.
    #[error("the verdict in the answer is inside another object or text, where it does not count")]
    Nested,
    /// It ends inside an object.
    #[error("the answer breaks off inside a JSON object")]
    Torn,
    /// An object that is no JSON.
    #[error("an object in the answer is not valid JSON")]
    Garbled,
    /// A key that stands twice in one object.
    #[error("the answer is ambiguous: {key} is given twice")]
    Twice {
        /// The key, quoted.
        key: String,
    },
    /// A score that is not there.
    #[error("the answer has no score for {}", .0.as_str())]
    NoScore(Dimension),
    /// A score that is no whole number.
    #[error("the score for {} is not a whole number", .0.as_str())]
    NoNumber(Dimension),
    /// A score outside the scale.
    #[error("the score for {} is outside 1 to 5", .0.as_str())]
    OutOfRange(Dimension),
    /// Two scores for one dimension.
    #[error("the answer has two scores for {}", .0.as_str())]
    TwoScores(Dimension),
    /// A value of a type that it cannot have.
    #[error("`{0}` has the wrong type")]
    WrongType(&'static str),
    /// A verdict that is none of the words.
    #[error("the verdict {written} is none of {}", .words.join(", "))]
    UnknownVerdict {
        /// The word, quoted.
        written: String,
        /// The words that it may be.
        words: Vec<&'static str>,
    },
    /// Two verdicts.
    #[error("the answer has two verdicts that disagree")]
    Disagree,
    /// The model stopped at its limit before it said a verdict.
    #[error("the model stopped at its limit of tokens")]
    Stopped,
}
