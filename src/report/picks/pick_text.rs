//! Texts of a pick as a reviewer reads them.

use crate::relevance::Candidate;
use crate::text::escape::{self, truncate};
use crate::text::mask::mask;

/// Most columns of the beginning of a memory.
const BODY: usize = 300;
/// Most characters of any other text of a pick.
const TEXT: usize = 10_000;

/// A candidate as a reviewer is shown it, in one line, without secrets and harmless.
pub fn candidate(one: &Candidate) -> String {
    let title = one.title.as_deref().unwrap_or("untitled");
    let category = one.category.as_deref().unwrap_or("unknown");
    line(&format!("[{category}] {title} (tags: {})", one.tags.join(", ")))
}

/// How a memory begins, in one line; `None` where its text is not kept or empty.
pub fn beginning(body: Option<&str>) -> Option<String> {
    let words: Vec<&str> = body?.split_whitespace().collect();
    (!words.is_empty()).then(|| truncate(&line(&words.join(" ")), BODY).into_owned())
}

/// A prompt, or what was said before it, with its lines, without secrets and harmless.
pub fn text(text: &str) -> String {
    escape::text(&cut(&mask(text).0)).into_owned()
}

/// A text of a pick in one line, without secrets and harmless.
pub(super) fn line(text: &str) -> String {
    escape::line(&cut(&mask(text).0)).into_owned()
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(TEXT).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
