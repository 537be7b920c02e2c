//! Search alone and the judge on the same queries, as a document.

use super::picks::shown;
use super::{PlainOrJson, counted};
use crate::domain::RecordId;
use crate::engine::record::PickRecord;
use crate::engine::relevance::Fallback;
use crate::picks::LabelledQuery;
use crate::relevance::{
    Candidate, Choice, Comparison, JudgeNames, Labelled, Measured, Pick, Source, measure,
};
use crate::text::escape;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Names the document.
const SCHEMA: &str = "foureyes/memories-compare/1";
/// Columns of the text.
const WIDTH: usize = 100;

/// What was put out for some queries, beside what search alone would have put out.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Document {
    /// Names the document and its version.
    schema: &'static str,
    /// The queries, in their order.
    queries: Vec<Row>,
    /// Queries for which a judge chose.
    judged: u64,
    /// Queries of which it is known what helps.
    labelled: u64,
    /// What was put out for those.
    put_out: Choice,
    /// What search alone would have put out for them.
    search: Choice,
    /// Both, query by query; none where it is known of none what helps.
    comparison: Option<Comparison>,
    #[serde(skip)]
    picks: Vec<(Pick, Labelled)>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// What was searched for.
    prompt: String,
    /// Paths of what search alone would put out, best first.
    search: Vec<String>,
    /// Paths of what was put out.
    put_out: Vec<String>,
    /// Paths of what helps, where it is known.
    relevant: Option<Vec<String>>,
    /// Why no judge chose, where none did.
    fallback: Option<Fallback>,
}

impl Document {
    /// Adds a query with what came of it.
    pub fn add(&mut self, query: LabelledQuery, record: &PickRecord) {
        let candidate = |one: &crate::engine::record::PickCandidate| Candidate {
            memory: one.memory.clone(),
            title: None,
            category: None,
            tags: Vec::new(),
            rank: one.rank as usize,
            position: None,
            kept: one.kept,
            no_room: one.no_room,
        };
        let pick = Pick {
            record: RecordId([0; 32]),
            name: None,
            at: None,
            // Whoever chose: what counts is what was put out.
            source: Source::Judge,
            fallback: None,
            is_lenient: false,
            keep: record.keep,
            candidates: record.candidates.iter().map(candidate).collect(),
            latency_ms: None,
            cost: None,
            model: None,
            judge: JudgeNames::default(),
        };
        let paths = |is_in: &dyn Fn(&Candidate) -> bool| {
            let all = pick.candidates.iter().filter(|one| is_in(one));
            all.map(|one| one.memory.clone()).collect()
        };
        self.judged += u64::from(record.model.is_some() && record.fallback.is_none());
        self.queries.push(Row {
            prompt: query.prompt,
            search: paths(&|one| one.rank <= pick.most()),
            put_out: paths(&|one| one.kept),
            relevant: query.relevant.clone(),
            fallback: record.fallback,
        });
        if let Some(relevant) = query.relevant {
            let helps = |one: &Candidate| Some(relevant.contains(&one.memory));
            let relevant = pick.candidates.iter().map(helps).collect();
            let labelled = Labelled { relevant, conflicts: 0, is_drawn: true, was_drawn: true };
            self.picks.push((pick, labelled));
        }
    }

    /// Writes the last query that was added: asking for all of them takes long.
    ///
    /// # Errors
    /// That of `out`.
    pub fn write_newest(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(row) = self.queries.last() else { return Ok(()) };
        write!(out, "{}", escape::field(0, "prompt:", &row.prompt, WIDTH))?;
        for (name, paths) in [("search:", &row.search), ("put out:", &row.put_out)] {
            let list = if paths.is_empty() { "nothing".to_owned() } else { paths.join(", ") };
            write!(out, "{}", escape::field(2, name, &list, WIDTH))?;
        }
        out.flush()
    }

    /// The document, once all queries are in it.
    pub fn finish(mut self) -> Self {
        let picks = std::mem::take(&mut self.picks);
        let measured = measure(picks.iter().map(|(pick, of)| (pick, Some(of.clone()))));
        let Measured { judge, search, comparison, labels, .. } = measured;
        let comparison = (labels.labelled > 0).then_some(comparison);
        let labelled = labels.labelled;
        Self { schema: SCHEMA, labelled, put_out: judge, search, comparison, ..self }
    }
}

impl PlainOrJson for Document {
    /// The figures, below the queries that [`Document::write_newest`] wrote.
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let queries = counted(self.queries.len() as u64, "query", "queries");
        writeln!(out, "\n{queries}, {} judged, {} with known answers", self.judged, self.labelled)?;
        let Some(comparison) = &self.comparison else { return Ok(()) };
        writeln!(out, "\n{:<10} {:<38} search alone", "", "put out")?;
        let [put_out, search] = [self.put_out, self.search];
        for (name, of) in [
            ("precision", [put_out.precision, search.precision]),
            ("recall", [put_out.recall, search.recall]),
        ] {
            let [put_out, search] = of.map(|share| shown(share.as_ref()));
            writeln!(out, "{name:<10} {put_out:<38} {search}")?;
        }
        let Comparison { better, worse, same, .. } = comparison;
        writeln!(out, "\nbetter for {better}, worse for {worse}, the same for {same}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("memories-compare.schema.json", &schema);
    }

    fn record() -> PickRecord {
        serde_json::from_value(serde_json::json!({
            "schema": "foureyes/pick/1", "pick": "0000000000000001",
            "timestamp": "2026-02-01T10:00:00Z", "choice": "unjudged", "mode": "strict",
            "dual": false, "prompt_sha": "", "content_sha": "", "candidates": [], "fallback": "off",
        }))
        .unwrap()
    }

    #[test]
    fn without_known_answers_there_is_no_comparison() {
        let query = LabelledQuery { prompt: "x\u{1b}[2J".to_owned(), relevant: None };
        let mut document = Document::default();
        document.add(query, &record());
        let mut text = Vec::new();
        document.write_newest(&mut text).unwrap();
        document.finish().write_plain(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with("1 query, 0 judged, 0 with known answers\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
