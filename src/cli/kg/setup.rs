//! `foureyes kg setup`.

use super::document::{SetupDocument, SetupFile};
use super::{Context, Failure, directory, output};
use crate::cli::output::visible;
use crate::text::json::pretty;
use crate::thesaurus_files::{Outcome, setup};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Programs that read the directory.
const PROGRAMS: [&str; 2] = ["terraphim-cli", "terraphim-agent"];

/// Writes the files and reports them.
pub(super) fn run(context: &Context, json: bool) -> Result<(), Failure> {
    let directory = directory(context).ok_or_else(|| {
        Failure::usage("failed to find a directory for the files of terms: HOME is not set")
            .hint("set `directory` in the section [kg] of the configuration")
    })?;
    let files = setup(&directory).map_err(|error| {
        Failure::local(error).hint("check the permissions, or set `directory` in the section [kg]")
    })?;
    let path = context.environment.get("PATH").map(PathBuf::from).unwrap_or_default();
    let program = std::env::split_paths(path.as_os_str())
        .flat_map(|dir| PROGRAMS.map(|name| dir.join(name)))
        .find(|path| path.is_absolute() && path.is_file());
    let shown = directory.to_string_lossy().into_owned();
    let document = SetupDocument {
        schema: "foureyes/kg-setup/1",
        files: files
            .iter()
            .map(|(file, outcome)| SetupFile { file, outcome: outcome.as_str() })
            .collect(),
        role: program.is_some().then(|| role(&shown)),
        program: program.map(|path| path.to_string_lossy().into_owned()),
        directory: shown,
    };
    if json {
        return output::print(pretty(&document)?);
    }
    output::print(plain(&document, &files, &directory)?)
}

/// The role that reads a directory, in the form of terraphim's configuration.
fn role(directory: &str) -> Value {
    json!({
        "Judge": {
            "shortname": "judge",
            "name": "Judge",
            "relevance_function": "terraphim-graph",
            "terraphim_it": false,
            "theme": "spacelab",
            "kg": {
                "automata_path": null,
                "knowledge_graph_local": { "input_type": "markdown", "path": directory },
                "public": false,
                "publish": false
            },
            "haystacks": []
        }
    })
}

fn plain(
    document: &SetupDocument,
    files: &[(&'static str, Outcome)],
    directory: &Path,
) -> Result<String, Failure> {
    let mut out = String::new();
    for (file, outcome) in files {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{file}: {}", sentence(*outcome));
    }
    let _ = writeln!(out, "directory: {}", visible(&document.directory));
    for (file, _) in files.iter().filter(|(_, outcome)| outcome.is_kept()) {
        let path = directory.join(file).to_string_lossy().into_owned();
        let _ = writeln!(out, "to replace {}: remove it and repeat the command", visible(&path));
    }
    if let (Some(program), Some(role)) = (&document.program, &document.role) {
        let _ = writeln!(out, "\n{} needs this role in its configuration:", visible(program));
        out.push_str(&pretty(role)?);
    }
    Ok(out)
}

fn sentence(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Written => "written",
        Outcome::Unchanged => "already there",
        Outcome::Changed => "kept, because it was changed",
        Outcome::Link => "kept, because it is a link",
        Outcome::NoFile => "kept, because it is not a file",
    }
}
