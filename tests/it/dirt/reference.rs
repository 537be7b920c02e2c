//! The slow reference: the rules for reading, each as plainly as it can be said.
//!
//! It holds all bytes, parses from every place again, and cares for nothing but the rules.

use super::json::{Parsed, Tree, open_object, value};
use super::meaning::record;
use super::seen::{Piece, Place, Seen};
use foureyes::domain::Reject;
use foureyes::jsonl::Settings;

/// What stands between pieces; NULs are padding.
pub(super) const BLANK: &[u8] = b" \t\r\0";
/// So many NULs cut a line that is longer than the limit.
const PADDING: [u8; 2] = [0; 2];

/// A physical line without its newline.
#[derive(Clone, Copy)]
struct Line {
    from: usize,
    to: usize,
    ended: bool,
}

struct Reference<'a> {
    bytes: &'a [u8],
    settings: &'a Settings,
    lines: Vec<Line>,
    seen: Seen,
}

/// An object at a piece's start and the line it ends on.
struct Whole {
    parsed: Parsed,
    last: usize,
}

/// Reads these bytes by the rules.
pub(super) fn read(bytes: &[u8], settings: &Settings) -> Seen {
    let mut reference = Reference { bytes, settings, lines: lines(bytes), seen: Seen::default() };
    let mut next = 0;
    while next < reference.lines.len() {
        next = reference.line(next);
    }
    reference.seen
}

fn lines(bytes: &[u8]) -> Vec<Line> {
    let mut from = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut lines = Vec::new();
    for (at, _) in bytes.iter().enumerate().filter(|(_, b)| **b == b'\n') {
        lines.push(Line { from, to: at, ended: true });
        from = at + 1;
    }
    // A file of nothing but the mark has bytes, and so a line.
    if from < bytes.len() || bytes == b"\xef\xbb\xbf" {
        lines.push(Line { from, to: bytes.len(), ended: false });
    }
    lines
}

