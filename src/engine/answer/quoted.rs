//! What in an answer repeats what was sent.

use super::Sent;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// Places of an answer that are quotations, and the content that may be quoted elsewhere.
pub(super) struct Quotes<'a> {
    text: &'a str,
    marked: Option<Range<usize>>,
    content: &'a str,
    /// The content without white space, once it was asked for.
    dense: OnceCell<String>,
}

impl<'a> Quotes<'a> {
    pub(super) fn of(text: &'a str, sent: Sent<'a>) -> Self {
        let marked = marked(text, sent.mark);
        Self { text, marked, content: sent.content, dense: OnceCell::new() }
    }

    /// Tells whether a place lies in a repetition of the marked content, or on a line that quotes
    /// as mail does.
    pub(super) fn covers(&self, span: &Range<usize>) -> bool {
        let overlaps = |range: &Range<usize>| span.start < range.end && range.start < span.end;
        let line = self.text.get(..span.start).and_then(|before| before.rsplit('\n').next());
        self.marked.as_ref().is_some_and(overlaps)
            || line.is_some_and(|line| line.trim_start().starts_with('>'))
    }

    /// Tells whether an object stands in the content, too, however it is indented there.
    pub(super) fn repeats(&self, object: Option<&str>) -> bool {
        let Some(object) = object else { return false };
        let content = self.dense.get_or_init(|| dense(self.content).into_owned());
        content.contains(dense(object).as_ref())
    }
}

/// From the first line that carries the mark to the last. A mark that begins the content and is
/// not followed by another leaves all that follows in the content; one that ends it, all before.
fn marked(text: &str, mark: &str) -> Option<Range<usize>> {
    if mark.is_empty() {
        return None;
    }
    let (first, last) = (text.find(mark)?, text.rfind(mark)?);
    let start = text.get(..first)?.rfind('\n').map_or(0, |at| at + 1);
    let end = text.get(last..)?.find('\n').map_or(text.len(), |at| last + at);
    let says = |range: Range<usize>, word| text.get(range).is_some_and(|l| l.contains(word));
    let last_line = text.get(..last)?.rfind('\n').map_or(0, |at| at + 1);
    let first_end = text.get(first..)?.find('\n').map_or(text.len(), |at| first + at);
    let open = says(last_line..end, super::super::prompt::BEGIN);
    let closed = says(start..first_end, super::super::prompt::END);
    Some(if closed { 0 } else { start }..if open { text.len() } else { end })
}

fn dense(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        Cow::Owned(text.split_whitespace().collect())
    } else {
        Cow::Borrowed(text)
    }
}
