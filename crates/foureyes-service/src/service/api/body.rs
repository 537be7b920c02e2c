//! The body of a request: within its size, its time, and the memory of its client and of all.

use crate::config::ServeConfig;
use crate::service::admission::Held;
use crate::service::refusal::Refusal;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};
use std::time::Duration;
use tokio::time::timeout;

/// Receives the body. Memory is taken as it arrives, whatever its length is claimed to be.
pub(super) async fn received(
    settings: &ServeConfig,
    memory: &mut Held,
    request: Request<Incoming>,
    wait: impl Fn() -> Duration,
) -> Result<Vec<u8>, Refusal> {
    if !is_plain(request.headers()) {
        return Err(Refusal::encoding());
    }
    let most = settings.max_body_bytes;
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(Refusal::too_large(most));
    }
    let mut body = request.into_body();
    let whole = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Refusal::malformed("its body breaks off"))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > most {
                return Err(Refusal::too_large(most));
            }
            memory.grow(data.len()).map_err(|full| Refusal::memory(full, wait()))?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    };
    timeout(settings.body_timeout, whole).await.unwrap_or_else(|_| Err(Refusal::slow()))
}

/// Whether a body is sent as it is.
fn is_plain(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_ENCODING).iter();
    values.all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// How long the client waits, by its header.
pub(super) fn deadline(headers: &HeaderMap) -> Result<Option<Duration>, Refusal> {
    let Some(value) = headers.get("x-deadline-ms") else { return Ok(None) };
    let ms = value.to_str().ok().and_then(|text| text.parse().ok());
    let ms = ms.ok_or_else(|| Refusal::malformed("`X-Deadline-Ms` is not a number"))?;
    Ok(Some(Duration::from_millis(ms)))
}
