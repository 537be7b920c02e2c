//! The hooks of boxes, from the operator's machine: look at one, let it block, set it back.
//!
//! The same for console and command line: who asks gives a [`Context`], gets documents, and is told by
//! `progress` what is done now, since some of it takes minutes.

mod check;
mod earlier;
mod enable;
mod enabled;
mod evidence;
mod judge_match;
mod ledger_view;
mod mode_reason;
mod phase;
mod rates;
mod rehearse;
mod remote_agent;
mod revoke;
mod rollback;
mod switch_mode;
mod withdrawn;

pub use check::{BoxReport, check};
pub use earlier::earlier_question;
pub use enable::enable;
pub use enabled::{EnableReport, Outcome};
pub use evidence::{BlockingEvidence, Waiver};
pub use rates::deliver_rates;
pub use rehearse::rehearse;
pub use remote_agent::{AgentError, Interrupt, Interrupts, RemoteAgent};
pub use rollback::{RollbackReport, rollback};
pub use withdrawn::{Assess, SetBack, set_back_withdrawn};

use crate::config::Config;
use crate::domain::Timestamp;
use crate::files::paths::DataDir;
use std::path::Path;

/// What a use case is given.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The effective configuration.
    pub config: &'a Config,
    /// Where files of our own are.
    pub data: &'a DataDir,
    /// The home directory, for paths of the configuration.
    pub home: Option<&'a Path>,
    /// A directory with a home for each local box, whose program is started with that home and nothing else of
    /// this machine's environment; `None` where a local box is this machine as it is.
    pub homes: Option<&'a Path>,
    /// The time at the start.
    pub now: Timestamp,
    /// Tells when what is written down was done, which may be long after the start.
    pub clock: &'a dyn Clock,
    /// Told what is done now, such as `checking its setup`.
    pub progress: &'a dyn Fn(&str),
}

/// A clock that ledgers are written by; a demo has its own.
pub trait Clock {
    /// What it shows.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// The machine's clock, by which boxes and this machine understand each other.
fn machine_now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}
