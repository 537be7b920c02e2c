//! Rows of equal cells.

use super::Text;
use super::row::{Focus, Part, Row};

/// A table. Its first column names the row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows; each has a cell for each column.
    pub rows: Vec<TableRow>,
    /// What is said where there is no row.
    pub none: Text,
    /// What it leaves out; empty where it leaves out nothing.
    pub rest: Text,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its head.
    pub title: Text,
    /// Whether it holds numbers, which stand at its right.
    pub is_number: bool,
    /// What goes first where there is no room: the highest. What is 0 stays.
    pub rank: u8,
}

impl Column {
    /// A column of texts.
    pub fn text(title: impl Into<Text>) -> Self {
        Self { title: title.into(), is_number: false, rank: 0 }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<Text>) -> Self {
        Self { title: title.into(), is_number: true, rank: 0 }
    }

    /// Says when it goes where there is no room.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableRow {
    /// Where the cursor can be on it.
    pub focus: Option<Focus>,
    /// Its cells, each of any parts.
    pub cells: Vec<Vec<Part>>,
    /// What else is to be known of it.
    pub below: Vec<Row>,
}
