//! The triage document as Markdown.

use crate::domain::{
    BoxReport, Caveat, CoverageRow, Improvement, JudgementKind, Kpi, Record, Section, Triage, Value,
};
use crate::report::number::{estimate, fraction, interval, made_of, threshold};
use crate::report::texts::{Texts, ready};
use crate::report::words::{self, capitalized};
use crate::report::{Masking, Options};
use crate::text::CommandLine;
use crate::text::markdown::{cell, fence, span, whole_cell};
use std::io::{self, Write};

/// Writes the triage document as Markdown.
pub fn write(out: &mut dyn Write, triage: &Triage, options: &Options) -> io::Result<()> {
    let Options { masking, command_line, .. } = *options;
    let mut page = Page { out, masking, masked: 0, command_line };
    head(&mut page, triage)?;
    counts(&mut page, triage)?;
    kpis(&mut page, JudgementKind::Push, &triage.kpis)?;
    if let Some(peer) = &triage.peer {
        let (what, interval) = (words::peer(peer), words::peer_interval(peer));
        let hint = page.command_line.complete(words::PEER_HINT);
        writeln!(page.out, "\nPeer review: {what}. Interval: {interval}; {hint}.")?;
    }
    triage.families.iter().try_for_each(|of| kpis(&mut page, of.family, &of.kpis))?;
    flagged(&mut page, triage)?;
    boxes(&mut page, &triage.boxes)?;
    coverage(&mut page, &triage.coverage)?;
    rejects(&mut page, triage)?;
    foreign(&mut page, triage)?;
    caveats(&mut page, &triage.caveats)
}

struct Page<'a> {
    out: &'a mut dyn Write,
    masking: Masking,
    masked: usize,
    command_line: CommandLine,
}

impl Page<'_> {
    /// Masks a row, counts what was masked, and says what cannot be seen in it.
    fn take<T: Texts>(&mut self, row: &T) -> (T, Vec<String>) {
        let ready = ready(row, self.masking);
        self.masked += ready.masked;
        let mut badges = Vec::new();
        if !ready.hidden.is_empty() {
            badges.push(format!("hidden characters in: {}", ready.hidden.join(", ")));
        }
        if ready.masked > 0 {
            badges.push(format!("secrets masked: {}", ready.masked));
        }
        (ready.row, badges)
    }
}

fn head(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    writeln!(page.out, "# Triage\n")?;
    writeln!(page.out, "Made {}. Window: {}.\n", triage.generated, words::window(&triage.window))?;
    words::headline(triage).iter().try_for_each(|s| writeln!(page.out, "* {s}"))
}

fn counts(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    let c = &triage.counts;
    let equation = words::equation(&c.accounting).join(" ");
    writeln!(page.out, "\n## Counts\n\n{equation}\n")?;
    let rows = [
        ("undated records", c.undated),
        ("records in the window", c.in_window),
        ("GO", c.go),
        ("NO-GO", c.no_go),
        ("UNDETERMINED", c.undetermined),
        ("overrides", c.overrides),
        ("picks of memories", c.picks),
        ("prompts of picks", c.prompts),
        ("bypassed", c.bypassed),
        ("history", c.history),
        ("scripted", c.scripted),
        ("empty", c.empty),
        ("repeats", c.repeats),
        ("earlier rounds", c.earlier_rounds),
    ];
    writeln!(page.out, "| count | of |\n| --: | --- |")?;
    let is_shown = |name: &str, n: u64| n > 0 || !(name.contains("picks") || name == "empty");
    let mut rows = rows.iter().filter(|(name, n)| is_shown(name, *n));
    rows.try_for_each(|(name, n)| writeln!(page.out, "| {n} | {name} |"))
}

