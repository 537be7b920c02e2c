//! The words of a line that is completed.

use std::ffi::{OsStr, OsString};

/// The words up to the one at `at`, put together again where bash took them apart; and the part of the last one
/// that bash has for words of their own.
///
/// Blanks beside a colon or an equals sign are not known any more. A word that is nothing but such a sign has
/// no use, so it is taken for a part of its neighbours.
pub(super) fn joined(words: &[OsString], at: usize) -> (Vec<OsString>, String) {
    let mut line: Vec<OsString> = Vec::new();
    let (mut before, mut behind_sign) = (OsString::new(), false);
    for word in words.iter().take(at.saturating_add(1)) {
        let is_sign = is_sign(word);
        // The first word is the program.
        let joins = line.len() > 1 && (is_sign || (behind_sign && !word.is_empty()));
        match line.last_mut().filter(|_| joins) {
            Some(last) => {
                before.clone_from(last);
                last.push(word);
            }
            None => {
                before.clear();
                line.push(word.clone());
            }
        }
        if is_sign {
            before.push(word);
        }
        behind_sign = is_sign;
    }
    (line, before.to_string_lossy().into_owned())
}

fn is_sign(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    !bytes.is_empty() && bytes.iter().all(|byte| matches!(byte, b':' | b'='))
}

/// The values that an option is given on a line, in their order.
pub(super) fn values_of<'l>(words: &'l [OsString], option: &str) -> Vec<&'l OsStr> {
    let mut values = Vec::new();
    let mut words = words.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        if word == option {
            values.extend(words.next().map(OsString::as_os_str));
        } else if let Some(value) = word.to_str().and_then(|word| word.strip_prefix(option)) {
            values.extend(value.strip_prefix('=').map(OsStr::new));
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn words_that_bash_took_apart_are_whole_again() {
        for (given, meant, before) in [
            ("fe show 3a27", "fe show 3a27", ""),
            ("fe records verdict : no", "fe records verdict:no", "verdict:"),
            ("fe records verdict :", "fe records verdict:", "verdict:"),
            ("fe --box = al", "fe --box=al", "--box="),
            ("fe records author := x", "fe records author:=x", "author:="),
            ("fe records a : b c : d", "fe records a:b c:d", "c:"),
            ("fe records a : b : c", "fe records a:b:c", "a:b:"),
            // A new word.
            ("fe records a : ", "fe records a: ", ""),
            ("fe :", "fe :", ":"),
        ] {
            let given = words(given);
            let joined = joined(&given, given.len() - 1);
            assert_eq!(joined, (words(meant), before.to_owned()), "{given:?}");
        }
        assert_eq!(
            joined(&words("fe show a b"), 2).0,
            words("fe show a"),
            "the cursor is before b"
        );
        assert_eq!(joined(&[], 3), (Vec::new(), String::new()));
    }

    #[test]
    fn options_are_found_however_they_are_given() {
        let line = words("fe --from a show --from=b --from-logs --from");
        assert_eq!(values_of(&line, "--from"), ["a", "b"]);
        assert_eq!(values_of(&words("fe -- --from a"), "--from"), [""; 0]);
    }
}
