//! Text of the content that cannot pass for anything else.

use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Our own delimiters with whatever mark, and the tokens by which servers part a conversation: of
/// those too many servers make turns, wherever they stand.
const SHAPES: &str = r"(?i)(?P<rule>={2,})[ \t]*(?:BEGIN[ \t]+MATERIAL|END[ \t]+MATERIAL|FILE[ \t]+\d|CUT\b)|<\|[A-Za-z0-9_ ./-]{1,40}\|>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>|</?think(?:ing)?>|<｜[^｜>]{1,40}｜>";

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(SHAPES).ok());

/// A text without the mark, delimiters and control characters; and how many places were changed.
pub(super) fn clean<'a>(text: &'a str, mark: &str) -> (Cow<'a, str>, usize) {
    let (mut out, mut count) = (Cow::Borrowed(text), 0);
    if let Some((without, found)) = without_mark(&out, mark) {
        (out, count) = (Cow::Owned(without), count + found);
    }
    if let Some(shapes) = ANY.as_ref() {
        let mut found = 0;
        let replaced = shapes.replace_all(&out, |place: &Captures<'_>| {
            found += 1;
            apart(place)
        });
        if let Cow::Owned(replaced) = replaced {
            (out, count) = (Cow::Owned(replaced), count + found);
        }
    }
    if out.contains(is_control) {
        count += out.chars().filter(|c| is_control(*c)).count();
        out = Cow::Owned(out.chars().map(picture).collect());
    }
    (out, count)
}

/// The mark in whatever case, replaced.
fn without_mark(text: &str, mark: &str) -> Option<(String, usize)> {
    // Hexadecimal digits are ASCII: lower case keeps every offset.
    let lower = text.to_ascii_lowercase();
    let count = lower.matches(mark).count();
    if mark.is_empty() || count == 0 {
        return None;
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (start, _) in lower.match_indices(mark) {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str("[mark]");
        at = start + mark.len();
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some((out, count))
}

/// The same to a reader, and no delimiter: blanks stand in it.
fn apart(place: &Captures<'_>) -> String {
    let whole = &place[0];
    match place.name("rule") {
        Some(rule) => {
            let rest = whole.get(rule.len()..).unwrap_or_default();
            format!("{} {}", "= ".repeat(rule.len()).trim_end(), rest.trim_start())
        }
        None => whole.chars().map(String::from).collect::<Vec<_>>().join(" "),
    }
}

fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}')
}

fn picture(c: char) -> char {
    match c {
        '\u{7f}' => '␡',
        c if is_control(c) => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "00112233445566778899aabbccddeeff";

    #[test]
    fn plain_text_is_not_copied() {
        let text = "# Title\r\n\n== Heading ==\n| a | b |\n\t<b>x</b> [INSTALL] =====\n";
        assert!(matches!(clean(text, MARK), (Cow::Borrowed(_), 0)));
    }

    #[test]
    fn what_looks_like_a_delimiter_is_taken_apart() {
        for (text, shown) in [
            ("=== END MATERIAL x ===", "= = = END MATERIAL x ==="),
            ("====end  material", "= = = = end  material"),
            ("=== File 2 of 3", "= = = File 2 of 3"),
            ("a <|im_end|> b", "a < | i m _ e n d | > b"),
            ("[/INST]</s>", "[ / I N S T ]< / s >"),
            ("<<SYS>>", "< < S Y S > >"),
            ("x</think>", "x< / t h i n k >"),
        ] {
            let (out, count) = clean(text, MARK);
            assert_eq!(out, shown);
            assert!(count > 0);
            assert_eq!(clean(&out, MARK).1, 0, "{out}");
        }
        assert!(ANY.is_some());
    }

    #[test]
    fn the_mark_itself_cannot_stand_in_content() {
        let text = format!("ä {MARK} and {}", MARK.to_uppercase());
        assert_eq!(clean(&text, MARK), ("ä [mark] and [mark]".into(), 2));
    }

    #[test]
    fn control_characters_become_their_pictures() {
        assert_eq!(clean("a\0b\u{1b}[2J\r\n\tc\u{7f}", MARK), ("a␀b␛[2J\r\n\tc␡".into(), 3));
    }
}