fn kpis(page: &mut Page<'_>, family: JudgementKind, kpis: &[Kpi]) -> io::Result<()> {
    let (heading, unit) = (words::kpi_heading(family), words::kpi_unit(family));
    writeln!(
        page.out,
        "\n## {heading}\n\n{unit} {}\n",
        page.command_line.complete(&words::decision(family, kpis))
    )?;
    writeln!(page.out, "| KPI | estimate | count | interval | threshold |")?;
    writeln!(page.out, "| --- | --: | --: | --- | --- |")?;
    for kpi in kpis {
        let (kpi, badges) = page.take(kpi);
        let (title, fraction, limit) = (kpi.id.title(), fraction(&kpi), threshold(kpi.threshold()));
        let (value, range) = match estimate(&kpi) {
            Some(value) => {
                let parts =
                    made_of(&kpi).map_or(String::new(), |parts| format!("; {}", whole_cell(parts)));
                (String::from(value), format!("{}{parts}", interval(&kpi)))
            }
            None => ("unknown".to_owned(), cell(kpi.reason.as_deref().unwrap_or_default())),
        };
        let notes: String = badges.iter().map(|b| format!("; {b}")).collect();
        writeln!(page.out, "| {title} | {value} | {fraction} | {range}{notes} | {limit} |")?;
    }
    Ok(())
}

fn flagged(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    writeln!(page.out, "\n## Flagged: {}\n", triage.flagged_total)?;
    if let Some(cut) = words::cut(triage.flagged.len(), triage.flagged_total) {
        writeln!(page.out, "{cut}\n")?;
    }
    for (i, row) in triage.flagged.iter().enumerate() {
        let (row, badges) = page.take(row);
        let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
        let outcome = words::outcome(&row);
        writeln!(page.out, "### {}. {outcome}, {time}\n", i + 1)?;
        fields(page, &row)?;
        badges.iter().try_for_each(|b| writeln!(page.out, "* {b}"))?;
        for (field, value) in row.section(Section::Findings) {
            match value {
                Value::Text(text) => {
                    write!(page.out, "\n{}:\n\n{}", capitalized(field.label), fence(text))?;
                }
                Value::Improvements(all) => improvements(page, all)?,
                Value::Texts(texts) => {
                    let label = field.label;
                    texts.iter().try_for_each(|t| write!(page.out, "\n* {label}: {}", span(t)))?;
                    writeln!(page.out)?;
                }
                value => words::value(field, value).map_or(Ok(()), |shown| {
                    write!(page.out, "\n* {}: {}\n", field.label, plain(value, &shown))
                })?,
            }
        }
        writeln!(page.out)?;
    }
    Ok(())
}

fn fields(page: &mut Page<'_>, row: &Record) -> io::Result<()> {
    writeln!(page.out, "* id: {}", row.id)?;
    writeln!(page.out, "* family: {}", row.family.as_str())?;
    let named = [
        ("box", Some(row.box_name.as_str())),
        ("time as written", row.timestamp_text.as_deref()),
        ("verdict as written", words::other_verdict(row)),
    ];
    for (name, text) in named {
        text.map_or(Ok(()), |t| writeln!(page.out, "* {name}: {}", span(t)))?;
    }
    let sections = [Section::Cause, Section::Subject, Section::Scores];
    for (field, value) in sections.into_iter().flat_map(|of| row.section(of)) {
        let label = field.label;
        match value {
            Value::Text(text) => writeln!(page.out, "* {label}: {}", span(text))?,
            Value::Texts(texts) => {
                texts.iter().try_for_each(|t| writeln!(page.out, "* {label}: {}", span(t)))?;
            }
            Value::Flag(_) => writeln!(page.out, "* {label}")?,
            value => words::value(field, value).map_or(Ok(()), |shown| {
                writeln!(page.out, "* {label}: {}", plain(value, &shown))
            })?,
        }
    }
    Ok(())
}

/// Words of this program as they are; a list of rounds has words of models.
fn plain(value: Value<'_>, shown: &str) -> String {
    if matches!(value, Value::Rounds(_)) { span(shown) } else { shown.to_owned() }
}

