//! What a client may take of the service: connections, memory, and calls of the judge, in one place.
//!
//! | part | unit | a client gets | taken |
//! |---|---|---|---|
//! | [`Connections`] | connections | a share as large as any other's, where they run short | when its token is known |
//! | [`Memory`] | bytes | at most `client_memory_bytes` | as they arrive |
//! | [`Account`] | contents that a judge is asked about | `--per-day` of its token | on the disk, before the judge is asked |

mod account;
mod connections;
mod memory;
mod paced;

pub(super) use account::{Account, Call as AccountCall, Reservation};
pub(super) use connections::{Activity, Answering, Connections, Place};
pub(super) use memory::{Held, Memory};
pub(super) use paced::Paced;

use crate::config::ServeConfig;
use std::sync::Arc;

/// Which of two limits is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// The client's own.
    Client,
    /// That of all.
    All,
}

/// What clients may take, and what they have taken.
#[derive(Debug)]
pub(super) struct Admission {
    pub(super) connections: Arc<Connections>,
    pub(super) memory: Arc<Memory>,
    pub(super) account: Account,
}

impl Admission {
    /// The limits of a configuration, with nothing taken but what the account has.
    pub(super) fn new(settings: &ServeConfig, account: Account) -> Self {
        Self {
            connections: Arc::new(Connections::new(settings.connections)),
            memory: Arc::new(Memory::new(settings)),
            account,
        }
    }
}
