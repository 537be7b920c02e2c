//! How often the judge errs, by labels: the confusion matrix, rates, agreement, and what they rest on.
//!
//! | module | what it is about |
//! |---|---|
//! | [`agents`] | what the judge finds in the work of each agent |
//! | [`breakdown`] | the rates of parts |
//! | [`drift`] | scores from week to week |
//! | [`what_if`] | what other score rules would do |

pub mod agents;
pub mod breakdown;
pub mod drift;
pub(super) mod matrix;
mod peer;
pub mod what_if;

use super::{agreement, head, kpi, prevalence, reviewer_error};
use foureyes_app::assess::{Report, Week};
use foureyes_app::peer::PeerDocument;
use foureyes_calibration::calibration::{Agreement, KpiResult, KpiRow, Part, Readiness};
use foureyes_core::domain::{JudgementKind, RecordId, Timestamp};
use foureyes_page::page::{
    Block, Detail, Forms, Item, Measure, Page, Place, Role, Row, Split, Text, Untrusted, counted,
};
use foureyes_page::text;
use what_if::WhatIf;

/// The block on agreement, and its row on what reviewers differ on.
pub const AGREEMENT: &str = "agreement";
/// See [`AGREEMENT`].
pub const CONFLICTS: &str = "conflicts";

/// So many records that reviewers differ on are named.
const NAMED: usize = 3;

/// What is shown besides the assessment; `None` where it is not read yet, or not part of the answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Details<'a> {
    /// Labels of GO contents that nobody drew: acceptable, poor, unsure.
    pub picked: Option<[u64; 3]>,
    /// Rates of parts: by what they differ in, and the parts.
    pub rates: &'a [(&'static str, Vec<Part>)],
    /// Scores from week to week.
    pub drift: Option<&'a [Week]>,
    /// What a judge of another family found, where it reviewed any.
    pub peer: Option<&'a PeerDocument>,
    /// Other score rules.
    pub what_if: Option<WhatIf<'a>>,
}

/// How often the judge errs, and what that rests on.
pub fn page(report: &Report, details: &Details<'_>) -> Page {
    let r = &report.readiness;
    let mut page = document(text!("foureyes calibration{}", r.family.option()), r.generated);
    page.split = Split::Figures;
    page.blocks.extend([matrix::block(r, details.picked), rates(report)]);
    let parts = details.rates.iter().map(|(by, parts)| breakdown::block(by, parts));
    page.blocks.extend(parts);
    if !details.rates.is_empty() {
        page.blocks.push(breakdown::notes(report.policy.confidence).at(Place::Below));
    }
    let beside = [prevalence(r), agreement(&r.agreement, &r.conflicts), errors(r)].into_iter();
    let beside = beside
        .chain(details.what_if.map(|what_if| what_if::block(&what_if)))
        .chain(details.drift.map(|weeks| drift::block(weeks, r.family)))
        .chain(details.peer.map(peer::block));
    page.blocks.extend(beside.map(folded));
    page.blocks.push(further(r.family));
    page
}

/// A block of which a console shows the first row until it is unfolded.
fn folded(block: Block) -> Block {
    let summary = block.rows().next().map(Row::text).unwrap_or_default();
    block.at(Place::Below).folded(summary)
}

/// A page that begins with its command, and when it was made. The console has headings of its own.
fn document(title: Text, generated: Timestamp) -> Page {
    let mut made = Block::untitled("made").only(Forms::Documents);
    made.add(head::made(generated));
    Page { blocks: vec![made], ..Page::new(title) }
}

/// The error rates, each with its interval and its threshold.
fn rates(report: &Report) -> Block {
    let r = &report.readiness;
    let mut block = Block::new("rates", "Error rates").note("fully labelled days").at(Place::Left);
    let labelled = r.kpis.iter().chain(&r.beside).filter(|kpi| kpi.id.needs_labels());
    block.items.extend(labelled.map(|row| {
        let measure = kpi::measure(r.family, row, needed(r, row));
        Item::Measure(Measure { detail: Detail::Folded, ..measure })
    }));
    block.text(Role::Dim, text!("Intervals: {}.", kpi::interval_note(report.policy.confidence)));
    block
}

/// What would decide a rate, where it is undecided.
pub(super) fn needed(r: &Readiness, kpi: &KpiRow) -> Option<Text> {
    let next = r.next.iter().find(|next| next.kpi == kpi.id);
    let is_open = !matches!(kpi.result, KpiResult::Met | KpiResult::NotMet);
    // Where no label would do there may be a sentence on what else does.
    let is_needed = is_open && (next.is_some() || kpi.labels_needed != Some(0));
    is_needed.then(|| kpi::needed(kpi, next.map(|next| next.text.as_str())))
}

pub(super) fn prevalence(r: &Readiness) -> Block {
    let mut block = Block::new("poor", prevalence::TITLE).note("no KPI");
    let rows = r.prevalence.iter().flat_map(prevalence::rows);
    block.items.extend(rows.map(Item::Row));
    block
}

/// Each kind of agreement, and what reviewers differ on.
pub(super) fn agreement(all: &Agreement, conflicts: &[RecordId]) -> Block {
    let mut block = Block::new(AGREEMENT, "Agreement");
    block.items.extend(agreement::rows(all).into_iter().map(Item::Row));
    block.items.extend(self::conflicts(conflicts).into_iter().map(Item::Row));
    block.text(Role::Dim, "Labels are not a random sample, so agreement is not an error rate.");
    block
}

fn conflicts(all: &[RecordId]) -> Vec<Row> {
    if all.is_empty() {
        return Vec::new();
    }
    let records = counted(all.len() as u64, "record", "records");
    let some = all.iter().take(NAMED).map(|id| Untrusted(&id.short()).into());
    let some = Text::joined::<Text>(some, ", ");
    let more = if all.len() > NAMED { ", …" } else { "" };
    let text = text!(
        "reviewers differ on {} ({}{}); one more label resolves each",
        records.clone(),
        some,
        more
    );
    let note = text!("Enter opens the conflicts queue: {}", records);
    let list = "`foureyes records label:conflict` lists them";
    vec![
        Row::new(Role::Warning, text).focus(CONFLICTS).note(note),
        Row::new(Role::Dim, list).only(Forms::Documents).level(1),
    ]
}

/// What errors of reviewers would do to the rates.
pub(super) fn errors(r: &Readiness) -> Block {
    let mut block = Block::new("reviewer error", reviewer_error::TITLE);
    block.note = "decides nothing".into();
    let rows = reviewer_error::rows(&r.reviewer_error);
    if rows.is_empty() {
        block.add(Row::new(Role::Dim, "no error rate can be estimated yet").focus("none"));
    }
    block.items.extend(rows.into_iter().map(Item::Row));
    block
}

/// Commands that show more.
fn further(family: JudgementKind) -> Block {
    let option = family.option();
    let mut block = Block::new("further", "Further").only(Forms::Documents);
    let command = |name, what| text!("`foureyes calibration {}{}`: {}", name, option, what);
    block.text(Role::Text, command("breakdown --by judge", "rates of parts"));
    block.text(Role::Text, command("drift", "scores by week"));
    block.text(Role::Text, command("what-if --minimum S=3", "what other score rules would do"));
    block.text(Role::Text, command("agents", "what the judge finds in each agent's work"));
    let readiness =
        text!("`foureyes readiness{}` decides, and lists window, open days and caveats.", option);
    block.text(Role::Text, readiness);
    block
}
