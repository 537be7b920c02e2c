//! What a client sends.

use super::strict::{objects, text_value_or_none};
use crate::domain::JudgementKind;
use crate::engine::panel::Tier;
use crate::engine::prompt::{JudgedFile, Section};
use crate::instruments::Capability;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Fewest characters of a nonce.
const SHORTEST_NONCE: usize = 16;
/// Most characters of a nonce.
const LONGEST_NONCE: usize = 128;
/// Most characters of a name of a person.
const LONGEST_NAME: usize = 1024;
/// Most people who had a hand in a content.
const MOST_PEOPLE: usize = 100;

/// Base64 with its padding, and no bit left over.
const BASE64_PATTERN: &str =
    "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";

/// The schema of a file that has this text.
fn text_of(name: &str) -> serde_json::Value {
    serde_json::json!({"required": [name], "properties": {name: {"type": "string"}}})
}

/// One content to be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = {"properties": {"kind": {"const": "task"}}},
    "then" = {"required": ["tier"], "properties": {"tier": {"type": "string"}}},
    "else" = {"properties": {"tier": {"type": "null"}, "sections": {"maxItems": 0}}},
))]
pub struct JudgementRequest {
    /// Which judgement is asked for.
    pub kind: JudgementKind,
    /// Which judge of tasks is asked; for a task alone, and required there.
    #[serde(
        default,
        deserialize_with = "text_value_or_none",
        skip_serializing_if = "Option::is_none"
    )]
    pub tier: Option<Tier>,
    /// Random characters that the answer repeats, new for each request: 16 to 128 letters and digits.
    #[schemars(length(min = 16, max = 128), regex(pattern = "^[0-9A-Za-z]+$"))]
    pub nonce: String,
    /// Who wrote the content, for four eyes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_NAME))]
    pub author: Option<String>,
    /// Who else had a hand in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_PEOPLE - 1), inner(length(max = LONGEST_NAME)))]
    pub others: Vec<String>,
    /// The files, judged together.
    #[serde(deserialize_with = "objects")]
    #[schemars(length(min = 1))]
    pub files: Vec<RequestFile>,
    /// Texts beside them, of a task: its description, acceptance criteria and earlier verdicts.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Milliseconds after which the client no longer waits. The header `X-Deadline-Ms` means the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
}

/// One file: path and content each as text, or as Base64 where they are no UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("allOf" = [
    {"oneOf": [text_of("path"), text_of("path_base64")]},
    {"oneOf": [text_of("content"), text_of("content_base64")]},
]))]
pub struct RequestFile {
    /// Its path in the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The same in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = BASE64_PATTERN))]
    pub path_base64: Option<String>,
    /// Its content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The same in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = BASE64_PATTERN))]
    pub content_base64: Option<String>,
}

/// What is wrong with a request whose JSON can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The nonce.
    #[error("`nonce` must have 16 to 128 ASCII letters and digits")]
    Nonce,
    /// No file.
    #[error("`files` is empty")]
    NoFiles,
    /// A path.
    #[error("a file needs exactly one of `path` and `path_base64`")]
    Path,
    /// A content.
    #[error("a file needs exactly one of `content` and `content_base64`")]
    Content,
    /// Base64 that is none.
    #[error("a text in Base64 cannot be decoded")]
    Base64,
    /// A task without a tier, or a push with one.
    #[error("`tier` is required for a task and not allowed for a push")]
    Tier,
    /// Texts beside a push.
    #[error("`sections` are not allowed for a push")]
    Sections,
    /// Names of people.
    #[error("`author` and `others` have at most 100 names of at most 1024 characters")]
    People,
    /// No memory, or too many.
    #[error("`candidates` must have 1 to 20 memories")]
    Candidates,
    /// How many memories may be kept.
    #[error("`keep` must be 1 to 20")]
    Keep,
    /// Texts about memories.
    #[error(
        "at most 500 characters of `prompt`, 10 lines of 200 of `context`, 120 of a title, 40 of a category and of 8 tags are taken"
    )]
    Texts,
}

/// Whether a request may have this nonce.
pub(super) fn is_nonce(nonce: &str) -> bool {
    let is_plain = nonce.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain && (SHORTEST_NONCE..=LONGEST_NONCE).contains(&nonce.len())
}

impl RequestFile {
    /// A file as it is sent.
    pub fn new(file: &JudgedFile) -> Self {
        let sent = |bytes: &[u8]| match std::str::from_utf8(bytes) {
            Ok(text) => (Some(text.to_owned()), None),
            Err(_) => (None, Some(BASE64.encode(bytes))),
        };
        let (path, path_base64) = sent(&file.path);
        let (content, content_base64) = sent(&file.bytes);
        Self { path, path_base64, content, content_base64 }
    }

