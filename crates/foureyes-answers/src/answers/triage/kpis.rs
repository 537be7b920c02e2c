//! The KPIs of each family, each on a scale with its interval and its threshold. Where the family is assessed,
//! the error rates and the answer are those of the assessment.

use super::Marks;
use crate::answers::readiness::{explanation, sign};
use crate::answers::{kpi, links};
use foureyes_app::peer;
use foureyes_calibration::calibration::{KpiRow, Readiness, no_window};
use foureyes_core::domain::{JudgementKind, Kpi, PeerKpi, Threshold, Triage, Unit};
use foureyes_page::page::{
    self, Block, Focus, Forms, Gauge, Item, Mark, Part, Role, Row, Text, Untrusted, counted, day,
    day_of, number,
};
use foureyes_page::text;

/// What stands for a number that is being counted.
const UNDERWAY: &str = "…";

/// The row of a block that answers whether the judge may block.
pub const ANSWER: &str = "readiness";

/// Name of the block of a family.
fn name(family: JudgementKind) -> &'static str {
    if family.is_default() { "kpis" } else { family.evaluations() }
}

/// The family of which a block is; `None` of another block.
pub fn family(block: &str) -> Option<JudgementKind> {
    JudgementKind::ALL.into_iter().find(|family| name(*family) == block)
}

/// The KPIs of a document: those of pushes with what peers found, then those of each other family.
pub(super) fn blocks(triage: &Triage, marks: &mut Marks) -> Vec<Block> {
    let families = triage.families.iter().map(|one| one.family);
    let all = std::iter::once(JudgementKind::DEFAULT).chain(families);
    all.map(|family| block(triage, family, Assessed::No, marks)).collect()
}

/// The KPIs of a family in a window; none where it has no evaluation.
pub fn kpis(triage: &Triage, family: JudgementKind) -> &[Kpi] {
    if family.is_default() {
        return &triage.kpis;
    }
    let own = triage.families.iter().find(|one| one.family == family);
    own.map_or(&[], |own| own.kpis.as_slice())
}

/// What is known of the labels of a family.
#[derive(Debug, Clone, Copy)]
pub enum Assessed<'a> {
    /// Nobody assesses them here.
    No,
    /// They are being assessed.
    Underway,
    /// What they come to.
    Done(&'a Readiness),
}

/// The block of a family, with what its labels come to.
pub fn block(
    triage: &Triage,
    family: JudgementKind,
    assessed: Assessed<'_>,
    marks: &mut Marks,
) -> Block {
    let readiness = match assessed {
        Assessed::Done(readiness) => Some(readiness),
        Assessed::No | Assessed::Underway => None,
    };
    let is_underway = matches!(assessed, Assessed::Underway);
    let title = match family.is_default() {
        true => "KPIs".into(),
        false => text!("KPIs of {}", family.plural()),
    };
    let unit = family.instrument().wording.kpi_unit;
    let mut block = Block::new(name(family), title).note(unit);
    let kpis = kpis(triage, family);
    block.items.extend(kpis.iter().map(|one| {
        let mut measure = KpiView::new(one, family, readiness).measure();
        if is_underway && one.id.needs_labels() {
            measure.estimate = UNDERWAY.into();
            measure.below.clear();
            measure.focus.note = text!("{}: {}", one.id.title(), UNDERWAY);
        }
        measure.below.extend(marks.rows(one));
        Item::Measure(measure)
    }));
    confidence(kpis).into_iter().for_each(|row| block.add(row));
    match readiness {
        None if is_underway => {}
        None => block.text(Role::Dim, decision(family, kpis)),
        Some(readiness) => answer(&mut block, readiness),
    }
    if let (true, Some(peer)) = (family == peer::family(), &triage.peer) {
        peer_review(peer).into_iter().for_each(|row| block.add(row));
    }
    block
}

