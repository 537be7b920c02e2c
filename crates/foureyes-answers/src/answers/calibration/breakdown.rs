//! Rates of parts: judge, agent, team, repository, path, box, week.

use crate::answers::kpi;
use foureyes_app::assess::BreakdownDocument;
use foureyes_calibration::calibration::{Compared, Comparison, FlagRate, Measure, Part};
use foureyes_core::domain::Dimension;
use foureyes_page::page::{
    self, Block, Column, Focus, Item, Ours, Page, Place, Role, Row, Table, TableRow, Text,
    Untrusted, counted, number,
};
use foureyes_page::text;

/// The rates of the parts of one breakdown.
pub fn page(all: &BreakdownDocument) -> Page {
    let (by, option) = (all.by.as_str(), all.family.option());
    let title = text!("foureyes calibration breakdown --by {}{}", by, option);
    let mut page = super::document(title, all.generated);
    page.blocks.push(block(by, &all.parts));
    if !all.parts.is_empty() {
        page.blocks.push(notes(all.confidence));
    }
    page
}

/// The rates of the parts, and how often they were compared.
pub(super) fn block(by: &'static str, parts: &[Part]) -> Block {
    let mut block = Block::new("parts", text!("Rates by {}", by));
    block = block.note("labels of the sample; no KPI").at(Place::Below);
    block.items.push(Item::Table(table(by, parts)));
    let comparisons: u64 = parts.iter().map(|part| part.comparisons.len() as u64).sum();
    let text = match (parts.len(), comparisons) {
        (0, _) => return block,
        (1, _) => "With one part, there is nothing to compare.".into(),
        (_, 0) => "Too few labels to compare the parts.".into(),
        _ => text!(
            "{} with all other parts together, adjusted for multiple comparisons (Holm).",
            counted(comparisons, "comparison", "comparisons")
        ),
    };
    block.text(Role::Dim, text);
    block
}

/// A row a part, with a column for each error rate that any part has; that of misses always has one.
fn table(by: &'static str, parts: &[Part]) -> Table {
    let has = |id: &Measure| parts.iter().any(|part| part.rates.iter().any(|rate| rate.id == *id));
    let is_shown = |id: &Measure| *id == Measure::FalseNegativeRate || has(id);
    let measures: Vec<Measure> =
        Measure::ALL.into_iter().filter(|id| id.needs_labels() && is_shown(id)).collect();
    let head =
        |id: &Measure| Column::text(symbol(*id)).rank(if id.definition().is_kpi { 0 } else { 3 });
    let contents = Column::number("contents").rank(1);
    let mut columns = vec![Column::text(by), contents, Column::text("NO-GO").rank(2)];
    columns.extend(measures.iter().map(head));
    let row = |part: &Part| {
        let role = if part.few { Role::Dim } else { Role::Text };
        let contents: u64 = part.contents.iter().sum();
        let texts = [name(&part.name), contents.into(), flag_rate(part)];
        let rates = measures.iter().map(|id| part_rate(part, *id));
        let cell = |text| vec![page::Part { role, text, link: None }];
        TableRow {
            focus: Some(Focus::new(format!("{by} {}", part.name))),
            cells: texts.into_iter().chain(rates).map(cell).collect(),
            below: remarks(part),
        }
    };
    let none = "no evaluations in the window".into();
    Table { columns, rows: parts.iter().map(row).collect(), none, rest: Text::EMPTY }
}

/// What is to be known of the rates of all parts.
pub(super) fn notes(confidence: f64) -> Block {
    let mut block = Block::untitled("part notes");
    let text = text!(
        "Rates use the labels of the sample, open days included; \"of\" counts labels. Intervals, for one part \
         each: {}.",
        kpi::interval_note(confidence)
    );
    block.text(Role::Dim, text);
    let text = "If no part differs, the chance that one is named is at most 5 % for one look.";
    block.text(Role::Dim, text);
    block
}

