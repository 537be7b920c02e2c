//! Which list it is, what it is narrowed to, and what it is made of.

use super::QueueSelection;
use crate::assess::OpenDays;
use crate::domain::{Column, Sort, Window};
use crate::frame::query::Query;

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListId {
    /// What is flagged and not yet handled.
    Queue,
    /// Everything.
    Records,
}

impl ListId {
    /// Columns of a list that nobody chose otherwise.
    pub fn columns(self) -> &'static [Column] {
        const RECORDS: [Column; 7] = [
            Column::Path,
            Column::Finding,
            Column::State,
            Column::Scores,
            Column::Box,
            Column::Author,
            Column::Age,
        ];
        const QUEUE: [Column; 6] = [
            Column::Path,
            Column::Finding,
            Column::State,
            Column::Scores,
            Column::Box,
            Column::Age,
        ];
        match self {
            Self::Records => &RECORDS,
            Self::Queue => &QUEUE,
        }
    }
}

/// What a list is narrowed to.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// As it was typed.
    pub text: String,
    /// The parsed filter.
    pub query: Query,
}

impl Default for Filter {
    fn default() -> Self {
        Self { text: String::new(), query: Query::new(crate::frame::query::Node::All) }
    }
}

impl Filter {
    /// Reads a filter; `None` where it is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self { text: text.trim().to_owned(), query: Query::parse(text).ok()? })
    }

    /// Whether it lets everything through.
    pub fn is_all(&self) -> bool {
        self.query.is_all()
    }
}

/// What a list is made of; another one means another list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListKey {
    /// Number of the open archive, from 1.
    pub edition: u64,
    /// The parsed filter.
    pub query: Query,
    /// The span of record time.
    pub window: Window,
    /// Sort order of the rows.
    pub sort: Sort,
    /// Whether what is hidden comes last, since its place would tell.
    pub hides: bool,
    /// Which queue; of no matter for the list of records.
    pub selection: QueueSelection,
    /// [`super::List::rounds`].
    pub rounds: bool,
    /// Days whose verdicts it must not tell, where being in it would.
    pub open_days: Option<OpenDays>,
    /// [`super::List::serial`].
    pub serial: u64,
}
