//! What all forms say, in the same words.

use crate::answers::{prevalence, reviewer_error};
use crate::assess::Report;
use crate::calibration::{
    Day, DayState, KpiResult, KpiRow, Measure, Range, ReadinessResult, ShareRow, StratumRow,
    no_window, two_sided,
};
use crate::domain::JudgementKind;
use crate::report::counted;
use crate::report::number::{short_percent, threshold, value};

/// What is taken for positive: elsewhere it is often the other way round.
pub(in crate::report) const POSITIVE: &str = "Positive = NO-GO: a false positive is acceptable content that was flagged, a false negative is \
     poor content that passed.";

/// The heading of the steps.
pub(in crate::report) const NEXT: &str = "What next";

/// What the intervals are.
pub(super) fn bounds_note(report: &Report) -> String {
    format!(
        "Intervals: {}. They do not decide: a KPI is decided by evidence that holds at every look, \
         on closed days, in the order of the records.",
        for_one_look(report.policy.confidence)
    )
}

/// What an interval between two one-sided bounds of a confidence is, in the same words everywhere:
/// `90 % confidence, exact, for one look; sampling error alone`.
pub(in crate::report) fn for_one_look(confidence: f64) -> String {
    format!(
        "{} confidence, exact, for one look; sampling error alone",
        short_percent(two_sided(confidence))
    )
}

/// The question that a report on a family answers.
pub(crate) const fn question(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "May the judge block pushes?",
        JudgementKind::Task => "May what the judges of tasks accept be trusted?",
    }
}

/// What stands behind the answer, before all else.
pub(super) fn behind(report: &Report) -> impl Iterator<Item = &str> {
    let r = &report.readiness;
    r.qualifiers.iter().chain(&r.wrong_blocks).map(String::as_str)
}

/// A part of the report: a heading and its sentences.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) lines: Vec<String>,
    /// Whether names from logs or ledgers may be in it.
    pub(super) outside: bool,
}

/// One KPI in words.
pub(in crate::report) struct Shown {
    pub(in crate::report) title: String,
    pub(in crate::report) estimate: String,
    pub(in crate::report) interval: String,
    pub(in crate::report) threshold: String,
    pub(in crate::report) strata: Vec<String>,
    pub(in crate::report) result: String,
    pub(in crate::report) undetermined: Option<String>,
    pub(in crate::report) unsure: Option<String>,
    pub(in crate::report) remarks: Vec<String>,
    pub(in crate::report) needed: String,
    pub(in crate::report) reason: Option<String>,
}

impl Shown {
    pub(in crate::report) fn new(report: &Report, k: &KpiRow) -> Self {
        let estimate = match (k.result, k.estimate) {
            (KpiResult::NotEstimable, _) => "not estimable".to_owned(),
            (_, Some(v)) => format!("{}{}", value(k.id, v), fraction(k)),
            (_, None) => format!("not known{}", fraction(k)),
        };
        let interval = match (k.lower, k.upper) {
            _ if k.result == KpiResult::NotEstimable => "none".to_owned(),
            (None, None) => "none".to_owned(),
            (lower, upper) => {
                let end = |v: Option<f64>| v.map_or("open".into(), |v| value(k.id, v));
                format!("{} to {}", end(lower), end(upper))
            }
        };
        Self {
            title: format!("{} ({})", k.id.title(), k.definition.to_uppercase()),
            estimate,
            interval,
            threshold: threshold(k.threshold()).into(),
            strata: k.strata.iter().map(stratum).collect(),
            result: result(k),
            undetermined: k.undetermined.map(|range| undetermined(k.id, range)),
            unsure: k.unsure.map(|range| doubted(k.id, range)),
            remarks: k.remarks.clone(),
            needed: needed(report, k),
            reason: k.reason.clone(),
        }
    }
}

/// What the estimate could be, if what was left open had an answer.
fn undetermined(id: Measure, range: Range) -> String {
    let (from, to) = (value(id, range.from), value(id, range.to));
    format!("{from} if every UNDETERMINED had been right, {to} if wrong")
}

