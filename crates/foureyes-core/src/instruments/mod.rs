//! What judges: a row for each family of judgements, with all that families differ in.
//!
//! | file | what it has |
//! |---|---|
//! | `vocabulary` | records that hold verdicts, their words, and what each means |
//! | `unit` | what one evaluation is |
//! | `wording` | how sentences name it |
//! | `entries` | its entries of a ledger |
//! | `capability` | what only some families have |
//! | `row` | the row |
//! | `push`, `task` | the rows, a file each |
//! | `table` | all rows, found by key or name |
//! | `outcomes` | what a record's family and its words are, by the table |
//!
//! A further family is a key, a row in a file of its own, and its line in the table.

mod capability;
mod entries;
mod outcomes;
mod push;
mod row;
mod table;
mod task;
mod unit;
mod vocabulary;
mod wording;

pub use capability::Capability;
pub use entries::EntryKinds;
pub use row::{Instrument, ReadyStep};
pub use table::INSTRUMENTS;
pub use unit::EvaluationUnit;
pub use vocabulary::Vocabulary;
pub use wording::Wording;
