//! What one line of the standard output holds: JSON, and what is none.

use crate::text::json::in_unicode;
use serde_json::{Deserializer, Value};

/// How each event begins.
const BEGINNING: &[u8] = b"{\"";
/// Most places of a line that is no JSON at which an event is looked for.
const MOST_PLACES: usize = 16;
/// The mark that some write at the beginning of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The JSON of a line, and the rest of it.
///
/// A notice that lacks its own end of line runs into the event after it, and may follow one in the same
/// way. So the events of a line that is no JSON are looked for in it.
pub(super) fn read(line: &[u8]) -> (Vec<Value>, Vec<u8>) {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return (Vec::new(), Vec::new());
    }
    if let Some(value) = whole(line) {
        return (vec![value], Vec::new());
    }
    let repaired = in_unicode(line);
    let repaired = repaired.as_bytes();
    if let Some(value) = whole(repaired) {
        return (vec![value], Vec::new());
    }
    let (mut values, mut rest, mut notice) = (Vec::new(), repaired, Vec::new());
    for _ in 0..MOST_PLACES {
        let Some(at) = memchr::memmem::find(rest, BEGINNING) else { break };
        let (before, event) = rest.split_at(at);
        notice.extend_from_slice(before);
        let mut found = Deserializer::from_slice(event).into_iter::<Value>();
        let length = match found.next() {
            Some(Ok(value)) if is_event(&value) => {
                values.push(value);
                found.byte_offset()
            }
            _ => {
                notice.extend_from_slice(BEGINNING);
                BEGINNING.len()
            }
        };
        rest = event.get(length..).unwrap_or_default();
    }
    notice.extend_from_slice(rest);
    (values, notice)
}

/// A line that is one JSON value and nothing else.
pub(super) fn whole(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line).ok()
}

/// Whether it has what events have. In a torn line, parts of one look like it at first.
fn is_event(value: &Value) -> bool {
    let has_more = ["part", "error"].iter().any(|name| value.get(name).is_some());
    has_more && value.get("type").is_some_and(Value::is_string)
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde_json::json;

    #[test]
    fn events_are_found_beside_notices() {
        let event = json!({"type": "text", "part": {"type": "text", "text": "a \"b\" {\"type\":"}});
        for (before, after) in [
            ("", ""),
            ("\u{feff}", "\r\n"),
            ("Migrating... ", ""),
            ("", "Update available\n"),
            ("\u{1b}[2K{\"type\": no ", " done"),
            ("{\"a\": {\"b\": 1}} ", "{"),
        ] {
            let (values, notice) = read(format!("{before}{event}{after}").as_bytes());
            assert_eq!(values, std::slice::from_ref(&event), "{before:?} {after:?}");
            let notice = String::from_utf8(notice).unwrap();
            let rest = format!("{before}{after}");
            assert_eq!(notice.trim(), rest.trim_start_matches('\u{feff}').trim());
        }
        let (values, notice) = read(format!("{event}{event}").as_bytes());
        assert_eq!((values.len(), notice.len()), (2, 0));
    }

    #[test]
    fn parts_of_a_torn_event_are_none() {
        let event = json!({"type": "text", "part": {"type": "text", "text": "NO-GO"}}).to_string();
        for length in 1..event.len() {
            assert!(read(&event.as_bytes()[..length]).0.is_empty(), "{length}");
        }
        assert!(read(&event.as_bytes()[1..]).0.is_empty());
    }

    #[test]
    fn half_a_pair_of_surrogates_is_no_reason_to_lose_a_text() {
        let text = |escaped: &str| {
            let line = format!(r#"{{"type":"text","part":{{"text":"{escaped}"}}}}"#);
            let (values, _) = read(line.as_bytes());
            values[0]["part"]["text"].as_str().unwrap().to_owned()
        };
        assert_eq!(text(r"a\ud83d b"), "a\u{fffd} b");
        assert_eq!(text(r"\ude00\ud83d\ude00\\ud83d"), "\u{fffd}\u{1f600}\\ud83d");
        assert_eq!(text(r"\ud83d\u0041\n"), "\u{fffd}A\n");
    }
}