/// What the estimate could be, if every label of doubt were settled one way.
fn doubted(id: Measure, range: Range) -> String {
    let (from, to) = (value(id, range.from), value(id, range.to));
    format!("{from} if every unsure label counts for the judge, {to} if against it")
}

impl Shown {
    /// All that stands below the numbers, in order.
    pub(in crate::report) fn below(&self) -> impl Iterator<Item = &String> {
        self.remarks.iter().chain(&self.strata).chain(&self.unsure).chain(&self.undetermined)
    }
}

/// What the estimate is made of, so that it can be followed.
fn fraction(k: &KpiRow) -> String {
    if let Some(weighted) = k.weighted() {
        return format!(" weighted by stratum size; {weighted} labelled");
    }
    let what = k.id.definition().counted;
    format!(", {} of {} {what}", k.numerator, k.denominator)
}

/// Size and labels of a stratum: `NO-GO: 41 contents, 41 labelled: 36 poor, 5 acceptable, 0 unsure`.
pub(in crate::report) fn stratum(s: &StratumRow) -> String {
    let contents = counted(s.population, "content", "contents");
    format!(
        "{}: {contents} on closed days, {} labelled: {} poor, {} acceptable, {} unsure",
        s.title(),
        s.labelled,
        s.poor,
        s.acceptable(),
        s.unsure
    )
}

fn result(k: &KpiRow) -> String {
    let mut text = k.result.title().to_owned();
    if let Some(day) = &k.decided_on {
        text += &format!(", decided at the end of {day}");
    }
    if !k.gated {
        text += "; it decides nothing";
    }
    if let Some(name) = &k.waived_by {
        text += &format!("; waived by {name}");
    }
    text
}

/// How many labels would decide it, in words.
fn needed(report: &Report, k: &KpiRow) -> String {
    if matches!(k.result, KpiResult::Met | KpiResult::NotMet) {
        return "none, it is decided".to_owned();
    }
    let next = report.readiness.next.iter().find(|n| n.kpi == k.id);
    match (next, k.labels_needed) {
        (Some(next), _) => next.text.clone(),
        (None, Some(labels)) => counted(labels, "label", "labels"),
        (None, None) => "no number can be given".to_owned(),
    }
}

/// The result with what it means, and the exit code.
pub(super) fn result_line(result: ReadinessResult) -> String {
    let means = match result {
        ReadinessResult::Ready => "every gated KPI is met and nothing blocks it",
        ReadinessResult::NotReady => "a gated KPI is not met",
        ReadinessResult::NotEnoughEvidence => "no decision is possible yet",
    };
    format!("{}: {means}", result.title())
}

/// The span of time that the report speaks of.
pub(super) fn window(report: &Report) -> Section {
    let w = &report.readiness.window;
    let mut lines = Vec::new();
    lines.push(match (w.from, w.to) {
        (Some(from), Some(to)) => format!("from {from}, before {to}"),
        (Some(from), None) => format!("from {from}; it has no whole day yet"),
        (None, _) => no_window(report.readiness.family),
    });
    let (days, data) = (counted(w.days, "whole day", "whole days"), w.days_with_data);
    lines.push(format!("{days}, {data} with data, {} needed", w.days_needed));
    lines.extend(w.share.as_ref().map(share));
    if !w.missing_days.is_empty() {
        lines.push(format!("days without data: {}", some(&w.missing_days)));
    }
    lines.push(format!("closed days with data, which error rates rest on: {}", w.closed_days));
    lines.push(format!("data of every source are complete until {}", report.complete_until));
    Section { title: "Window", lines, outside: false }
}

/// Which window of its judge it is, and what a KPI takes to be met in it.
pub fn share(share: &ShareRow) -> String {
    let (window, part) = (share.window, short_percent(share.part));
    let means = match share.bar {
        Some(bar) => format!("a KPI is met at an e-value of {bar:.0}"),
        None => format!("the declared days share {}", short_percent(share.alpha)),
    };
    format!("window {window} of this judge, with {part} of the allowed error: {means}")
}

