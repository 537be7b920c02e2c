//! A theme file: bytes to what it says of each role, with every problem at its place.

use super::Role;
use super::colour;
use crate::config::problem::quoted;
use crate::config::shape::found;
use crate::config::syntax;
use crate::config::{Fault, Position, Problem};
use crate::text::position::Lines;
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// What a theme file says.
#[derive(Debug, Default)]
pub(super) struct ThemeFile {
    /// The name to show.
    pub(super) name: Option<String>,
    /// The theme that it changes, and where it says so.
    pub(super) extends: Option<(String, Position)>,
    /// What it says of roles, and only that.
    pub(super) roles: BTreeMap<Role, Style>,
}

/// Attributes by their names in a file.
const ATTRIBUTES: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

/// What may be behind a role.
const STYLE: &str = "a colour, or a table of `fg`, `bg`, `bold`, `dim`, `italic`, `underline` \
                     and `reverse`";

/// Reads a file; all that is wrong is reported at once.
pub(super) fn parse(bytes: &[u8]) -> Result<ThemeFile, Vec<Problem>> {
    let text = syntax::text(bytes).map_err(|problem| vec![problem])?;
    let lines = Lines::new(text);
    let (tree, problems) = syntax::tree(text, &lines);
    let mut reader = Reader { lines: &lines, problems };
    let file = reader.file(tree.get_ref());
    if reader.problems.is_empty() {
        return Ok(file);
    }
    reader.problems.sort_by_key(|problem| problem.position);
    Err(reader.problems)
}

struct Reader<'a> {
    lines: &'a Lines<'a>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn report(&mut self, offset: usize, fault: Fault) {
        self.problems.push(Problem { position: self.lines.position(offset), fault });
    }

    fn file(&mut self, top: &DeTable<'_>) -> ThemeFile {
        let mut file = ThemeFile::default();
        for (key, value) in top {
            match key.get_ref().as_ref() {
                "name" => file.name = self.name("name", value),
                "extends" => {
                    let position = self.lines.position(value.span().start);
                    file.extends = self.name("extends", value).map(|name| (name, position));
                }
                "roles" => file.roles = self.roles(value),
                other => {
                    let role = Role::named(other).map(|r| format!("roles.{}", r.as_str()));
                    let near = role.or_else(|| near(["name", "extends", "roles"], other));
                    self.unknown(key.span().start, other, near);
                }
            }
        }
        file
    }

    /// A name that can be shown; control characters and length would spoil every list of themes.
    fn name(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let offset = value.span().start;
        let Some(text) = value.get_ref().as_str() else {
            self.wrong(offset, key, "a text in quotes", value.get_ref());
            return None;
        };
        if super::load::is_name(text) {
            return Some(text.to_owned());
        }
        let reason = super::load::NAME_RULE.to_owned();
        self.report(offset, Fault::Refused { key: key.to_owned(), value: quoted(text), reason });
        None
    }

    fn roles(&mut self, value: &Spanned<DeValue<'_>>) -> BTreeMap<Role, Style> {
        let mut roles = BTreeMap::new();
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value.span().start, "roles", "a table", value.get_ref());
            return roles;
        };
        for (key, value) in table {
            let word = key.get_ref().as_ref();
            match Role::named(word) {
                Some(role) => {
                    roles.insert(role, self.style(role, value));
                }
                None => {
                    let near = near(Role::ALL.iter().map(|r| r.as_str()), word);
                    self.unknown(key.span().start, &format!("roles.{word}"), near);
                }
            }
        }
        roles
    }

    fn style(&mut self, role: Role, value: &Spanned<DeValue<'_>>) -> Style {
        let key = format!("roles.{}", role.as_str());
        let mut style = Style::new();
        let DeValue::Table(table) = value.get_ref() else {
            style.fg = self.colour(&key, value, STYLE);
            return style;
        };
        for (field, value) in table {
            let word = field.get_ref().as_ref();
            let key = format!("{key}.{word}");
            match word {
                "fg" => style.fg = self.colour(&key, value, "a colour"),
                "bg" => style.bg = self.colour(&key, value, "a colour"),
                _ => match ATTRIBUTES.iter().find(|(name, _)| *name == word) {
                    Some((_, attribute)) => {
                        style = self.attribute(&key, value, style, *attribute);
                    }
                    None => {
                        let known = ATTRIBUTES.iter().map(|(name, _)| *name).chain(["fg", "bg"]);
                        self.unknown(field.span().start, &key, near(known, word));
                    }
                },
            }
        }
        style
    }

    fn attribute(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        style: Style,
        attribute: Modifier,
    ) -> Style {
        match value.get_ref().as_bool() {
            Some(true) => style.add_modifier(attribute),
            Some(false) => style.remove_modifier(attribute),
            None => {
                self.wrong(value.span().start, key, "true or false", value.get_ref());
                style
            }
        }
    }

    fn colour(&mut self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> Option<Color> {
        let offset = value.span().start;
        match value.get_ref() {
            DeValue::String(text) => match colour::parse(text) {
                Ok(colour) => return Some(colour),
                Err(reason) => {
                    let key = key.to_owned();
                    self.report(offset, Fault::Refused { key, value: quoted(text), reason });
                }
            },
            DeValue::Integer(number) => return self.index(key, offset, number),
            other => self.wrong(offset, key, expected, other),
        }
        None
    }

    fn index(&mut self, key: &str, offset: usize, number: &DeInteger<'_>) -> Option<Color> {
        let index = i128::from_str_radix(number.as_str(), number.radix()).ok();
        if let Some(index) = index.and_then(|n| u8::try_from(n).ok()) {
            return Some(Color::Indexed(index));
        }
        let fault = Fault::OutOfRange {
            key: key.to_owned(),
            low: "0".to_owned(),
            high: "255".to_owned(),
            found: number.to_string(),
        };
        self.report(offset, fault);
        None
    }

    fn wrong(&mut self, offset: usize, key: &str, expected: &str, value: &DeValue<'_>) {
        let (key, expected) = (key.to_owned(), expected.to_owned());
        self.report(offset, Fault::WrongType { key, expected, found: found(value) });
    }

    fn unknown(&mut self, offset: usize, key: &str, near: Option<String>) {
        let key = key.escape_debug().to_string();
        self.report(offset, Fault::UnknownKey { key, near });
    }
}

/// The known word that is spelt most like `word`.
fn near<'k>(known: impl IntoIterator<Item = &'k str>, word: &str) -> Option<String> {
    let likeness = known.into_iter().map(|k| (strsim::jaro_winkler(k, word), k));
    likeness.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, k)| k.to_owned())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
