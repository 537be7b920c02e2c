//! A page: blocks of rows, measures, tables and charts.

use super::chart::Chart;
use super::measure::Measure;
use super::row::{Forms, Row};
use super::table::Table;
use super::{Role, Text};

/// An answer, as everything that shows it takes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// What it is: in documents the first line. The console has headings of its own.
    pub title: Text,
    /// Its blocks, in the order in which they are read.
    pub blocks: Vec<Block>,
    /// Which part of a wide console the left column takes.
    pub split: Split,
}

/// How the two columns of a wide console share its width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Split {
    /// Both take half of it.
    #[default]
    Even,
    /// The left one takes what a table of figures needs.
    Figures,
}

impl Page {
    /// A page without blocks.
    pub fn new(title: impl Into<Text>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
}

/// Where a block stands on a wide console; everywhere else one follows the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Place {
    /// Across the whole width, above the two columns.
    #[default]
    Above,
    /// In the left column.
    Left,
    /// In the right column.
    Right,
    /// Across the whole width, below the two columns.
    Below,
}

/// What belongs together, below a title.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    /// Its name in the program, of which the cursor knows its rows again.
    pub name: &'static str,
    /// Its title; a block without one begins with its first row.
    pub title: Text,
    /// What is to be known of all its numbers.
    pub note: Text,
    /// Where it stands.
    pub place: Place,
    /// Which forms show it.
    pub forms: Forms,
    /// What a console shows beside its title until it is unfolded; `None` where all of it is shown at once.
    pub folded: Option<Text>,
    /// What it holds.
    pub items: Vec<Item>,
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A line or a sentence.
    Row(Row),
    /// A text of several lines from outside, below a label.
    Quote {
        /// What it is.
        label: Text,
        /// Its lines.
        text: Text,
        /// How far in it stands, as a row does.
        level: usize,
    },
    /// A number with interval and threshold.
    Measure(Measure),
    /// Rows of equal cells.
    Table(Table),
    /// A picture.
    Chart(Chart),
}

impl Block {
    /// A block without a title.
    pub fn untitled(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// A block with a title.
    pub fn new(name: &'static str, title: impl Into<Text>) -> Self {
        Self { name, title: title.into(), ..Self::default() }
    }

    /// Says what is to be known of all its numbers.
    #[must_use]
    pub fn note(mut self, note: impl Into<Text>) -> Self {
        self.note = note.into();
        self
    }

    /// Puts it into a column.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Leaves it to some forms.
    #[must_use]
    pub fn only(mut self, forms: Forms) -> Self {
        self.forms = forms;
        self
    }

    /// Leaves what it holds, on a console, until it is unfolded; a summary stands for it.
    #[must_use]
    pub fn folded(mut self, summary: impl Into<Text>) -> Self {
        self.folded = Some(summary.into());
        self
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) {
        self.items.push(Item::Row(row));
    }

    /// Adds a sentence that is no place for the cursor.
    pub fn text(&mut self, role: Role, text: impl Into<Text>) {
        self.add(Row::new(role, text));
    }

    /// Its rows, in order; those of measures and tables are not among them.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(row) => Some(row),
            _ => None,
        })
    }
}
