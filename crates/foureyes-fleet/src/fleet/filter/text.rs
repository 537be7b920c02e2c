//! Conditions on texts: whatever a person or a log wrote is a literal of the statement.

use super::sql;
use crate::frame::query::{TOP, fold};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The column contains the text, whatever the case: in ASCII where the text is ASCII, else by the lower case
/// of each character.
pub(super) fn contains(column: &str, needle: &str) -> String {
    let lower = fold(needle);
    if lower.is_empty() {
        return format!("isNotNull({column})");
    }
    let found = found(column, &lower);
    format!("ifNull({found}, 0)")
}

/// The same of any of several columns.
pub(super) fn any_contains(columns: &[&str], needle: &str) -> String {
    let lower = fold(needle);
    if lower.is_empty() {
        let any: Vec<String> = columns.iter().map(|name| format!("isNotNull({name})")).collect();
        return format!("({})", any.join(" OR "));
    }
    // The text of the filter stands in the statement once.
    let all: Vec<String> = columns.iter().map(|name| format!("ifNull({name}, '')")).collect();
    format!("arrayExists(t -> {}, [{}])", found("t", &lower), all.join(", "))
}

/// Whether a text contains one of folded characters, which is not empty.
fn found(column: &str, lower: &str) -> String {
    match lower.is_ascii() {
        // `lower` of the server changes ASCII alone.
        true => format!("(position(lower({column}), {}) > 0)", sql::text(lower)),
        false => format!("match({column}, {})", sql::text(pattern(lower, false))),
    }
}

/// The column begins with the text, by the lower case of each character.
pub(super) fn begins(column: &str, needle: &str) -> String {
    match fold(needle) {
        lower if lower.is_empty() => format!("isNotNull({column})"),
        lower => format!("ifNull(match({column}, {}), 0)", sql::text(pattern(&lower, true))),
    }
}

/// Longer texts stand in a statement as their hash: a statement has a largest size.
const LONG: usize = 1024;

/// The column is the text, to the letter.
pub(super) fn is(column: &str, text: &str) -> String {
    if text.len() > LONG {
        let hash = sql::fixed(&Sha256::digest(text.as_bytes()).into());
        return format!("ifNull(SHA256({column}) = {hash}, 0)");
    }
    format!("ifNull({column} = {}, 0)", sql::text(text))
}

/// One of the files, a NUL before each, begins with this path.
pub(super) fn path_begins(column: &str, path: &str) -> String {
    if path == TOP {
        return any_file(column, "substring(f, 1, 2) = './' OR position(substring(f, 2), '/') = 0");
    }
    format!("ifNull(position({column}, {}) > 0, 0)", sql::text(format!("\0{path}")))
}

/// One of the files, a NUL before each, is this path, which has none in it.
pub(super) fn path_is(column: &str, path: &str) -> String {
    let between = sql::text(format!("\0{path}\0"));
    format!("ifNull(position(concat({column}, {}), {between}) > 0, 0)", sql::text("\0"))
}

/// One of the files, a NUL before each, has a name.
pub(super) fn any_path(column: &str) -> String {
    any_file(column, "1")
}

fn any_file(column: &str, is: &str) -> String {
    let files = format!("splitByChar({}, ifNull({column}, ''))", sql::text("\0"));
    format!("arrayExists(f -> notEmpty(f) AND ({is}), {files})")
}

/// The one character of which the lower case is two.
const DOTTED: char = '\u{130}';
/// The second of these.
const DOT: char = '\u{307}';

/// A regular expression of the texts of which the lower case, character by character, holds this one.
/// Characters stand in it as themselves, in brackets.
fn pattern(lower: &str, at_start: bool) -> String {
    let chars: Vec<char> = lower.chars().collect();
    let of = upper(&chars);
    let class = |c: char, more: Option<char>| {
        let mut class = String::from("[");
        let own = of.get(&c).into_iter().flatten().copied();
        for c in [c].into_iter().chain(own.filter(|other| *other != c)).chain(more) {
            if matches!(c, '[' | ']' | '\\' | '^' | '-') {
                class.push('\\');
            }
            class.push(c);
        }
        class.push(']');
        class
    };
    let mut pattern = String::from(if at_start { "^" } else { "" });
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        match (c, chars.get(at + 1)) {
            ('i', Some(&DOT)) => {
                let apart = class('i', None) + &class(DOT, None);
                pattern.push_str(&format!("(?:{apart}|[{DOTTED}])"));
                at += 1;
            }
            ('i', None) => pattern.push_str(&class('i', Some(DOTTED))),
            (DOT, _) if at == 0 && !at_start => pattern.push_str(&class(DOT, Some(DOTTED))),
            _ => pattern.push_str(&class(c, None)),
        }
        at += 1;
    }
    pattern
}

/// The characters of which these are the whole lower case.
fn upper(lower: &[char]) -> BTreeMap<char, Vec<char>> {
    let mut of: BTreeMap<char, Vec<char>> = lower.iter().map(|c| (*c, Vec::new())).collect();
    for c in '\0'..=char::MAX {
        let mut folded = c.to_lowercase();
        if let (Some(one), None) = (folded.next(), folded.next())
            && let Some(all) = of.get_mut(&one)
        {
            all.push(c);
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_character_has_a_longer_lower_case() {
        let long = ('\0'..=char::MAX).filter(|c| c.to_lowercase().count() > 1);
        assert_eq!(long.collect::<String>(), "\u{130}");
        assert_eq!(fold(&DOTTED.to_string()), "i\u{307}");
    }

    #[test]
    fn pattern_has_every_character_of_that_lower_case() {
        assert_eq!(pattern("é.]", false), "[éÉ][.][\\]]");
        assert_eq!(pattern("kå", true), "^[kK\u{212a}][åÅ\u{212b}]");
        assert_eq!(pattern("i\u{307}i", false), "(?:[iI][\u{307}]|[\u{130}])[iI\u{130}]");
        assert_eq!(pattern("\u{307}", false), "[\u{307}\u{130}]");
        assert_eq!(pattern("\u{307}", true), "^[\u{307}]");
    }

    #[test]
    fn text_is_data() {
        for sql in [contains("c", "'); --"), begins("c", "'"), is("c", "\\'"), path_is("c", "'")] {
            assert!(!sql.contains("--") && !sql.contains('\\'), "{sql}");
        }
    }
}
