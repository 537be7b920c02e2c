//! All that a box needs of `foureyes` to judge a push or a task.
//!
//! | module | what it does |
//! |---|---|
//! | [`files`] | files of our own: where they are, locks, writing whole or not at all |
//! | [`process_group`] | programs that end together with all that they started |
//! | [`failure`] | how a use case fails, and what to do about it |
//! | [`git`] | what a push brings, and what a commit holds |
//! | [`questions`] | the questions of tasks, kept for who is to decide |
//! | [`config`] | configuration, with every problem at its line and column |
//! | [`verdict_log`] | the log of verdicts: searched, appended to, never changed |
//! | [`thesaurus_files`] | files of terms, read and set up |
//! | [`provider`] | one request to a model |
//! | [`judging`] | engine and provider together, for one content or many, or for a task |
//! | [`risk`] | how deep a change is to be judged: what is known of it, and the rates of its author |
//! | [`task`] | the end of a task: its log, its judges, its records |
//! | [`escalation`] | what a person is sent who must decide: an issue, a message |
//! | [`hook`] | the pre-push and pre-receive hooks |
//!
//! A module imports only those before it in the table.
//!
//! ```
//! // All problems of a configuration come at once, each with its line and column.
//! let (_, _, problems) = foureyes_judge::config::check(b"[pull]\ntimeuot = 3\n", None);
//! assert_eq!(problems.len(), 1);
//! assert!(problems[0].to_string().contains("timeuot"), "{}", problems[0]);
//! ```

use foureyes_core::{domain, engine, instruments, jsonl, text, thesaurus};

pub mod config;
pub mod escalation;
pub mod failure;
pub mod files;
pub mod git;
pub mod hook;
pub mod judging;
pub mod process_group;
pub mod provider;
pub mod questions;
pub mod risk;
pub mod task;
pub mod thesaurus_files;
pub mod verdict_log;