    fn decoded(self) -> Result<JudgedFile, Malformed> {
        let bytes = |text: Option<String>, encoded: Option<String>, missing| match (text, encoded) {
            (Some(text), None) => Ok(text.into_bytes()),
            (None, Some(encoded)) => BASE64.decode(encoded).map_err(|_| Malformed::Base64),
            _ => Err(missing),
        };
        Ok(JudgedFile {
            path: bytes(self.path, self.path_base64, Malformed::Path)?,
            bytes: bytes(self.content, self.content_base64, Malformed::Content)?,
        })
    }
}

impl JudgementRequest {
    /// Checks what no schema says, and takes the files out as they are judged.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn take_files(&mut self) -> Result<Vec<JudgedFile>, Malformed> {
        if !is_nonce(&self.nonce) {
            return Err(Malformed::Nonce);
        }
        if self.tier.is_some() != self.kind.has(Capability::Tiers) {
            return Err(Malformed::Tier);
        }
        if !self.kind.has(Capability::Question) && !self.sections.is_empty() {
            return Err(Malformed::Sections);
        }
        let people: Vec<&String> = self.author.iter().chain(&self.others).collect();
        let is_long = |name: &&String| name.chars().count() > LONGEST_NAME;
        if people.len() > MOST_PEOPLE || people.iter().any(is_long) {
            return Err(Malformed::People);
        }
        if self.files.is_empty() {
            return Err(Malformed::NoFiles);
        }
        std::mem::take(&mut self.files).into_iter().map(RequestFile::decoded).collect()
    }
}

/// BLAKE3 over all that is asked, in hexadecimal digits: kind, tier, content and the texts beside it, with
/// their lengths. Who asks and who wrote the content are no part of it.
pub fn question_sha(
    kind: JudgementKind,
    tier: Option<Tier>,
    content_sha: &str,
    sections: &[Section],
) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    part(kind.as_str());
    part(tier.map_or("", Tier::name));
    part(content_sha);
    for section in sections {
        part(section.kind.name());
        part(&section.text);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::prompt::SectionKind;

    fn request(files: &[JudgedFile]) -> JudgementRequest {
        JudgementRequest {
            kind: JudgementKind::Push,
            tier: None,
            nonce: "a1".repeat(8),
            author: None,
            others: Vec::new(),
            files: files.iter().map(RequestFile::new).collect(),
            sections: Vec::new(),
            deadline_ms: None,
        }
    }

    #[test]
    fn any_path_and_content_round_trip() {
        let files = [
            JudgedFile { path: b"a.md".to_vec(), bytes: "ü\0".into() },
            JudgedFile { path: b"\xff/b".to_vec(), bytes: b"\xfe\n".to_vec() },
        ];
        let text = serde_json::to_string(&request(&files)).unwrap();
        let mut read: JudgementRequest = serde_json::from_str(&text).unwrap();
        assert_eq!(read.take_files().unwrap(), files);
    }

    #[test]
    fn malformed_requests_are_refused() {
        let file = JudgedFile { path: b"a".to_vec(), bytes: b"b".to_vec() };
        let good = || request(std::slice::from_ref(&file));
        type Change = fn(&mut JudgementRequest);
        let changes: [(Change, Malformed); 8] = [
            (|r| r.nonce.truncate(15), Malformed::Nonce),
            (|r| r.nonce.replace_range(..1, "-"), Malformed::Nonce),
            (|r| r.files.clear(), Malformed::NoFiles),
            (|r| r.files[0].path_base64 = Some("YQ==".to_owned()), Malformed::Path),
            (|r| r.files[0].content = None, Malformed::Content),
            (|r| r.tier = Some(Tier::Quick), Malformed::Tier),
            (|r| r.sections.push(Section::new(SectionKind::Description, "x")), Malformed::Sections),
            (|r| r.author = Some("x".repeat(1025)), Malformed::People),
        ];
        assert!(good().take_files().is_ok());
        for (change, wrong) in changes {
            let mut request = good();
            change(&mut request);
            assert_eq!(request.take_files(), Err(wrong));
        }
    }

    #[test]
    fn questions_that_differ_in_anything_have_other_hashes() {
        let section = |kind, text: &str| Section::new(kind, text);
        let all = [
            question_sha(JudgementKind::Push, None, "aa", &[]),
            question_sha(JudgementKind::Push, None, "ab", &[]),
            question_sha(JudgementKind::Task, Some(Tier::Quick), "aa", &[]),
            question_sha(JudgementKind::Task, Some(Tier::Deep), "aa", &[]),
            question_sha(
                JudgementKind::Task,
                Some(Tier::Deep),
                "aa",
                &[section(SectionKind::Description, "ab")],
            ),
            question_sha(
                JudgementKind::Task,
                Some(Tier::Deep),
                "aa",
                &[section(SectionKind::Acceptance, "ab")],
            ),
        ];
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
