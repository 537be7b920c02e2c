//! The JSON Schema of the configuration file.

use super::Config;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;
use std::sync::LazyLock;

/// The JSON Schema of the configuration file, without references. `x-text` is the kind of a text, and
/// `x-keys` that of the keys of a table whose keys are free.
pub const FILE_SCHEMA: &str = include_str!("../../../../assets/config.schema.json");

/// [`FILE_SCHEMA`], parsed. Every push would wait for it to be derived, which takes longer.
pub fn file_schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(FILE_SCHEMA).unwrap_or_default());
    &SCHEMA
}

/// [`FILE_SCHEMA`], made from the types that read the file.
pub fn derived_schema() -> Schema {
    SchemaSettings::draft2020_12()
        .with(|s| s.inline_subschemas = true)
        .with_transform(RecursiveTransform(without_null))
        .into_generator()
        .into_root_schema_for::<Config>()
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
        let kind = Text::of(schema).or(kind);
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
            if Text::of_keys(schema).is_none() {
                found.push(format!("keys of {path}"));
            }
        }
    }

    #[test]
    fn no_text_is_taken_unchecked() {
        let mut found = Vec::new();
        of_no_kind(file_schema(), "", None, &mut found);
        // What is listed there is only compared with keys.
        assert_eq!(found, [".repository.programs"]);
    }
}
