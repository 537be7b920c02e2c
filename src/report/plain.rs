//! Triage as plain text: for screen readers, pipes and 80 columns.
//!
//! No box drawing, and nothing said by position or colour alone. A text from outside stands last
//! on its line or behind a gutter, so that it cannot pass for a line of ours.

use crate::domain::{
    BoxReport, Caveat, CoverageRow, Improvement, JudgementKind, Kpi, Record, RejectRow, Section,
    Triage, Value,
};
use crate::report::Options;
use crate::report::number::{estimate, fraction, interval, made_of, threshold};
use crate::report::page::Page;
use crate::report::words;
use std::io::{self, Write};

/// Writes the triage document as plain text.
pub fn write(out: &mut dyn Write, triage: &Triage, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    page.line(0, "foureyes triage")?;
    page.line(0, &format!("made {}", triage.generated))?;
    page.line(0, &format!("window: {}", words::window(&triage.window)))?;
    page.line(0, "")?;
    for sentence in words::headline(triage) {
        page.field(0, "", &sentence)?;
    }
    counts(&mut page, triage)?;
    all_kpis(&mut page, triage)?;
    flagged(&mut page, triage)?;
    boxes(&mut page, &triage.boxes)?;
    coverage(&mut page, &triage.coverage)?;
    rejects(&mut page, triage)?;
    foreign(&mut page, triage)?;
    caveats(&mut page, &triage.caveats)
}

/// Caveats that answer whether a judge may block.
const ANSWERS: [&str; 3] = ["readiness", "ready_withdrawn", "readiness_task"];

/// Writes what a reader must know first: the headline, the answers, KPIs and boxes, and no lists.
pub fn summary(out: &mut dyn Write, triage: &Triage, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    page.line(0, &format!("window: {}", words::window(&triage.window)))?;
    for sentence in words::headline(triage) {
        page.field(0, "", &sentence)?;
    }
    for answer in triage.caveats.iter().filter(|caveat| ANSWERS.contains(&&*caveat.id)) {
        let (answer, _, _) = page.take(answer);
        page.sentence(0, "", &answer.text)?;
    }
    all_kpis(&mut page, triage)?;
    boxes(&mut page, &triage.boxes)
}

fn counts(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    let c = &triage.counts;
    page.heading("Counts")?;
    for (i, part) in words::equation(&c.accounting).iter().enumerate() {
        page.line(if i == 0 { 2 } else { 4 }, part)?;
    }
    page.line(2, &format!("undated records: {}", c.undated))?;
    page.line(2, &format!("records in the window: {}", c.in_window))?;
    page.line(
        4,
        &format!(
            "GO {}, NO-GO {}, UNDETERMINED {}, overrides {}",
            c.go, c.no_go, c.undetermined, c.overrides
        ),
    )?;
    if c.picks + c.prompts > 0 {
        page.line(4, &format!("picks of memories {}, their prompts {}", c.picks, c.prompts))?;
    }
    page.line(
        4,
        &format!(
            "of these bypassed: {}; repeats: {}; earlier rounds: {}",
            c.bypassed, c.repeats, c.earlier_rounds
        ),
    )?;
    let empty = match c.empty {
        0 => String::new(),
        n => format!("; empty: {n}"),
    };
    page.line(4, &format!("history: {}; scripted: {}{empty}", c.history, c.scripted))
}

/// The KPIs of pushes, then those of each other family.
fn all_kpis(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    kpis(page, JudgementKind::Push, &triage.kpis)?;
    if let Some(peer) = &triage.peer {
        page.line(2, &format!("peer review: {}", words::peer(peer)))?;
        page.line(4, &format!("interval: {}", words::peer_interval(peer)))?;
        page.line(4, words::PEER_HINT)?;
    }
    triage.families.iter().try_for_each(|of| kpis(page, of.family, &of.kpis))
}

fn kpis(page: &mut Page<'_>, family: JudgementKind, kpis: &[Kpi]) -> io::Result<()> {
    page.heading(words::kpi_heading(family))?;
    page.line(2, words::kpi_unit(family))?;
    for kpi in kpis {
        let (kpi, hidden, masked) = page.take(kpi);
        let (title, fraction) = (kpi.id.title(), fraction(&kpi));
        match estimate(&kpi) {
            Some(value) => {
                page.line(2, &format!("{title}: {value}, {fraction}"))?;
                made_of(&kpi).iter().try_for_each(|parts| page.line(4, parts))?;
                page.line(4, &format!("interval: {}", interval(&kpi)))?;
            }
            None => {
                page.line(2, &format!("{title}: unknown, {fraction}"))?;
                page.maybe(4, "reason:", kpi.reason.as_deref())?;
            }
        }
        page.line(4, &format!("threshold: {}", threshold(kpi.threshold())))?;
        page.badges(4, &hidden, masked)?;
    }
    page.line(2, &words::decision(family, kpis))
}

fn flagged(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    page.heading(&format!("Flagged: {}", triage.flagged_total))?;
    if let Some(cut) = words::cut(triage.flagged.len(), triage.flagged_total) {
        page.line(2, &cut)?;
    }
    for (i, row) in triage.flagged.iter().enumerate() {
        let (row, hidden, masked) = page.take(row);
        page.line(2, &title(i + 1, &row))?;
        fields(page, &row)?;
        page.badges(5, &hidden, masked)?;
    }
    Ok(())
}

/// The line above a record: nothing in it comes from outside.
fn title(number: usize, row: &Record) -> String {
    let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
    let outcome = words::outcome(row);
    format!("{number}. {outcome}  {time}  {}  {}", row.id.short(), row.family.as_str())
}

