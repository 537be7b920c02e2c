//! The calibration as plain text of 80 columns.

use super::words::{
    difference, drifted, flag_rate, legend, part_rate, replayed, replayed_rate, rule,
};
use crate::answers::{agreement, prevalence};
use crate::assess::{BreakdownDocument, Calibration, DriftDocument, Report, Week, WhatIfDocument};
use crate::calibration::{KpiRow, Measure, Part, Replayed, no_window, two_sided};
use crate::domain::{Dimension, JudgementKind, Timestamp};
use crate::report::Options;
use crate::report::counted;
use crate::report::number::{mean, short_percent};
use crate::report::page::Page;
use crate::report::readiness::words::{POSITIVE, Shown, for_one_look, stratum};
use std::io::{self, Write};

/// Writes how often the judge errs, and what that rests on. `report` is what it was made of.
pub fn write(
    out: &mut dyn Write,
    all: &Calibration,
    report: &Report,
    options: &Options,
) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let option = all.family.option();
    title(&mut page, &format!("foureyes calibration{option}"), all.generated)?;
    page.wrapped(0, "")?;
    page.wrapped(0, POSITIVE)?;
    matrix(&mut page, all)?;
    page.heading("Error rates")?;
    all.rates.iter().try_for_each(|kpi| rate(&mut page, report, kpi))?;
    page.wrapped(2, &format!("Intervals: {}.", for_one_look(all.confidence)))?;
    page.heading("Prevalence of poor content (no KPI)")?;
    let poor = all.prevalence.iter().flat_map(prevalence::rows);
    poor.into_iter().try_for_each(|row| page.wrapped(2, &row.text().raw()))?;
    page.heading("Agreement")?;
    let agreement = agreement::rows(&all.agreement);
    agreement.iter().try_for_each(|row| page.wrapped(2, &row.text().raw()))?;
    if !all.conflicts.is_empty() {
        let records = counted(all.conflicts.len() as u64, "record", "records");
        let text = format!("reviewers differ on {records}: `foureyes records label:conflict`");
        page.wrapped(2, &text)?;
    }
    page.wrapped(2, "Labels are not a random sample, so agreement is not an error rate.")?;
    page.heading("Further")?;
    let command = format!("`foureyes calibration breakdown --by judge{option}`");
    page.wrapped(2, &format!("{command} shows the rates of parts,"))?;
    page.wrapped(2, "`drift` the scores from week to week, `what-if` what other rules would do.")?;
    let decides =
        format!("`foureyes readiness{option}` decides, and lists window, open days and caveats.");
    page.wrapped(2, &decides)
}

fn title(page: &mut Page<'_>, name: &str, made: Timestamp) -> io::Result<()> {
    page.wrapped(0, name)?;
    page.wrapped(0, &format!("made {made}"))
}

/// Verdicts against labels, a stratum a line.
fn matrix(page: &mut Page<'_>, all: &Calibration) -> io::Result<()> {
    page.heading("Verdicts and labels of closed days")?;
    let w = &all.window;
    let from = w
        .from
        .map_or_else(|| no_window(all.family), |from| format!("window from {}", from.day_text()));
    let days = counted(w.closed_days, "closed day with data", "closed days with data");
    page.wrapped(2, &format!("{from}; {days}"))?;
    all.strata.iter().try_for_each(|s| page.wrapped(2, &stratum(s)))?;
    let p = all.picked;
    page.wrapped(
        2,
        &format!(
            "hand-picked, excluded from rates: {} poor, {} acceptable, {} unsure GO (open days too)",
            p.poor, p.acceptable, p.unsure
        ),
    )
}

fn rate(page: &mut Page<'_>, report: &Report, kpi: &KpiRow) -> io::Result<()> {
    let shown = Shown::new(report, kpi);
    page.wrapped(2, &format!("{}: {}", shown.title, shown.result))?;
    page.wrapped(4, &format!("estimate: {}", shown.estimate))?;
    if let Some(reason) = &shown.reason {
        page.wrapped(4, &format!("reason: {reason}"))?;
    }
    page.wrapped(4, &format!("interval: {}; threshold: {}", shown.interval, shown.threshold))?;
    for text in shown.remarks.iter().chain(&shown.unsure).chain(&shown.undetermined) {
        page.wrapped(4, text)?;
    }
    page.wrapped(4, &format!("still needed: {}", shown.needed))
}

