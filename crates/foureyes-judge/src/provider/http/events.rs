//! A reply by server-sent events, of a service of this program that reports how far it is.

use super::client::{Broken, Incoming};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use serde_json::Value;

/// What is accepted where events are wanted. An earlier service answers with JSON.
pub(super) const ACCEPTED: &str = "text/event-stream, application/json";
const KIND: &str = "text/event-stream";
/// The last event of a judgement, and of a refusal.
const JUDGEMENT: &str = "judgement";
const REFUSAL: &str = "error";

/// The name of the last whole event of a body, and what it carries.
pub(in crate::provider) fn last(body: &[u8]) -> Option<(&str, &[u8])> {
    let whole = body.get(..memchr::memmem::rfind(body, b"\n\n")?)?;
    let begin = match memchr::memmem::rfind(whole, b"\n\nevent:") {
        Some(at) => at + 2,
        None if whole.starts_with(b"event:") => 0,
        None => return None,
    };
    let mut lines = whole.get(begin..)?.split(|byte| *byte == b'\n');
    let name = lines.next()?.strip_prefix(b"event:")?.trim_ascii();
    let data = lines.next()?.strip_prefix(b"data:")?.trim_ascii();
    Some((std::str::from_utf8(name).ok()?, data))
}

/// Whether no event comes after this one.
pub(in crate::provider) fn is_final(name: &str) -> bool {
    matches!(name, JUDGEMENT | REFUSAL)
}

/// The reply that the last event stands for: it has the status that it would have had without events.
pub(super) fn unfolded(mut incoming: Incoming) -> Result<Incoming, Broken> {
    if incoming.status != 200 || incoming.content_type() != KIND {
        return Ok(incoming);
    }
    let body = std::mem::take(&mut incoming.body);
    let (status, data) = match last(&body) {
        Some((JUDGEMENT, data)) => (200, data.to_vec()),
        Some((REFUSAL, data)) => match refusal(data) {
            Some((status, wait)) => {
                incoming.headers.extend(wait.map(|wait| (RETRY_AFTER, wait)));
                (status, data.to_vec())
            }
            None => return Err(Broken::CutOff { body }),
        },
        _ => return Err(Broken::CutOff { body }),
    };
    Ok(Incoming { status, body: data, ..incoming })
}

/// Status and wait of a refusal.
fn refusal(data: &[u8]) -> Option<(u16, Option<HeaderValue>)> {
    let data: Value = serde_json::from_slice(data).ok()?;
    let status = u16::try_from(data.get("status")?.as_u64()?).ok()?;
    let wait = data.get("retry_after_s").and_then(Value::as_u64).map(HeaderValue::from);
    (400..600).contains(&status).then_some((status, wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(body: &str) -> Result<Incoming, Broken> {
        let mut headers = reqwest::header::HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("text/event-stream"));
        unfolded(Incoming { status: 200, headers, body: body.into() })
    }

    #[test]
    fn last_whole_event_counts_whatever_stands_around_it() {
        let body = "event: queued\ndata: {\"place\":1}\n\n: waiting\n\nevent: judging\ndata: {}\n\n: waiting\n\n";
        assert_eq!(last(body.as_bytes()), Some(("judging", &b"{}"[..])));
        assert_eq!(last(&body.as_bytes()[..60]), Some(("queued", &b"{\"place\":1}"[..])));
        for none in ["", ": waiting\n\n", "event: queued\ndata: {}\n", "event: queued\n\n", "\n\n"]
        {
            assert_eq!(last(none.as_bytes()), None, "{none:?}");
        }
        for cut in 0..body.len() {
            let _ = last(&body.as_bytes()[..cut]);
        }
    }

    #[test]
    fn last_event_is_the_reply_that_there_would_be_without_events() {
        let judged =
            reply("event: queued\ndata: {}\n\nevent: judgement\ndata: {\"a\":1}\n\n").unwrap();
        assert_eq!((judged.status, &judged.body[..]), (200, &b"{\"a\":1}"[..]));
        let full = "event: error\ndata: {\"status\":429,\"retry_after_s\":7,\"error\":{}}\n\n";
        let full = reply(full).unwrap();
        assert_eq!((full.status, full.header("retry-after")), (429, Some("7")));
        for cut in [
            "event: judging\ndata: {}\n\n",
            "event: judgement\ndata: {\"a\"",
            "event: error\ndata: {\"status\":200}\n\n",
            "event: error\ndata: {\"status\":70000}\n\n",
            "",
        ] {
            assert!(matches!(reply(cut), Err(Broken::CutOff { .. })), "{cut}");
        }
    }
}
