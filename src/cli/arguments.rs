//! `--from PATH…` as shells write it: a pattern such as `--from logs/*.jsonl` becomes several words.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The option that takes paths of logs.
const FROM: &str = "--from";

/// Puts `--from` before each path that directly follows one given by `--from`.
///
/// A further path is a word that names something that exists, as every word that a pattern became
/// does, or `-`, or a word that is spelled like a log: that it is missing is to be said. Any other
/// word is left to the command: an id, a filter, a label.
pub(super) fn spread(arguments: Vec<OsString>, is_there: &dyn Fn(&OsStr) -> bool) -> Vec<OsString> {
    let mut spread = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter().peekable();
    while let Some(word) = rest.next() {
        let (ends, from) = (word == "--", word == FROM);
        spread.push(word);
        if ends {
            break;
        }
        if from {
            spread.extend(rest.next());
            while let Some(path) = rest.next_if(|word| is_path(word, is_there)) {
                spread.extend([FROM.into(), path]);
            }
        }
    }
    spread.extend(rest);
    spread
}

fn is_path(word: &OsStr, is_there: &dyn Fn(&OsStr) -> bool) -> bool {
    let is_log = || word.to_str().is_some_and(|word| word.contains(".jsonl"));
    word == "-" || (!word.as_encoded_bytes().starts_with(b"-") && (is_log() || is_there(word)))
}

/// Whether a word names a file or a directory.
pub(super) fn is_there(word: &OsStr) -> bool {
    Path::new(word).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_text(text: &str) -> String {
        let words = text.split(' ').map(OsString::from).collect();
        let there = |word: &OsStr| word == "b" || word == "c";
        let spread = spread(words, &there);
        spread.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn glob_words_are_paths_and_other_words_reach_the_command() {
        for (given, meant) in [
            ("x --from a b c", "x --from a --from b --from c"),
            ("x --from a - b --json", "x --from a --from - --from b --json"),
            ("x --from a b 3a27 c", "x --from a --from b 3a27 c"),
            ("x --from a 3a27 poor", "x --from a 3a27 poor"),
            ("x --from a gone.jsonl.gz", "x --from a --from gone.jsonl.gz"),
            ("x a --from b --from c b", "x a --from b --from c --from b"),
            ("x --from=a b", "x --from=a b"),
            ("x -- --from a b", "x -- --from a b"),
            ("x --from a -- b", "x --from a -- b"),
            ("x --from", "x --from"),
        ] {
            assert_eq!(spread_text(given), meant);
        }
    }
}
