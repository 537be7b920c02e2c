//! Rows as paragraphs, and as lists inside of each other.

use super::{Html, signed};
use crate::page::{Mark, Role, Row};
use std::iter::once;

/// What rows that follow each other become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Sentences inside of an item.
    Inside,
    Paragraphs,
    List,
    Steps,
    Facts,
    Commands,
}

/// Where rows stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Untitled,
    Titled,
    Inside,
}

fn kind(row: &Row, level: Level) -> Kind {
    match (row.mark, level) {
        (Mark::Command, _) => Kind::Commands,
        (Mark::Name(_), _) => Kind::Facts,
        (Mark::Number(_), _) => Kind::Steps,
        (Mark::None, Level::Inside) => Kind::Inside,
        (Mark::None | Mark::Sign(_), Level::Untitled) => Kind::Paragraphs,
        _ => Kind::List,
    }
}

/// A row, and those that belong to it.
type Entry<'a> = (&'a Row, &'a [&'a Row]);

impl Html<'_> {
    /// Rows of a block.
    pub(super) fn rows(&self, is_titled: bool, rows: &[&Row]) -> String {
        self.level(if is_titled { Level::Titled } else { Level::Untitled }, rows)
    }

    fn level(&self, level: Level, rows: &[&Row]) -> String {
        let entries = entries(rows);
        let groups = entries.chunk_by(|a, b| kind(a.0, level) == kind(b.0, level));
        groups.map(|group| self.entries(level, group)).collect()
    }

    fn entries(&self, level: Level, group: &[Entry<'_>]) -> String {
        let Some((first, _)) = group.first() else { return String::new() };
        let each = |one: &dyn Fn(&Entry<'_>) -> String| group.iter().map(one).collect::<String>();
        let start = if level == Level::Inside { "\n" } else { "" };
        match kind(first, level) {
            Kind::Inside => {
                each(&|(row, below)| format!("<br>{}{}", self.marked(row), self.below(below)))
            }
            Kind::Paragraphs => each(&|(row, below)| self.paragraph(row) + &self.below(below)),
            Kind::List => format!("{start}<ul>\n{}</ul>\n", each(&|entry| self.item(entry))),
            Kind::Steps => {
                format!("{start}<ol class=\"steps\">\n{}</ol>\n", each(&|entry| self.item(entry)))
            }
            Kind::Facts => {
                format!("{start}<dl class=\"facts\">\n{}</dl>\n", each(&|entry| self.fact(entry)))
            }
            Kind::Commands => {
                let rows = group.iter().flat_map(|(row, below)| once(row).chain(below.iter()));
                let lines: Vec<String> = rows.map(|row| self.text(&row.text())).collect();
                format!("{start}<pre>{}</pre>\n", lines.join("\n"))
            }
        }
    }

    /// What belongs to a row.
    fn below(&self, rows: &[&Row]) -> String {
        self.level(Level::Inside, rows)
    }

    fn paragraph(&self, row: &Row) -> String {
        let role = row.parts.first().map_or(Role::Text, |part| part.role);
        let text = self.text(&row.text());
        match (row.mark, role) {
            (Mark::Sign(sign), _) => {
                let class = sign.role().as_str();
                format!("<p class=\"badge {class}\">{}</p>\n", signed(sign, &text))
            }
            (_, Role::Text) => format!("<p>{text}</p>\n"),
            (_, role) => format!("<p class=\"{}\">{text}</p>\n", role.as_str()),
        }
    }

    fn item(&self, (row, below): &Entry<'_>) -> String {
        format!("<li>{}{}</li>\n", self.marked(row), self.below(below))
    }

    fn fact(&self, (row, below): &Entry<'_>) -> String {
        let name = if let Mark::Name(name) = row.mark { name } else { "" };
        format!("<dt>{name}</dt><dd>{}{}</dd>\n", self.marked(row), self.below(below))
    }

    /// What a row says, with its mark; what is a title is strong.
    fn marked(&self, row: &Row) -> String {
        let text = self.text(&row.text());
        match row.mark {
            Mark::Sign(sign) => {
                let class = sign.role().as_str();
                format!("<span class=\"mark {class}\">{}</span>", signed(sign, &text))
            }
            Mark::Done(true) => format!("☑ {text}"),
            Mark::Done(false) => format!("☐ {text}"),
            _ if row.parts.first().is_some_and(|part| part.role == Role::Title) => {
                format!("<strong>{text}</strong>")
            }
            _ => text,
        }
    }
}

/// Rows, each with those behind it that stand further in.
fn entries<'a>(rows: &'a [&'a Row]) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    let mut rest = rows;
    while let Some((row, behind)) = rest.split_first() {
        let inside = behind.iter().take_while(|other| other.level > row.level).count();
        let (below, others) = behind.split_at(inside);
        entries.push((*row, below));
        rest = others;
    }
    entries
}
