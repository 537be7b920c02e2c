//! The call word of a request, as a server in a test answers with it.

use crate::http::Action;

/// Stands in a reply for the call word of the request, and is as long.
const CALL: &str = "ca11ca11ca11ca11";

/// The call word that a request names.
pub(crate) fn call_word(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once("- `call`: exactly ")?;
    rest.get(..CALL.len()).map(str::to_owned)
}

/// What a server does, with the call word in its place.
pub(crate) fn with_call(action: Action, word: Option<&str>) -> Action {
    match (action, word) {
        (Action::Send(bytes), Some(word)) => Action::Send(with_word(&bytes, word)),
        (action, _) => action,
    }
}

/// Bytes with the call word in its place.
pub(crate) fn with_word(bytes: &[u8], word: &str) -> Vec<u8> {
    let mut out = bytes.to_vec();
    while let Some(at) = out.windows(CALL.len()).position(|part| part == CALL.as_bytes()) {
        out[at..at + CALL.len()].copy_from_slice(word.as_bytes());
    }
    out
}

/// A text whose first object carries what stands for the call word.
pub(crate) fn put_into(text: &str) -> String {
    match text.split_once('{') {
        Some((before, after)) if after.trim_start().starts_with('"') => {
            format!("{before}{{\"call\":\"{CALL}\",{after}")
        }
        _ => text.to_owned(),
    }
}
