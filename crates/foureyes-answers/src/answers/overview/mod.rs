//! What happened, at a glance: where, when and by whom. The first screen of the console.

mod days;
mod tables;

use super::operation::sentences;
use super::readiness::{blocking_rows, spoken};
use super::triage::kpis::{self, Assessed};
use super::triage::{Marks, boxes, caveats, counts, headline};
use foureyes_app::assess::Operation;
use foureyes_app::overview::{Breakdowns, escalations, of_box};
use foureyes_calibration::calibration::Readiness;
use foureyes_core::domain::{ByKind, Caveat, CoverageRow, JudgementKind, Timestamp, Triage};
use foureyes_page::page::{
    Block, Link, Mark, Page, Place, Role, Row, Sign, Untrusted, counted, date, day_of,
};
use foureyes_page::text;
use std::collections::BTreeSet;

/// The documents of the page.
#[derive(Debug, Clone, Copy)]
pub struct Overview<'a> {
    /// Counts, KPIs, boxes.
    pub triage: &'a Triage,
    /// The rest, where it is counted.
    pub breakdowns: Option<&'a Breakdowns>,
    /// What the labels of each family come to, where it is assessed.
    pub readiness: ByKind<Option<&'a Readiness>>,
    /// Of which families that is being found out.
    pub is_assessing: ByKind<bool>,
    /// That boxes block, and that READY is withdrawn from them.
    pub blocking: &'a [Caveat],
    /// How the operation is doing, where that is not in view beside the page.
    pub operation: Option<&'a Operation>,
    /// What the picks of memories come to, where there are picks of prompts.
    pub picks: Option<Picks<'a>>,
    /// Whether the store is read, of which it is not known what was seen.
    pub is_fleet: bool,
    /// Whether verdicts of open days are hidden.
    pub is_gated: bool,
    /// The time: data grow older while they are on the screen.
    pub now: Timestamp,
}

/// Whether the judge of memories is worth being on.
#[derive(Debug, Clone, Copy)]
pub struct Picks<'a> {
    /// The sign of the decision.
    pub sign: Sign,
    /// The decision.
    pub decision: &'static str,
    /// Judge and search compared.
    pub comparison: &'a str,
}

/// Name of the row on the judge of memories in the block of the headline.
pub const PICKS: &str = "picks";

/// How it stands in a few sentences that are read out: the answer of each family that has KPIs, what to do
/// first, what is new.
pub fn summary(documents: &Overview<'_>) -> Page {
    let triage = documents.triage;
    let mut block = Block::untitled(headline::NAME);
    let families = JudgementKind::ALL.into_iter();
    let families = families.filter(|of| of.is_default() || !kpis::kpis(triage, *of).is_empty());
    let answers = families.filter_map(|family| *documents.readiness.get(family));
    answers.flat_map(spoken).for_each(|row| block.add(row));
    blocking_rows(documents.blocking).for_each(|row| block.add(row));
    headline::spoken(triage, !documents.is_gated).for_each(|row| block.add(row));
    headline::left_out(triage.hidden).into_iter().for_each(|row| block.add(row));
    waiting(documents.breakdowns).into_iter().for_each(|row| block.add(row));
    headline::warnings(triage).into_iter().for_each(|row| block.add(row));
    let also = documents.picks.map(picks);
    Page { blocks: [block].into_iter().chain(also).collect(), ..Page::default() }
}

/// The page.
pub fn page(documents: &Overview<'_>) -> Page {
    let triage = documents.triage;
    let mut marks = Marks::new(true);
    let mut family = |family: JudgementKind| {
        let assessed = match *documents.readiness.get(family) {
            Some(readiness) => Assessed::Done(readiness),
            None if *documents.is_assessing.get(family) => Assessed::Underway,
            None => Assessed::No,
        };
        kpis::block(triage, family, assessed, &mut marks)
    };
    let pushes = family(JudgementKind::DEFAULT);
    let others = JudgementKind::ALL.into_iter().filter(|of| !of.is_default());
    let others = others.filter(|of| !kpis::kpis(triage, *of).is_empty());
    let others: Vec<Block> = others.map(family).collect();
    let mut left = vec![days::outcomes(documents.breakdowns)];
    left.extend(documents.breakdowns.map(days::heat));
    left.extend(others);
    left.extend(documents.breakdowns.map(days::scores));
    let mut right = vec![boxes::block(&triage.boxes, Some(documents.now), &mut marks)];
    right.extend(boxes::coverage(triage, &mut marks));
    right.extend(documents.breakdowns.into_iter().flat_map(tables::blocks));
    right.push(accounting(triage));
    right.push(caveats(triage.caveats.iter()));
    let sides = [(Place::Left, left), (Place::Right, right)];
    let sides = sides
        .into_iter()
        .flat_map(|(place, blocks)| blocks.into_iter().map(move |block| block.at(place)));
    // An answer on memories says nothing of pushes: it is not the first that is read.
    let also = documents.picks.map(picks);
    let blocks = [top(documents), pushes].into_iter().chain(also).chain(sides).collect();
    Page { blocks, ..Page::new("Overview") }
}

