//! Texts of a page: which pieces are ours, and which come from outside.

use foureyes_core::domain::{RecordId, Timestamp};
use std::borrow::Cow;
use std::fmt;

/// Words of this program and numbers: made of a text in the source or by a function of this crate, never
/// of a text from a log, a ledger, a model or a repository.
///
/// ```
/// # use foureyes_page::page::Ours;
/// assert_eq!(Ours::from("flagged").to_string(), "flagged");
/// assert_eq!(Ours::from(7_u64).to_string(), "7");
/// ```
///
/// A text that was made while the program runs is none:
///
/// ```compile_fail
/// # use foureyes_page::page::Ours;
/// let name = String::from("from a log");
/// let text = Ours::from(name);
/// ```
///
/// ```compile_fail
/// # use foureyes_page::page::Ours;
/// let name = String::from("from a log");
/// let text = Ours::from(name.as_str());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ours(Cow<'static, str>);

impl Ours {
    /// No text.
    pub const EMPTY: Self = Self(Cow::Borrowed(""));

    /// The same in capitals.
    #[must_use]
    pub fn uppercase(&self) -> Self {
        Self::made(self.to_uppercase())
    }

    /// What this crate made of numbers and words of its own.
    pub(crate) fn made(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl std::ops::Deref for Ours {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Ours {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&'static str> for Ours {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<Ours> for String {
    fn from(text: Ours) -> Self {
        text.0.into_owned()
    }
}

impl From<Timestamp> for Ours {
    fn from(time: Timestamp) -> Self {
        Self::made(time.to_string())
    }
}

impl From<RecordId> for Ours {
    /// The beginning of an id, which is enough to find its record.
    fn from(id: RecordId) -> Self {
        Self::made(id.short())
    }
}

/// Each of these writes digits only, with a comma between thousands.
macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Ours {
            fn from(number: $number) -> Self {
                Self::made(foureyes_core::text::separated(number))
            }
        })*
    };
}

numbers!(u8, u32, u64, usize, i32, i64);

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Of this program.
    Ours(Ours),
    /// From a log, a ledger, a model, a repository or a command line; or a sentence of a document, which
    /// may name something from there.
    Untrusted(String),
}

impl Piece {
    /// What it says, raw.
    pub fn raw(&self) -> &str {
        match self {
            Self::Ours(text) => text,
            Self::Untrusted(text) => text,
        }
    }
}

impl From<Untrusted<'_>> for Text {
    fn from(text: Untrusted<'_>) -> Self {
        Self(vec![Piece::Untrusted(text.0.to_owned())])
    }
}

/// A text that is not ours, to be put into one: masked and made harmless by whatever writes it.
#[derive(Debug, Clone, Copy)]
pub struct Untrusted<'a>(pub &'a str);

/// A text: pieces in the order in which they are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

impl Text {
    /// No text.
    pub const EMPTY: Self = Self(Vec::new());

    /// The pieces, none of them empty.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|piece| piece.raw().is_empty())
    }

    /// Whether all of it is of this program.
    pub fn is_ours(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Ours(_)))
    }

    /// All of it, raw: to be compared, never to be shown.
    pub fn raw(&self) -> String {
        self.0.iter().map(Piece::raw).collect()
    }

    /// Adds a text behind it.
    pub fn push(&mut self, text: impl Into<Self>) {
        for piece in text.into().0 {
            match (self.0.last_mut(), piece) {
                (_, piece) if piece.raw().is_empty() => {}
                (Some(Piece::Ours(before)), Piece::Ours(after)) => {
                    before.0.to_mut().push_str(&after);
                }
                (_, piece) => self.0.push(piece),
            }
        }
    }

    /// The same with a text behind it.
    #[must_use]
    pub fn and(mut self, text: impl Into<Self>) -> Self {
        self.push(text);
        self
    }

    /// Texts with a separator between them.
    pub fn joined<T: Into<Self>>(
        all: impl IntoIterator<Item = T>,
        separator: &'static str,
    ) -> Self {
        let mut joined = Self::EMPTY;
        for (at, text) in all.into_iter().enumerate() {
            if at > 0 {
                joined.push(separator);
            }
            joined.push(text);
        }
        joined
    }

    /// The same with a capital letter at its beginning, where that is ours.
    #[must_use]
    pub fn capitalized(mut self) -> Self {
        if let Some(Piece::Ours(first)) = self.0.first_mut() {
            let mut rest = first.chars();
            let capital = rest.next().into_iter().flat_map(char::to_uppercase);
            *first = Ours::made(capital.chain(rest).collect());
        }
        self
    }

    /// A format with a text for each `{}`. Called by [`text!`], which counts them.
    #[doc(hidden)]
    pub fn filled(format: &'static str, arguments: impl IntoIterator<Item = Self>) -> Self {
        let mut arguments = arguments.into_iter();
        let mut text = Self::EMPTY;
        for (at, words) in format.split("{}").enumerate() {
            if at > 0 {
                text.push(arguments.next().unwrap_or_default());
            }
            text.push(words);
        }
        text
    }
}

impl From<Ours> for Text {
    fn from(ours: Ours) -> Self {
        Self(vec![Piece::Ours(ours)])
    }
}

/// What is ours is a text of one piece.
macro_rules! ours {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Text {
            fn from(value: $kind) -> Self {
                Ours::from(value).into()
            }
        })*
    };
}