fn improvements(page: &mut Page<'_>, all: &[Improvement]) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(page.out, "\nSuggestions:\n")?;
    for improvement in all {
        let Improvement { dimension, location, issue, suggestion } = improvement;
        let named = [
            ("dimension", dimension),
            ("location", location),
            ("issue", issue),
            ("suggestion", suggestion),
        ];
        let given = named.iter().filter_map(|(n, t)| Some(format!("{n} {}", span(t.as_deref()?))));
        writeln!(page.out, "* {}", given.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn boxes(page: &mut Page<'_>, boxes: &[BoxReport]) -> io::Result<()> {
    writeln!(page.out, "\n## Boxes: {}\n", boxes.len())?;
    for report in boxes {
        let (report, badges) = page.take(report);
        let (fresh, held) = (words::freshness(&report), words::holdings(&report));
        writeln!(page.out, "* {}: {fresh}, {held}", span(&report.name))?;
        if let Some(error) = &report.error {
            writeln!(page.out, "  * error: {}", span(error))?;
        }
        report.notices.iter().try_for_each(|n| writeln!(page.out, "  * notice: {}", span(n)))?;
        badges.iter().try_for_each(|b| writeln!(page.out, "  * {b}"))?;
    }
    Ok(())
}

fn coverage(page: &mut Page<'_>, rows: &[CoverageRow]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(page.out, "\n## Coverage\n\nAgent commits pushed against agent commits judged.\n")?;
    for row in rows {
        let (row, badges) = page.take(row);
        let (day, name) = (span(&row.day), span(&row.box_name));
        let gap = if row.gap() > 0 { ", GAP" } else { "" };
        writeln!(page.out, "* {day}, {name}: {} of {} judged{gap}", row.judged, row.commits)?;
        for (name, count) in row.others() {
            writeln!(page.out, "  * {name}: {count}")?;
        }
        row.missing.iter().try_for_each(|m| writeln!(page.out, "  * not judged: {}", span(m)))?;
        badges.iter().try_for_each(|b| writeln!(page.out, "  * {b}"))?;
    }
    Ok(())
}

fn rejects(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    writeln!(page.out, "\n## Rejected: {}\n", triage.rejects_total)?;
    if let Some(cut) = words::cut(triage.rejects.len(), triage.rejects_total) {
        writeln!(page.out, "{cut}\n")?;
    }
    if triage.rejects.is_empty() {
        return Ok(());
    }
    writeln!(page.out, "| box | file | line | byte | length | reason |")?;
    writeln!(page.out, "| --- | --- | --: | --: | --: | --- |")?;
    for row in &triage.rejects {
        let (row, badges) = page.take(row);
        let (name, file) = (cell(&row.box_name), cell(&row.file));
        let notes: String = badges.iter().map(|b| format!("; {b}")).collect();
        let (place, reason) =
            (format!("{} | {} | {}", row.line, row.byte, row.len), cell(&row.reason));
        writeln!(page.out, "| {name} | {file} | {place} | {reason}{notes} |")?;
    }
    Ok(())
}

fn foreign(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    let (logs, total) = (&triage.foreign_logs, triage.foreign_logs_total);
    if total == 0 {
        return Ok(());
    }
    writeln!(page.out, "\n## Logs with lines from other programs: {total}\n")?;
    if let Some(cut) = words::cut(logs.len(), total) {
        writeln!(page.out, "{cut}\n")?;
    }
    writeln!(page.out, "| box | file | lines |\n| --- | --- | --: |")?;
    for log in logs {
        let (log, badges) = page.take(log);
        let notes: String = badges.iter().map(|b| format!("; {b}")).collect();
        writeln!(
            page.out,
            "| {} | {}{notes} | {} |",
            cell(&log.box_name),
            cell(&log.file),
            log.foreign
        )?;
    }
    Ok(())
}

fn caveats(page: &mut Page<'_>, caveats: &[Caveat]) -> io::Result<()> {
    let mut ready = Vec::new();
    for caveat in caveats {
        ready.push(page.take(caveat).0);
    }
    ready.extend(words::masked_caveat(page.masked));
    writeln!(page.out, "\n## Caveats: {}\n", ready.len())?;
    let shown = |c: &Caveat| span(&page.command_line.complete(&c.text));
    ready.iter().map(shown).try_for_each(|text| writeln!(page.out, "* {text}"))
}
