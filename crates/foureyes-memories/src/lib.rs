//! Memories for a coding agent: found by full text, judged for relevance, put into its context.
//!
//! | module | what it does |
//! |---|---|
//! | [`memories`] | a directory of memories, its index, and the search in it |
//! | [`picks`] | a prompt with its conversation, the judge, the choice, and the log of picks |
//!
//! A module imports only those before it in the table.

use foureyes_core::{domain, engine, text};
use foureyes_judge::{config, files, judging, verdict_log};

pub mod memories;
pub mod picks;