/// What the intervals of documents are; the console has it at its bottom.
fn confidence(kpis: &[Kpi]) -> Option<Row> {
    let confidence = |has_labels: bool| {
        let mut known = kpis.iter().filter(|k| k.estimate.is_some());
        let one = known.find(|k| k.id.needs_labels() == has_labels)?;
        Some(number::short_percent(one.confidence))
    };
    let text = match (confidence(false), confidence(true)) {
        (Some(all), Some(errors)) if all != errors => {
            text!("Intervals have {} confidence, those of error rates {}.", all, errors)
        }
        (Some(all), _) | (None, Some(all)) => text!("Intervals have {} confidence.", all),
        (None, None) => return None,
    };
    Some(Row::new(Role::Dim, text).only(Forms::Documents))
}

/// What decides by the KPIs of a family.
fn decision(family: JudgementKind, kpis: &[Kpi]) -> Text {
    let is_labelled = |k: &Kpi| k.id.needs_labels() && k.estimate.is_some();
    match kpis.iter().any(is_labelled) {
        true => {
            let option = family.option();
            text!("Thresholds are shown for reference; `foureyes readiness{}` decides.", option)
        }
        false => "Thresholds are shown for reference. Nothing is decided without labels.".into(),
    }
}

/// How often a peer differs; it has no threshold.
fn peer_review(peer: &PeerKpi) -> [Row; 3] {
    let share = peer.estimate.map_or("unknown share".into(), number::percent);
    let PeerKpi { differ, reviewed, unlabelled, .. } = peer;
    let ends = number::share_ends(Some(peer.lower), Some(peer.upper)).unwrap_or_default();
    let confidence = number::short_percent(peer.confidence);
    [
        Row::new(Role::Text, text!("peer review: {} of verdicts; ", share))
            .link(
                Role::Text,
                text!("{} of {} reviews differ", *differ, *reviewed),
                Some(links::peer_differs()),
            )
            .part(Role::Text, text!(", {} without a label", *unlabelled))
            .focus("peer"),
        Row::new(Role::Dim, text!("interval: {} ({} confidence)", ends, confidence)).level(1),
        Row::new(Role::Dim, "no threshold; `foureyes peer report` shows where").level(1),
    ]
}

/// Whether the judge may block, and over what the error rates are taken.
fn answer(block: &mut Block, assessed: &Readiness) {
    let sign = sign(assessed.result);
    let title = assessed.result.title();
    let row = Row::new(sign.role(), title).mark(Mark::Sign(sign)).focus(ANSWER);
    block.add(row.note(text!("{}; {}", title, explanation(assessed))));
    for qualifier in &assessed.qualifiers {
        block.text(Role::Warning, Untrusted(qualifier));
    }
    block.text(Role::Dim, coverage(assessed));
}

/// Over what the error rates and the answer are taken.
fn coverage(readiness: &Readiness) -> Text {
    let window = &readiness.window;
    let Some(from) = window.from else {
        let why = no_window(readiness.family);
        return text!("Error rates and answer: {}.", Untrusted(&why));
    };
    let days = counted(window.days, "full day", "full days");
    let closed = window.closed_days;
    let sentence = text!(
        "Error rates and answer cover the calibration window: since {}, {}, {} fully labelled.",
        day(from),
        days,
        closed
    );
    match &window.evidence_until {
        Some(day) => sentence.and(text!(" Evidence up to {}.", day_of(day))),
        None => sentence,
    }
}

/// A KPI, and what the assessment says of it where it needs labels.
struct KpiView<'a> {
    family: JudgementKind,
    kpi: &'a Kpi,
    row: Option<&'a KpiRow>,
    /// That of the window of calibration, where there is one.
    threshold: Threshold,
}

impl<'a> KpiView<'a> {
    fn new(kpi: &'a Kpi, family: JudgementKind, readiness: Option<&'a Readiness>) -> Self {
        let mut rows = readiness.iter().flat_map(|r| r.kpis.iter().chain(&r.beside));
        let row = rows.find(|row| row.id == kpi.id);
        let threshold = row.map_or(kpi.threshold(), KpiRow::threshold);
        Self { family, kpi, row: row.filter(|row| row.id.needs_labels()), threshold }
    }

