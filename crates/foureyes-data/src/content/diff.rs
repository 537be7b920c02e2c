//! The difference of two texts, a line at a time.

use crate::git::ChangeKind;

/// What a commit changed in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// How the file differs; None where it does not, or where it cannot be known.
    pub change: Option<ChangeKind>,
    /// Its path before, where it had another. Hostile text.
    pub from: Option<String>,
    /// The lines, those of notes among them.
    pub lines: Vec<DiffLine>,
    /// Whether only the beginning is here.
    pub cut: bool,
}

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What it is.
    pub kind: LineKind,
    /// Its number in the text before, from 1.
    pub old: Option<u32>,
    /// Its number in the text after, from 1.
    pub new: Option<u32>,
    /// The line, without its end and without a sign before it. Hostile, but for notes.
    pub text: String,
}

/// What a line of a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// In both texts.
    Context,
    /// In the text after.
    Added,
    /// In the text before.
    Removed,
    /// Where a part begins: `-FIRST,LINES +FIRST,LINES`, and what git thinks stands above it.
    Hunk,
    /// A word of ours about the difference or the line before.
    Note,
}

/// Most lines of a difference that are shown.
const MOST_LINES: usize = 50_000;
/// What is said of a last line without an end.
const NO_END: &str = "no line end at the end of the file";

impl Diff {
    /// A difference that is a word alone.
    pub(super) fn note(text: impl Into<String>) -> Self {
        Self { lines: vec![note(text)], ..Self::default() }
    }

    /// All of a text as new, or as gone.
    pub(super) fn whole(text: &str, kind: LineKind, cut: bool) -> Self {
        let mut diff = Self { cut, ..Self::default() };
        let count = text.lines().count();
        let part = match kind {
            LineKind::Removed => format!("-1,{count} +0,0"),
            _ => format!("-0,0 +1,{count}"),
        };
        let mut at = Numbers { old: 1, new: 1 };
        if count > 0 {
            diff.lines.push(DiffLine { kind: LineKind::Hunk, old: None, new: None, text: part });
        }
        for line in text.split_inclusive('\n').take(MOST_LINES) {
            diff.lines.push(at.line(kind, line.strip_suffix('\n').unwrap_or(line).to_owned()));
        }
        diff.cut |= count > MOST_LINES;
        if diff.cut {
            diff.lines.push(note("truncated"));
        } else if !text.is_empty() && !text.ends_with('\n') {
            diff.lines.push(note(NO_END));
        }
        diff
    }
}

/// A word of ours as a line.
pub(super) fn note(text: impl Into<String>) -> DiffLine {
    DiffLine { kind: LineKind::Note, old: None, new: None, text: text.into() }
}

/// Reads git's unified form; `cut` tells that it is only the beginning of one.
///
/// The numbers of a part's head say how many lines belong to it, so that a line of the texts can
/// never be taken for a head. Bytes that are no UTF-8 are replaced.
pub fn parse(bytes: &[u8], cut: bool) -> Diff {
    let mut parser = Parser { cut, ..Parser::default() };
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let whole = line.strip_suffix(b"\n");
        if (cut && whole.is_none()) || parser.lines.len() >= MOST_LINES {
            parser.cut = true;
            break;
        }
        parser.line(whole.unwrap_or(line));
    }
    if parser.cut {
        parser.lines.push(note("truncated"));
    }
    Diff { lines: parser.lines, cut: parser.cut, ..Diff::default() }
}

#[derive(Default)]
struct Parser {
    lines: Vec<DiffLine>,
    at: Numbers,
    /// Lines of the part that are still to come: of the text before, of the one after.
    left: (u32, u32),
    cut: bool,
}

