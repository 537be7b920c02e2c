//! The JSON Schema of the configuration file, derived from the types that read it.

use super::Config;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

/// The JSON Schema of the configuration file, without references.
pub fn file_schema() -> Schema {
    let mut schema = with_texts();
    RecursiveTransform(without_texts).transform(&mut schema);
    schema
}

/// The same with the kind of each text, which is for this program alone.
pub(super) fn with_texts() -> Schema {
    SchemaSettings::draft2020_12()
        .with(|s| s.inline_subschemas = true)
        .with_transform(RecursiveTransform(without_null))
        .into_generator()
        .into_root_schema_for::<Config>()
}

fn without_texts(schema: &mut Schema) {
    schema.remove("text");
    schema.remove("keys");
}

/// TOML has no null: a key that may be absent is never null.
fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    schema.remove("default");
    schema.remove("format");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::rules::Text;

    /// Texts, and keys of tables with free keys, that are of no kind.
    fn of_no_kind(schema: &Value, path: &str, kind: Option<Text>, found: &mut Vec<String>) {
        let kind = Text::from_schema(schema, "text").or(kind);
        if schema["type"] == "string" && kind.is_none() {
            found.push(path.to_owned());
        }
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            of_no_kind(inner, &format!("{path}.{key}"), kind, found);
        }
        if schema["items"].is_object() {
            of_no_kind(&schema["items"], path, kind, found);
        }
        if schema["additionalProperties"].is_object() {
            of_no_kind(&schema["additionalProperties"], path, kind, found);
            if Text::from_schema(schema, "keys").is_none() {
                found.push(format!("keys of {path}"));
            }
        }
    }

    #[test]
    fn no_text_is_taken_unchecked() {
        let mut found = Vec::new();
        of_no_kind(with_texts().as_value(), "", None, &mut found);
        // What is listed there is only compared with keys.
        assert_eq!(found, [".repository.programs"]);
    }
}
