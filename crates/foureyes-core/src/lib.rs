//! The pure part of `foureyes`: values, lines of logs, and the engine of a judgement. No clock, file,
//! socket, task or thread pool.
//!
//! | module | what it does |
//! |---|---|
//! | [`text`] | which characters a reader sees, and what is a secret |
//! | [`domain`] | records, verdicts, measures, review entries: values only |
//! | [`instruments`] | what families of judgements differ in: a row each |
//! | [`thesaurus`] | terms of quality, and which dimension a judge's words speak of |
//! | [`jsonl`] | bytes to lines, lines to records or rejects; every line is counted |
//! | [`engine`] | rubric, prompt, reading of an answer, four eyes, cost |
//!
//! A module imports only those before it in the table.
//!
//! ```
//! use foureyes_core::domain::{Measure, Side};
//!
//! // A measure is one table: listings, reports, screens and the gate read it.
//! let availability = Measure::Availability.definition();
//! assert_eq!((availability.name, availability.side), ("availability", Side::Above));
//! assert_eq!(Measure::kpis().count(), 6);
//! ```

pub mod domain;
pub mod engine;
pub mod instruments;
pub mod jsonl;
pub mod text;
pub mod thesaurus;
