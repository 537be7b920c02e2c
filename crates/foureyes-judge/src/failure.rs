//! How a use case fails: kind, cause, and what a person can do about it. The command line makes an exit
//! code of the kind, and the console a notice of the hints.

use std::error::Error;

/// The exit code where a box, a store or a model could not be reached.
pub const UNREACHED: u8 = 69;

/// What kind of failure it is; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Wrong usage or configuration: 64.
    Usage,
    /// A box or a model could not be reached: 69.
    Remote,
    /// Local files could not be read or written: 74.
    Local,
}

/// A command's failure, with what to do about it.
#[derive(Debug)]
pub struct Failure {
    /// What kind.
    pub kind: Kind,
    /// What was attempted and failed; its sources follow.
    pub error: Box<dyn Error + Send + Sync>,
    /// What to do, one sentence each.
    pub hints: Vec<String>,
}

impl Failure {
    /// Wrong usage or configuration.
    pub fn usage(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Usage, error: error.into(), hints: Vec::new() }
    }

    /// Something remote that could not be reached.
    pub fn remote(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Remote, error: error.into(), hints: Vec::new() }
    }

    /// Local files that could not be read or written.
    pub fn local(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Local, error: error.into(), hints: Vec::new() }
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::Usage => 64,
            Kind::Remote => UNREACHED,
            Kind::Local => 74,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::local(error)
    }
}
