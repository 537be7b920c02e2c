//! A key as a person names it, and its text: `ctrl-d`, `shift-tab`, `space`, `f1`, `?`, `G`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A key together with the modifiers that were held.
///
/// It is kept in one normal form, so that what is read from the terminal equals what a keymap
/// names: a character carries its own shift (`G`, not shift and `g`), shift and tab are
/// [`Code::BackTab`], and with ctrl a letter is small, since terminals send the same byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// Ctrl was held.
    pub ctrl: bool,
    /// Alt was held, or Esc came just before: a terminal sends the same bytes for both.
    pub alt: bool,
    /// Shift was held; never set for a character and for [`Code::BackTab`].
    pub shift: bool,
}

/// Which key, without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Code {
    /// A character that is no control character.
    Char(char),
    Enter,
    Esc,
    Tab,
    /// Shift and tab.
    BackTab,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    /// A function key, 1 to 24.
    F(u8),
}

/// A text that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a key")]
pub struct KeyError(String);

/// Names of the keys that are no characters. The first name of a key is the one that is shown.
const NAMES: [(&str, Code); 27] = [
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("shift-tab", Code::BackTab),
    ("backtab", Code::BackTab),
    ("tab", Code::Tab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("insert", Code::Insert),
    ("ins", Code::Insert),
    ("home", Code::Home),
    ("end", Code::End),
    ("page-up", Code::PageUp),
    ("pageup", Code::PageUp),
    ("pgup", Code::PageUp),
    ("page-down", Code::PageDown),
    ("pagedown", Code::PageDown),
    ("pgdn", Code::PageDown),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("space", Code::Char(' ')),
    ("minus", Code::Char('-')),
    ("plus", Code::Char('+')),
];

/// The highest function key.
const LAST_F: u8 = 24;

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// A character without modifiers.
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// A character with ctrl.
    pub const fn ctrl(c: char) -> Self {
        let code = Code::Char(c.to_ascii_lowercase());
        Self { code, ctrl: true, alt: false, shift: false }
    }

    /// Brings a key into its normal form.
    #[must_use]
    pub fn normal(mut self) -> Self {
        match self.code {
            Code::Tab if self.shift => self.code = Code::BackTab,
            Code::Char(c) if self.ctrl => self.code = Code::Char(c.to_ascii_lowercase()),
            Code::Char(c) if self.shift && c.is_ascii_lowercase() => {
                self.code = Code::Char(c.to_ascii_uppercase());
            }
            _ => {}
        }
        self.shift &= !matches!(self.code, Code::Char(_) | Code::BackTab);
        self
    }

    /// The same key with alt.
    #[must_use]
    pub const fn with_alt(mut self) -> Self {
        self.alt = true;
        self
    }

    /// What a key with alt may have been: Esc, and right after it this key.
    ///
    /// `None` where alt is not set. Esc is always safe to act on. The second key is not: a person
    /// may have meant alt and a letter, so act on it only where it changes nothing.
    pub fn split_alt(self) -> Option<(Self, Self)> {
        self.alt.then(|| (Self::plain(Code::Esc), Self { alt: false, ..self }))
    }

    /// The character that a text field takes, `None` for all other keys.
    pub const fn text(self) -> Option<char> {
        match self {
            Self { code: Code::Char(c), ctrl: false, alt: false, .. } => Some(c),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    /// Modifiers in the order ctrl, alt, shift, then the name: `ctrl-alt-page-up`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if held {
                f.write_str(name)?;
            }
        }
        fmt::Display::fmt(&self.code, f)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |c: &Self| !matches!(c, Self::Char('-' | '+'));
        match (self, NAMES.iter().find(|(_, code)| code == self && named(code))) {
            (_, Some((name, _))) => f.write_str(name),
            (Self::Char(c), None) => write!(f, "{c}"),
            (Self::F(number), None) => write!(f, "f{number}"),
            // Every other key is in the table.
            (_, None) => Ok(()),
        }
    }
}

impl FromStr for Key {
    type Err = KeyError;

