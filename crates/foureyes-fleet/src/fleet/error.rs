//! Why the store did not do what was asked of it.

use crate::frame::FrameError;
use crate::provider::http::PostError;
use crate::provider::key;
use crate::store::cache::{CacheError, RowError};
use std::io;
use std::path::PathBuf;

/// A node that did not answer, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// Its address.
    pub address: String,
    /// Why.
    pub why: String,
}

/// Why the store did not do what was asked of it. Texts of servers in it may be hostile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// There is none.
    #[error("no fleet store is configured")]
    NotConfigured,
    /// A file of the operator's.
    #[error("failed to {attempt} {}", path.display())]
    File {
        /// What was attempted.
        attempt: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// No key.
    #[error("failed to get the key of the user {user}")]
    Key {
        /// Whose.
        user: String,
        /// Why.
        #[source]
        source: key::Error,
    },
    /// A system that gives no random numbers.
    #[error("failed to draw a key: the system gives no random numbers")]
    NoRandomness(#[source] getrandom::Error),
    /// An address that cannot be used.
    #[error("failed to use the address {address}")]
    Address {
        /// Which.
        address: String,
        /// Why.
        #[source]
        source: PostError,
    },
    /// Nodes that are needed.
    #[error("{}", unanswered(nodes, *of, *share))]
    Down {
        /// Those that did not answer.
        nodes: Vec<Unanswered>,
        /// How many are configured.
        of: usize,
        /// The share of the records that cannot be read, in percent; `None` where all can, and replicas are
        /// missing.
        share: Option<u32>,
    },
    /// The user is not known, or the key is not its.
    #[error("{address} refused the user {user} or the key")]
    Login {
        /// Who refused.
        address: String,
        /// Whom.
        user: String,
    },
    /// A statement that was refused.
    #[error("failed to {attempt}: {address} replied with error {code}: {reason}")]
    Refused {
        /// What was attempted.
        attempt: &'static str,
        /// Who refused.
        address: String,
        /// The server's number for it; 0 where it gave none.
        code: u32,
        /// The server's words.
        reason: String,
    },
    /// No whole reply.
    #[error("failed to {attempt}: no reply of {address}")]
    NoReply {
        /// What was attempted.
        attempt: &'static str,
        /// Who did not reply.
        address: String,
        /// Why.
        #[source]
        source: PostError,
    },
    /// A reply that is none to this statement.
    #[error("failed to {attempt}: the reply of {address} {what}")]
    Reply {
        /// What was attempted.
        attempt: &'static str,
        /// Whose.
        address: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Rows that were sent and that the store does not have.
    #[error("failed to {attempt}: {there} of {sent} that were sent are in the store")]
    Lost {
        /// What was attempted, with what was sent.
        attempt: &'static str,
        /// How many were sent.
        sent: u64,
        /// How many of them are there.
        there: u64,
    },
    /// The configured cluster, as the servers know it, does not fit the addresses.
    #[error("the cluster {cluster} of {address} {what}")]
    Cluster {
        /// Its name.
        cluster: String,
        /// Who said so.
        address: String,
        /// What is wrong.
        what: String,
    },
    /// A user who can neither set what keeps a replica from answering without all rows, nor has it set.
    #[error("{address} lets the user {user} read from replicas that lack rows")]
    Settings {
        /// Where.
        address: String,
        /// Whom.
        user: String,
    },
    /// No tables, or older ones.
    #[error("{}", older(address, *found, *needed))]
    Older {
        /// Where.
        address: String,
        /// Their version; 0 where there are none.
        found: u32,
        /// That of this program.
        needed: u32,
    },
    /// Newer tables.
    #[error("the tables of {address} have schema version {found}, and this program knows {known}")]
    Newer {
        /// Where.
        address: String,
        /// Their version.
        found: u32,
        /// That of this program.
        known: u32,
    },
    /// A task that did not come to its end.
    #[error("failed to wait for the store: a task ended early")]
    Task(#[source] tokio::task::JoinError),
    /// A filter that the store cannot answer as one machine does.
    #[error("failed to filter records in the store: {what}")]
    Filter {
        /// What of it.
        what: String,
    },
    /// A system that starts no thread.
    #[error("failed to start what waits for the store")]
    Runtime(#[source] io::Error),
    /// Names that a node cannot tell apart.
    #[error("failed to fetch evaluations: names of two judges or authors have the same hash")]
    Alike,
    /// Columns that are no frame.
    #[error("failed to make a table of what was fetched")]
    Frame(#[from] FrameError),
    /// A record that is listed, and that is not there.
    #[error("failed to read the record {id}: the store does not have it")]
    Record {
        /// Which.
        id: crate::domain::RecordId,
    },
    /// The cache.
    #[error("failed to read the logs")]
    Cache(#[from] CacheError),
    /// A record.
    #[error("failed to read a record")]
    Row(#[from] RowError),
}

impl FleetError {
    /// Whether the cache says other things than the logs.
    pub fn is_outdated(&self) -> bool {
        match self {
            Self::Cache(error) => error.is_damage(),
            Self::Row(error) => error.is_outdated(),
            _ => false,
        }
    }

    /// Whether it may be that a node is not there.
    pub(super) fn is_of_node(&self) -> bool {
        matches!(self, Self::NoReply { .. } | Self::Refused { .. }) && !self.is_forbidden()
    }

    /// Whether a node refused for want of rights.
    pub fn is_forbidden(&self) -> bool {
        /// Read-only, no access to the database, no rights, no statements that change tables.
        const RIGHTS: [u32; 4] = [164, 291, 497, 392];
        matches!(self, Self::Refused { code, .. } if RIGHTS.contains(code))
    }
}

fn older(address: &str, found: u32, needed: u32) -> String {
    match found {
        0 => format!("{address} has no tables of foureyes in this database"),
        _ => format!(
            "the tables of {address} have schema version {found}, and this program needs {needed}"
        ),
    }
}

fn unanswered(nodes: &[Unanswered], of: usize, share: Option<u32>) -> String {
    let count = nodes.len();
    let listed: Vec<String> =
        nodes.iter().map(|node| format!("{} ({})", node.address, node.why)).collect();
    let share = share.map_or_else(String::new, |share| format!("; {share} % of the records"));
    format!("{count} of {of} nodes did not answer: {}{share}", listed.join(", "))
}
