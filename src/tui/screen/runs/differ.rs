//! What differs between two texts, a word at a time: `[-gone-]`, `{+new+}`.

use crate::text::escape;
use crate::tui::page::sheet::SheetLine;
use crate::tui::theme::Role;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Bytes of a text that are compared.
const MOST: usize = 16 << 10;
/// Longest time that comparing may take; after that it is coarser.
const PATIENCE: Duration = Duration::from_millis(100);

/// Texts that share less than this part of their words are shown one after the other.
const ALIKE: f32 = 0.5;

/// The difference as wrapped lines behind a gutter. All of both texts is made harmless.
pub(super) fn lines(old: &str, new: &str, width: usize, gutter: &str) -> Vec<SheetLine> {
    let (old, new) = (harmless(old), harmless(new));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_words(&*old, &*new);
    let mut page = LineWrapper::new(width, gutter);
    if diff.ratio() < ALIKE {
        for (tag, text) in [(ChangeTag::Delete, &old), (ChangeTag::Insert, &new)] {
            page.open(tag);
            page.words(role(tag), text);
            page.close(tag);
            page.end();
        }
        return page.lines;
    }
    let mut open = ChangeTag::Equal;
    for change in diff.iter_all_changes() {
        let tag = change.tag();
        if tag != open {
            page.close(open);
            page.open(tag);
            open = tag;
        }
        page.word(role(tag), change.value());
    }
    page.close(open);
    page.end();
    page.lines
}

/// The beginning of a text, without anything that a terminal acts on; lines stay lines.
fn harmless(text: &str) -> String {
    let taken = text.get(..text.floor_char_boundary(MOST)).unwrap_or_default();
    let mut lines: Vec<_> = taken.lines().map(|line| escape::line(line).into_owned()).collect();
    if taken.len() < text.len() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

fn role(tag: ChangeTag) -> Role {
    match tag {
        ChangeTag::Equal => Role::Text,
        ChangeTag::Delete => Role::Removed,
        ChangeTag::Insert => Role::Added,
    }
}

/// Signs around what differs, so that colour is not needed.
fn signs(tag: ChangeTag) -> (&'static str, &'static str) {
    match tag {
        ChangeTag::Equal => ("", ""),
        ChangeTag::Delete => ("[-", "-]"),
        ChangeTag::Insert => ("{+", "+}"),
    }
}

struct LineWrapper<'a> {
    width: usize,
    gutter: &'a str,
    lines: Vec<SheetLine>,
    line: SheetLine,
    used: usize,
}

impl<'a> LineWrapper<'a> {
    fn new(width: usize, gutter: &'a str) -> Self {
        let room = width.saturating_sub(escape::width(gutter)).max(8);
        Self { width: room, gutter, lines: Vec::new(), line: Vec::new(), used: 0 }
    }

    fn open(&mut self, tag: ChangeTag) {
        self.word(role(tag), signs(tag).0);
    }

    fn close(&mut self, tag: ChangeTag) {
        self.word(role(tag), signs(tag).1);
    }

    fn words(&mut self, role: Role, text: &str) {
        text.split_inclusive(' ').for_each(|word| self.word(role, word));
    }

    fn word(&mut self, role: Role, text: &str) {
        for (at, piece) in text.split('\n').enumerate() {
            if at > 0 {
                self.end();
            }
            self.piece(role, piece);
        }
    }

    fn piece(&mut self, role: Role, piece: &str) {
        let mut rest = piece;
        while !rest.is_empty() {
            let blank = rest.trim().is_empty();
            if self.used + escape::width(rest) <= self.width {
                self.used += escape::width(rest);
                self.line.push((role, rest.to_owned()));
                return;
            }
            if self.used > 0 {
                self.end();
                if blank {
                    return;
                }
                continue;
            }
            // Longer than a line: cut where it is full.
            let cut = escape::truncate(rest, self.width).trim_end_matches('…').len();
            let cut = rest.floor_char_boundary(cut.max(1));
            let cut = if cut == 0 { rest.len() } else { cut };
            let (head, tail) = rest.split_at(cut);
            self.line.push((role, head.to_owned()));
            self.end();
            rest = tail;
        }
    }

    fn end(&mut self) {
        let mut line = vec![(Role::Gutter, self.gutter.to_owned())];
        line.append(&mut self.line);
        self.lines.push(line);
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(old: &str, new: &str, width: usize) -> Vec<String> {
        let text = |line: &SheetLine| line.iter().map(|(_, t)| t.as_str()).collect::<String>();
        lines(old, new, width, "| ").iter().map(text).collect()
    }

    #[test]
    fn differences_are_marked_with_signs() {
        let got = drawn("the table is of 2024", "the table is of 2025", 60);
        assert_eq!(got, ["| the table is of [-2024-]{+2025+}"]);
        assert_eq!(drawn("same", "same", 60), ["| same"]);
    }

    #[test]
    fn lines_are_never_longer_than_the_place_and_nothing_is_lost() {
        let old = "word ".repeat(30) + &"x".repeat(50);
        let got = drawn(&old, "word", 22);
        assert!(got.iter().all(|line| escape::width(line) <= 22), "{got:#?}");
        let whole: String = got.iter().map(|l| l.trim_start_matches("| ")).collect();
        assert_eq!(whole.matches("word").count(), 31);
        assert_eq!(whole.matches('x').count(), 50);
    }

    #[test]
    fn dissimilar_texts_are_shown_one_after_the_other() {
        let got = drawn("all of it is poor", "nothing can be said against these figures", 80);
        let new = "| {+nothing can be said against these figures+}";
        assert_eq!(got, ["| [-all of it is poor-]", new]);
    }

    #[test]
    fn hostile_texts_are_drawn_harmless() {
        let got = drawn("a \u{1b}[2J\u{202e}b", "a \u{1b}]0;x\u{7}c", 80).concat();
        assert!(!got.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{got:?}");
    }
}