    /// Modifiers may be in any order; names of keys and modifiers may be capital.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let mut key = Self::plain(Code::Esc);
        let mut rest = text;
        loop {
            if let Some(code) = code(rest) {
                return Ok(Self { code, ..key }.normal());
            }
            let (held, after) = modifier(rest).ok_or_else(|| KeyError(text.to_owned()))?;
            match held {
                "ctrl-" => key.ctrl = true,
                "alt-" => key.alt = true,
                _ => key.shift = true,
            }
            rest = after;
        }
    }
}

/// A modifier at the beginning of a text, and what follows it.
fn modifier(text: &str) -> Option<(&'static str, &str)> {
    ["ctrl-", "alt-", "shift-"].into_iter().find_map(|name| {
        let (start, rest) = text.split_at_checked(name.len())?;
        start.eq_ignore_ascii_case(name).then_some((name, rest))
    })
}

/// The key of a name without modifiers.
fn code(name: &str) -> Option<Code> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control() && c != ' ').then_some(Code::Char(c));
    }
    let named = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    named.map(|(_, code)| *code).or_else(|| function(name))
}

/// `f1` to `f24`, without leading zeros and signs.
fn function(name: &str) -> Option<Code> {
    let digits =
        name.strip_prefix(['f', 'F']).filter(|d| d.starts_with(|c| ('1'..='9').contains(&c)))?;
    digits.parse().ok().filter(|number| (1..=LAST_F).contains(number)).map(Code::F)
}

impl TryFrom<String> for Key {
    type Error = KeyError;

    fn try_from(text: String) -> Result<Self, KeyError> {
        text.parse()
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.to_string()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes() -> impl Strategy<Value = Code> {
        let visible = |c: &char| !c.is_control();
        prop_oneof![
            any::<char>().prop_filter("visible", visible).prop_map(Code::Char),
            prop::sample::select(NAMES.to_vec()).prop_map(|(_, code)| code),
            (1..=LAST_F).prop_map(Code::F),
        ]
    }

    proptest! {
        #[test]
        fn the_text_of_a_key_reads_back_as_the_key(
            code in codes(), ctrl: bool, alt: bool, shift: bool,
        ) {
            let key = Key { code, ctrl, alt, shift }.normal();
            prop_assert_eq!(key.to_string().parse::<Key>(), Ok(key));
        }

        #[test]
        fn any_text_is_a_key_or_an_error(text in ".{0,12}") {
            if let Ok(key) = text.parse::<Key>() {
                prop_assert_eq!(key, key.normal());
            }
        }
    }

    #[test]
    fn keys_are_named_as_people_write_them() {
        let names = [
            ("ctrl-d", Key::ctrl('d')),
            ("shift-tab", Key::plain(Code::BackTab)),
            ("space", Key::char(' ')),
            ("f1", Key::plain(Code::F(1))),
            ("?", Key::char('?')),
            ("G", Key::char('G')),
            ("-", Key::char('-')),
            ("ctrl--", Key::ctrl('-')),
            ("alt-enter", Key::plain(Code::Enter).with_alt()),
            ("page-down", Key::plain(Code::PageDown)),
            ("é", Key::char('é')),
        ];
        for (name, key) in names {
            assert_eq!(name.parse(), Ok(key), "{name}");
            assert_eq!(key.to_string(), name);
        }
    }

    #[test]
    fn other_spellings_are_understood() {
        let pairs = [
            ("Ctrl-D", "ctrl-d"),
            ("PgUp", "page-up"),
            ("shift-g", "G"),
            ("Shift-Tab", "shift-tab"),
            ("alt-ctrl-x", "ctrl-alt-x"),
            ("minus", "-"),
            ("F12", "f12"),
        ];
        for (other, name) in pairs {
            assert_eq!(other.parse::<Key>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn unknown_key_name_is_rejected() {
        for text in
            ["", "ctrl-", "hyper-x", "f0", "f25", "f+1", "f01", "ab", "\n", "\u{1b}", "ctrl- "]
        {
            assert!(text.parse::<Key>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn alt_may_have_been_esc() {
        let (esc, rest) = Key::char('j').with_alt().split_alt().unwrap();
        assert_eq!((esc, rest), (Key::plain(Code::Esc), Key::char('j')));
        assert_eq!(Key::char('j').split_alt(), None);
        assert_eq!(Key::char('j').with_alt().text(), None);
    }
}
