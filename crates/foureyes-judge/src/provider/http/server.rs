//! A server that is no model: requests with a query and a body, and headers of its own.

use super::address::Address;
use super::client::{self, Broken, Incoming, Limits, Outgoing};
use super::{Error, PostError, Settings};
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use tokio::time::Instant;

/// Where a server is, and within which limits it is asked.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Its address.
    pub address: String,
    /// Whether plain http may be spoken to other machines too.
    pub plain_http: bool,
    /// Certificates in PEM: only these authorities are trusted. Those of the system where there are none.
    pub authorities: Option<Vec<u8>>,
    /// Headers of every request, which nothing shows.
    pub headers: Vec<(&'static str, SecretString)>,
    /// Longest wait for a connection, TLS included.
    pub connect: Duration,
    /// Longest wait for a reply.
    pub whole: Duration,
    /// Largest reply, in bytes.
    pub most: usize,
}

/// A server.
#[derive(Debug, Clone)]
pub struct Server {
    address: Address,
    client: reqwest::Client,
    whole: Duration,
    most: usize,
}

/// What it replied. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerReply {
    /// The status.
    pub status: u16,
    /// The body; of another status than 200 its beginning.
    pub body: Vec<u8>,
    headers: HeaderMap,
}

impl ServerReply {
    /// A header as text; nothing where there is none, or none that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Server {
    /// Checks the settings. Nothing is connected or looked up yet.
    ///
    /// # Errors
    /// An address, a certificate or a header that cannot be used.
    pub fn new(settings: &ServerSettings) -> Result<Self, PostError> {
        let address = Address::exact(&settings.address, settings.plain_http);
        let address = address.map_err(PostError::Address)?;
        let mut headers = client::common_headers();
        for (name, secret) in &settings.headers {
            let mut value = HeaderValue::try_from(secret.expose_secret())
                .map_err(|_| PostError::Address(Error::Key))?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let limits = Settings { connect: settings.connect, ..Settings::new(address.base()) };
        let authorities = settings.authorities.as_deref();
        let client = client::trusting(headers, &address, &limits, authorities);
        let client = client.map_err(PostError::Unreached)?;
        Ok(Self { address, client, whole: settings.whole, most: settings.most })
    }

    /// Its address. It holds no secret: one with a user, a password or a query is refused.
    pub fn address(&self) -> String {
        self.address.origin()
    }

    /// Posts once. No redirect is followed.
    ///
    /// # Errors
    /// Every way of getting no reply.
    pub async fn post(
        &self,
        query: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<ServerReply, PostError> {
        let until = Instant::now() + self.whole;
        let (first_byte, whole, most) = (self.whole, self.whole, self.most);
        let limits = Limits { first_byte, whole, until, most, ended: &|_| false };
        let mut url = self.address.url();
        url.query_pairs_mut().extend_pairs(query);
        let outgoing = Outgoing { method: Method::POST, url, body: Some(body), accept: None };
        match client::exchange(&self.client, &outgoing, &limits).await {
            Ok(Incoming { status, headers, body }) => Ok(ServerReply { status, body, headers }),
            Err(Broken::Unreached { why, .. } | Broken::NoReply { why }) => {
                Err(PostError::Unreached(why))
            }
            Err(Broken::Late { limit, .. }) => Err(PostError::Late(limit)),
            Err(Broken::CutOff { .. } | Broken::TooLarge { .. } | Broken::Coded { .. }) => {
                Err(PostError::Reply)
            }
        }
    }
}