/// What is known at the first glance.
fn top(documents: &Overview<'_>) -> Block {
    let triage = documents.triage;
    let mut block = Block::untitled(headline::NAME);
    blocking_rows(documents.blocking).for_each(|row| block.add(row));
    documents.operation.into_iter().flat_map(sentences).for_each(|row| block.add(row));
    let first = match documents.is_fleet {
        true => {
            "All that operators have published. Without `--fleet`, this line shows what is new to you."
        }
        false => "First run. From now on, this line shows what is new since your last visit.",
    };
    let news = headline::news(triage, !documents.is_gated);
    block.add(news.unwrap_or_else(|| Row::new(Role::Notice, first)));
    block.add(headline::flagged(triage));
    headline::left_out(triage.hidden).into_iter().for_each(|row| block.add(row));
    waiting(documents.breakdowns).into_iter().for_each(|row| block.add(row));
    block.items.push(headline::outcomes(triage, true));
    headline::warnings(triage).into_iter().for_each(|row| block.add(row));
    unjudged(triage).into_iter().for_each(|row| block.add(row));
    if triage.counts.in_window == 0 {
        let text = "No records in this window: look further back, or at all records.";
        block.text(Role::Warning, text);
    }
    block
}

/// How many commits of agents have no verdict, where any has none, and when they were pushed.
fn unjudged(triage: &Triage) -> Option<Row> {
    let gaps: Vec<&CoverageRow> = triage.coverage.iter().filter(|row| row.gap() > 0).collect();
    let count: u64 = gaps.iter().map(|row| row.gap()).sum();
    let days: BTreeSet<Timestamp> =
        gaps.iter().filter_map(|row| Timestamp::parse_day(&row.day)).collect();
    let (first, last) = (*days.first()?, *days.last()?);
    let date = |day| date(day, triage.generated);
    let when = match days.len() {
        1 => text!("{}", date(first)),
        2 => text!("{} and {}", date(first), date(last)),
        more => text!("{} days from {} to {}", more, date(first), date(last)),
    };
    let of = gaps.first()?;
    let link = Link {
        count: None,
        label: text!("records of {}, {}", Untrusted(&of.box_name), day_of(&of.day)),
        query: format!("{} day:{}", of_box(&of.box_name), of.day),
    };
    let unjudged = counted(count, "commit unjudged", "commits unjudged");
    let row = Row::default().link(Role::Warning, text!("! {}", unjudged), Some(link));
    let row = row.part(Role::Text, text!(" by agents, {}: did the hook run?", when));
    Some(row.focus("unjudged"))
}

/// How many tasks wait for a person, where any does.
fn waiting(breakdowns: Option<&Breakdowns>) -> Option<Row> {
    let count = breakdowns.map(|all| all.escalations).filter(|count| *count > 0)?;
    let link = Link {
        count: Some(count),
        label: text!("tasks that wait for a person"),
        query: escalations().to_string(),
    };
    let text = text!("{} for a person", counted(count, "task waits", "tasks wait"));
    Some(Row::default().link(Role::Figure, text, Some(link)).focus("escalations"))
}

/// Whether the judge of memories is worth being on.
fn picks(picks: Picks<'_>) -> Block {
    let Picks { sign, decision, comparison } = picks;
    let text = text!("memories: {}; {}", decision, Untrusted(comparison));
    let row = Row::new(sign.role(), text).mark(Mark::Sign(sign)).focus(PICKS);
    let mut block = Block::new("also", "Also");
    block.add(row.note("Enter opens the readiness of picks"));
    block
}

/// Where every line went, and records of the window that are elsewhere.
fn accounting(triage: &Triage) -> Block {
    let mut block = counts::accounting(triage);
    block.add(counts::left_out(triage));
    block
}
