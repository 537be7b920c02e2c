//! The body of a request: within its size, its time, and the memory of all.

use crate::config::ServeConfig;
use crate::service::refusal::Refusal;
use crate::service::server::units;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A request is there twice while it is read: as JSON, and as the files in it.
const COPIES: usize = 2;

/// Receives the body, and the memory that is set aside for it until the permit is dropped.
pub(super) async fn received(
    settings: &ServeConfig,
    memory: Arc<Semaphore>,
    request: Request<Incoming>,
    wait: impl Fn() -> Duration,
) -> Result<(Bytes, OwnedSemaphorePermit), Refusal> {
    let most = settings.max_body_bytes;
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    // A body in pieces may become as large as any.
    let length = length.unwrap_or(most);
    if length > most {
        return Err(Refusal::too_large(most));
    }
    let permit = memory.try_acquire_many_owned(units(length * COPIES));
    let permit = permit.map_err(|_| Refusal::memory(wait()))?;
    let body = Limited::new(request.into_body(), most).collect();
    match timeout(settings.body_timeout, body).await {
        Err(_) => Err(Refusal::slow()),
        Ok(Ok(whole)) => Ok((whole.to_bytes(), permit)),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::too_large(most)),
        Ok(Err(_)) => Err(Refusal::malformed("its body breaks off")),
    }
}

/// How long the client waits, by its header.
pub(super) fn deadline(headers: &HeaderMap) -> Result<Option<Duration>, Refusal> {
    let Some(value) = headers.get("x-deadline-ms") else { return Ok(None) };
    let ms = value.to_str().ok().and_then(|text| text.parse().ok());
    let ms = ms.ok_or_else(|| Refusal::malformed("`X-Deadline-Ms` is not a number"))?;
    Ok(Some(Duration::from_millis(ms)))
}
