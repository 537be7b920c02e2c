//! The filter language: text to a tree, a tree to the rows of a frame that it matches.
//!
//! What a person may write is in `docs/filter.md`.

mod ast;
mod columns;
mod complete;
mod cursor;
mod display;
mod error;
mod field;
mod find;
mod known;
mod lex;
mod mask;
mod opinion;
mod parse;
mod render;
pub mod review_filter;
mod value;

pub use ast::{
    CauseTest, Claimant, Day, Decision, Label, Match, Moment, Node, Peer, Term, Test, TextField,
    Unit,
};
pub use complete::{Completion, Noted, completions, fixed_values};
pub use cursor::{AtCursor, quoted};
pub use error::{Fault, QueryError, nearest};
pub use find::{TOP, fold};
pub use known::Field;
pub use mask::{FREE, rows, scores};

use crate::domain::review::Reviews;
use crate::domain::{Family, Timestamp};
use crate::frame::{Frame, FrameError};
use polars::prelude::{BooleanChunked, PolarsResult};
use std::fmt;
use std::str::FromStr;

/// A filter over records.
///
/// Its text ([`fmt::Display`]) is canonical: it parses to the same query.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    root: Node,
}

/// What a query refers to beyond the frame.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Names of the boxes that the `box` column counts.
    pub boxes: &'a [String],
    /// What `7d` and `today` are relative to.
    pub now: Timestamp,
    /// What people said of records.
    pub reviews: &'a Reviews,
}

impl Query {
    /// Reads a query; an empty text matches every record.
    ///
    /// # Errors
    ///
    /// The first part of the text that is wrong, with its place. No text makes it panic or run
    /// deep: bytes, conditions and nesting are bounded.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::parse(text).map(|root| Self { root })
    }

    /// Takes a tree made in code.
    pub fn new(root: Node) -> Self {
        Self { root }
    }

    /// The tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Whether it is the empty query.
    pub fn is_all(&self) -> bool {
        self.root == Node::All
    }

    /// Whether it asks for anything that people said of records: [`Scope::reviews`].
    pub fn asks_reviews(&self) -> bool {
        columns::any(&self.root, &|term| {
            matches!(
                term,
                Term::Label(_)
                    | Term::Override(_)
                    | Term::Claimed(_)
                    | Term::Assigned(_)
                    | Term::Peer(_)
                    | Term::Escalation
                    | Term::Stopped
                    | Term::Text(TextField::Reviewer, ..)
                    | Term::Has(TextField::Reviewer)
            )
        })
    }

    /// Whether it asks for what came after the last visit: [`Reviews::read_until`].
    pub fn asks_new(&self) -> bool {
        columns::any(&self.root, &|term| *term == Term::New)
    }

    /// Whether it asks for what the judge or a reviewer said: who sees what it matches knows
    /// that. A free word is also sought in findings.
    pub fn asks_words(&self) -> bool {
        columns::any(&self.root, &|term| match term {
            Term::Free(_)
            | Term::Outcome(_)
            | Term::Verdict(_)
            | Term::Cause(_)
            | Term::Score(..)
            | Term::Flagged
            | Term::Stopped
            | Term::Escalation
            | Term::OddScore
            | Term::Unexplained
            | Term::Label(_)
            | Term::Override(_)
            | Term::Claimed(_)
            | Term::Peer(_) => true,
            Term::Text(field, ..) | Term::Has(field) => {
                matches!(
                    field,
                    TextField::Findings
                        | TextField::Terms
                        | TextField::Reviewer
                        | TextField::Consensus
                )
            }
            // Who is to label a record depends on no verdict and on no label.
            Term::Assigned(_)
            | Term::Family(_)
            | Term::Unfinished
            | Term::New
            | Term::Id(_)
            | Term::Latency(_)
            | Term::Since(_)
            | Term::Until(_)
            | Term::Day(_)
            | Term::Undated(_)
            | Term::Round(_)
            | Term::Evaluation(_)
            | Term::Repeat(_) => false,
        })
    }

    /// Whether it may match one round of a task's run and not another: it asks for what a single record
    /// says. Task, files, box, author and time are those of the run.
    pub fn tells_rounds_apart(&self) -> bool {
        columns::any(&self.root, &|term| match term {
            Term::Family(_) | Term::Since(_) | Term::Until(_) | Term::Day(_) | Term::Undated(_) => {
                false
            }
            Term::Text(field, ..) | Term::Has(field) => !matches!(
                field,
                TextField::Task
                    | TextField::Path
                    | TextField::Box
                    | TextField::Author
                    | TextField::Commit
                    | TextField::Depth
            ),
            _ => true,
        })
    }

    /// The rounds of a task's run that a later one follows.
    pub fn earlier_rounds() -> Self {
        let of = |family| Node::Term(Term::Family(family));
        let rounds = Node::Or(Family::with_rounds().map(of).collect());
        Self::new(Node::And(vec![rounds, Node::Term(Term::Repeat(true))]))
    }

    /// The same without the rounds of a task's run that a later one follows: its last line stands for it.
    pub fn of_whole_runs(&self) -> Self {
        let later = Node::Not(Box::new(Self::earlier_rounds().root));
        Self::new(match &self.root {
            Node::All => later,
            root => Node::And(vec![root.clone(), later]),
        })
    }

    /// Whether it asks for labels and for verdicts: how many records it matches counts errors.
    pub fn asks_errors(&self) -> bool {
        let label = |term: &Term| matches!(term, Term::Label(label) if *label != Label::None);
        let verdict = |term: &Term| {
            matches!(term, Term::Outcome(_) | Term::Verdict(_) | Term::Flagged | Term::Stopped)
        };
        columns::any(&self.root, &label) && columns::any(&self.root, &verdict)
    }

    /// Which rows of a frame it matches, doubles among them.
    ///
    /// # Errors
    /// A frame without [`Query::columns`].
    pub fn matches(&self, frame: &Frame, scope: &Scope<'_>) -> Result<Vec<bool>, FrameError> {
        let mask = self.mask(frame, scope);
        let mask = mask.map_err(|e| FrameError::Read(Box::new(e)))?;
        Ok(mask.iter().map(|row| row == Some(true)).collect())
    }

    /// The same as a mask without nulls.
    pub(in crate::frame) fn mask(
        &self,
        frame: &Frame,
        scope: &Scope<'_>,
    ) -> PolarsResult<BooleanChunked> {
        mask::Rows { frame, scope }.node(&self.root)
    }

    /// The columns that [`Query::matches`] reads, each once.
    pub fn columns(&self) -> Vec<&'static str> {
        columns::used_by(&self.root)
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        Self::parse(text)
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}
