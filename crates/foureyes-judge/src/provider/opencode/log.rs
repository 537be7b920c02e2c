//! What the program prints on its standard error: its log, and what it says to people.

use super::events::Stop;
use std::collections::VecDeque;

/// Most bytes that are kept.
const MOST: usize = 16 << 10;

/// What the program says where it has no agent of the name that was given, and takes another.
const OTHER_AGENT: &[u8] = b"Falling back to default agent";
/// What a line of its log has in it for a call that failed. It calls again after most of them.
const FAILED: &[u8] = b"message=\"stream error\"";
/// What it is named in such a line.
const FAILED_BY: &str = " error.error=";
/// What a line of its log has in it for a question that the program itself cannot ask.
const GAVE_UP: &[u8] = b"message=failed ";
/// What it is named in such a line.
const GAVE_UP_BY: &str = " error=";

/// The end of what was read so far.
#[derive(Debug, Default)]
pub(super) struct Log {
    kept: VecDeque<u8>,
    line: Vec<u8>,
    failed: u32,
    last: Option<String>,
    gave_up: Option<String>,
    has_other_agent: bool,
}

impl Log {
    /// Takes the next bytes; says where the program is to be ended.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Stop> {
        self.kept.extend(bytes);
        let excess = self.kept.len().saturating_sub(MOST);
        self.kept.drain(..excess);
        let mut stop = None;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = MOST.saturating_sub(self.line.len());
            self.line.extend_from_slice(piece.get(..room).unwrap_or(piece));
            if piece.ends_with(b"\n") {
                stop = stop.or(self.complete());
            }
        }
        stop
    }

    /// Takes the last line as it is: no more of it will come.
    pub(super) fn close(&mut self) {
        self.complete();
    }

    fn complete(&mut self) -> Option<Stop> {
        let line = std::mem::take(&mut self.line);
        let has = |words: &[u8]| line.windows(words.len()).any(|part| part == words);
        if has(FAILED) {
            self.failed += 1;
            self.last = value(&String::from_utf8_lossy(&line), FAILED_BY);
        }
        if has(GAVE_UP) {
            self.gave_up = value(&String::from_utf8_lossy(&line), GAVE_UP_BY);
        }
        let is_other = has(OTHER_AGENT);
        self.has_other_agent |= is_other;
        is_other.then_some(Stop::OtherAgent)
    }

    /// Whether the program asks another agent than the one that was named.
    pub(super) fn has_other_agent(&self) -> bool {
        self.has_other_agent
    }

    /// Calls that failed.
    pub(super) fn failed(&self) -> u32 {
        self.failed
    }

    /// What is known of the last call that failed.
    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Why the program itself could not ask.
    pub(super) fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    /// What it names as the cause, or the end of it: at most 16 KiB.
    pub(super) fn cause(&self) -> String {
        let named = self.gave_up().or(self.last());
        named.map_or_else(|| self.end(), str::to_owned)
    }

    /// The end of it.
    pub(super) fn end(&self) -> String {
        let (one, other) = self.kept.as_slices();
        String::from_utf8_lossy(&[one, other].concat()).into_owned()
    }
}

/// The value of a name in a line of the log: a word, or a text in quotes.
fn value(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(name)?;
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.split_whitespace().next().map(str::to_owned);
    };
    let (mut text, mut escaped) = (String::new(), false);
    for c in quoted.chars() {
        match (escaped, c) {
            (false, '"') => break,
            (false, '\\') => escaped = true,
            (true, 'n') => (escaped, text) = (false, text + " "),
            (_, c) => {
                text.push(c);
                escaped = false;
            }
        }
    }
    Some(text)
}
