//! `foureyes config show`.

use crate::cli::context::config_failure;
use crate::cli::output::{print, visible};
use crate::cli::{Context, Failure};
use crate::config::{Loaded, Origins, derived_schema, load, to_json, to_toml};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::process::ExitCode;

/// The configuration that holds.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// `foureyes/config/1`.
    schema: &'static str,
    /// The file that was read; null where there is none.
    file: Option<String>,
    /// Where mirror, session and ledgers are.
    data_dir: String,
    /// Where what can be made again is.
    cache_dir: String,
    /// Every setting, as in the file.
    #[schemars(schema_with = "settings")]
    settings: serde_json::Value,
    /// Where settings came from; one that is not here has its default.
    origins: Origins,
    /// What should be known.
    warnings: Vec<String>,
}

fn settings(_: &mut SchemaGenerator) -> Schema {
    let mut schema = derived_schema();
    schema.remove("$schema");
    schema
}

/// Prints the configuration that holds.
pub(super) fn run(context: &Context, json: bool) -> Result<ExitCode, Failure> {
    let loaded = load(&context.sources()).map_err(config_failure)?;
    let document = document(context, &loaded)?;
    let text =
        if json { crate::text::json::pretty(&document)? } else { plain(&document, &loaded)? };
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn document(context: &Context, loaded: &Loaded) -> Result<Document, Failure> {
    Ok(Document {
        schema: "foureyes/config/1",
        file: loaded.path.as_ref().map(|p| p.to_string_lossy().into_owned()),
        data_dir: context.data.root().to_string_lossy().into_owned(),
        cache_dir: context.data.cache().to_string_lossy().into_owned(),
        settings: to_json(&loaded.config).map_err(Failure::local)?,
        origins: loaded.origins.clone(),
        warnings: loaded.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// A file that gives the same configuration again, with the rest as comments.
fn plain(document: &Document, loaded: &Loaded) -> Result<String, Failure> {
    let file = document.file.as_deref().unwrap_or("none");
    let mut head = vec![
        format!("configuration file: {file}"),
        format!("data directory: {}", document.data_dir),
        format!("cache directory: {}", document.cache_dir),
    ];
    head.extend(document.warnings.iter().map(|w| format!("warning: {w}")));
    let head: String = head
        .iter()
        .flat_map(|lines| lines.lines())
        .map(|line| format!("# {}\n", visible(line)))
        .collect();
    let settings = to_toml(&loaded.config, &loaded.origins).map_err(Failure::local)?;
    Ok(format!("{head}\n{settings}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("config-show.schema.json", &schema);
    }
}
