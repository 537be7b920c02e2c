//! `foureyes kg thesaurus`.

use super::document::{TermRow, ThesaurusDocument};
use super::{Context, Failure, directory, loaded, output};
use crate::cli::output::visible;
use crate::text::counted;
use crate::text::escape;
use crate::text::json::pretty;
use crate::thesaurus::Term;
use std::fmt::Write;

/// Columns of the text.
const WIDTH: usize = 100;

/// Lists terms.
pub(super) fn run(context: &Context, limit: Option<usize>, json: bool) -> Result<(), Failure> {
    let loaded = loaded(context);
    let all = loaded.thesaurus.terms();
    let shown = all.get(..limit.unwrap_or(all.len()).min(all.len())).unwrap_or(all);
    if !json {
        return output::print(plain(shown, all.len()));
    }
    let document = ThesaurusDocument {
        schema: "foureyes/kg-thesaurus/1",
        directory: directory(context).map(|dir| dir.to_string_lossy().into_owned()),
        terms: shown.iter().map(row).collect(),
        total: all.len(),
        problems: loaded.warnings(),
    };
    output::print(pretty(&document)?)
}

fn row(term: &Term) -> TermRow {
    TermRow {
        term: term.text.clone(),
        normalized: term.normalized.clone(),
        topic: term.topic.as_str(),
        file: term.file.clone(),
        line: term.position.line,
        column: term.position.column,
    }
}

/// Terms under their headings.
fn plain(terms: &[Term], total: usize) -> String {
    let mut out = String::new();
    for group in terms.chunk_by(|a, b| a.normalized == b.normalized && a.file == b.file) {
        let Some(first) = group.first() else { continue };
        let topic = match first.topic.as_str() {
            topic if topic == first.normalized => String::new(),
            topic => format!(", {topic}"),
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}{topic} ({})", visible(&first.normalized), visible(&first.file));
        let texts: Vec<_> = group.iter().map(|term| term.text.as_str()).collect();
        out.push_str(&escape::block(&texts.join(", "), "  ", WIDTH));
    }
    let count = counted(total as u64, "term", "terms");
    let _ = match terms.len() < total {
        true => writeln!(out, "{count}, {} listed", terms.len()),
        false => writeln!(out, "{count}"),
    };
    out
}