ours!(&'static str, Timestamp, RecordId, u8, u32, u64, usize, i32, i64);

/// The number of `{}` in a format.
#[doc(hidden)]
pub const fn holes(format: &str) -> usize {
    let bytes = format.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'{' {
            assert!(
                at + 1 < bytes.len() && bytes[at + 1] == b'}',
                "a brace is no place for a text"
            );
            count += 1;
            at += 1;
        }
        at += 1;
    }
    count
}

/// A text of a format and what fills it: `text!("{} of {} labelled by {}", 3_u64, 7_u64, Untrusted(&name))`.
///
/// The format is ours. Each argument is ours ([`Ours`], a number, a word in the source), a [`Text`], or
/// from outside ([`Untrusted`]); a `String` is nothing of that, and does not compile:
///
/// ```compile_fail
/// # use foureyes_page::text;
/// let name = String::from("from a log");
/// let text = text!("labelled by {}", name);
/// ```
///
/// ```compile_fail
/// # use foureyes_page::text;
/// let name = String::from("from a log");
/// let text = text!("labelled by {name}");
/// ```
///
/// ```compile_fail
/// # use foureyes_page::text;
/// let text = text!("{} of {}", 3_u64);
/// ```
///
/// ```
/// # use foureyes_page::{page::Untrusted, text};
/// let name = String::from("from a log");
/// let text = text!("{} labelled by {}", 3_u64, Untrusted(&name));
/// assert_eq!(text.raw(), "3 labelled by from a log");
/// assert!(!text.is_ours());
/// ```
#[macro_export]
macro_rules! text {
    ($format:literal $(, $argument:expr)* $(,)?) => {{
        const FORMAT: &str = $format;
        const GIVEN: usize = 0 $(+ { let _ = stringify!($argument); 1 })*;
        const { assert!($crate::page::holes(FORMAT) == GIVEN, "as many texts as places for them") };
        let arguments: [$crate::page::Text; GIVEN] = [$($crate::page::Text::from($argument)),*];
        $crate::page::Text::filled(FORMAT, arguments)
    }};
}

/// A count and its noun: `1 label`, `12 labels`.
pub fn counted(count: u64, one: &'static str, many: &'static str) -> Ours {
    Ours::made(foureyes_core::text::counted(count, one, many))
}

/// A UTC day: `2026-11-22`.
pub fn day(time: Timestamp) -> Ours {
    Ours::made(time.day_text())
}

/// A day as people name it, with its year where that is not the present one: `5 Dec`, `5 Dec 2025`.
pub fn date(time: Timestamp, now: Timestamp) -> Ours {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (text, today) = (time.day_text(), now.day_text());
    let mut parts = text.rsplitn(3, '-').map(|part| part.parse::<usize>().ok());
    let (day, month) = (parts.next().flatten(), parts.next().flatten());
    let month = month.and_then(|month| MONTHS.get(month.checked_sub(1)?));
    let (Some(day), Some(month)) = (day, month) else { return Ours::made(text) };
    match (text.split_once('-'), today.split_once('-')) {
        (Some((year, _)), Some((this, _))) if year != this => {
            Ours::made(format!("{day} {month} {year}"))
        }
        _ => Ours::made(format!("{day} {month}")),
    }
}

/// A day in its year: `11-22`.
pub fn day_of_year(time: Timestamp) -> Ours {
    Ours::made(time.day_text().chars().skip(5).collect())
}

/// A day in its month: `22`.
pub fn day_of_month(time: Timestamp) -> Ours {
    Ours::made(time.day_text().chars().skip(8).collect())
}

/// A month: `2026-11`.
pub fn month(time: Timestamp) -> Ours {
    Ours::made(time.day_text().chars().take(7).collect())
}

/// A day of a document, which has it as a text; what is no day is not ours.
pub fn day_of(text: &str) -> Text {
    match Timestamp::parse_day(text) {
        Some(time) if time.day_text() == text => day(time).into(),
        _ => Untrusted(text).into(),
    }
}

/// An instant to the minute: `2026-11-22 20:51 UTC`.
pub fn minute(time: Timestamp) -> Ours {
    let text = time.to_string();
    Ours::made(text.get(..16).map_or_else(String::new, |t| format!("{} UTC", t.replace('T', " "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_from_outside_stay_apart_from_ours() {
        let text =
            text!("{}{} by {}: {}", counted(2, "label", "labels"), "", Untrusted("a`b"), 3_u64);
        let pieces: Vec<_> =
            text.pieces().iter().map(|p| (matches!(p, Piece::Ours(_)), p.raw())).collect();
        assert_eq!(pieces, [(true, "2 labels by "), (false, "a`b"), (true, ": 3")]);
        assert_eq!(
            Text::joined([day_of("2026-01-02"), day_of("2026-99-02")], ", ").pieces().len(),
            2
        );
        let time = |day: &str| Timestamp::parse_day(day).unwrap_or(Timestamp(0));
        let now = time("2026-12-01");
        let dates = ["2026-12-05", "2026-01-31", "2025-12-05"].map(|day| date(time(day), now));
        assert_eq!(dates.map(String::from), ["5 Dec", "31 Jan", "5 Dec 2025"]);
        assert_eq!(text!("néw").capitalized().raw(), "Néw");
        assert!(text!("{}", "").is_empty());
    }
}
