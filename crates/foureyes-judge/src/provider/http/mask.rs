//! Texts of the other side, made fit to be kept: without the key, short, on one line.

use super::spelled;
use crate::text::is_hidden;
use secrecy::{ExposeSecret, SecretString};

/// Shorter keys are words like `none` that a proxy wants to see, and no secrets: to cut them out
/// of every text would garble answers.
pub(super) const SHORTEST: usize = 6;

/// Characters kept of what came instead of an answer.
const BEGINNING: usize = 500;

/// Cuts the key out of texts.
#[derive(Debug, Clone, Default)]
pub(in crate::provider) struct Mask {
    key: Option<SecretString>,
}

impl Mask {
    pub(in crate::provider) fn new(key: Option<&SecretString>) -> Self {
        let long = |key: &&SecretString| key.expose_secret().len() >= SHORTEST;
        Self { key: key.filter(long).cloned() }
    }

    /// The text without the key, however it is written there, and without its beginning where the
    /// text breaks off in it.
    pub(in crate::provider) fn text(&self, text: &str) -> String {
        match &self.key {
            Some(key) => spelled::cut_out(text, key.expose_secret()),
            None => text.to_owned(),
        }
    }

    /// The beginning of what came instead of an answer.
    pub(in crate::provider) fn beginning(&self, body: &[u8]) -> Option<String> {
        // What is cut off here could be the key's second half: so more is taken, and cut after.
        let some = &body[..body.len().min(8 * BEGINNING)];
        let text = self.text(&String::from_utf8_lossy(some));
        let text = text.trim();
        (!text.is_empty()).then(|| text.chars().take(BEGINNING).collect())
    }

    /// A text inside a sentence: on one line, what is hidden written out, so many characters.
    pub(in crate::provider) fn line(&self, text: &str, most: usize) -> String {
        let (mut line, mut length) = (String::new(), 0);
        for word in self.text(text).split_whitespace() {
            let space = usize::from(!line.is_empty());
            for c in std::iter::repeat_n(' ', space).chain(word.chars()) {
                if length == most {
                    line.push('…');
                    return line;
                }
                length += 1;
                match is_hidden(c) {
                    true => line.extend(c.escape_unicode()),
                    false => line.push(c),
                }
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;
    use secrecy::SecretString;

    #[test]
    fn the_key_is_cut_out_before_anything_else_is() {
        let mask = Mask::new(Some(&SecretString::from("sk-a/b-123")));
        assert_eq!(
            mask.text(r#"{"a":"sk-a\/b-123","b":"sk-a/b-123"}"#),
            r#"{"a":"[key]","b":"[key]"}"#
        );
        let body = format!("{}sk-a/b-123 and more", "x".repeat(495));
        assert_eq!(mask.beginning(body.as_bytes()).unwrap(), format!("{}[key]", "x".repeat(495)));
        assert_eq!(mask.line("no\n key  \u{1b}[2Jsk-a/b-123", 80), "no key \\u{1b}[2J[key]");
    }

    #[test]
    fn a_line_is_cut_with_a_sign() {
        assert_eq!(Mask::default().line("äbc def", 4), "äbc …");
        assert_eq!(Mask::default().line("äbc", 3), "äbc");
        assert_eq!(Mask::default().beginning(b"  \r\n"), None);
    }

    #[test]
    fn non_secret_words_are_unchanged() {
        let mask = Mask::new(Some(&SecretString::from("none")));
        assert_eq!(mask.text("none of it"), "none of it");
    }
}
