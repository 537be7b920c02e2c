//! The data of `foureyes` on the operator's machine: logs of boxes, and ledgers of reviewers.
//!
//! | module | what it does |
//! |---|---|
//! | [`frame`] | records as columns, filters and groups |
//! | [`source`] | a box over SSH, or a directory: bytes |
//! | [`store`] | mirror, cache, ledgers, dispositions |
//! | [`pull`] | which bytes of a box are new, and what became of the others |
//! | [`content`] | what was judged, from a clone, its remote or the box |
//! | [`collect`] | which logs a command reads |
//! | [`coverage`] | commits that were pushed against those that were judged |
//!
//! A module imports only those before it in the table.
//!
//! ```
//! use foureyes_data::frame::query::Query;
//!
//! // A filter is a value; what it prints parses to the same filter.
//! let query = Query::parse("verdict:no-go box:alpha").unwrap();
//! assert_eq!(Query::parse(&query.to_string()).unwrap(), query);
//! assert!(Query::parse("verdict:perhaps").is_err());
//! ```

use foureyes_calibration::stats;
use foureyes_core::{domain, engine, instruments, jsonl, text, thesaurus};
use foureyes_judge::{config, files, git, questions, verdict_log};

pub mod collect;
pub mod content;
pub mod coverage;
pub mod frame;
pub mod pull;
pub mod source;
pub mod store;
