//! The report as plain text of 80 columns.

use super::words::{self, Section, Shown};
use crate::assess::Report;
use crate::calibration::KpiRow;
use crate::report::Options;
use crate::report::visible::block;
use std::io::{self, Write};

/// Writes the report as plain text.
pub fn write(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let mut page = Page { out, options };
    page.say(0, "foureyes readiness")?;
    page.say(0, &format!("made {}", report.readiness.generated))?;
    page.say(0, "")?;
    page.say(0, &words::result_line(report.readiness.result))?;
    page.say(0, words::POSITIVE)?;
    page.heading("KPIs")?;
    for kpi in &report.readiness.kpis {
        page.kpi(report, kpi)?;
    }
    page.say(2, &words::bounds_note(report))?;
    if !report.readiness.beside.is_empty() {
        page.heading("Beside, deciding nothing")?;
        for kpi in &report.readiness.beside {
            page.kpi(report, kpi)?;
        }
    }
    for section in words::sections(report) {
        page.section(&section)?;
    }
    page.heading("Evidence")?;
    page.say(2, &report.readiness.evidence)
}

struct Page<'a> {
    out: &'a mut dyn Write,
    options: &'a Options,
}

impl Page<'_> {
    /// Writes a sentence, wrapped; whatever is in it stays behind its margin.
    fn say(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let masked = words::outside(text, self.options.masking);
        // One line: a line feed from outside must not begin a line of ours.
        let one = crate::report::visible::line(&masked).into_owned();
        let mut wrapped = block(&one, &" ".repeat(indent), self.options.width).into_bytes();
        if indent > 0 {
            // Further lines stand further in, so that each sentence shows where it begins.
            let rest = self.options.width.saturating_sub(2).max(40);
            wrapped = hang(&block(&one, &" ".repeat(indent), rest)).into_bytes();
        }
        self.out.write_all(&wrapped)
    }

    fn heading(&mut self, ours: &str) -> io::Result<()> {
        write!(self.out, "\n{ours}\n")
    }

    fn section(&mut self, section: &Section) -> io::Result<()> {
        self.heading(section.title)?;
        section.lines.iter().try_for_each(|line| self.say(2, line))
    }

    fn kpi(&mut self, report: &Report, kpi: &KpiRow) -> io::Result<()> {
        let shown = Shown::of(report, kpi);
        self.say(2, &format!("{}: {}", shown.title, shown.result))?;
        self.say(4, &format!("estimate: {}", shown.estimate))?;
        if let Some(reason) = &shown.reason {
            self.say(4, &format!("reason: {reason}"))?;
        }
        self.say(4, &format!("interval: {}", shown.interval))?;
        self.say(4, &format!("threshold: {}", shown.threshold))?;
        for stratum in &shown.strata {
            self.say(4, stratum)?;
        }
        self.say(4, &format!("still needed: {}", shown.needed))
    }
}

/// Puts two columns before every line but the first.
fn hang(text: &str) -> String {
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().to_owned() + "\n";
    for line in lines {
        out += "  ";
        out += line;
        out.push('\n');
    }
    out
}
