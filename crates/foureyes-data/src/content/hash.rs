//! The hash of a content as it is shown: a label names it.

use super::{Content, FileContent, State};
use crate::domain::review::ContentHash;

impl Content {
    /// BLAKE3 over path, text and changed lines of each file, with their lengths; `None` where no file has
    /// a text or a difference, so that nothing of it can be read.
    pub fn shown_hash(&self) -> Option<ContentHash> {
        let mut hasher = blake3::Hasher::new();
        let mut is_readable = false;
        for file in &self.files {
            is_readable |= has_text(file);
            add(&mut hasher, &file.path);
            add(&mut hasher, text(file));
            file.diff.lines.iter().for_each(|line| add(&mut hasher, &line.text));
        }
        is_readable.then(|| ContentHash(*hasher.finalize().as_bytes()))
    }
}

fn text(file: &FileContent) -> &str {
    match &file.state {
        State::Text { text, .. } => text,
        _ => "",
    }
}

fn has_text(file: &FileContent) -> bool {
    !text(file).trim().is_empty() || !file.diff.lines.is_empty()
}

fn add(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
