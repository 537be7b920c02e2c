//! The text columns: one table of their names, their meanings, and what each holds of a record.

use crate::jsonl::Draft;
use std::borrow::Cow;

/// Texts of a draft that columns and keys are both made of, decoded once.
pub(super) struct Named<'d> {
    pub(super) commit: Option<Cow<'d, str>>,
    pub(super) task: Option<Cow<'d, str>>,
    pub(super) model: Option<Cow<'d, str>>,
    pub(super) prompt: Option<Cow<'d, str>>,
}

impl<'d> Named<'d> {
    /// Reads them.
    pub(super) fn new(draft: &Draft<'d>) -> Self {
        Self {
            commit: draft.commit(),
            task: draft.task_id(),
            model: draft.model(),
            prompt: draft.prompt_sha(),
        }
    }
}

/// Declares the columns: name, and what a record holds of it. They are in a text frame in this order.
macro_rules! texts {
    (
        ($draft:ident, $named:ident, $files:ident)
        $($(#[$meta:meta])* $column:ident = $name:literal => $text:expr;)*
    ) => {
        $($(#[$meta])* pub const $column: &str = $name;)*

        /// The text columns, in the order in which they are in a text frame.
        pub const TEXTS: [&str; [$($name),*].len()] = [$($column),*];

        /// What a record holds of each, in the same order; `files` is the column of its files.
        pub(super) fn values<'d: 't, 't>(
            $draft: &Draft<'d>,
            $named: Named<'d>,
            $files: Option<Cow<'t, str>>,
        ) -> [Option<Cow<'t, str>>; TEXTS.len()] {
            [$($text),*]
        }
    };
}

texts! {
    (draft, named, files)
    /// Judged commit: `String`.
    COMMIT = "commit" => named.commit;
    /// Judged task: `String`.
    TASK = "task" => named.task;
    /// Who wrote the content: `String`.
    AUTHOR = "author" => draft.author();
    /// The judge that was asked for: `String`.
    MODEL = "model" => named.model;
    /// The judge that answered: `String`.
    SERVED_MODEL = "served_model" => draft.served_model();
    /// The verdict as written: `String`.
    VERDICT = "verdict" => draft.verdict.clone();
    /// Judged files, a NUL before each, so that `\0research/` finds a path prefix: `String`.
    FILES = "files" => files;
    /// Findings of a push judge, reasoning of a task judge: `String`.
    FINDINGS = "findings" => draft.findings();
    /// Headings and dimensions of the terms in findings and improvements, a NUL before each; null where no
    /// terms are sought: `String`.
    TERMS = "terms" => draft.terms();
    /// Hook mode or tier: `String`.
    MODE = "mode" => draft.mode();
    /// Who decided, in an override: `String`.
    REVIEWER = "reviewer" => draft.reviewer();
    /// Which prompt template was used: `String`.
    PROMPT = "prompt" => named.prompt;
    /// How the judges of a task agreed: `String`.
    CONSENSUS = "consensus" => draft.consensus();
    /// Tier of a task judge: `String`.
    TIER = "tier" => draft.tier();
    /// How many judges a run of a task was to ask: `String`.
    DEPTH = "depth" => draft.depth();
}
