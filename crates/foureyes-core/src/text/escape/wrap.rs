//! Text of several lines, gutters and widths, all by grapheme.

use super::{is_clean, line, push};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns between tab stops.
const TAB: usize = 4;

/// What stands for what was cut.
const ELLIPSIS: char = '…';

/// Columns that a harmless text takes.
pub fn width(text: &str) -> usize {
    if is_clean(text) { text.len() } else { text.graphemes(true).map(columns).sum() }
}

/// Columns of one grapheme cluster; a terminal gives none more than two.
fn columns(cluster: &str) -> usize {
    cluster.width().min(2)
}

/// Makes a text harmless and keeps its lines; tabs become spaces up to the next stop.
///
/// The only control character in the result is the line feed.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.split('\n').all(is_clean) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut start = 0;
    for cluster in text.graphemes(true) {
        match cluster {
            "\n" | "\r\n" => {
                out.push('\n');
                start = out.len();
            }
            "\t" => {
                let filled = out.get(start..).map_or(0, width) % TAB;
                out.extend(std::iter::repeat_n(' ', TAB - filled));
            }
            _ => {
                push(&mut out, cluster);
            }
        }
    }
    Cow::Owned(out)
}

/// Makes a text harmless behind a gutter that starts each of its lines, wrapped to `width` columns.
///
/// Nothing in it can stand where a line of ours begins, not even when a terminal wraps. Every line
/// of the result ends with a line feed; an empty text has one line.
pub fn block(text: &str, gutter: &str, width: usize) -> String {
    let room = width.saturating_sub(gutter.width()).max(8);
    let shown = self::text(text);
    let mut out = String::with_capacity(shown.len() + gutter.len() * 4);
    for logical in shown.trim_end_matches('\n').split('\n') {
        for piece in wrap(logical, room, room) {
            out.push_str(gutter);
            out.push_str(piece);
            while out.ends_with(' ') {
                out.pop();
            }
            out.push('\n');
        }
    }
    out
}

/// Makes a text harmless as one labelled field: `label: text`, what does not fit behind a gutter.
///
/// `indent` columns stand before the label; the result ends with a line feed.
pub fn field(indent: usize, label: &str, text: &str, width: usize) -> String {
    field_behind(&format!("{:1$}| ", "", indent + 2), (indent, label), text, width)
}

/// The same with what stands before all lines but the first.
pub fn field_behind(
    gutter: &str,
    (indent, label): (usize, &str),
    text: &str,
    width: usize,
) -> String {
    let mut out = format!("{:indent$}{label}", "");
    let first = width.saturating_sub(out.width() + 1).max(8);
    let later = width.saturating_sub(gutter.width()).max(8);
    let shown = line(text);
    for (i, piece) in wrap(&shown, first, later).into_iter().enumerate() {
        out.push_str(if i == 0 { " " } else { gutter });
        out.push_str(piece);
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
    out
}

/// Cuts one harmless line into pieces of `first` columns and then of `later` ones.
///
/// It breaks after the last space that fits, else between graphemes.
fn wrap(line: &str, first: usize, later: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut rest, mut room) = (line, first);
    loop {
        let cut = fitting(rest, room);
        if cut == rest.len() {
            pieces.push(rest);
            return pieces;
        }
        let (head, _) = rest.split_at(cut);
        // A break in the first half would leave ragged lines for one long word.
        let at = head.rfind(' ').map(|s| s + 1).filter(|s| *s * 2 > cut).unwrap_or(cut);
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece);
        (rest, room) = (tail, later);
    }
}

/// Bytes of the longest start that takes at most `room` columns, at least one grapheme.
fn fitting(line: &str, room: usize) -> usize {
    let mut used = 0;
    for (at, cluster) in line.grapheme_indices(true) {
        used += columns(cluster);
        if used > room && at > 0 {
            return at;
        }
    }
    line.len()
}

