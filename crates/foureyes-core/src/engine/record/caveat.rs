//! What to know before trusting a verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to know before trusting a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Caveat {
    /// Author and judge are of one family.
    SameFamily,
    /// The family of the author, or of the judge, is not known.
    FamilyUnknown,
    /// The content seems to speak to its judge.
    Injection,
    /// The content has characters that show nothing.
    HiddenCharacters,
    /// Places that could have passed for a delimiter were taken apart.
    Neutralised,
    /// The judge did not see all of the content; a GO of what it saw is no GO.
    ContentCut,
    /// Secrets were masked before the judge saw them.
    SecretsMasked,
    /// Files with bytes that are no UTF-8.
    NotUtf8,
    /// The commit has links or submodules beside the files, which nobody judged.
    Links,
    /// A file of answers was asked in place of a judge: it is no evaluation, and counts in no rate.
    Scripted,
    /// Judges of one run are of one family, or it is not known that they are not.
    SharedFamily,
    /// Nobody said what the result of a task must meet.
    NoAcceptance,
    /// A connection ended after the request was sent: it may have been billed.
    MayBeBilled,
}

impl Caveat {
    /// It in words, without an end.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SameFamily => "author and judge are of the same family",
            Self::FamilyUnknown => "the family of the author or the judge is unknown",
            Self::Injection => "the content seems to address the judge",
            Self::HiddenCharacters => "the content has invisible characters",
            Self::Neutralised => "text that could pass for a delimiter was neutralised",
            Self::ContentCut => "the judge did not see all of the content",
            Self::SecretsMasked => "secrets were masked before the judge saw them",
            Self::NotUtf8 => "files with invalid UTF-8",
            Self::Scripted => "the answer came from a file of answers, not from a judge",
            Self::Links => "links or submodules next to the files were not judged",
            Self::SharedFamily => "judges of this run are of one family, or may be",
            Self::NoAcceptance => "no acceptance criteria were given",
            Self::MayBeBilled => "a connection ended before its reply, which may have been billed",
        }
    }
}
