//! One request that is no question to a model.

use super::address::Address;
use super::client::{self, Broken, Limits, Outgoing};
use super::{Error, Settings};
use reqwest::Method;
use std::time::Duration;
use tokio::time::Instant;

/// Largest reply, in bytes.
const MOST: usize = 1 << 20;

/// Why a request had no reply with status 200.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostError {
    /// The address cannot be used.
    #[error(transparent)]
    Address(Error),
    /// Nobody was reached.
    #[error("it cannot be reached: {0}")]
    Unreached(String),
    /// It took too long.
    #[error("it did not reply within {} ms", .0.as_millis())]
    Late(Duration),
    /// The reply is not whole, larger than is taken, or compressed.
    #[error("its reply cannot be read")]
    Reply,
    /// The status of the reply is not 200.
    #[error("it replied with status {0}")]
    Status(u16),
}

/// Posts JSON to an address, once and without a key, and returns the body of a reply with status 200.
/// Plain http reaches this machine only, and no redirect is followed.
///
/// # Errors
/// Every way of getting no such reply until then.
pub async fn post_json(address: &str, body: Vec<u8>, until: Instant) -> Result<Vec<u8>, PostError> {
    let address = Address::exact(address, false).map_err(PostError::Address)?;
    let whole = until.saturating_duration_since(Instant::now());
    let settings = Settings::new(address.base());
    let client = client::client(client::common_headers(), &address, &settings);
    let client = client.map_err(PostError::Unreached)?;
    let limits = Limits { first_byte: whole, whole, until, most: MOST, ended: &|_| false };
    let outgoing =
        Outgoing { method: Method::POST, url: address.url(), body: Some(body), accept: None };
    match client::exchange(&client, &outgoing, &limits).await {
        Ok(incoming) if incoming.status == 200 => Ok(incoming.body),
        Ok(incoming) => Err(PostError::Status(incoming.status)),
        Err(Broken::Unreached { why, .. } | Broken::NoReply { why }) => {
            Err(PostError::Unreached(why))
        }
        Err(Broken::Late { limit, .. }) => Err(PostError::Late(limit)),
        Err(Broken::CutOff { .. } | Broken::TooLarge { .. } | Broken::Coded { .. }) => {
            Err(PostError::Reply)
        }
    }
}
