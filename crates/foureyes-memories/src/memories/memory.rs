//! What a memory is.

use std::fmt;

/// Longest title or category that is kept, in characters.
const MOST_CHARACTERS: usize = 200;
/// Most tags that are kept, and the longest, in characters.
const MOST_TAGS: usize = 32;
const MOST_TAG: usize = 64;

/// A memory as `index.md` lists it. Its texts are hostile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Path of its file, relative to the directory, with no `..` in it.
    pub path: String,
    /// Its title, where the listing has one.
    pub title: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its category, where the listing has one.
    pub category: Option<String>,
    /// Its line in `index.md`, from 1.
    pub line: usize,
}

/// A memory: what the listing has, and else what its file has. Its texts are hostile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Path of its file, relative to the directory.
    pub path: String,
    /// Its title.
    pub title: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its category.
    pub category: Option<String>,
    /// Its text.
    pub body: String,
}

/// A memory that a search found. Its texts are hostile.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Path of its file, relative to the directory.
    pub path: String,
    /// Its title.
    pub title: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its category.
    pub category: Option<String>,
    /// Its place, from 1.
    pub rank: usize,
    /// BM25, the higher the better; of a search by keywords the number of words.
    pub score: f64,
}

impl Hit {
    /// What its file is read with.
    pub fn listed(&self) -> Listed {
        Listed {
            path: self.path.clone(),
            title: self.title.clone(),
            tags: self.tags.clone(),
            category: self.category.clone(),
            line: 0,
        }
    }
}

/// What is wrong with one memory, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, relative to the directory.
    pub file: String,
    /// The line in it, from 1; `None` where the file cannot be read.
    pub line: Option<usize>,
    /// What is wrong, as a clause.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

impl Problem {
    /// A problem of a file as a whole.
    pub(super) fn of_file(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, what: what.into() }
    }

    /// A problem at a line.
    pub(super) fn at(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), what: what.into() }
    }
}

impl Memory {
    /// A memory of its listing and the fields of its file; the listing comes first.
    pub(super) fn new(listed: &Listed, fields: super::file::Fields) -> Self {
        let tags = if listed.tags.is_empty() { fields.tags } else { listed.tags.clone() };
        Self {
            path: listed.path.clone(),
            title: listed.title.clone().or(fields.title),
            tags,
            category: listed.category.clone().or(fields.category),
            body: fields.body,
        }
    }
}

/// A title or a category on one line; `None` where it is empty.
pub(super) fn label(text: &str) -> Option<String> {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = one_line.chars().take(MOST_CHARACTERS).collect();
    (!kept.is_empty()).then_some(kept)
}

/// Tags, each once and on one line, without a leading `#`.
pub(super) fn tags<'a>(all: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in all {
        let tag: String = label(tag.trim().trim_start_matches('#'))
            .unwrap_or_default()
            .chars()
            .take(MOST_TAG)
            .collect();
        if !tag.is_empty() && !tags.contains(&tag) && tags.len() < MOST_TAGS {
            tags.push(tag);
        }
    }
    tags
}
