//! What tests compare the schemas of documents with: the files of `assets/`.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Compares a schema with its file in `assets/`; `UPDATE_ASSETS=1` writes it.
pub(crate) fn assert_asset(name: &str, schema: &schemars::Schema) {
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    assert_stored(name, |_| text.clone());
}

/// The same for a file that holds the schemas of several documents: each is complete in itself, and
/// is under `$defs` with a name of its own.
pub(crate) fn assert_bundled(file: &str, name: &str, schema: &schemars::Schema) {
    let mut schema = schema.as_value().clone();
    schema["$id"] = json!(format!("urn:foureyes:{name}"));
    assert_stored(file, |stored| {
        let all = serde_json::from_str(stored).unwrap_or(Value::Null);
        let mut defs: BTreeMap<String, Value> =
            serde_json::from_value(all["$defs"].clone()).unwrap_or_default();
        defs.insert(name.to_owned(), schema.clone());
        let any = defs.keys().map(|name| json!({"$ref": format!("urn:foureyes:{name}")}));
        let any: Vec<Value> = any.collect();
        let all = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "description": "Several documents; each has a schema of its own under `$defs`.",
            "anyOf": any,
            "$defs": defs,
        });
        // As a schema, it has its keys in the usual order.
        serde_json::to_string_pretty(&schemars::Schema::try_from(all).unwrap()).unwrap() + "\n"
    });
}

fn assert_stored(name: &str, wanted: impl Fn(&str) -> String) {
    // Several tests may write one file.
    static FILES: Mutex<()> = Mutex::new(());
    let _alone = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, wanted(&stored)).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert!(
        stored == wanted(&stored),
        "{name} is not what the code says: run once with UPDATE_ASSETS=1"
    );
}