/// Writes the rates of parts.
pub fn breakdown(
    out: &mut dyn Write,
    all: &BreakdownDocument,
    options: &Options,
) -> io::Result<()> {
    let mut page = Page::new(out, options);
    title(
        &mut page,
        &format!("foureyes calibration breakdown by {}", all.by.as_str()),
        all.generated,
    )?;
    page.wrapped(0, "")?;
    if all.parts.is_empty() {
        return page.wrapped(0, "no evaluations in the window");
    }
    all.parts.iter().try_for_each(|part| one_part(&mut page, part))?;
    page.wrapped(0, "")?;
    let text = format!(
        "Over the labels of the sample, open days among them. Intervals: {}, at one part. They \
         decide nothing.",
        for_one_look(all.confidence)
    );
    page.wrapped(0, &text)?;
    let comparisons = all.parts.iter().map(|part| part.comparisons.len() as u64).sum();
    let text = match comparisons {
        0 => "With one part, there is nothing to compare.".to_owned(),
        _ => format!(
            "{} with all other parts together, adjusted after Holm: where no part differs, the chance \
             that one is named is at most 5 % for one look.",
            counted(comparisons, "comparison", "comparisons")
        ),
    };
    page.wrapped(0, &text)
}

fn one_part(page: &mut Page<'_>, part: &Part) -> io::Result<()> {
    let name = if part.name.is_empty() { "not named" } else { &part.name };
    let [flagged, passed] = part.contents;
    page.wrapped(0, &format!("{name}: {flagged} NO-GO, {passed} GO"))?;
    page.wrapped(2, &flag_rate(part))?;
    part.rates.iter().try_for_each(|rate| page.wrapped(2, &part_rate(rate)))?;
    let differs = part.comparisons.iter().filter(|one| one.differs);
    differs.clone().try_for_each(|one| page.wrapped(2, &difference(one)))?;
    if !part.rates.iter().any(|rate| rate.id == Measure::FalseNegativeRate) {
        // Said in words: a rate that is not there must not be taken for none.
        page.wrapped(2, "FNR cannot be estimated from these labels")?;
    }
    if part.few {
        page.wrapped(2, "too few labels to draw a conclusion")?;
    }
    Ok(())
}

/// Writes the scores from week to week.
pub fn drift(out: &mut dyn Write, all: &DriftDocument, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let option = all.family.option();
    title(&mut page, &format!("foureyes calibration drift{option}"), all.generated)?;
    page.wrapped(0, "")?;
    if all.weeks.is_empty() {
        return page.wrapped(0, no_weeks(all.family));
    }
    all.weeks.iter().try_for_each(|week| one_week(&mut page, week))?;
    page.wrapped(0, "")?;
    page.wrapped(0, &legend())
}

/// Why there are no scores of weeks.
pub(crate) const fn no_weeks(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "no push evaluation has a timestamp yet",
        JudgementKind::Task => "no evaluation of a task has a timestamp yet",
    }
}

fn one_week(page: &mut Page<'_>, week: &Week) -> io::Result<()> {
    let evaluations = counted(week.evaluations, "evaluation", "evaluations");
    page.wrapped(0, &format!("week of {}: {evaluations}", week.monday))?;
    for (dimension, point) in Dimension::ALL.into_iter().zip(&week.points) {
        let name = dimension.as_str();
        let Some(point) = point else {
            page.wrapped(2, &format!("{name}: no scores"))?;
            continue;
        };
        let scores = counted(point.scores, "score", "scores");
        let alarm = if point.alarm { "; CUSUM alarm" } else { "" };
        let text =
            format!("{name}: mean {} of {scores}; {}{alarm}", mean(point.mean), drifted(point));
        page.wrapped(2, &text)?;
    }
    week.judges.iter().try_for_each(|judge| page.wrapped(2, &format!("new judge: {judge}")))
}

/// Writes what other score rules would have done.
pub fn what_if(out: &mut dyn Write, all: &WhatIfDocument, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    title(&mut page, "foureyes calibration what-if", all.generated)?;
    let records = counted(all.records, "labelled record", "labelled records");
    page.wrapped(0, &format!("replayed over {records} of the sample; nothing is changed by it"))?;
    page.wrapped(0, "")?;
    all.rules.iter().try_for_each(|one| one_rule(&mut page, one))?;
    let Some(first) = all.rules.first() else { return Ok(()) };
    let rules = counted(all.rules.len() as u64, "rule", "rules");
    page.wrapped(0, "")?;
    let text = format!(
        "Intervals: {} confidence; the allowed error is split over the {rules} tried. Rules of \
         another run share nothing with these: try all that you choose from in one.",
        short_percent(two_sided(first.confidence))
    );
    page.wrapped(0, &text)
}

fn one_rule(page: &mut Page<'_>, one: &Replayed) -> io::Result<()> {
    page.wrapped(0, &rule(&one.candidate))?;
    page.wrapped(2, &format!("FPR {}", replayed_rate(&one.false_positive)))?;
    page.wrapped(2, &format!("FNR {}", replayed_rate(&one.false_negative)))?;
    page.wrapped(2, &replayed(one))
}
