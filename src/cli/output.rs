//! Writing to stdout, where a reader that went away is no failure, and to stderr, where nothing is.

use super::Failure;
use std::io::{self, Write};

/// Writes to stdout. A broken pipe is success: whoever read had enough.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    to_stdout(|out| out.write_all(text.as_ref()))
}

/// Lets a writer write to stdout, buffered. A broken pipe is success.
pub(super) fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    pipe(write(&mut out).and_then(|()| out.flush()))
}

/// Writes a line to stderr. Where that cannot be written, as on a full disk, the line is lost and the
/// exit code stays what it is.
pub(super) fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Takes a broken pipe for success.
pub(super) fn pipe(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Says on stderr what failed, why, and what to do.
pub(super) fn report(failure: &Failure) {
    for line in failure.error.to_string().lines() {
        to_stderr(&format!("error: {}", visible(line)));
    }
    let mut next = failure.error.source();
    while let Some(cause) = next {
        to_stderr(&format!("  because: {}", visible(&cause.to_string())));
        next = cause.source();
    }
    for hint in &failure.hints {
        to_stderr(&format!("  hint: {}", visible(hint)));
    }
}

/// One line of text from elsewhere, with control and hidden characters visible.
pub(super) fn visible(text: &str) -> String {
    crate::text::escape::line(text).into_owned()
}

/// Compares a schema with its file in `assets/`; `UPDATE_ASSETS=1` writes it.
#[cfg(test)]
pub(super) fn assert_asset(name: &str, schema: &schemars::Schema) {
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    assert_stored(name, |_| text.clone());
}

/// The same for a file that holds the schemas of several documents: each is complete in itself, and
/// stands under `$defs` with a name of its own.
#[cfg(test)]
pub(super) fn assert_bundled(file: &str, name: &str, schema: &schemars::Schema) {
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
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

#[cfg(test)]
fn assert_stored(name: &str, wanted: impl Fn(&str) -> String) {
    use std::sync::{Mutex, PoisonError};
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
