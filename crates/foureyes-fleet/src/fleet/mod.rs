//! The store that operators of an organisation share: records, the accounting of logs, the state of boxes
//! and the entries of ledgers, in ClickHouse.
//!
//! Rows are only added, and each says what it is of by content: a log by its box, name and first line, a
//! record by its own hash and its place there, an entry by its hash. So publishing twice, from two
//! operators, or again after a crash changes no answer. Flags that other rows decide are not published:
//! whoever reads folds over all shards.

mod answers;
mod calls;
mod connection;
mod copies;
mod counts;
mod error;
mod evidence;
mod filter;
mod fit;
mod flag_cache;
mod fold;
mod identity;
mod ledgers;
mod list;
mod logs_behind;
mod lookup;
mod mask;
mod plan;
mod probe;
mod publish;
mod replicas;
mod row_binary;
mod schema;
mod setup;
mod slices;
mod spans;
mod sql;
mod status;
mod steps;
mod target;
mod tasks;
mod verify;
mod write;

pub use answers::SharedStore;
pub use connection::Nodes;
pub use error::{FleetError, Unanswered};
pub use ledgers::{SharedLedgers, settled, share_ledgers, shared_ledgers};
pub use list::{DecidedTasks, FleetRow, Question, Reader};
pub use publish::{Published, publish};
pub use setup::{DrawnUser, Prepared, USERS_FILE, Users, init, users, write_users};
pub use status::{FleetStatus, Lag, LastPublish, status};

/// Who publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// The name of the reviewer.
    pub name: String,
    /// The machine.
    pub machine: String,
}

/// What one machine knows.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// What its logs hold.
    pub archive: &'a crate::store::cache::Collection,
    /// Its boxes, and how fresh their logs are.
    pub boxes: &'a [crate::collect::SourceBox],
    /// Its ledgers.
    pub ledger: &'a crate::store::ledger::Ledger,
}
