//! The question to a judge: template, rubric, and content that cannot pass for a part of either.

mod clean;
mod fence;
mod fold;
mod limits;
mod material;
mod nonce;
mod parts;
mod section;
mod share;
mod signs;
mod template;

pub(super) use fence::{begin, end, harmless};
pub use limits::Limits;
pub use material::{Cut, JudgedFile, Material};
pub use nonce::Nonce;
pub use section::{Section, SectionKind};
pub use template::{EMBEDDED, TASK, Template};
pub(super) use template::{append, second};

/// Makes what every content is searched with, which takes some milliseconds the first time: for whoever has
/// something to wait for before there is a content.
pub fn prepare() {
    let _ = (harmless("", BEGIN), signs::speaks_to_the_judge(""));
}

/// A text as a lenient reader takes it: what looks alike is alike, and what shows nothing is not there.
pub(super) fn folded(text: &str) -> std::borrow::Cow<'_, str> {
    fold::Folded::new(text).text
}

/// What begins the content, before its mark.
pub(super) const BEGIN: &str = "BEGIN MATERIAL";
/// What ends the content, before its mark.
pub(super) const END: &str = "END MATERIAL";

/// Who says a part of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The operator: rules that hold for the whole question.
    System,
    /// The question, with the content.
    User,
}

/// What is asked about one content.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What is said, in order.
    pub messages: Vec<(Speaker, String)>,
    /// Version of the question: see [`Template::prompt_sha`].
    pub prompt_sha: String,
    /// Hash of the content, whole: see [`Material::sha`].
    pub content_sha: String,
    /// Bytes of the content.
    pub bytes: usize,
    /// Bytes of the content that are shown, whatever stands in their place.
    pub shown: usize,
    /// What was cut off.
    pub cuts: Vec<Cut>,
    /// Secrets that were masked.
    pub masked: usize,
    /// Places that could have passed for a delimiter, and no longer can.
    pub neutralised: usize,
    /// Files that are no UTF-8 and are shown as well as can be.
    pub lossy: usize,
    /// Whether the content seems to speak to its judge.
    pub injection: bool,
    /// Whether the content has characters that show nothing.
    pub hidden: bool,
    /// The word that the answer must carry.
    pub call: String,
}

impl Prompt {
    /// Bytes of all that is said.
    pub fn size(&self) -> usize {
        self.messages.iter().map(|(_, text)| text.len()).sum()
    }
}

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
