//! Why there is no service.

use crate::judging::configured;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why there is no service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is taken, or not of this machine.
    #[error("failed to listen on {address}")]
    Listen {
        /// It.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Tokens and contents would cross a network unencrypted.
    #[error("failed to listen on {address}: beyond this machine a service needs a certificate")]
    Plain {
        /// Where.
        address: String,
    },
    /// The key that signs judgements.
    #[error("failed to use the signing key {}", path.display())]
    SigningKey {
        /// Its file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The tokens of the clients.
    #[error("failed to use the tokens of {}", path.display())]
    Tokens {
        /// Their file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The certificate, or its key.
    #[error("failed to use the certificate {}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log of judgements.
    #[error("failed to open the log of judgements {}", path.display())]
    Log {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A line of it.
    #[error("failed to write the log of judgements {}", path.display())]
    Append {
        /// The directory.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The judge of the configuration.
    #[error("failed to prepare the judge")]
    Judge(#[source] configured::Error),
    /// Its key.
    #[error("failed to find the key of the judge")]
    Key(#[source] crate::provider::key::Error),
    /// Nobody says it.
    #[error("failed to find the key of the judge: the variable {0} is not set")]
    NoKey(String),
    /// A service that asks a service.
    #[error("failed to prepare the judge: a service cannot ask a service")]
    Service,
    /// A path in a home that is not known.
    #[error("failed to find {0}: the home directory is not known")]
    Home(&'static str),
    /// Signals, or threads.
    #[error("failed to start the service")]
    Start(#[source] io::Error),
}
