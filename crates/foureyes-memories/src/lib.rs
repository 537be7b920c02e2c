//! Memories for a coding agent: found by full text, judged for relevance, put into its context.
//!
//! | module | what it does |
//! |---|---|
//! | [`memories`] | a directory of memories, its index, and the search in it |
//!
//! A module imports only those before it in the table.

use foureyes_core::text;
use foureyes_judge::files;

pub mod memories;
