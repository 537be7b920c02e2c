//! What a search found, for people and programs.

mod shorten;

use crate::engine::record::{PickCandidate, PickChoice};
use crate::engine::relevance::Fallback;
use crate::memories::Memory;
use crate::picks::Picked;
use crate::text::counted;
use crate::text::escape;
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::Serialize;
use std::io;

/// Columns of the text.
const WIDTH: usize = 100;

/// What came of `foureyes memories search`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Document {
    /// Name and version of this format.
    schema: &'static str,
    /// Id of the pick, as the log has it.
    pick: String,
    /// What came of it.
    choice: PickChoice,
    /// Why no judge chose.
    fallback: Option<Fallback>,
    /// The reason in words.
    error: Option<String>,
    /// The memories, best first. Secrets in their texts are masked.
    memories: Vec<Entry>,
    /// What `--max-chars` has no room for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// Memories that there is no room for.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
struct LeftOut {
    /// How many.
    count: usize,
    /// Paths of the first of them, as many as there is room for.
    memories: Vec<String>,
}

/// A memory that was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Entry {
    /// Path of its file, relative to the directory of memories.
    memory: String,
    /// Its title.
    title: Option<String>,
    /// Its category.
    category: Option<String>,
    /// Its tags.
    tags: Vec<String>,
    /// Its rank by BM25, from 1.
    rank: u32,
    /// BM25, the higher the better; without an index the number of words that match.
    score: f64,
    /// Its text.
    body: String,
    /// Whether only the beginning of the text is there, for want of room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

impl Entry {
    fn new((candidate, memory): (&PickCandidate, &Memory)) -> Self {
        let PickCandidate { memory: path, title, category, tags, rank, score, .. } =
            candidate.clone();
        let body = mask(&memory.body).0.into_owned();
        Self { memory: path, title, category, tags, rank, score, body, cut: false }
    }

    fn text(&self) -> String {
        let title = self.title.as_deref().unwrap_or("untitled");
        let mut out = escape::field(0, &format!("{}.", self.rank), title, WIDTH);
        let about = [self.category.clone().unwrap_or("unknown".to_owned()), self.tags.join(", ")];
        let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
        out.push_str(&escape::field(2, "about:", &about.join("; "), WIDTH));
        out.push_str(&escape::field(2, "file:", &self.memory, WIDTH));
        out.push_str(&escape::block(&self.body, "  | ", WIDTH));
        if self.cut {
            out.push_str("  … (cut)\n");
        }
        out
    }
}

impl LeftOut {
    fn sentence(&self) -> String {
        let count = counted(self.count, "memory", "memories");
        let names = match self.memories.len() < self.count {
            true => self.memories.iter().map(String::as_str).chain(["…"]).collect::<Vec<_>>(),
            false => self.memories.iter().map(String::as_str).collect(),
        };
        escape::field(0, "left out:", &format!("{count}: {}", names.join(", ")), WIDTH)
    }
}

impl Document {
    /// The document of a pick.
    pub(super) fn new(picked: &Picked) -> Self {
        let record = picked.record.masked();
        let kept = record.candidates.iter().filter(|candidate| candidate.kept);
        Self {
            schema: "foureyes/memories/1",
            memories: kept.zip(&picked.memories).map(Entry::new).collect(),
            pick: record.pick,
            choice: record.choice,
            fallback: record.fallback,
            error: record.error,
            left_out: None,
        }
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.memories.is_empty() && self.left_out.is_none()
    }

    /// As it is printed: one JSON document, or text.
    ///
    /// # Errors
    /// None that is known; that of JSON, where it has one.
    pub(super) fn written(&self, json: bool) -> io::Result<String> {
        match json {
            true => crate::text::json::pretty(self),
            false => Ok(self.text()),
        }
    }

    fn text(&self) -> String {
        let rest = self.left_out.as_ref().map(LeftOut::sentence);
        let all: Vec<String> = self.memories.iter().map(Entry::text).chain(rest).collect();
        all.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        crate::asset_tests::assert_asset("memories.schema.json", &schemars::schema_for!(Document));
    }
}
