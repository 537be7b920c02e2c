//! Where an endpoint is, and within which limits it is asked.

use super::Memory;
use super::address::Address;
use crate::engine::retry::Policy;
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

/// An endpoint that cannot be asked as it is configured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is unusable. It is not repeated: it may hold a password.
    #[error("the address of the endpoint cannot be used: {what}")]
    Address {
        /// What is wrong with it.
        what: String,
    },
    /// The key and the content would cross a network unencrypted.
    #[error("{host:?} would be asked over plain http, which only this machine is")]
    PlainHttp {
        /// Whom.
        host: String,
    },
    /// The key has characters that no header can have.
    #[error("the key has characters that cannot be sent in a header")]
    Key,
    /// No public key of a service is pinned, or one that is none.
    #[error("`service_key` must have one or two public keys of 64 hexadecimal digits")]
    ServiceKey,
}

/// Where and how is asked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address of the endpoint, with or without `/v1` at its end.
    pub base: String,
    /// Key, sent in a header of the protocol: `Authorization: Bearer`, or `x-api-key`.
    pub key: Option<SecretString>,
    /// A socket of this machine that leads to the endpoint, in place of its host and port.
    pub unix_socket: Option<PathBuf>,
    /// Whether plain http may be spoken to other machines too.
    pub plain_http: bool,
    /// Longest wait for a connection, TLS included.
    pub connect: Duration,
    /// Longest wait for the beginning of a reply. Most endpoints begin when the model has ended.
    pub first_byte: Duration,
    /// Longest wait for a whole reply, for each call.
    pub whole: Duration,
    /// Largest reply, in bytes.
    pub most: usize,
    /// When a call is made again.
    pub retry: Policy,
    /// Where it is kept between processes what models refused, so that it is found out once.
    pub memory: Option<Memory>,
}

impl Settings {
    /// An endpoint without a key, with the usual limits: 5 s to connect, 60 s to the first byte,
    /// 90 s in all, 8 MiB.
    pub fn new(base: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            key: None,
            unix_socket: None,
            plain_http: false,
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(60),
            whole: Duration::from_secs(90),
            most: 8 << 20,
            retry: Policy::default(),
            memory: None,
        }
    }
}

/// The proxy through which an endpoint is asked, without what it may hold of a user and a password;
/// `None` where there is none, or the address is none.
pub fn proxy(endpoint: &str) -> Option<String> {
    Address::parse(endpoint, true).ok()?.proxy()
}
