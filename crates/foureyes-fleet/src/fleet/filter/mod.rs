//! Filters as conditions in SQL, with the same answers as over a frame of one machine.
//!
//! A term is a condition on the columns of a record, or on what other rows decide of it; each is 0 or 1,
//! and never null. What cannot be asked so that the answer is the same is refused.

mod term;
mod text;

use super::error::FleetError;
use super::sql;
use crate::domain::Timestamp;
use crate::domain::review::{OverrideWord, Reviews};
use crate::frame::query::Node;
pub(super) use term::no_judge;

/// What a filter refers to beyond the store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beyond<'a> {
    /// What `7d` and `today` are relative to.
    pub(super) now: Timestamp,
    /// What people said of records here.
    pub(super) reviews: &'a Reviews,
}

/// What other rows decide of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    /// A later one replaces it.
    Repeat,
    /// A later run of its task came to an end.
    Overtaken,
    /// The word of the override in a log that answers the run it ends.
    Settled(Option<OverrideWord>),
}

/// What other rows decide of a line of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TaskFlags {
    pub(super) repeat: bool,
    pub(super) overtaken: bool,
    pub(super) settled: Option<OverrideWord>,
    /// Milliseconds in which judges were at work on the run that it ends.
    pub(super) run_latency: Option<u32>,
}

/// A filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// On columns of the row; where it `of_place`, the places of a record differ in it.
    Own { sql: String, of_place: bool },
    /// On what other rows decide.
    Decided(Decided),
    /// Not so.
    Not(Box<Self>),
    /// All of them.
    And(Vec<Self>),
    /// Any of them.
    Or(Vec<Self>),
}

impl Condition {
    /// That of a filter.
    ///
    /// # Errors
    /// A term that the store cannot answer as one machine does.
    pub(super) fn new(node: &Node, beyond: &Beyond<'_>) -> Result<Self, FleetError> {
        let all = |parts: &[Node]| -> Result<Vec<Self>, FleetError> {
            parts.iter().map(|part| Self::new(part, beyond)).collect()
        };
        Ok(match node {
            Node::All => Self::And(Vec::new()),
            Node::Term(term) => term::condition(term, beyond)?,
            Node::Not(part) => Self::Not(Box::new(Self::new(part, beyond)?)),
            Node::And(parts) => Self::And(all(parts)?),
            Node::Or(parts) => Self::Or(all(parts)?),
        })
    }