/// Cuts a harmless line to at most `width` columns, with an ellipsis where something was cut.
pub fn truncate(line: &str, width: usize) -> Cow<'_, str> {
    if self::width(line) <= width {
        return Cow::Borrowed(line);
    }
    let room = width.saturating_sub(1);
    let mut used = 0;
    let fits = |c: &&str| {
        used += columns(c);
        used <= room
    };
    let mut out: String = line.graphemes(true).take_while(fits).collect();
    if width > 0 {
        out.push(ELLIPSIS);
    }
    Cow::Owned(out)
}

/// Cuts a harmless line to its last `width` columns, with an ellipsis where something was cut.
pub fn truncate_start(line: &str, width: usize) -> Cow<'_, str> {
    let mut left = self::width(line);
    if left <= width {
        return Cow::Borrowed(line);
    }
    let over = |c: &&str| {
        let over = left + 1 > width;
        left -= columns(c).min(left);
        over
    };
    let end: String = line.graphemes(true).skip_while(over).collect();
    let mark = if width > 0 { ELLIPSIS.to_string() } else { String::new() };
    Cow::Owned(mark + &end)
}

/// Makes a text harmless as a cell of exactly `width` columns: cut, or filled with spaces.
pub fn pad(text: &str, width: usize) -> String {
    let shown = line(text);
    let mut cell = truncate(&shown, width).into_owned();
    let filled = self::width(&cell);
    cell.extend(std::iter::repeat_n(' ', width.saturating_sub(filled)));
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_kept_and_tabs_expanded() {
        assert_eq!(text("a\r\n\tb\n12\tc"), "a\n    b\n12  c");
        assert_eq!(text("a\rb\u{b}"), "a␍b␋");
    }

    #[test]
    fn every_line_of_a_block_is_behind_the_gutter() {
        let got = block("[y/N]\n\nGO │ box", "  | ", 80);
        assert_eq!(got, "  | [y/N]\n  |\n  | GO │ box\n");
        assert_eq!(block("", "| ", 80), "|\n");
    }

    #[test]
    fn a_long_line_does_not_leave_the_gutter() {
        let got = block(&format!("{} Flagged: none", "x".repeat(36)), "| ", 40);
        assert_eq!(got, format!("| {}\n| Flagged: none\n", "x".repeat(36)));
    }

    #[test]
    fn a_field_goes_on_behind_a_gutter() {
        assert_eq!(field(2, "file:", "a.md", 80), "  file: a.md\n");
        let got = field(2, "file:", &"y".repeat(30), 20);
        assert_eq!(
            got,
            format!(
                "  file: {}\n    | {}\n    | {}\n",
                "y".repeat(12),
                "y".repeat(14),
                "y".repeat(4)
            )
        );
    }

    #[test]
    fn ellipsis_is_at_grapheme_boundary() {
        assert_eq!(truncate("abcdef", 4), "abc…");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!(truncate("日本語", 6), "日本語");
        assert_eq!(truncate("ae\u{301}io", 3), "ae\u{301}…");
        assert_eq!(truncate("ab", 0), "");
    }

    #[test]
    fn cells_are_filled_to_their_width() {
        assert_eq!(pad("日", 4), "日  ");
        assert_eq!(pad("a\nb", 3), "a␊b");
    }

    proptest! {
        #[test]
        fn truncated_text_fits(text in any::<String>(), room in 0_usize..40) {
            let shown = line(&text);
            prop_assert!(width(&truncate(&shown, room)) <= room);
            prop_assert_eq!(width(&pad(&text, room)), room);
        }

        #[test]
        fn wrapping_loses_no_character(text in any::<String>(), room in 8_usize..30) {
            let shown = line(&text);
            prop_assert_eq!(wrap(&shown, room, room).concat(), shown.as_ref());
        }

        #[test]
        fn a_block_never_passes_its_width(text in any::<String>(), room in 12_usize..40) {
            for l in block(&text, "| ", room).lines() {
                prop_assert!(width(l) <= room + 1, "{l:?}");
                prop_assert!(l.starts_with('|'));
            }
        }
    }
}
