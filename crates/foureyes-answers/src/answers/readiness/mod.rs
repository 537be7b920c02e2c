//! May the judge block? The answer, what to do next, and the evidence.

mod days;
mod decision;
mod evidence;
mod next;
mod quality;
mod rules;
mod runbook;
mod sample;
mod unlabelled;
mod window;

pub use decision::{ANSWER, FIRST, RESULT, blocking_rows, explanation, question, sign, spoken};
pub use next::NEXT;
pub use quality::label_quality;
pub use rules::BLOCKS;
pub use runbook::RUNBOOK;
pub use sample::Sample;
pub use unlabelled::{LabelKeys, unlabelled};
pub use window::share;

use super::{calibration, kpi};
use foureyes_app::assess::{Operation, Progress, Report};
use foureyes_calibration::calibration::{KpiResult, KpiRow, Readiness, two_sided};
use foureyes_core::domain::{Caveat, Timestamp, Unit};
use foureyes_page::page::{
    Block, Detail, Forms, Item, Page, Place, Role, Row, Split, Text, number,
};
use foureyes_page::text;

/// What is shown besides the report.
#[derive(Debug, Default)]
pub struct Extras<'a> {
    /// The keys that label a record.
    pub keys: Option<LabelKeys>,
    /// The rates of the audit sample.
    pub sample: Option<Sample<'a>>,
    /// That boxes block, and that READY is withdrawn from them.
    pub blocking: &'a [Caveat],
    /// How the operation is doing, where that is not in view beside the page.
    pub operation: Option<&'a Operation>,
    /// How far runbooks are done, and at what time.
    pub runbooks: Option<(&'a [Progress], Timestamp)>,
}

/// The page of a report.
pub fn page(report: &Report, extras: &Extras<'_>) -> Page {
    let r = &report.readiness;
    let mut page = Page { split: Split::Figures, ..Page::new(question(r.family)) };
    let blocks = &mut page.blocks;
    blocks.push(decision::answer(r, extras));
    blocks.extend(unlabelled(r, extras.keys.as_ref()));
    blocks.push(decision::facts(report));
    blocks.extend([next::block(r), rules::block(r)]);
    blocks.extend(next::prices(r));
    blocks.push(kpis(report));
    blocks.push(window::block(report));
    blocks.extend(extras.sample.as_ref().map(|sample| sample::block(r, sample)));
    blocks.extend(informational(r));
    blocks.push(decision::literal(r));
    if let Some((all, now)) = extras.runbooks {
        blocks.extend(all.iter().map(|progress| runbook::block(progress, now)));
    }
    blocks.extend(days::pictures(report));
    blocks.extend(days::calendar(&r.days));
    blocks.extend(evidence::judges(r));
    let quality = label_quality(r).map(|block| block.at(Place::Below));
    blocks.extend(quality.map(|block| block.folded("labels of the sample")));
    blocks.extend(documents(r));
    blocks.push(rules::caveats(r));
    blocks.push(rules::waivers(&report.policy, extras.operation));
    blocks.push(rules::policy(&report.policy));
    blocks.push(evidence::hash(r));
    page
}

/// Every KPI that decides: what is undecided first, then what is not met.
fn kpis(report: &Report) -> Block {
    let r = &report.readiness;
    let confidence = report.policy.confidence;
    let short = number::short_percent(two_sided(confidence));
    let note = text!("{} confidence, one look", short);
    let mut all = Block::new("kpis", "KPIs").note(note).at(Place::Left);
    let mut rows: Vec<&KpiRow> = r.kpis.iter().collect();
    rows.sort_by_key(|row| match row.result {
        KpiResult::NotEnoughEvidence | KpiResult::NotEstimable => 0,
        KpiResult::NotMet => 1,
        KpiResult::Met => 2,
    });
    all.items.extend(rows.into_iter().map(|row| measure(r, row)));
    all.add(Row::new(Role::Dim, INTERVALS).only(Forms::Documents));
    all
}

/// The rates that decide nothing.
fn informational(r: &Readiness) -> Option<Block> {
    let names = Text::joined(r.beside.iter().map(|row| row.id.title()), ", ");
    let block = Block::new("beside", "For information").at(Place::Below);
    let mut block = block.folded(names);
    block.items.extend(r.beside.iter().map(|row| measure(r, row)));
    (!r.beside.is_empty()).then_some(block)
}

/// What intervals are, and why they are not what decides.
const INTERVALS: &str = "Intervals are exact and cover sampling error alone. They do not decide: a KPI is decided by \
     evidence that holds at every look, on fully labelled days, in the order of the records.";

/// A KPI, with what is still needed where it is undecided.
fn measure(r: &Readiness, row: &KpiRow) -> Item {
    let mut measure = kpi::measure(r.family, row, calibration::needed(r, row));
    measure.detail = Detail::Folded;
    let definition = row.id.definition();
    if definition.unit == Unit::Seconds {
        let text = text!("{} of {} {}", row.numerator, row.denominator, definition.counted);
        measure.below.insert(0, Row::new(Role::Dim, text).only(Forms::Documents));
    }
    Item::Measure(measure)
}

/// What the console has on its screen of the calibration.
fn documents(r: &Readiness) -> impl Iterator<Item = Block> {
    let agreement = calibration::agreement(&r.agreement, &r.conflicts);
    let matrix = calibration::matrix::block(r, None);
    let all = [matrix, agreement, calibration::prevalence(r), calibration::errors(r)];
    all.into_iter().map(|block| block.only(Forms::Documents))
}