    fn own(sql: String) -> Self {
        Self::Own { sql, of_place: false }
    }

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Whether any part of it is such.
    fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        is(self)
            || match self {
                Self::Own { .. } | Self::Decided(_) => false,
                Self::Not(part) => part.any(is),
                Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.any(is)),
            }
    }

    /// Whether other rows decide on it.
    pub(super) fn is_decided(&self) -> bool {
        self.any(&|part| matches!(part, Self::Decided(_)))
    }

    /// Whether it holds for all places of a record or for none, whatever other rows are.
    fn is_of_record(&self) -> bool {
        !self.any(&|part| matches!(part, Self::Decided(_) | Self::Own { of_place: true, .. }))
    }

    /// Parts it in two that must both hold: one on the columns of a record alone, in SQL, and the rest.
    pub(super) fn split(self) -> (String, Self) {
        let parts = match self {
            Self::And(parts) => parts,
            other => vec![other],
        };
        let (of_record, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(Self::is_of_record);
        let rest = rest.into_iter().map(Self::merged).collect();
        (Self::And(of_record).in_sql(), Self::And(rest))
    }

    /// The same with as few conditions on columns as there can be.
    fn merged(self) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(Self::merged).collect();
        match self {
            whole if !whole.is_decided() => Self::Own { sql: whole.in_sql(), of_place: true },
            Self::Not(part) => part.merged().not(),
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            other => other,
        }
    }

    /// In SQL, where no other rows decide.
    fn in_sql(&self) -> String {
        self.sql(&|_, sql| sql.to_owned(), &|_| "0".to_owned())
    }

    /// The conditions on columns, in their order.
    pub(super) fn columns(&self) -> Vec<&str> {
        match self {
            Self::Own { sql, .. } => vec![sql],
            Self::Decided(_) => Vec::new(),
            Self::Not(part) => part.columns(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::columns).collect(),
        }
    }

    /// In SQL, for rows that are no lines of runs of tasks: [`Condition::columns`] are `c0`, `c1` and on,
    /// and `repeat` is the condition that a later evaluation replaces a row.
    pub(super) fn of_columns(&self, repeat: &str) -> String {
        let decided = |decided: Decided| match decided {
            Decided::Repeat => repeat.to_owned(),
            // Only runs of tasks are overtaken or settled.
            Decided::Overtaken | Decided::Settled(Some(_)) => "0".to_owned(),
            Decided::Settled(None) => "1".to_owned(),
        };
        self.sql(&|at, _| format!("c{at}"), &decided)
    }

    fn sql(
        &self,
        own: &dyn Fn(usize, &str) -> String,
        decided: &dyn Fn(Decided) -> String,
    ) -> String {
        self.written(own, decided, &mut 0)
    }

    fn written(
        &self,
        own: &dyn Fn(usize, &str) -> String,
        decided: &dyn Fn(Decided) -> String,
        next: &mut usize,
    ) -> String {
        let mut joined = |parts: &[Self], word: &str, none: &str| {
            let parts: Vec<String> =
                parts.iter().map(|part| part.written(own, decided, next)).collect();
            if parts.is_empty() { none.to_owned() } else { format!("({})", parts.join(word)) }
        };
        match self {
            Self::And(parts) => joined(parts, " AND ", "1"),
            Self::Or(parts) => joined(parts, " OR ", "0"),
            Self::Not(part) => format!("NOT ({})", part.written(own, decided, next)),
            Self::Decided(of) => decided(*of),
            Self::Own { sql, .. } => {
                *next += 1;
                own(*next - 1, sql)
            }
        }
    }

    /// Whether it holds for a line of a task; `own` has what [`Condition::columns`] are of it.
    pub(super) fn holds(&self, own: &mut impl Iterator<Item = bool>, flags: TaskFlags) -> bool {
        // Every part takes its columns, so none is skipped.
        match self {
            Self::Own { .. } => own.next() == Some(true),
            Self::Not(part) => !part.holds(own, flags),
            Self::And(parts) => {
                let each: Vec<bool> = parts.iter().map(|part| part.holds(own, flags)).collect();
                each.into_iter().all(|holds| holds)
            }
            Self::Or(parts) => {
                let each: Vec<bool> = parts.iter().map(|part| part.holds(own, flags)).collect();
                each.into_iter().any(|holds| holds)
            }
            Self::Decided(Decided::Repeat) => flags.repeat,
            Self::Decided(Decided::Overtaken) => flags.overtaken,
            Self::Decided(Decided::Settled(word)) => flags.settled == *word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::query::Query;

    fn condition(text: &str) -> Result<Condition, FleetError> {
        let beyond = Beyond { now: Timestamp(0), reviews: Reviews::none() };
        Condition::new(Query::parse(text).unwrap().root(), &beyond)
    }

    #[test]
    fn parts_on_columns_of_a_record_are_asked_where_the_rows_are() {
        let (own, rest) = condition("verdict:go round:1 box:a is:flagged").unwrap().split();
        assert_eq!(own.matches("outcome").count(), 1, "{own}");
        assert!(own.contains("round") && !own.contains("box"), "{own}");
        let columns = rest.columns();
        assert!(columns.iter().any(|sql| sql.contains("box")), "{columns:?}");
        let sql = rest.of_columns("REPEAT");
        assert!(sql.contains("REPEAT") && sql.contains("c0"), "{sql}");
        assert_eq!(condition("").unwrap().split(), ("1".to_owned(), Condition::And(Vec::new())));
    }

    #[test]
    fn line_of_a_task_is_judged_as_rows_are() {
        let all = condition("(a | repeat:yes) -b").unwrap();
        let flags = |repeat| TaskFlags { repeat, ..TaskFlags::default() };
        let holds = |own: [bool; 2], repeat| all.holds(&mut own.into_iter(), flags(repeat));
        assert!(holds([true, false], false) && holds([false, false], true));
        assert!(!holds([false, false], false) && !holds([true, true], true));
    }

    #[test]
    fn what_would_be_answered_otherwise_is_refused() {
        let refused = condition("terms:=\"a\\u{0}\"").unwrap_err().to_string();
        assert!(refused.contains("`terms:`"), "{refused}");
    }
}
