//! Secrets, before anything leaves.

use crate::text::mask;
use serde_json::Value;
use std::borrow::Cow;

/// A text without what looks like a secret.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    mask::mask(text).0
}

/// A document without such texts. A key may name what its text is: `"password": "…"`.
pub(super) fn document(value: &mut Value) {
    match value {
        Value::String(text) => replace(text, ""),
        Value::Array(items) => items.iter_mut().for_each(document),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) => replace(text, key),
                    other => document(other),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn replace(text: &mut String, key: &str) {
    if let Some(masked) = under(key, text) {
        *text = masked;
    }
}

/// A text under a key without what looks like a secret; `None` where nothing does.
fn under(key: &str, text: &str) -> Option<String> {
    let (alone, count) = mask::mask(text);
    if count > 0 {
        return Some(alone.into_owned());
    }
    if key.is_empty() {
        return None;
    }
    let before = format!("{key}\": \"");
    let named = format!("{before}{text}\"");
    let (masked, count) = mask::mask(&named);
    if count == 0 {
        return None;
    }
    let value = masked.strip_prefix(&before).and_then(|rest| rest.strip_suffix('"'));
    Some(value.map_or_else(|| "[masked secret]".to_owned(), str::to_owned))
}

/// The bytes of a record, which are JSON, without such texts. All other bytes stay as they are.
pub(super) fn record(raw: &[u8]) -> Cow<'_, [u8]> {
    let mut masked: Option<Vec<u8>> = None;
    let (mut at, mut copied, mut key) = (0, 0, String::new());
    while let Some((start, end)) = literal(raw, at) {
        if !is_colon(raw.get(at..start).unwrap_or_default()) {
            key.clear();
        }
        let inner = raw.get(start + 1..end).unwrap_or_default();
        let decoded = decode(inner);
        if let Some(shown) = under(&key, &decoded) {
            let out = masked.get_or_insert_with(|| Vec::with_capacity(raw.len()));
            out.extend_from_slice(raw.get(copied..start).unwrap_or_default());
            // A text is always JSON.
            out.extend(serde_json::to_vec(&shown).unwrap_or_else(|_| b"\"\"".to_vec()));
            copied = end + 1;
        }
        key = decoded;
        at = end + 1;
    }
    match masked {
        None => Cow::Borrowed(raw),
        Some(mut out) => {
            out.extend_from_slice(raw.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// Where the next text begins and ends: its quotes. One without an end goes to the end.
fn literal(raw: &[u8], from: usize) -> Option<(usize, usize)> {
    let start = from + memchr::memchr(b'"', raw.get(from..)?)?;
    let mut at = start + 1;
    loop {
        let Some(found) = memchr::memchr2(b'"', b'\\', raw.get(at..)?) else {
            return Some((start, raw.len()));
        };
        at += found;
        match raw.get(at) {
            Some(b'\\') => at += 2,
            _ => return Some((start, at)),
        }
    }
}

/// Whether two texts with this between them are a key and what it names.
fn is_colon(between: &[u8]) -> bool {
    between.trim_ascii() == b":"
}

/// What a text says; what is wrong in it stays as it is.
fn decode(inner: &[u8]) -> String {
    let text = String::from_utf8_lossy(inner);
    let quoted = || serde_json::from_str::<String>(&format!("\"{text}\"")).ok();
    match text.contains('\\') {
        true => quoted().unwrap_or_else(|| text.into_owned()),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        format!("ghp_{}", "a1B2".repeat(9))
    }

    #[test]
    fn record_is_masked_inside_texts_only_and_stays_json() {
        let raw = format!(
            "{{ \"n\" : 1.50, \"findings\":\"x {} y\",\n \"password\": \"correcthorse9\", \"a\":[\"\\u0067hp_{}\"]}}",
            token(),
            "a1B2".repeat(9)
        );
        let masked = String::from_utf8(record(raw.as_bytes()).into_owned()).unwrap();
        assert!(!masked.contains(&token()[4..]) && !masked.contains("correcthorse9"), "{masked}");
        assert!(masked.starts_with("{ \"n\" : 1.50, \"findings\":\"x [masked"), "{masked}");
        serde_json::from_str::<Value>(&masked).unwrap();
        assert_eq!(record(masked.as_bytes()), masked.as_bytes(), "what is masked stays");
    }

    #[test]
    fn record_without_secret_keeps_every_byte() {
        for raw in [
            &b"{\"a\":\"\xff\\N\",\"b\\\\\":\"\\\"\\u0000'\"}"[..],
            b"",
            b"\"",
            b"\"\\",
            b"{\"commit\":\"0123456789abcdef0123456789abcdef01234567\"}",
        ] {
            assert!(matches!(record(raw), Cow::Borrowed(same) if same == raw));
        }
    }

    #[test]
    fn open_private_key_takes_no_more_than_its_own_text() {
        let raw = br#"{"a":"-----BEGIN PRIVATE KEY-----\nabc","verdict":"GO"}"#;
        let masked: Value = serde_json::from_slice(&record(raw)).unwrap();
        assert_eq!(masked["verdict"], "GO");
        assert!(!masked["a"].as_str().unwrap().contains("abc"));
    }

    #[test]
    fn document_is_masked_under_the_names_of_its_keys() {
        let mut value = serde_json::json!({"a": [{"api_key": "0123456789ab"}, token()], "n": 1});
        document(&mut value);
        let shown = value.to_string();
        assert!(!shown.contains("0123456789ab") && !shown.contains(&token()), "{shown}");
    }
}
