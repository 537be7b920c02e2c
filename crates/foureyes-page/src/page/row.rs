//! Rows of a page: parts of a line, where the cursor can be, and what they lead to.

use super::{Role, Sign, Text, Untrusted};
use crate::text;

/// Where a figure leads.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// What is there: `flagged verdicts, small, 2026-11-20`.
    pub label: Text,
    /// The filter that finds them; empty for all.
    pub query: String,
    /// How many there are; `None` where the page claims no number.
    pub count: Option<u64>,
}

/// A part of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it means.
    pub role: Role,
    /// What it says.
    pub text: Text,
    /// Where it leads, where it does.
    pub link: Option<Link>,
}

/// What makes a row a place for the cursor, found again when its numbers have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus {
    /// Which row of its block; raw.
    pub id: String,
    /// More about it than the row has room for.
    pub note: Text,
    /// Which of its links is selected first.
    pub first: usize,
}

/// What stands before a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The number of a step.
    Number(usize),
    /// The sign of a list.
    Bullet,
    /// Whether it is done.
    Done(bool),
    /// The sign of an outcome, without its word.
    Sign(Sign),
    /// What the row says something of: `Judge`.
    Name(&'static str),
    /// The row is a command: one line, to be copied.
    Command,
    /// The row is a name and a text from outside, which goes on behind a gutter where it is long.
    Field,
}

/// Which forms show something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Forms {
    /// All.
    #[default]
    All,
    /// The console alone: what a key does there.
    Console,
    /// Documents alone: plain text, Markdown, HTML.
    Documents,
    /// HTML alone: pictures.
    Html,
}

/// One line, or a sentence of several.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its parts in order.
    pub parts: Vec<Part>,
    /// Where the cursor can be on it.
    pub focus: Option<Focus>,
    /// What stands before it.
    pub mark: Mark,
    /// How far in it stands: 0 is the block, 1 belongs to the row above.
    pub level: usize,
    /// Which forms show it.
    pub forms: Forms,
    /// Whether a console shows the rows that belong to it only once it is unfolded.
    pub is_folded: bool,
}

impl Row {
    /// A row with one part.
    pub fn new(role: Role, text: impl Into<Text>) -> Self {
        Self::default().part(role, text)
    }

    /// A command to be copied.
    pub fn command(text: impl Into<Text>) -> Self {
        Self::new(Role::Key, text).mark(Mark::Command)
    }

    /// A name with a text from outside: `box: `.
    pub fn field(name: &'static str, text: &str) -> Self {
        let row = Self::new(Role::Dim, text!("{}: ", name)).part(Role::Text, Untrusted(text));
        row.mark(Mark::Field)
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, role: Role, text: impl Into<Text>) -> Self {
        self.parts.push(Part { role, text: text.into(), link: None });
        self
    }

    /// Adds a part that leads somewhere.
    #[must_use]
    pub fn link(mut self, role: Role, text: impl Into<Text>, link: Option<Link>) -> Self {
        self.parts.push(Part { role, text: text.into(), link });
        self
    }

    /// Lets the cursor be on it.
    #[must_use]
    pub fn focus(mut self, id: impl Into<String>) -> Self {
        self.focus = Some(Focus::new(id));
        self
    }

    /// Says more of it at the bottom of the console.
    #[must_use]
    pub fn note(mut self, note: impl Into<Text>) -> Self {
        if let Some(focus) = &mut self.focus {
            focus.note = note.into();
        }
        self
    }

    /// Puts something before it.
    #[must_use]
    pub fn mark(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    /// Sets it further in.
    #[must_use]
    pub fn level(mut self, level: usize) -> Self {
        self.level = level;
        self
    }

    /// Leaves it to some forms.
    #[must_use]
    pub fn only(mut self, forms: Forms) -> Self {
        self.forms = forms;
        self
    }

    /// Leaves what belongs to it, on a console, until it is unfolded.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.is_folded = true;
        self
    }

    /// All it says.
    pub fn text(&self) -> Text {
        Text::joined(self.parts.iter().map(|part| part.text.clone()), "")
    }
}

impl Focus {
    /// A place by its name in the block.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), note: Text::EMPTY, first: 0 }
    }
}
