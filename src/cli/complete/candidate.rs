//! What is safe to put into a line that somebody types.

use crate::text::is_hidden;
use crate::text::mask::mask;
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use std::collections::HashSet;
use std::ffi::OsStr;

/// Longest value and longest note, in bytes.
const LONGEST: usize = 200;

/// What else than letters and digits no shell takes for more than it is.
const PLAIN: &str = "_-./:,=+@%";

/// What a word does not begin with unless somebody typed it: it would be an option, or be replaced.
const FIRST: [char; 3] = ['-', '~', '='];

/// A value that an argument could have, with a few words on it: raw text, from wherever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Offer {
    value: String,
    note: String,
}

impl Offer {
    /// A value with a few words on it.
    pub(in crate::cli) fn new(value: impl Into<String>, note: impl Into<String>) -> Self {
        Self { value: value.into(), note: note.into() }
    }

    /// The value and the words on it.
    #[cfg(feature = "console")]
    pub(in crate::cli) fn into_parts(self) -> (String, String) {
        (self.value, self.note)
    }

    /// A value that needs no words.
    pub(in crate::cli) fn bare(value: impl Into<String>) -> Self {
        Self::new(value, "")
    }
}

/// Those that go on from what was typed and are safe, each once. `quotes` tells that the shell quotes what it
/// puts into a line; another one would take apart what has blanks or signs in it, so that is left out.
pub(super) fn candidates(
    offers: Vec<Offer>,
    typed: &str,
    quotes: bool,
) -> Vec<CompletionCandidate> {
    let mut known = HashSet::new();
    let candidate = |Offer { value, note }: Offer| {
        let is_fit = !value.is_empty()
            && value.len() <= typed.len() + LONGEST
            && goes_on(&value, typed, quotes)
            && mask(&value).1 == 0
            && known.insert(value.clone());
        is_fit.then(|| CompletionCandidate::new(value).help(shown(note).map(Into::into)))
    };
    offers.into_iter().filter_map(candidate).collect()
}

/// Paths that go on from what was typed and are safe.
pub(super) fn paths(typed: &OsStr, quotes: bool) -> Vec<CompletionCandidate> {
    let Some(typed) = unquoted(typed) else { return Vec::new() };
    let mut found = PathCompleter::any().complete(OsStr::new(typed));
    let is_fit = |path: &OsStr| path.to_str().is_some_and(|path| goes_on(path, typed, quotes));
    found.retain(|one| is_fit(one.get_value()));
    found
}

/// What was typed, without a quote that is still open; `None` where it is no text.
pub(super) fn unquoted(typed: &OsStr) -> Option<&str> {
    let typed = typed.to_str()?;
    Some(typed.strip_prefix(['\'', '"']).unwrap_or(typed))
}

fn goes_on(value: &str, typed: &str, quotes: bool) -> bool {
    let Some(rest) = value.strip_prefix(typed) else { return false };
    let is_option = typed.is_empty() && rest.starts_with(FIRST);
    !is_option && rest.chars().all(|c| is_plain(c) || (quotes && !is_hidden(c)))
}

fn is_plain(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || PLAIN.contains(c),
        false => c.is_alphanumeric() && !is_hidden(c),
    }
}

/// A note that may be shown.
fn shown(note: String) -> Option<String> {
    let is_fit = !note.is_empty() && note.len() <= LONGEST && !note.chars().any(is_hidden);
    (is_fit && mask(&note).1 == 0).then_some(note)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[&str], typed: &str, quotes: bool) -> Vec<String> {
        let offers = values.iter().copied().map(Offer::bare).collect();
        let found = candidates(offers, typed, quotes);
        found.iter().map(|one| one.get_value().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn hostile_values_are_left_out() {
        let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let long = "x".repeat(LONGEST + 1);
        let hidden = ["a\nb", "a\tb", "a\0", "a\u{b}b", "\u{1b}[31m", "b\u{202e}x", "a\u{200b}b"];
        let never = [&hidden[..], &["", "-rf", "~root", "=ls", secret, &long]].concat();
        let quoted =
            ["$(id)", "`id`", "a b", "a;b", "a|b", "a&b", "a>b", "a*", "a'b", "a\"b", "a\\b"];
        let plain = ["alpha", "3a27bae5", "verdict:no-go", "v1.2_x@y+z,w=1", "büro", "research/"];
        let all = [&never[..], &quoted, &plain].concat();
        assert_eq!(values(&all, "", false), plain);
        assert_eq!(values(&all, "", true), [&quoted[..], &plain].concat());
    }

    #[test]
    fn what_was_typed_is_kept_and_each_value_is_offered_once() {
        let all = ["(box:alpha", "(box:$x", "box:alpha", "(box:alpha", "(BOX:alpha"];
        assert_eq!(values(&all, "(box:", false), ["(box:alpha"]);
        assert_eq!(values(&["-verdict:go", "--demo"], "-v", false), ["-verdict:go"]);
        assert_eq!(unquoted(OsStr::new("'is:f")), Some("is:f"));
        assert_eq!(unquoted(OsStr::new("is:f'")), Some("is:f'"));
    }

    #[test]
    fn notes_are_shown_only_where_they_are_harmless() {
        assert_eq!(shown("a view: of mine".to_owned()).as_deref(), Some("a view: of mine"));
        for note in ["", "a\nb", "\u{1b}[0m", &"x".repeat(LONGEST + 1)] {
            assert_eq!(shown(note.to_owned()), None);
        }
    }

    #[test]
    fn paths_with_control_characters_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["plain.toml", "a b.toml", "new\nline.toml", "\u{1b}[31m.toml", "$(id).toml"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let typed = format!("{}/", dir.path().display());
        let names = |quotes| {
            let found = paths(OsStr::new(&typed), quotes);
            let names = found.iter().map(|one| one.get_value().to_str().unwrap().to_owned());
            names.map(|name| name.trim_start_matches(&typed).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["plain.toml"]);
        assert_eq!(names(true), ["$(id).toml", "a b.toml", "plain.toml"]);
    }
}
