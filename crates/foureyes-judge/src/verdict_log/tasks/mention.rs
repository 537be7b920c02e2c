//! Whether a log can hold anything on a task: a look at its bytes, which costs far less than reading them.

use memchr::memmem::Finder;
use std::io::{self, Read};

/// How a JSON escape of an ASCII character begins.
const ESCAPE: &[u8] = br"\u00";
/// Bytes of one more than the beginning.
const DIGITS: usize = 2;

/// Whether one of some texts may be in a string of a JSON document, however that is written.
///
/// Every way to write a text has to be found, since what is not found is not looked at: a text that is
/// written with escapes, or may be, counts as found.
pub(super) fn may_mention(
    document: &mut impl Read,
    texts: &[&str],
    block: &mut [u8],
) -> io::Result<bool> {
    // These are also written as escapes, by one program or another.
    if !texts.iter().all(|text| text.bytes().all(is_plain) && !text.is_empty()) {
        return Ok(true);
    }
    let finders: Vec<_> = texts.iter().map(Finder::new).collect();
    let escape = Finder::new(ESCAPE);
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    // What begins in one block may end in the next one.
    let overlap = longest.max(ESCAPE.len() + DIGITS).saturating_sub(1);
    let (size, mut held) = (block.len(), 0);
    loop {
        let space = block.get_mut(held..size).unwrap_or_default();
        let count = match document.read(space) {
            Ok(0) => return Ok(false),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = held + count;
        let bytes = block.get(..end).unwrap_or_default();
        let is_here = finders.iter().any(|finder| finder.find(bytes).is_some());
        if is_here || escape.find_iter(bytes).any(|at| is_plain_escape(bytes, at)) {
            return Ok(true);
        }
        let rest = end.saturating_sub(overlap);
        block.copy_within(rest..end, 0);
        held = end - rest;
    }
}

/// Whether it is a character that no program escapes unless it escapes all.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.:@#+ ".contains(&byte)
}

/// Whether the escape at a place is of such a character.
fn is_plain_escape(bytes: &[u8], at: usize) -> bool {
    let digits = at + ESCAPE.len();
    let digits = bytes.get(digits..digits + DIGITS).and_then(|digits| str::from_utf8(digits).ok());
    let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    code.is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn finds(document: &str, texts: &[&str]) -> bool {
        let found =
            |step| may_mention(&mut Slow(document.as_bytes(), step), texts, &mut [0; 64]).unwrap();
        let all: Vec<_> = [1, 2, 7, 64].into_iter().map(found).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{document}: {all:?}");
        all[0]
    }

    #[test]
    fn text_is_found_wherever_blocks_end() {
        let long = "x".repeat(300);
        assert!(finds(&format!("{long}task-1{long}"), &["sha", "task-1"]));
        assert!(!finds(&format!("{long}task-2{long}"), &["sha", "task-1"]));
        assert!(!finds("", &["task-1"]));
    }

    #[test]
    fn escaped_text_counts_as_found() {
        assert!(finds(r#"{"task_id":"\u0074ask-1"}"#, &["task-1"]));
        assert!(finds(r#"{"task_id":"task\u002D1"}"#, &["task-1"]));
        // Such escapes are frequent, and none of them is in the text.
        assert!(!finds(
            r#"{"reasoning":"\u003cb\u003e \u0026 \u00e9 \u001b\n \u005c"}"#,
            &["task-1"]
        ));
    }

    #[test]
    fn text_that_may_be_written_in_several_ways_counts_as_found() {
        for text in ["a/b", "a\"b", "é", "a<b", "a\nb", ""] {
            assert!(finds("{}", &[text]), "{text:?}");
        }
    }
}