impl Parser {
    fn line(&mut self, line: &[u8]) {
        let text = |from: usize| String::from_utf8_lossy(line.get(from..).unwrap_or_default());
        let kind = match (line.first(), self.left) {
            (Some(b'\\'), _) if !self.lines.is_empty() => {
                self.lines.push(note(NO_END));
                return;
            }
            (_, (0, 0)) => {
                self.head(&text(0));
                return;
            }
            (Some(b'-'), (1.., _)) => LineKind::Removed,
            (Some(b'+'), (_, 1..)) => LineKind::Added,
            // An empty line of both may come without its blank.
            (Some(b' ') | None, (1.., 1..)) => LineKind::Context,
            _ => {
                self.lines.push(note("from here on, git's output is not a diff"));
                (self.left, self.cut) = ((0, 0), true);
                return;
            }
        };
        let added = u32::from(kind != LineKind::Removed);
        let removed = u32::from(kind != LineKind::Added);
        self.left = (self.left.0 - removed, self.left.1 - added);
        let made = self.at.line(kind, text(1).into_owned());
        self.lines.push(made);
    }

    /// The head of a part; what else stands outside of parts says nothing that is shown.
    fn head(&mut self, line: &str) {
        let Some((old, new, text)) = head(line) else { return };
        self.at = Numbers { old: old.0, new: new.0 };
        self.left = (old.1, new.1);
        self.lines.push(DiffLine { kind: LineKind::Hunk, old: None, new: None, text });
    }
}

type Span = (u32, u32);

/// `@@ -FIRST[,LINES] +FIRST[,LINES] @@[ TEXT]`.
fn head(line: &str) -> Option<(Span, Span, String)> {
    let (numbers, above) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = numbers.split_once(" +")?;
    let span = |text: &str| -> Option<Span> {
        let (first, lines) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, lines.parse().ok()?))
    };
    let (o, n) = (span(old)?, span(new)?);
    Some((o, n, format!("-{},{} +{},{}{above}", o.0, o.1, n.0, n.1)))
}

/// The numbers of the next lines.
#[derive(Default)]
struct Numbers {
    old: u32,
    new: u32,
}

impl Numbers {
    fn line(&mut self, kind: LineKind, text: String) -> DiffLine {
        let old = (kind != LineKind::Added).then_some(self.old);
        let new = (kind != LineKind::Removed).then_some(self.new);
        self.old = self.old.saturating_add(u32::from(old.is_some()));
        self.new = self.new.saturating_add(u32::from(new.is_some()));
        DiffLine { kind, old, new, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_resembling_diff_header_is_content() {
        let text = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn\n---- a\n+@@ -9 +9 @@\n \n\\ No newline at end of file\n";
        let diff = parse(text, false);
        let kinds: Vec<_> = diff.lines.iter().map(|l| (l.kind, l.old, l.new)).collect();
        assert_eq!(
            kinds,
            [
                (LineKind::Hunk, None, None),
                (LineKind::Removed, Some(1), None),
                (LineKind::Added, None, Some(1)),
                (LineKind::Context, Some(2), Some(2)),
                (LineKind::Note, None, None),
            ]
        );
        assert_eq!(diff.lines[0].text, "-1,2 +1,2 fn");
        assert_eq!(
            (diff.lines[1].text.as_str(), diff.lines[2].text.as_str()),
            ("--- a", "@@ -9 +9 @@")
        );
        assert!(!diff.cut);
    }

    #[test]
    fn truncated_diff_says_so_and_drops_torn_line() {
        let diff = parse(b"@@ -1 +1 @@\n-a\n+b", true);
        assert_eq!(diff.lines.len(), 3);
        assert!(diff.cut && diff.lines[2].kind == LineKind::Note);
    }

    #[test]
    fn non_diff_text_ends_diff() {
        for bad in ["@@ -1 +1 @@\nxyz\n", "@@ -1 +1 @@\n-a\n-b\n", "@@ -1,9999999999 +1 @@\n-a\n"] {
            let diff = parse(bad.as_bytes(), false);
            assert!(diff.lines.len() <= 4, "{diff:?}");
        }
        assert_eq!(parse(b"", false), Diff::default());
    }

    #[test]
    fn a_new_file_is_all_added() {
        let diff = Diff::whole("a\nb", LineKind::Added, false);
        assert_eq!(diff.lines.len(), 4);
        assert_eq!((diff.lines[2].new, diff.lines[2].old), (Some(2), None));
        assert_eq!(diff.lines[3].text, NO_END);
        assert_eq!(Diff::whole("", LineKind::Added, false), Diff::default());
    }
}