    fn measure(&self) -> page::Measure {
        let definition = self.kpi.id.definition();
        let estimate = self.value();
        let (lower, upper) = match self.row {
            Some(row) => (row.lower, row.upper),
            None => (self.kpi.lower, self.kpi.upper),
        };
        let end = |end: Option<f64>| end.filter(|_| estimate.is_some());
        page::Measure {
            focus: Focus { note: self.note(), ..Focus::new(self.kpi.id.as_str()) },
            name: self.kpi.id.title(),
            symbol: kpi::symbol(self.kpi.id),
            result: None,
            estimate: self.estimate(),
            counts: self.counts(),
            interval: self.interval(),
            threshold: number::threshold(self.threshold).into(),
            gauge: Gauge {
                estimate,
                lower: end(lower),
                upper: end(upper),
                thresholds: self.threshold.values().collect(),
                ends: definition.scale,
            },
            below: self.below(),
            detail: page::Detail::Row,
        }
    }

    /// Why there is no estimate, or what one is made of.
    fn below(&self) -> Vec<Row> {
        let reason = self.reason().map(|text| match self.value() {
            Some(_) => Row::new(Role::Dim, Untrusted(text)),
            None => Row::field("reason", text),
        });
        let fast = self.kpi.estimate.filter(|_| self.kpi.id.definition().unit == Unit::Seconds);
        let fast = fast.map(|_| {
            let (fast, all) = (self.kpi.numerator, self.kpi.denominator);
            Row::new(Role::Dim, text!("{} of {} {}", fast, all, self.kpi.id.definition().counted))
        });
        reason.into_iter().chain(fast).collect()
    }

    fn value(&self) -> Option<f64> {
        self.row.map_or(self.kpi.estimate, |row| row.estimate)
    }

    fn reason(&self) -> Option<&str> {
        match self.row {
            Some(row) => row.reason.as_deref(),
            None => self.kpi.reason.as_deref(),
        }
    }

    /// The estimate, or that there is none.
    fn estimate(&self) -> Text {
        match self.row {
            Some(row) => kpi::estimate(row),
            None => number::estimate(self.kpi).map_or("no estimate".into(), Text::from),
        }
    }

    /// Its counts, each leading to its records.
    fn counts(&self) -> Vec<Part> {
        if let Some(row) = self.row {
            return kpi::counts(self.family, row);
        }
        let kpi = self.kpi;
        let numbers = (kpi.numerator, kpi.denominator);
        if number::made_of(kpi).is_some()
            && let Some(parts) = kpi::halves_of(self.family, kpi.id, numbers)
        {
            return parts;
        }
        let part = |role, text: Text, link| Part { role, text, link };
        let [above, below] = match links::counted_sides(self.family, kpi) {
            Some(links) => links.map(Some),
            None => [None, None],
        };
        vec![
            part(Role::Text, kpi.numerator.into(), above),
            part(Role::Dim, " of ".into(), None),
            part(Role::Text, kpi.denominator.into(), below),
        ]
    }

    /// The interval with its confidence.
    fn interval(&self) -> Text {
        match self.row {
            Some(row) => kpi::interval(row),
            None if self.kpi.estimate.is_none() => Text::EMPTY,
            None => number::ends(self.kpi).map(Text::from).unwrap_or_default(),
        }
    }

    /// What its row has no room for, for the bottom of a screen.
    fn note(&self) -> Text {
        if let Some(row) = self.row {
            return kpi::summary(row);
        }
        let (title, threshold) = (self.kpi.id.title(), number::threshold(self.threshold));
        match number::estimate(self.kpi) {
            None => {
                let reason =
                    self.reason().map_or("no estimate".into(), |r| Text::from(Untrusted(r)));
                text!("{}: {}; threshold: {}", title, reason, threshold)
            }
            Some(estimate) => {
                let (fraction, interval) = (number::fraction(self.kpi), number::interval(self.kpi));
                text!(
                    "{} {}, {}; {}; threshold: {}",
                    title,
                    estimate,
                    fraction,
                    interval,
                    threshold
                )
            }
        }
    }
}
