//! The report as one HTML file that needs nothing else: no script, no font, no address.

mod days;
mod front;
mod svg;
mod tables;
mod trend;
mod whisker;

use super::words::{self, Shown};
use crate::answers::agreement;
use crate::assess::Report;
use crate::calibration::{KpiResult, KpiRow};
use crate::report::{Masking, Options};
use crate::text::escape::line;
use std::io::{self, Write};

/// How it looks, on a screen and on paper.
const STYLE: &str = include_str!("../../../../assets/report.css");

/// Writes the report as HTML; commands in it have the options of the run.
pub fn write(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let mut page = Vec::new();
    document(&mut page, report, options)?;
    let page = String::from_utf8_lossy(&page);
    out.write_all(options.command_line.html(&page).as_bytes())
}

fn document(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let r = &report.readiness;
    let masking = options.masking;
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    // Nothing may be loaded or run, whatever the texts are.
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(
        out,
        "<title>foureyes readiness: {}</title>\n<style>{STYLE}</style>",
        r.result.title()
    )?;
    writeln!(out, "</head>\n<body>")?;
    front::write(out, report, masking)?;
    kpis(out, report, masking)?;
    charts(out, report)?;
    let parts = [
        ("Verdicts and labels", tables::matrix(report), MATRIX),
        ("Days", tables::calendar(&r.days), DAYS),
        ("Judges", tables::judges(report), ""),
        ("Who labelled", tables::reviewers(report, masking), ""),
    ];
    for (title, table, note) in parts {
        if let Some(table) = table {
            section(out, title, note, &table)?;
        }
    }
    let agreement = agreement::rows(&r.agreement);
    list(out, "Agreement", agreement.iter().map(|row| row.text().raw()), masking)?;
    let texts = words::sections(report);
    for part in texts {
        list(out, part.title, part.lines.into_iter(), masking)?;
    }
    let waivers = tables::waivers(&report.policy, masking);
    let waivers = waivers.unwrap_or_else(|| "<p>Nothing is waived.</p>".to_owned());
    section(out, "Waivers", "", &waivers)?;
    section(out, "Policy", POLICY, &tables::policy(&report.policy))?;
    writeln!(
        out,
        "<footer>\n<p>{}</p>\n<p>Evidence: <code>{}</code>. <code>foureyes readiness verify</code> \
         computes the JSON report again.</p>\n</footer>",
        words::POSITIVE,
        escaped(&r.evidence, masking)
    )?;
    writeln!(out, "</body>\n</html>")
}

const MATRIX: &str = "Closed days. Every NO-GO is labelled, and of GO a random sample: a label of the \
    sample stands for as many contents as its weight says.";

const DAYS: &str = "✔ closed: labelled whole. Error rates rest on the closed days before the first open \
    one.";

const POLICY: &str = "What differs from the default is bold.";

/// A part with a table; all of it is escaped already.
fn section(out: &mut dyn Write, title: &str, note: &str, body: &str) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{title}</h2>")?;
    if !note.is_empty() {
        writeln!(out, "<p class=\"more\">{note}</p>")?;
    }
    writeln!(out, "{body}\n</section>")
}

