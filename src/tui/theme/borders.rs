//! Borders, in Unicode and in ASCII, and the glyphs that go with each.

use foureyes_page::page::Glyphs;
use ratatui::symbols::border;

/// How borders are drawn; `Ascii` draws everything else in ASCII too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::VariantArray)]
pub enum Borders {
    /// Lines with round corners.
    #[default]
    Rounded,
    /// Lines with square corners.
    Plain,
    /// `+`, `-` and `|`.
    Ascii,
}

/// A border of characters that every terminal and font has.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl Borders {
    /// All kinds.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rounded => "rounded",
            Self::Plain => "plain",
            Self::Ascii => "ascii",
        }
    }

    /// The kind of a name in the configuration.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The pieces of a border, for `Block::border_set`.
    pub fn set(self) -> border::Set<'static> {
        match self {
            Self::Rounded => border::ROUNDED,
            Self::Plain => border::PLAIN,
            Self::Ascii => ASCII_BORDER,
        }
    }

    /// The glyphs that go with it.
    pub fn glyphs(self) -> &'static Glyphs {
        match self {
            Self::Rounded | Self::Plain => &Glyphs::UNICODE,
            Self::Ascii => &Glyphs::ASCII,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foureyes_page::page::Sign;
    use unicode_width::UnicodeWidthStr;

    fn pieces(set: border::Set<'static>) -> [&'static str; 8] {
        [
            set.top_left,
            set.top_right,
            set.bottom_left,
            set.bottom_right,
            set.vertical_left,
            set.vertical_right,
            set.horizontal_top,
            set.horizontal_bottom,
        ]
    }

    #[test]
    fn pieces_are_one_column_wide_and_ascii_where_it_is_chosen() {
        for piece in Borders::ALL.map(|b| pieces(b.set())).concat() {
            assert_eq!(piece.width(), 1, "{piece:?}");
        }
        assert!(pieces(Borders::Ascii.set()).concat().is_ascii());
        assert!(Sign::ALL.map(|s| Borders::Ascii.glyphs().sign(s)).concat().is_ascii());
        assert_eq!(Borders::Plain.glyphs(), &Glyphs::UNICODE);
    }
}
