//! The question of a task: what was to be done, and what the result must meet.

use crate::text::mask::mask;
use serde::{Deserialize, Serialize};

/// The texts by which a result is judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskQuestion {
    /// What was to be done.
    pub description: String,
    /// What the result must meet, where that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<String>,
}

impl TaskQuestion {
    /// The `task_sha` of a record: BLAKE3 of both texts with their lengths, in hexadecimal digits.
    pub fn sha(&self) -> String {
        sha_of(&self.description, self.acceptance.as_deref())
    }

    /// Whether it is judged by the acceptance criteria alone: they are its description as well.
    pub fn is_one_text(&self) -> bool {
        self.acceptance.as_ref() == Some(&self.description)
    }

    /// It with what looks like a secret masked, and how many places that were.
    #[must_use]
    pub fn masked(&self) -> (Self, usize) {
        let (description, mut count) = mask(&self.description);
        let acceptance = self.acceptance.as_deref().map(|text| {
            let (shown, more) = mask(text);
            count += more;
            shown.into_owned()
        });
        (Self { description: description.into_owned(), acceptance }, count)
    }
}

/// What is said where a task has no acceptance criteria.
pub const NO_ACCEPTANCE: &str = "none were given";

/// A question as it may be kept and shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MaskedQuestion {
    /// The texts, masked.
    pub question: TaskQuestion,
    /// Secrets that are masked in them: then the hash of the texts is another one than that of the task.
    pub masked: usize,
}

impl MaskedQuestion {
    /// The question without what looks like a secret.
    pub fn new(question: &TaskQuestion) -> Self {
        let (question, masked) = question.masked();
        Self { question, masked }
    }
}

/// What is known of the question of a task that was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownQuestion {
    /// It was kept.
    Kept(MaskedQuestion),
    /// It was not, or its time is over.
    NotKept,
    /// Where the record is read, there is none: why.
    NotHere(String),
    /// No pull has taken it: why.
    NotTaken(String),
    /// It was kept, and is not used: why.
    Unusable(String),
}

impl KnownQuestion {
    /// It, where it was kept.
    pub fn kept(&self) -> Option<&MaskedQuestion> {
        match self {
            Self::Kept(held) => Some(held),
            _ => None,
        }
    }

    /// Why it cannot be shown, in words for a person; `None` where it can.
    pub fn absence(&self) -> Option<String> {
        match self {
            Self::Kept(_) => None,
            Self::NotKept => Some("not kept: see `keep_questions` in `[task]`".to_owned()),
            Self::NotHere(why) => Some(format!("not here: {why}")),
            Self::NotTaken(why) => Some(format!("not taken: {why}")),
            Self::Unusable(why) => Some(format!("kept, but not used: {why}")),
        }
    }
}

/// [`TaskQuestion::sha`] of these texts; no criteria are the same as empty ones.
pub fn sha_of(description: &str, acceptance: Option<&str>) -> String {
    sha_of_texts([description, acceptance.unwrap_or_default()])
}

/// BLAKE3 of texts with their lengths, in hexadecimal digits.
pub fn sha_of_texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.as_ref().len() as u64).to_le_bytes());
        hasher.update(text.as_ref().as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