/// A part of sentences.
fn list(
    out: &mut dyn Write,
    title: &str,
    lines: impl Iterator<Item = String>,
    masking: Masking,
) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{title}</h2>\n<ul>")?;
    for text in lines {
        writeln!(out, "<li>{}</li>", escaped(&text, masking))?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// Each KPI with its mark and its picture.
fn kpis(out: &mut dyn Write, report: &Report, masking: Masking) -> io::Result<()> {
    writeln!(
        out,
        "<section>\n<h2>KPIs</h2>\n<table class=\"kpis\">\n<thead><tr><th scope=\"col\">KPI</th><th scope=\"col\">result\
         </th><th scope=\"col\">estimate, interval, threshold</th></tr></thead>\n<tbody>"
    )?;
    for kpi in report.readiness.kpis.iter().chain(&report.readiness.beside) {
        row(out, report, kpi, masking)?;
    }
    let note = words::bounds_note(report);
    writeln!(out, "</tbody>\n</table>\n<p class=\"more\">{note}</p>\n</section>")
}

fn row(out: &mut dyn Write, report: &Report, kpi: &KpiRow, masking: Masking) -> io::Result<()> {
    let s = Shown::new(report, kpi);
    let e = |text: &str| escaped(text, masking);
    let (class, mark) = match kpi.result {
        KpiResult::Met => ("met", "✔"),
        KpiResult::NotMet => ("not-met", "✖"),
        _ => ("open", "?"),
    };
    let name = heading(kpi);
    writeln!(out, "<tr><th scope=\"row\">{}</th>", e(&name))?;
    writeln!(
        out,
        "<td><span class=\"mark {class}\">{mark} {}</span><br><span class=\"more\">{}</span></td>",
        kpi.result.title(),
        e(&beside(kpi, &s).join("; "))
    )?;
    write!(out, "<td>{}", whisker::whisker(kpi))?;
    write!(out, "{}<br>interval: {}", e(&s.estimate), e(&s.interval))?;
    write!(out, "<br>threshold: {}<span class=\"more\">", e(&s.threshold))?;
    for text in s.reason.iter().chain(s.below()) {
        write!(out, "<br>{}", e(text))?;
    }
    writeln!(out, "</span></td></tr>")
}

/// The name of a KPI, with the short one of an error rate: `False positive rate (FPR)`.
fn heading(kpi: &KpiRow) -> String {
    let title = kpi.id.title();
    let capital: String = title.chars().take(1).flat_map(char::to_uppercase).collect();
    let rest: String = title.chars().skip(1).collect();
    match kpi.id.needs_labels() {
        true => format!("{capital}{rest} ({})", kpi.definition.to_uppercase()),
        false => capital + &rest,
    }
}

/// What belongs to the result of a KPI.
fn beside(kpi: &KpiRow, s: &Shown) -> Vec<String> {
    let mut texts = Vec::new();
    texts.extend(kpi.decided_on.as_ref().map(|day| format!("decided at the end of {day}")));
    if !kpi.gated {
        texts.push("shown for comparison, it decides nothing".to_owned());
    }
    texts.extend(kpi.waived_by.as_ref().map(|name| format!("waived by {name}")));
    if kpi.decided_on.is_none() {
        texts.push(format!("still needed: {}", s.needed));
    }
    texts
}

/// Outcomes of each day, and each rate over time.
fn charts(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let r = &report.readiness;
    if let Some(bars) = days::bars(&r.history) {
        section(out, "Outcomes by day", "", &format!("<figure>{bars}</figure>"))?;
    }
    let of = |kpi: &KpiRow| {
        let picture = trend::trend(kpi, &r.history)?;
        let name = heading(kpi);
        Some(format!("<figure><figcaption>{name}</figcaption>{picture}</figure>"))
    };
    let all: String = r.kpis.iter().chain(&r.beside).filter_map(of).collect();
    if all.is_empty() {
        return Ok(());
    }
    let note = format!(
        "Line: estimate over all days so far. Band: {} confidence sequence, which holds on all days at \
         once. Dashed: threshold.",
        crate::report::number::percent(report.policy.confidence)
    );
    section(out, "Rates over time", &note, &format!("<div class=\"charts\">{all}</div>"))
}

/// A text that no reader of HTML takes for anything else, with what is hidden in it made visible.
fn escaped(text: &str, masking: Masking) -> String {
    let masked = crate::report::mask::masked(text, masking);
    let mut out = String::with_capacity(masked.len());
    for c in line(&masked).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_tag_or_steers_a_terminal() {
        let shown = escaped("<script>alert('x')</script>\u{1b}[31m\u{202e}&\"", Masking::Off);
        assert!(!shown.contains(['<', '>', '\'', '"', '\u{1b}', '\u{202e}']), "{shown}");
        assert!(shown.starts_with("&lt;script&gt;"));
    }
}
