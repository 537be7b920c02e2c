//! Why a text is no answer.

use crate::domain::Dimension;
use crate::engine::finish::Finish;
use crate::engine::problem::quoted;

/// Why a text is no answer. A text of the model in it is quoted and short.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing at all.
    #[error("the answer is empty")]
    Empty,
    /// Nothing where an answer stands, and something in another place.
    #[error("the answer is empty, and something is in `{0}`, where it does not count")]
    Elsewhere(&'static str),
    /// An earlier reply to the same question held against the content.
    #[error(
        "an earlier reply to the same question held against the content, so this one does not count"
    )]
    Contradicted,
    /// Thoughts, and nothing behind them; or thoughts that never end.
    #[error("the answer ends in its thoughts, before it says anything")]
    OnlyThoughts,
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
    /// It was cut: the reason of its end is no good one, or there is none and its end is not seen.
    #[error("{}", cut(.0))]
    Cut(Finish),
}

/// Why an answer that ended so is none.
fn cut(finish: &Finish) -> String {
    match finish {
        Finish::Limit(_) => "the model stopped at its limit of tokens".to_owned(),
        Finish::Filtered(_) => "a filter of the endpoint withheld the answer".to_owned(),
        Finish::Whole | Finish::Unnamed => {
            "the answer may be cut: no reason for its end is given, and its object is not the last thing in it"
                .to_owned()
        }
        Finish::Failed(reason) | Finish::Other(reason) => {
            format!("the answer may be cut: the reason given for its end is {}", quoted(reason))
        }
    }
}

/// What a second question names as missing in the first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Lack {
    /// There was none.
    Answer,
    /// It thought, and did not answer.
    End,
    /// No object of its own.
    Object,
    /// The call word.
    Call,
    /// Valid JSON.
    Json,
    /// The keys and values of the form.
    Form,
    /// One verdict.
    OneVerdict,
    /// Its end.
    Rest,
}

impl Lack {
    /// All of them.
    pub const ALL: [Self; 8] = crate::domain::variants();

    /// What stands in a second question for it.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Answer => "It was empty.",
            Self::End => "It ended in its thoughts, before any answer.",
            Self::Object => "It had no JSON object in the form above.",
            Self::Call => "Its object did not have the word of the question in `call`.",
            Self::Json => {
                "Its object was not valid JSON. Inside a text, write a backslash, a quotation mark and a line break as JSON does."
            }
            Self::Form => "Its object did not have the keys and values of the form above.",
            Self::OneVerdict => "It gave verdicts that contradict each other.",
            Self::Rest => "It broke off before its end. Be brief.",
        }
    }
}

impl Fault {
    /// What a second question asks for; nothing where asking again is out of the question.
    pub fn lack(&self) -> Option<Lack> {
        Some(match self {
            Self::Empty | Self::Elsewhere(_) => Lack::Answer,
            Self::Contradicted => return None,
            Self::OnlyThoughts => Lack::End,
            Self::NoObject | Self::NoKeep | Self::Nested => Lack::Object,
            Self::NoCall => Lack::Call,
            Self::Garbled => Lack::Json,
            Self::Disagree => Lack::OneVerdict,
            // What a filter withheld once it withholds again.
            Self::Cut(Finish::Filtered(_)) => return None,
            Self::Cut(_) | Self::Torn | Self::TooLong { .. } => Lack::Rest,
            Self::Twice { .. }
            | Self::NoScore(_)
            | Self::NoNumber(_)
            | Self::OutOfRange(_)
            | Self::TwoScores(_)
            | Self::WrongType(_)
            | Self::UnknownVerdict { .. } => Lack::Form,
        })
    }
}
