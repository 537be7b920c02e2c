//! Rates of parts: judge, agent, team, repository, path, box, week.

use crate::answers::kpi;
use foureyes_app::assess::BreakdownDocument;
use foureyes_calibration::calibration::{Compared, Comparison, FlagRate, Measure, Part, PartRate};
use foureyes_core::domain::Dimension;
use foureyes_page::page::{Block, Ours, Page, Role, Row, Text, Untrusted, counted, number};
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
    let title = text!("Rates by {}", by);
    let id = title.raw();
    let mut block = Block::new("parts", title).note("labels of the sample; no KPI");
    if parts.is_empty() {
        block.text(Role::Dim, "no evaluations in the window");
        return block;
    }
    parts.iter().for_each(|part| add(&mut block, part, &id));
    let comparisons: u64 = parts.iter().map(|part| part.comparisons.len() as u64).sum();
    let text = match (parts.len(), comparisons) {
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

/// What is to be known of the rates of all parts.
pub(super) fn notes(confidence: f64) -> Block {
    let mut block = Block::untitled("part notes");
    let text = text!(
        "Rates use the labels of the sample, open days included. Intervals, for one part each: {}.",
        kpi::interval_note(confidence)
    );
    block.text(Role::Dim, text);
    let text = "If no part differs, the chance that one is named is at most 5 % for one look.";
    block.text(Role::Dim, text);
    block
}

fn add(block: &mut Block, part: &Part, title: &str) {
    let [flagged, passed] = part.contents;
    let counts = text!(": {} NO-GO, {} GO", flagged, passed);
    let row = Row::new(Role::Text, name(&part.name)).part(Role::Dim, counts);
    block.add(row.focus(format!("{title} {}", part.name)));
    let mut add = |role, text: Text| block.add(Row::new(role, text).level(1));
    let role = if part.few { Role::Dim } else { Role::Text };
    add(role, flag_rate(part));
    part.rates.iter().for_each(|rate| add(role, part_rate(rate)));
    let differs = part.comparisons.iter().filter(|one| one.differs);
    differs.for_each(|one| add(Role::Warning, difference(one)));
    if !part.rates.iter().any(|rate| rate.id == Measure::FalseNegativeRate) {
        // Written out: a rate that is not there must not be taken for none.
        add(Role::Dim, "FNR cannot be estimated from these labels".into());
    }
    if part.few {
        add(Role::Warning, "too few labels to draw a conclusion".into());
    }
}

/// The name of a part; `not named` where the logs have none.
pub(super) fn name(name: &str) -> Text {
    if name.is_empty() { "not named".into() } else { Untrusted(name).into() }
}

/// A rate of a part: `FPR 6.2 %, 3.1 to 12.3 %, 64 labels`.
fn part_rate(rate: &PartRate) -> Text {
    let ends = number::share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
    let labels = counted(rate.labels, "label", "labels");
    let share = number::percent(rate.estimate);
    text!("{} {}, {}, {}", symbol(rate.id), share, ends, labels)
}

/// The share of a part that was flagged: `NO-GO rate 30.0 %, 24.1 to 36.4 %, 200 contents`.
fn flag_rate(part: &Part) -> Text {
    let FlagRate { estimate, lower, upper } = part.flag_rate;
    let ends = number::share_ends(Some(lower), Some(upper)).unwrap_or_default();
    let contents = counted(part.contents.iter().sum::<u64>(), "content", "contents");
    text!("NO-GO rate {}, {}, {}", number::percent(estimate), ends, contents)
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
        let texts: Vec<Text> = block.rows().map(Row::text).collect();
        let raw: Vec<String> = texts.iter().map(Text::raw).collect();
        let expected = [
            "a\u{1b}b: 1 NO-GO, 0 GO",
            "NO-GO rate 100.0 %, 2.5 to 100.0 %, 1 content",
            "FNR cannot be estimated from these labels",
            "too few labels to draw a conclusion",
            "With one part, there is nothing to compare.",
        ];
        assert_eq!(raw, expected);
        assert_eq!(texts.iter().filter(|text| !text.is_ours()).count(), 1);
    }
}
