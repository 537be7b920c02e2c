//! The report as one HTML file that needs nothing else: no script, no font, no address.

use super::chart::whisker;
use super::words::{self, Shown};
use crate::assess::Report;
use crate::calibration::KpiRow;
use crate::report::visible::line;
use crate::report::{Masking, Options};
use std::io::{self, Write};

/// How it looks, on a screen and on paper.
const STYLE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #8888}
.result{font-size:1.6rem;font-weight:700}svg text{font-size:12px;fill:currentColor}
.axis{stroke:currentColor;stroke-width:1;opacity:.5}.threshold{stroke:currentColor;stroke-width:1.5;stroke-dasharray:3 3}
.whisker{stroke:currentColor;stroke-width:2}.estimate{fill:currentColor}
@media print{body{max-width:none;margin:0}tr,li{break-inside:avoid}}";

/// Writes the report as HTML.
pub fn write(out: &mut dyn Write, report: &Report, options: &Options) -> io::Result<()> {
    let r = &report.readiness;
    let masking = options.masking;
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    // Nothing may be loaded or run, whatever the texts are.
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )?;
    writeln!(out, "<title>Readiness: {}</title>\n<style>{STYLE}</style>", r.result.title())?;
    writeln!(out, "</head>\n<body>\n<h1>Readiness</h1>")?;
    writeln!(out, "<p class=\"result\">{}</p>", r.result.title())?;
    for text in words::behind(report) {
        writeln!(out, "<p><strong>{}</strong></p>", escaped(text, masking))?;
    }
    writeln!(out, "<p>{}. Made {}.</p>", words::result_line(r.result), r.generated)?;
    writeln!(out, "<p>{}</p>", words::POSITIVE)?;
    writeln!(
        out,
        "<h2>KPIs</h2>\n<table>\n<thead><tr><th>KPI</th><th>result</th><th>estimate, interval, threshold</th></tr></thead>\n<tbody>"
    )?;
    for kpi in r.kpis.iter().chain(&r.beside) {
        row(out, report, kpi, masking)?;
    }
    writeln!(out, "</tbody>\n</table>\n<p>{}</p>", words::bounds_note(report))?;
    for section in words::sections(report) {
        writeln!(out, "<h2>{}</h2>\n<ul>", section.title)?;
        for text in &section.lines {
            writeln!(out, "<li>{}</li>", escaped(text, masking))?;
        }
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "<h2>Evidence</h2>\n<p><code>{}</code></p>", escaped(&r.evidence, masking))?;
    writeln!(out, "</body>\n</html>")
}

fn row(out: &mut dyn Write, report: &Report, kpi: &KpiRow, masking: Masking) -> io::Result<()> {
    let s = Shown::of(report, kpi);
    let e = |text: &str| escaped(text, masking);
    writeln!(out, "<tr><th scope=\"row\">{}</th>", e(&s.title))?;
    writeln!(out, "<td>{}<br>still needed: {}</td>", e(&s.result), e(&s.needed))?;
    write!(out, "<td>{}<br>{}<br>interval: {}", whisker(kpi), e(&s.estimate), e(&s.interval))?;
    write!(out, "<br>threshold: {}", e(&s.threshold))?;
    for text in s.reason.iter().chain(s.below()) {
        write!(out, "<br>{}", e(text))?;
    }
    writeln!(out, "</td></tr>")
}

/// A text that no reader of HTML takes for anything else, with what is hidden in it made visible.
fn escaped(text: &str, masking: Masking) -> String {
    let masked = words::outside(text, masking);
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
