//! The report as Markdown.

use super::words::{self, Shown};
use crate::assess::Report;
use crate::calibration::Step;
use crate::report::markdown::{code_cell, code_line};
use crate::report::{Masking, Options};
use std::io::{self, Write};

/// Writes the report as Markdown. Sentences that may name something from outside stand in code
/// spans, where no reader of Markdown makes anything else of them. Commands have the options of the run.
pub fn write(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let mut page = Vec::new();
    document(&mut page, report, options)?;
    let page = String::from_utf8_lossy(&page);
    out.write_all(options.command_line.complete(&page).as_bytes())
}

fn document(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let r = &report.readiness;
    writeln!(out, "# {}\n", r.result.title())?;
    if !r.family.is_push() {
        writeln!(out, "{}\n", words::question(r.family))?;
    }
    for text in words::behind(report) {
        writeln!(out, "{}\n", code_line(&crate::report::mask::masked(text, options.masking)))?;
    }
    writeln!(out, "Made {}. {}.\n", r.generated, words::result_line(r.result))?;
    writeln!(out, "{}\n\n## {}\n", words::POSITIVE, words::NEXT)?;
    for (step, at) in r.steps.iter().zip(1..) {
        one(out, at, step, options.masking)?;
    }
    writeln!(out, "## KPIs\n")?;
    writeln!(out, "| KPI | result | estimate | interval | threshold | still needed |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    for kpi in r.kpis.iter().chain(&r.beside) {
        let s = Shown::new(report, kpi);
        let result = outside(&s.result, options.masking);
        writeln!(
            out,
            "| {} | {result} | {} | {} | {} | {} |",
            s.title, s.estimate, s.interval, s.threshold, s.needed
        )?;
    }
    writeln!(out, "\n{}\n\n## Beside the numbers\n", words::bounds_note(report))?;
    for kpi in r.kpis.iter().chain(&r.beside) {
        beside(out, &Shown::new(report, kpi))?;
    }
    for section in words::sections(report) {
        writeln!(out, "\n## {}\n", section.title)?;
        for line in section.lines {
            let masked = crate::report::mask::masked(&line, options.masking);
            let shown = if section.outside { code_line(&masked) } else { masked };
            writeln!(out, "* {shown}")?;
        }
    }
    writeln!(out, "\n## Evidence\n\n`{}`", r.evidence)
}

/// A step with its ways; only the text of a block may name something from outside.
fn one(out: &mut dyn Write, at: usize, step: &Step, masking: Masking) -> io::Result<()> {
    let masked = crate::report::mask::masked(&step.text, masking);
    let text = if step.kind == "block" { code_line(&masked) } else { masked };
    writeln!(out, "{at}. **{}** {text}\n", step.title)?;
    for way in &step.ways {
        writeln!(out, "   * {}\n", way.text)?;
        if !way.lines.is_empty() {
            let lines: Vec<String> =
                way.lines.iter().map(|line| format!("         {line}")).collect();
            writeln!(out, "{}\n", lines.join("\n"))?;
        }
    }
    Ok(())
}

/// What a number is made of and why it is none, or what else must be known of it.
fn beside(out: &mut dyn Write, s: &Shown) -> io::Result<()> {
    let parts = (!s.strata.is_empty()).then(|| s.strata.join("; "));
    let texts = s.remarks.iter().chain(&parts).chain(&s.reason).chain(&s.unsure);
    let texts: Vec<&String> = texts.chain(&s.undetermined).collect();
    let [first, rest @ ..] = texts.as_slice() else { return Ok(()) };
    writeln!(out, "* {}: {first}", s.title)?;
    rest.iter().try_for_each(|text| writeln!(out, "  * {text}"))
}

/// A cell that may hold a name from outside.
fn outside(text: &str, masking: Masking) -> String {
    code_cell(&crate::report::mask::masked(text, masking))
}
