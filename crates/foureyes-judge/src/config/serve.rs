//! The service that judges for others.

use super::rules::{self, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The service that judges for others: `foureyes serve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    /// Address and port to listen on. Beyond this machine it takes a certificate.
    #[schemars(extend("x-text" = Text::SocketAddress))]
    pub address: String,
    /// Certificate chain in PEM, for TLS.
    #[schemars(extend("x-text" = Text::Path))]
    pub certificate: Option<PathBuf>,
    /// Private key of the certificate in PEM.
    #[schemars(extend("x-text" = Text::Path))]
    pub certificate_key: Option<PathBuf>,
    /// File of the key that signs judgements. `serve key` makes it.
    // A leading `~/` is the home, here and below.
    #[schemars(extend("x-text" = Text::Rooted))]
    pub signing_key: String,
    /// Public keys of earlier signing keys: what they signed is still found in the log.
    #[schemars(extend("x-text" = Text::PublicKey))]
    pub earlier_keys: Vec<String>,
    /// File of the clients' tokens. `serve token` writes it.
    #[schemars(extend("x-text" = Text::Rooted))]
    pub tokens: String,
    /// Directory of the log of judgements, a file a day.
    #[schemars(extend("x-text" = Text::Rooted))]
    pub log: String,
    /// Days of the log in which an earlier judgement of the same content is looked for.
    #[schemars(range(min = 1, max = 3650))]
    pub index_days: u32,
    /// Contents judged at the same time.
    #[schemars(range(min = 1, max = 256))]
    pub workers: usize,
    /// Most contents that wait for a judge.
    #[schemars(range(min = 1, max = 100_000))]
    pub queue: usize,
    /// Most of them of one client.
    #[schemars(range(min = 1, max = 100_000))]
    pub client_queue: usize,
    /// Most connections at the same time.
    #[schemars(range(min = 1, max = 100_000))]
    pub connections: usize,
    /// Largest request, in bytes.
    #[schemars(range(min = 1024, max = 268_435_456))]
    pub max_body_bytes: usize,
    /// Most bytes of all requests that are received or wait.
    #[schemars(range(min = 1_048_576, max = 1_099_511_627_776_u64))]
    pub memory_bytes: usize,
    /// Most of them of one client; a request of `max_body_bytes` is always taken.
    #[schemars(range(min = 1024, max = 1_099_511_627_776_u64))]
    pub client_memory_bytes: usize,
    /// Seconds for a TLS handshake, for the header of a request, and between two requests of a connection.
    #[serde(rename = "header_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 600))]
    pub header_timeout: Duration,
    /// Seconds for the body of a request.
    #[serde(rename = "body_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub body_timeout: Duration,
    /// Seconds in which an answer must be read.
    #[serde(rename = "write_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub write_timeout: Duration,
    /// Seconds after which a connection takes no further request.
    #[serde(rename = "connection_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 86_400))]
    pub connection_timeout: Duration,
    /// Longest time that a client waits for a judgement, in seconds, whatever it asks for.
    #[serde(rename = "deadline_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub deadline: Duration,
    /// Seconds that running judgements have to end once the service is asked to end.
    #[serde(rename = "drain_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 0, max = 3600))]
    pub drain: Duration,
}

impl ServeConfig {
    /// The file of the signing key; `None` where it is in a home that is not known, as below.
    pub fn signing_key_file(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.signing_key, home)
    }

    /// The file of the tokens.
    pub fn tokens_file(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.tokens, home)
    }

    /// The directory of the log.
    pub fn log_dir(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.log, home)
    }
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            address: "127.0.0.1:7300".to_owned(),
            certificate: None,
            certificate_key: None,
            signing_key: "~/.openclaw/judge-service/signing.key".to_owned(),
            earlier_keys: Vec::new(),
            tokens: "~/.openclaw/judge-service/tokens.toml".to_owned(),
            log: "~/.openclaw/judge-service/log".to_owned(),
            index_days: 90,
            workers: 8,
            queue: 256,
            client_queue: 64,
            connections: 512,
            max_body_bytes: 16 << 20,
            memory_bytes: 256 << 20,
            client_memory_bytes: 64 << 20,
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connection_timeout: Duration::from_secs(600),
            deadline: Duration::from_secs(180),
            drain: Duration::from_secs(120),
        }
    }
}