/// What a record says and a listing shows, the fields that it has.
pub(super) fn fields(page: &mut Page<'_>, row: &Record) -> io::Result<()> {
    let indent = 5;
    page.field(indent, "box:", &row.box_name)?;
    page.maybe(indent, "time as written:", row.timestamp_text.as_deref())?;
    page.maybe(indent, "verdict as written:", words::other_verdict(row))?;
    [Section::Cause, Section::Subject, Section::Scores, Section::Findings]
        .into_iter()
        .try_for_each(|of| section(page, indent, row, of))
}

/// The fields of a section.
pub(super) fn section(
    page: &mut Page<'_>,
    indent: usize,
    row: &Record,
    section: Section,
) -> io::Result<()> {
    row.section(section).try_for_each(|(field, value)| {
        let label = format!("{}:", field.label);
        match value {
            Value::Text(text) if section == Section::Findings => page.block(indent, &label, text),
            Value::Texts(texts) => texts.iter().try_for_each(|t| page.field(indent, &label, t)),
            Value::Flag(_) => page.line(indent, field.label),
            Value::Improvements(all) => improvements(page, indent, all),
            Value::Extra(_) => words::extra(row).into_iter().try_for_each(|(name, value)| {
                page.field(indent, &label, &format!("{name} = {value}"))
            }),
            value => page.maybe(indent, &label, words::value(field, value).as_deref()),
        }
    })
}

pub(super) fn improvements(
    page: &mut Page<'_>,
    indent: usize,
    all: &[Improvement],
) -> io::Result<()> {
    for (i, improvement) in all.iter().enumerate() {
        page.line(indent, &format!("suggestion {}:", i + 1))?;
        let Improvement { dimension, location, issue, suggestion } = improvement;
        page.maybe(indent + 2, "dimension:", dimension.as_deref())?;
        page.maybe(indent + 2, "location:", location.as_deref())?;
        page.maybe(indent + 2, "issue:", issue.as_deref())?;
        page.maybe(indent + 2, "suggestion:", suggestion.as_deref())?;
    }
    Ok(())
}

fn boxes(page: &mut Page<'_>, boxes: &[BoxReport]) -> io::Result<()> {
    page.heading(&format!("Boxes: {}", boxes.len()))?;
    for report in boxes {
        let (report, hidden, masked) = page.take(report);
        let held = words::records_in_files(&report);
        page.field(2, &format!("{}, {held}:", words::freshness(&report)), &report.name)?;
        for part in words::not_held(&report) {
            page.line(4, &part)?;
        }
        page.maybe(4, "error:", report.error.as_deref())?;
        for notice in &report.notices {
            page.field(4, "notice:", notice)?;
        }
        page.badges(4, &hidden, masked)?;
    }
    Ok(())
}

fn coverage(page: &mut Page<'_>, rows: &[CoverageRow]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    page.heading("Coverage (agent commits judged)")?;
    for row in rows {
        let (row, hidden, masked) = page.take(row);
        let gap = if row.gap() > 0 { " GAP" } else { "" };
        page.field(2, &format!("{} of {}{gap}, day:", row.judged, row.commits), &row.day)?;
        page.field(4, "box:", &row.box_name)?;
        for (name, count) in row.others() {
            page.line(4, &format!("{name}: {count}"))?;
        }
        for commit in &row.missing {
            page.field(4, "not judged:", commit)?;
        }
        page.badges(4, &hidden, masked)?;
    }
    Ok(())
}

fn rejects(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    page.heading(&format!("Rejected: {}", triage.rejects_total))?;
    if let Some(cut) = words::cut(triage.rejects.len(), triage.rejects_total) {
        page.line(2, &cut)?;
    }
    triage.rejects.iter().try_for_each(|row| reject(page, row))
}

fn foreign(page: &mut Page<'_>, triage: &Triage) -> io::Result<()> {
    let (logs, total) = (&triage.foreign_logs, triage.foreign_logs_total);
    if total == 0 {
        return Ok(());
    }
    page.heading(&format!("Logs with lines from other programs: {total}"))?;
    if let Some(cut) = words::cut(logs.len(), total) {
        page.line(2, &cut)?;
    }
    for log in logs {
        let (log, hidden, masked) = page.take(log);
        page.line(2, &words::foreign(&log))?;
        page.field(4, "box:", &log.box_name)?;
        page.field(4, "file:", &log.file)?;
        page.badges(4, &hidden, masked)?;
    }
    Ok(())
}

/// One reject: its place, then what is known of it.
pub(super) fn reject(page: &mut Page<'_>, row: &RejectRow) -> io::Result<()> {
    let (row, hidden, masked) = page.take(row);
    page.line(2, &format!("line {}, byte {}, length {}", row.line, row.byte, row.len))?;
    page.field(4, "reason:", &row.reason)?;
    page.field(4, "box:", &row.box_name)?;
    page.field(4, "file:", &row.file)?;
    page.badges(4, &hidden, masked)
}

fn caveats(page: &mut Page<'_>, caveats: &[Caveat]) -> io::Result<()> {
    let mut ready = Vec::new();
    for caveat in caveats {
        ready.push(page.take(caveat).0);
    }
    ready.extend(words::masked_caveat(page.masked));
    page.heading(&format!("Caveats: {}", ready.len()))?;
    for caveat in ready {
        page.sentence(2, "-", &caveat.text)?;
    }
    Ok(())
}