/// At most ten, and how many more.
fn some(all: &[String]) -> String {
    let shown = all.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    let more = all.len().saturating_sub(10);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// Open days, with what is missing.
pub(super) fn days(report: &Report) -> Section {
    let days = &report.readiness.days;
    let of = |state| days.iter().filter(|d| d.state == state).count();
    let mut lines = vec![format!(
        "{} closed, {} open, {} without data",
        of(DayState::Closed),
        of(DayState::Open),
        of(DayState::Empty)
    )];
    let open: Vec<&Day> = days.iter().filter(|d| d.state == DayState::Open).collect();
    lines.extend(open.iter().take(MOST).map(|d| missing(d)));
    if open.len() > MOST {
        let more = counted(open.len() - MOST, "more open day", "more open days");
        lines.push(format!("and {more}"));
    }
    Section { title: "Days", lines, outside: false }
}

/// Open days that are listed.
const MOST: usize = 10;

fn missing(d: &Day) -> String {
    let of = |done: u64, all: u64, name: &str| format!("{name} {done} of {all} labelled");
    let next = d.missing.first().or(d.unconfirmed.first());
    let first = next.map_or(String::new(), |id| format!("; next {}", id.short()));
    let first = match d.unconfirmed.len() {
        0 => first,
        n => format!(", {n} called poor need a second label{first}"),
    };
    format!(
        "{} open: {}, {}{first}",
        d.day,
        of(d.no_go_labelled, d.no_go, "NO-GO"),
        of(d.audit_labelled, d.audit, "audit sample")
    )
}

/// Rules other than KPIs.
pub(super) fn blocks(report: &Report) -> Section {
    let line = |b: &crate::calibration::Block| match &b.waived {
        Some(who) => format!("waived ({}): {}; {who}", b.id, b.text),
        None => format!("{}: {}", b.id, b.text),
    };
    Section {
        title: "Blocks and waivers",
        lines: report.readiness.blocks.iter().map(line).collect(),
        outside: true,
    }
}

/// What point estimates alone would have said.
pub(super) fn literal(report: &Report) -> Section {
    let l = &report.readiness.literal;
    let says = match l.passes {
        Some(true) => "READY",
        Some(false) => "NOT READY",
        None => "nothing: an estimate is missing",
    };
    let mut lines = vec![format!(
        "point estimates against the thresholds, as a literal reading of the runbook: {says}"
    )];
    lines.push(
        "It pools all labels, however their records were chosen, and knows no chance. It decides \
         nothing here."
            .to_owned(),
    );
    for k in &l.kpis {
        let estimate = k.estimate.map_or("no estimate".into(), |v| value(k.id, v));
        let passes = match k.passes {
            Some(true) => "passes",
            Some(false) => "fails",
            None => "says nothing",
        };
        lines.push(format!("{}: {estimate}, {passes}", k.id.title()));
    }
    Section { title: "Literal decision", lines, outside: false }
}

/// How much of the content is poor.
pub(super) fn prevalence(report: &Report) -> Section {
    let lines = report.readiness.prevalence.iter().flat_map(prevalence::rows);
    let lines = lines.map(|row| row.text().raw()).collect();
    Section { title: "Prevalence of poor content (no KPI)", lines, outside: false }
}

/// What errors of reviewers would do.
pub(super) fn reviewer_error(report: &Report) -> Section {
    let lines = reviewer_error::rows(&report.readiness.reviewer_error);
    let lines = lines.iter().map(|row| row.text().raw()).collect();
    Section { title: "Reviewer error", lines, outside: true }
}

/// How the labels came about.
pub(super) fn label_quality(report: &Report) -> Section {
    let lines = super::label_quality(&report.readiness);
    Section { title: "Label quality", lines, outside: true }
}

/// What a reader must know.
pub(super) fn caveats(report: &Report) -> Section {
    let line = |c: &crate::domain::Caveat| format!("{}: {}", c.id, c.text);
    Section {
        title: "Caveats",
        lines: report.readiness.caveats.iter().map(line).collect(),
        outside: true,
    }
}

/// All parts but the KPIs, in the order in which they are shown; those without a line are left out.
pub(super) fn sections(report: &Report) -> Vec<Section> {
    let all = [window, days, blocks, caveats, label_quality, prevalence, reviewer_error, literal];
    all.iter().map(|of| of(report)).filter(|s| !s.lines.is_empty()).collect()
}
