//! The report as plain text of 80 columns.

use super::words::{self, Section, Shown};
use crate::assess::Report;
use crate::calibration::{KpiRow, Step};
use crate::report::Options;
use crate::report::page::Page;
use std::io::{self, Write};

/// Writes the report as plain text.
pub fn write(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let family = report.readiness.family;
    page.wrapped(0, crate::report::words::readiness_command(family))?;
    page.wrapped(0, &format!("made {}", report.readiness.generated))?;
    page.wrapped(0, "")?;
    if !family.is_push() {
        page.wrapped(0, words::question(family))?;
    }
    page.wrapped(0, &words::result_line(report.readiness.result))?;
    for text in words::behind(report) {
        page.wrapped(0, text)?;
    }
    page.wrapped(0, words::POSITIVE)?;
    next(&mut page, &report.readiness.steps)?;
    page.heading("KPIs")?;
    for kpi in &report.readiness.kpis {
        kpi_of(&mut page, report, kpi)?;
    }
    page.wrapped(2, &words::bounds_note(report))?;
    if !report.readiness.beside.is_empty() {
        page.heading("Beside, deciding nothing")?;
        for kpi in &report.readiness.beside {
            kpi_of(&mut page, report, kpi)?;
        }
    }
    for section in words::sections(report) {
        part(&mut page, &section)?;
    }
    page.heading("Evidence")?;
    page.wrapped(2, &report.readiness.evidence)
}

/// What to do, step by step, with the lines to type.
fn next(page: &mut Page<'_>, steps: &[Step]) -> io::Result<()> {
    page.heading(words::NEXT)?;
    for (step, at) in steps.iter().zip(1..) {
        page.wrapped(2, &format!("{at}. {}", step.title))?;
        page.wrapped(5, &step.text)?;
        for way in &step.ways {
            page.wrapped(5, &format!("* {}", way.text))?;
            way.lines.iter().try_for_each(|line| page.command(9, line))?;
        }
    }
    Ok(())
}

fn part(page: &mut Page<'_>, section: &Section) -> io::Result<()> {
    page.heading(section.title)?;
    section.lines.iter().try_for_each(|line| page.wrapped(2, line))
}

fn kpi_of(page: &mut Page<'_>, report: &Report, kpi: &KpiRow) -> io::Result<()> {
    let shown = Shown::new(report, kpi);
    page.wrapped(2, &format!("{}: {}", shown.title, shown.result))?;
    page.wrapped(4, &format!("estimate: {}", shown.estimate))?;
    if let Some(reason) = &shown.reason {
        // Beside a number it is none: there it says how that came about.
        let lead = if kpi.estimate.is_none() { "reason: " } else { "" };
        page.wrapped(4, &format!("{lead}{reason}"))?;
    }
    page.wrapped(4, &format!("interval: {}", shown.interval))?;
    page.wrapped(4, &format!("threshold: {}", shown.threshold))?;
    for text in shown.below() {
        page.wrapped(4, text)?;
    }
    page.wrapped(4, &format!("still needed: {}", shown.needed))
}
