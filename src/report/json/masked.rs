//! Masking all texts of a document.

use crate::report::mask::mask;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The same document with every secret in its texts masked.
///
/// # Errors
/// A value that is no JSON, or that a masked text cannot be read back into.
pub fn masked<T: Serialize + DeserializeOwned>(value: &T) -> serde_json::Result<T> {
    let mut document = serde_json::to_value(value)?;
    mask_texts(&mut document);
    serde_json::from_value(document)
}

fn mask_texts(value: &mut Value) {
    match value {
        Value::String(text) => {
            let (shown, hidden) = mask(text);
            if hidden > 0 {
                *text = shown.into_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_texts),
        Value::Object(members) => members.values_mut().for_each(mask_texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_text_field_is_masked_and_nothing_else() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let hash = "0123456789abcdef".repeat(4);
        let value = json!({"a": [{"b": format!("x {secret} y")}, 1.5, null], "sha": hash});
        let shown = masked::<Value>(&value).unwrap();
        assert!(!shown.to_string().contains(&secret), "{shown}");
        assert!(shown["a"][0]["b"].as_str().unwrap().starts_with("x "), "{shown}");
        assert_eq!((&shown["a"][1], &shown["sha"]), (&value["a"][1], &value["sha"]));
        assert_eq!(masked::<Value>(&shown).unwrap(), shown, "what is masked stays");
    }
}