impl Reference<'_> {
    /// Reads the pieces of a line, and of the lines that a joined object takes it to.
    fn line(&mut self, first: usize) -> usize {
        self.seen.accounting.lines += 1;
        let mut now = first;
        let (mut pieces, mut after_join) = (0, false);
        loop {
            self.skip_padding(first);
            if !self.overlong(first) {
                break;
            }
            if !self.cut(first) {
                return first + 1;
            }
        }
        let mut at = self.lines[first].from;
        loop {
            while at < self.lines[now].to && BLANK.contains(&self.bytes[at]) {
                at += 1;
            }
            if at == self.lines[now].to {
                break;
            }
            pieces += 1;
            if pieces > 1 || after_join {
                self.seen.accounting.split += 1;
            }
            if let Some(whole) = self.whole(now, at) {
                let end = whole.parsed.end;
                self.judge(now, at, whole.parsed);
                if whole.last > now {
                    let extra = (whole.last - now) as u64;
                    self.seen.accounting.lines += extra;
                    self.seen.accounting.joined += extra;
                    (now, pieces, after_join) = (whole.last, 0, true);
                }
                at = end;
            } else if let Some(next) = self.end_of_reject(now, at) {
                self.reject(now, at, next - at, "no object".to_owned());
                at = next;
            } else {
                self.seen.accounting.incomplete += 1;
                break;
            }
        }
        if pieces == 0 && !after_join {
            self.seen.accounting.blank += 1;
        }
        now + 1
    }

    fn overlong(&self, line: usize) -> bool {
        self.lines[line].to - self.lines[line].from > self.settings.line_bytes
    }

    /// NULs before a line are not of it.
    fn skip_padding(&mut self, line: usize) {
        let Line { from, to, .. } = self.lines[line];
        let nuls = self.bytes[from..to].iter().take_while(|b| **b == 0).count();
        self.lines[line].from += nuls;
    }

    /// Reads a line that is too long up to where padding begins; tells whether more of it is left.
    fn cut(&mut self, line: usize) -> bool {
        let Line { from, to, ended } = self.lines[line];
        let limit = self.settings.line_bytes;
        let runs = self.bytes[from..to].windows(PADDING.len()).take(limit + 1);
        if let Some(run) = runs.into_iter().position(|bytes| bytes == PADDING) {
            self.lines[line] = Line { from, to: from + run, ended: true };
            self.pieces_before_padding(line);
            self.lines[line] = Line { from: from + run, to, ended };
            return true;
        }
        let nul = self.bytes[from..to].iter().skip(limit + 1).position(|b| *b == 0);
        let end = nul.map_or(to, |at| from + limit + 1 + at);
        if nul.is_none() && !ended {
            // Without its newline its length is not known yet, so that it waits like any last line.
            self.seen.accounting.incomplete += 1;
            return false;
        }
        self.reject(line, from, end - from, format!("line of {} bytes", end - from));
        self.seen.accounting.split += u64::from(nul.is_some());
        self.lines[line].from = end;
        nul.is_some()
    }

    /// Each counts as one more of its line, whatever follows.
    fn pieces_before_padding(&mut self, line: usize) {
        let Line { from: mut at, to, .. } = self.lines[line];
        loop {
            while at < to && BLANK.contains(&self.bytes[at]) {
                at += 1;
            }
            if at == to {
                return;
            }
            self.seen.accounting.split += 1;
            if let Some(parsed) = self.within(line, at) {
                let end = parsed.end;
                self.judge(line, at, parsed);
                at = end;
            } else {
                let end = self.end_of_reject(line, at).unwrap();
                self.reject(line, at, end - at, "no object".to_owned());
                at = end;
            }
        }
    }

    /// The object at a piece's start: within its line, or over the lines that follow.
    fn whole(&self, line: usize, at: usize) -> Option<Whole> {
        if let Some(parsed) = self.within(line, at) {
            return Some(Whole { parsed, last: line });
        }
        let limit = self.bytes.len().min(at.saturating_add(self.settings.line_bytes));
        let parsed = self.object(&self.bytes[..limit], at)?;
        let last = (line..self.lines.len()).find(|l| parsed.end <= self.lines[*l].to)?;
        let refused = (line + 1..=last).any(|l| self.overlong(l) || self.is_record_line(l));
        (!refused).then_some(Whole { parsed, last })
    }

    fn object(&self, bytes: &[u8], at: usize) -> Option<Parsed> {
        value(bytes, at, self.settings.depth).filter(|p| matches!(p.tree, Tree::Object(_)))
    }

    fn within(&self, line: usize, at: usize) -> Option<Parsed> {
        self.object(&self.bytes[..self.lines[line].to], at)
    }

    /// Tells whether a line is, white space aside, one object that qualifies as a record.
    fn is_record_line(&self, line: usize) -> bool {
        let Line { from, to, .. } = self.lines[line];
        let text = &self.bytes[from..to];
        let start = from + text.iter().take_while(|b| BLANK.contains(b)).count();
        self.within(line, start).is_some_and(|p| {
            qualifies(&p.tree) && self.bytes[p.end..to].iter().all(|b| BLANK.contains(b))
        })
    }

    /// Where on this line, after `at`, the next object starts that qualifies as a record.
    fn next_record(&self, line: usize, at: usize) -> Option<usize> {
        (at + 1..self.lines[line].to)
            .filter(|i| self.bytes[*i] == b'{')
            .find(|i| self.within(line, *i).is_some_and(|p| qualifies(&p.tree)))
    }

    /// Where a piece ends that is no object; `None` where it waits for the rest of its line.
    ///
    /// Without a newline the rest may still come. Only what can no longer become an object and
    /// has a record behind it is done with: nothing that is appended changes either.
    fn end_of_reject(&self, line: usize, at: usize) -> Option<usize> {
        let Line { to, ended, .. } = self.lines[line];
        let waits = !ended && open_object(&self.bytes[..to], at, self.settings.depth);
        let next = self.next_record(line, at).filter(|_| !waits);
        next.or_else(|| ended.then_some(to))
    }

    fn judge(&mut self, line: usize, at: usize, parsed: Parsed) {
        let len = parsed.end - at;
        if !is_ours(&parsed.tree) {
            self.seen.accounting.foreign += 1;
            return;
        }
        if parsed.duplicate_key {
            return self.reject(line, at, len, "ambiguous: a key twice".to_owned());
        }
        if parsed.no_number {
            return self.reject(line, at, len, "no number".to_owned());
        }
        if parsed.lone_surrogate {
            return self.reject(line, at, len, "lone surrogate".to_owned());
        }
        self.seen.accounting.records += 1;
        let identity = parsed.tree.canonical();
        self.seen.found.push(Piece {
            place: Place { line: line as u64 + 1, byte: at as u64, len: len as u64 },
            record: record(&parsed.tree, &identity, self.settings),
            identity,
        });
    }

    fn reject(&mut self, line: usize, at: usize, len: usize, reason: String) {
        self.seen.accounting.rejected += 1;
        self.seen.rejects.push(Reject {
            line: line as u64 + 1,
            byte: at as u64,
            len: len as u64,
            reason,
        });
    }
}

/// Whether an object is a record and not a line of another program.
fn is_ours(tree: &Tree) -> bool {
    tree.has("verdict") || is_judged(tree)
}

/// Whether an object is a record also where it has no verdict.
fn is_judged(tree: &Tree) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| tree.has(key));
    let judged = ["judge_model", "judge_tier", "scores", "files_evaluated", "human_override"];
    has(&["commit", "task_id"]) && has(&judged)
}

fn qualifies(tree: &Tree) -> bool {
    let named = ["commit", "task_id", "timestamp"].iter().any(|key| tree.has(key));
    tree.has("verdict") && named || is_judged(tree)
}
