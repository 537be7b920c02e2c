//! `foureyes kg find`.

use super::document::{FindDocument, MatchRow};
use super::{Context, Failure, loaded, output};
use crate::cli::output::visible;
use crate::cli::text_argument;
use crate::text::json::pretty;
use crate::thesaurus::{Found, Thesaurus};
use crate::thesaurus_files::{self, ExternalMatch};
use std::error::Error;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// Most bytes of a text on standard input.
const MAX_TEXT: usize = 16 << 20;

/// Finds terms and prints them.
pub(super) fn run(context: &Context, text: &str, json: bool) -> Result<(), Failure> {
    let text = text_argument::text(Some(text), "TEXT", MAX_TEXT)?.unwrap_or_default();
    let loaded = loaded(context);
    let document = found(&loaded.thesaurus, context.config.kg.program.as_deref(), &text);
    if json {
        return output::print(pretty(&document)?);
    }
    for caveat in &document.caveats {
        output::to_stderr(&format!("warning: {}", visible(caveat)));
    }
    output::print(plain(&document))
}

/// What the program finds, where one is configured and answers; else what we find.
fn found(thesaurus: &Thesaurus, program: Option<&Path>, text: &str) -> FindDocument {
    let mut caveats = Vec::new();
    let external = program.and_then(|program| {
        let found = thesaurus_files::find(program, text);
        found.map_err(|error| caveats.push(unanswered(program, &error))).ok()
    });
    let found_by = if external.is_some() { "program" } else { "foureyes" };
    let mut found: Vec<_> = match external {
        Some(found) => found.into_iter().map(|one| (place(&one, text), one)).collect(),
        None => thesaurus.find(text).into_iter().map(ours).collect(),
    };
    found.sort_by_key(|(span, _)| span.as_ref().map(|span| span.start));
    let mut cursor = Cursor { text, at: 0, line: 1, column: 1 };
    FindDocument {
        schema: "foureyes/kg-find/1",
        found_by,
        matches: found.into_iter().map(|(span, one)| row(one, span, &mut cursor)).collect(),
        dimensions: thesaurus.dimensions(text).iter().map(|d| d.as_str()).collect(),
        caveats,
    }
}

fn ours(found: Found<'_>) -> (Option<Range<usize>>, ExternalMatch) {
    let (term, normalized) = (found.term.text.clone(), found.term.normalized.clone());
    (Some(found.span), ExternalMatch { term, normalized, position: None })
}

fn unanswered(program: &Path, error: &thesaurus_files::Unanswered) -> String {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{} found no terms, so foureyes did: {error}{cause}", program.display())
}

/// The place that a program gave, where it is one of the text.
fn place(found: &ExternalMatch, text: &str) -> Option<Range<usize>> {
    let (start, end) = found.position?;
    text.get(start..end).filter(|part| !part.is_empty()).map(|_| start..end)
}

fn row(found: ExternalMatch, span: Option<Range<usize>>, cursor: &mut Cursor<'_>) -> MatchRow {
    let position = span.as_ref().map(|span| cursor.advance(span.start));
    MatchRow {
        term: found.term,
        normalized: found.normalized,
        start: span.as_ref().map(|span| span.start),
        end: span.as_ref().map(|span| span.end),
        line: position.map(|(line, _)| line),
        column: position.map(|(_, column)| column),
    }
}

/// Lines and columns of ascending places, in one pass.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    column: usize,
}

impl Cursor<'_> {
    fn advance(&mut self, to: usize) -> (usize, usize) {
        for c in self.text.get(self.at..to).unwrap_or_default().chars() {
            let new = c == '\n';
            self.line += usize::from(new);
            self.column = if new { 1 } else { self.column + 1 };
        }
        self.at = to;
        (self.line, self.column)
    }
}

fn plain(document: &FindDocument) -> String {
    let mut out = String::new();
    for found in &document.matches {
        let place = match (found.line, found.column) {
            (Some(line), Some(column)) => format!("{line}:{column}"),
            _ => "?".to_owned(),
        };
        // Writing to a string does not fail.
        let _ =
            writeln!(out, "{place:>7}  {} = {}", visible(&found.term), visible(&found.normalized));
    }
    if document.matches.is_empty() {
        out.push_str("no term found\n");
    }
    let dimensions = match document.dimensions.as_slice() {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    let _ = writeln!(out, "dimensions: {dimensions}");
    out
}
