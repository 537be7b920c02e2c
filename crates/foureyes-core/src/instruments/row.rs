//! The row of a family.

use super::{Capability, EntryKinds, EvaluationUnit, Vocabulary, Wording};
use crate::domain::{JudgementKind, Measure};

/// All that a family of judgements differs in from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instrument {
    /// Its key, which ledgers, documents and the cache store.
    pub kind: JudgementKind,
    /// Its name in documents, in filters and on the command line.
    pub name: &'static str,
    /// The option that names it on the command line, with a blank before it; empty where it is meant
    /// without.
    pub option: &'static str,
    /// The filter for its records.
    pub filter: &'static str,
    /// The families of records that hold its verdicts, in the order of their codes.
    pub records: &'static [Vocabulary],
    /// What one evaluation is.
    pub unit: EvaluationUnit,
    /// Measures that its default policy only reports; all else of that policy is the same for all families.
    pub reported: &'static [Measure],
    /// What is left to do when it is ready.
    pub ready_step: ReadyStep,
    /// Kinds of its entries in a ledger.
    pub entries: EntryKinds,
    /// How sentences name it.
    pub wording: Wording,
    /// What it has that others may lack.
    pub capabilities: &'static [Capability],
}

/// What is left to do when a family is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadyStep {
    /// Its heading.
    pub title: &'static str,
    /// What to do, in sentences.
    pub text: &'static str,
    /// A command that does it, and what stands before it.
    pub command: Option<(&'static str, &'static str)>,
}