/// In what a part differs, and whether it has enough labels.
fn remarks(part: &Part) -> Vec<Row> {
    let differs = part.comparisons.iter().filter(|one| one.differs).map(difference);
    let few = part.few.then(|| Text::from("too few labels to draw a conclusion"));
    differs.chain(few).map(|text| Row::new(Role::Warning, text)).collect()
}

/// The name of a part; `not named` where the logs have none.
pub(super) fn name(name: &str) -> Text {
    if name.is_empty() { "not named".into() } else { Untrusted(name).into() }
}

/// A rate of a part: `6.2 % of 64, 3.1 to 12.3 %`.
fn part_rate(part: &Part, id: Measure) -> Text {
    // Written out: a rate that is not there must not be taken for none.
    let Some(rate) = part.rates.iter().find(|rate| rate.id == id) else {
        return "not estimable".into();
    };
    let ends = number::share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
    text!("{} of {}, {}", number::percent(rate.estimate), rate.labels, ends)
}

/// The share of a part that was flagged: `30.0 %, 24.1 to 36.4 %`.
fn flag_rate(part: &Part) -> Text {
    let FlagRate { estimate, lower, upper } = part.flag_rate;
    let ends = number::share_ends(Some(lower), Some(upper)).unwrap_or_default();
    text!("{}, {}", number::percent(estimate), ends)
}

/// That a part differs from the rest: `differs in FPR: 30 of 90 labels, others 40 of 400, p 0.0002`. The
/// p-value is the adjusted one.
pub(super) fn difference(one: &Comparison) -> Text {
    let (rate, cases) = compared(one.id);
    let ([hits, all], [other_hits, others]) = (one.part, one.rest);
    let p = number::p_value(one.adjusted);
    text!(
        "differs in {}: {} of {} {}, others {} of {}, p {}",
        rate,
        hits,
        all,
        cases,
        other_hits,
        others,
        p
    )
}

/// What is compared, and what its cases are among.
fn compared(id: Compared) -> (Text, &'static str) {
    let marked_down = |dimension: Dimension| text!("{} marked down", dimension.as_str());
    match id {
        Compared::SemanticMarkedDown => (marked_down(Dimension::Semantic), "scores"),
        Compared::PragmaticMarkedDown => (marked_down(Dimension::Pragmatic), "scores"),
        Compared::SyntacticMarkedDown => (marked_down(Dimension::Syntactic), "scores"),
        Compared::FlaggedAgain => ("NO-GO again".into(), "next versions"),
        _ => match id.measure() {
            Some(measure) => (symbol(measure).into(), "labels"),
            None => ("NO-GO rate".into(), "contents"),
        },
    }
}

fn symbol(measure: Measure) -> Ours {
    Ours::from(measure.definition().symbol).uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_is_not_there_is_written_out_and_a_name_is_not_ours() {
        let part = Part {
            name: "a\u{1b}b".to_owned(),
            contents: [1, 0],
            flag_rate: FlagRate { estimate: 1.0, lower: 0.025, upper: 1.0 },
            rates: Vec::new(),
            few: true,
            comparisons: Vec::new(),
        };
        let block = block("agent", &[part]);
        let [Item::Table(table), Item::Row(last)] = &block.items[..] else { panic!("a table") };
        let texts = |cells: &[Vec<page::Part>]| -> Vec<Text> {
            cells.iter().flatten().map(|part| part.text.clone()).collect()
        };
        let cells = texts(&table.rows[0].cells);
        let raw: Vec<String> = cells.iter().map(Text::raw).collect();
        assert_eq!(raw, ["a\u{1b}b", "1", "100.0 %, 2.5 to 100.0 %", "not estimable"]);
        assert_eq!(cells.iter().filter(|text| !text.is_ours()).count(), 1);
        let heads: Vec<String> = table.columns.iter().map(|c| c.title.raw()).collect();
        assert_eq!(heads, ["agent", "contents", "NO-GO", "FNR"]);
        let below: Vec<String> = table.rows[0].below.iter().map(|row| row.text().raw()).collect();
        assert_eq!(below, ["too few labels to draw a conclusion"]);
        assert_eq!(last.text().raw(), "With one part, there is nothing to compare.");
    }
}
