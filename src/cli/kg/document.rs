//! What `kg` prints for programs.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The files of terms, after `kg setup`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SetupDocument {
    /// `foureyes/kg-setup/1`.
    pub(super) schema: &'static str,
    /// The directory.
    pub(super) directory: String,
    /// The files that come with the program.
    pub(super) files: Vec<SetupFile>,
    /// A program of terraphim in `PATH`; null where there is none.
    pub(super) program: Option<String>,
    /// The role that it needs in its configuration, to read the directory; null where there is no program.
    pub(super) role: Option<Value>,
}

/// A file that comes with the program.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SetupFile {
    /// Its name.
    pub(super) file: &'static str,
    /// `written`; `unchanged`: it was there; `changed`, `link`, `no_file`: something else was there, and was
    /// kept.
    pub(super) outcome: &'static str,
}

/// The terms of quality.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ThesaurusDocument {
    /// `foureyes/kg-thesaurus/1`.
    pub(super) schema: &'static str,
    /// The directory that is read; null where none is known.
    pub(super) directory: Option<String>,
    /// The terms, at most as many as were asked for.
    pub(super) terms: Vec<TermRow>,
    /// How many there are.
    pub(super) total: usize,
    /// What is wrong with the files.
    pub(super) problems: Vec<String>,
}

/// A term.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TermRow {
    /// As listed.
    pub(super) term: String,
    /// The heading above it.
    pub(super) normalized: String,
    /// What its file is about: `semantic`, `pragmatic`, `syntactic`, `verdict`, `checklist`, `own`.
    pub(super) topic: &'static str,
    /// The file.
    pub(super) file: String,
    /// Line in the file, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
}

/// Terms in a text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FindDocument {
    /// `foureyes/kg-find/1`.
    pub(super) schema: &'static str,
    /// Who found them: `foureyes`, or `program` where the configuration names one and it answered.
    pub(super) found_by: &'static str,
    /// The terms, by their places.
    pub(super) matches: Vec<MatchRow>,
    /// Dimensions that the text speaks of, by the terms of foureyes.
    pub(super) dimensions: Vec<&'static str>,
    /// What to know before trusting it.
    pub(super) caveats: Vec<String>,
}

/// A term in a text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MatchRow {
    /// As listed.
    pub(super) term: String,
    /// What it is a synonym of.
    pub(super) normalized: String,
    /// First byte in the text; null where a program gave no place in it.
    pub(super) start: Option<usize>,
    /// Byte after the last one.
    pub(super) end: Option<usize>,
    /// Line of the first byte, from 1.
    pub(super) line: Option<usize>,
    /// Column of the first byte in characters, from 1.
    pub(super) column: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset_tests::assert_bundled;

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let file = "kg.schema.json";
        assert_bundled(file, "kg-setup", &schemars::schema_for!(SetupDocument));
        assert_bundled(file, "kg-thesaurus", &schemars::schema_for!(ThesaurusDocument));
        assert_bundled(file, "kg-find", &schemars::schema_for!(FindDocument));
    }
}
