//! How much of a content is shown.

use super::JudgedFile;

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of content in one request, paths and texts together.
    pub content_bytes: usize,
    /// Most parts that longer content is judged in, each by a request of its own.
    pub max_parts: u32,
    /// Most characters of content, where they are what is bounded. Longer content is cut, not parted.
    pub content_characters: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { content_bytes: 256 << 10, max_parts: 8, content_characters: None }
    }
}

impl Limits {
    /// The same bound in bytes for these files: as many characters of them take so many bytes on
    /// average.
    pub(super) fn in_bytes(self, files: &[&JudgedFile]) -> Self {
        let Some(most) = self.content_characters else { return self };
        // A byte that continues a character is none of its own.
        let characters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let all: usize = files.iter().map(|file| characters(&file.bytes)).sum();
        if all <= most {
            return Self { max_parts: 1, ..self };
        }
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let paths: usize = files.iter().map(|file| file.path.len()).sum();
        let room = (bytes as u128 * most as u128 / all.max(1) as u128) as usize;
        Self { content_bytes: self.content_bytes.min(room + paths), max_parts: 1, ..self }
    }
}
