//! The first page: the answer, three sentences, what it covers, and what to do.

use super::escaped;
use crate::assess::Report;
use crate::calibration::{KpiResult, KpiRow, Measure, ReadinessResult, Step};
use crate::domain::{JudgementKind, Timestamp};
use crate::report::Masking;
use crate::report::counted;
use crate::report::number::{percent, share_ends};
use crate::report::readiness::words::{NEXT, question};
use std::io::{self, Write};

/// Writes it.
pub(super) fn write(out: &mut dyn Write, report: &Report, masking: Masking) -> io::Result<()> {
    let r = &report.readiness;
    let e = |text: &str| escaped(text, masking);
    let (class, mark) = match r.result {
        ReadinessResult::Ready => ("ready", "✔"),
        ReadinessResult::NotReady => ("not-ready", "✖"),
        ReadinessResult::NotEnoughEvidence => ("open", "?"),
    };
    writeln!(out, "<header>\n<p class=\"product\">foureyes</p>\n<h1>{}</h1>", question(r.family))?;
    writeln!(
        out,
        "<p class=\"badge {class}\"><span aria-hidden=\"true\">{mark}</span> {}</p>",
        r.result.title()
    )?;
    for text in &r.qualifiers {
        writeln!(out, "<p class=\"qualifier\">{}</p>", e(text))?;
    }
    writeln!(out, "<p class=\"summary\">{}</p>", e(&sentences(report).join(" ")))?;
    if let Some(text) = &r.wrong_blocks {
        writeln!(out, "<p>{}</p>", e(text))?;
    }
    writeln!(out, "<dl class=\"facts\">")?;
    for (name, text) in facts(report) {
        writeln!(out, "<dt>{name}</dt><dd>{}</dd>", e(&text))?;
    }
    writeln!(out, "</dl>\n</header>")?;
    next(out, &r.steps, masking)
}

/// Three sentences in plain words: the answer, the two error rates, what to do first.
fn sentences(report: &Report) -> [String; 3] {
    let r = &report.readiness;
    let deciding = || r.kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    let names = |result: &[KpiResult]| {
        let of = deciding().filter(|k| result.contains(&k.result)).map(|k| k.id.title());
        of.collect::<Vec<_>>().join(", ")
    };
    let blocks = r.blocks.iter().filter(|b| b.waived.is_none()).count() as u64;
    let (ready, not_ready, unknown) = match r.family {
        JudgementKind::Push => (
            "The judge meets every rule of the policy, so it may block pushes.",
            "The judge must not block pushes",
            "Whether the judge may block pushes",
        ),
        JudgementKind::Task => (
            "The judges meet every rule of the policy, so what they accept may be trusted.",
            "What the judges accept must not be trusted",
            "Whether what the judges accept may be trusted",
        ),
    };
    let answer = match r.result {
        ReadinessResult::Ready => ready.to_owned(),
        ReadinessResult::NotReady => {
            format!("{not_ready}: not met is {}.", names(&[KpiResult::NotMet]))
        }
        ReadinessResult::NotEnoughEvidence => {
            let open = names(&[KpiResult::NotEnoughEvidence, KpiResult::NotEstimable]);
            let mut why = Vec::new();
            if !open.is_empty() {
                why.push(format!("undecided: {open}"));
            }
            if blocks > 0 {
                why.push(counted(blocks, "rule blocks READY", "rules block READY"));
            }
            format!("{unknown} is not known yet ({}).", why.join("; "))
        }
    };
    let first = r.steps.first().map_or(String::new(), |step| format!("Next: {}.", step.title));
    [answer, rates(&r.kpis), first]
}

/// The two error rates as people ask for them.
fn rates(kpis: &[KpiRow]) -> String {
    let of = |id: Measure| {
        let kpi = kpis.iter().find(|k| k.id == id)?;
        let ends = share_ends(kpi.lower, kpi.upper)?;
        let labels = counted(kpi.denominator, "label", "labels");
        Some(format!("{} ({ends}, {labels})", percent(kpi.estimate?)))
    };
    match (of(Measure::FalsePositiveRate), of(Measure::FalseNegativeRate)) {
        (Some(alarms), Some(misses)) => format!(
            "It flags {alarms} of acceptable content and lets {misses} of poor content through."
        ),
        (Some(alarms), None) => format!(
            "It flags {alarms} of acceptable content; how much poor content gets through is unknown."
        ),
        (None, Some(misses)) => format!(
            "It lets {misses} of poor content through; how much acceptable content it flags is not \
             known."
        ),
        (None, None) => "How often it is wrong is unknown.".to_owned(),
    }
}

/// What the answer covers.
fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let (r, w) = (&report.readiness, &report.readiness.window);
    let days = counted(w.days, "whole day", "whole days");
    let period = match (w.from, w.to) {
        (Some(from), Some(to)) => format!(
            "{} to {}: {days}, {} closed",
            from.day_text(),
            Timestamp::of_day(to.day() - 1).day_text(),
            w.closed_days
        ),
        (Some(from), None) => format!("from {}: no full day yet", from.day_text()),
        (None, _) => "no calibration window was started".to_owned(),
    };
    let mut boxes = match report.boxes.is_empty() {
        true => "not named".to_owned(),
        false => report.boxes.join(", "),
    };
    if !report.missing_boxes.is_empty() {
        boxes += &format!("; no data of {}", report.missing_boxes.join(", "));
    }
    let judge = r.judges.last().map_or("none seen".to_owned(), |j| {
        let model = j.served_model.as_deref().or(j.model.as_deref()).unwrap_or("not named");
        let others = r.judges.len().saturating_sub(1) as u64;
        match others {
            0 => model.to_owned(),
            n => format!(
                "{model}, since {}; {}",
                j.from.day_text(),
                counted(n, "other before", "others before")
            ),
        }
    });
    let policy = match &report.policy_file {
        Some(file) => format!("{file} (used for this report only)"),
        None => "the one in force".to_owned(),
    };
    vec![
        ("Period", period),
        ("Boxes", boxes),
        ("Judge", judge),
        ("Labels", counted(report.labels, "label", "labels")),
        ("Policy", policy),
        (
            "Made",
            format!(
                "{}; data complete until {}",
                minute(r.generated),
                minute(report.complete_until)
            ),
        ),
    ]
}

/// An instant to the minute: `2026-11-22 20:51 UTC`.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    text.get(..16).map_or_else(String::new, |t| format!("{} UTC", t.replace('T', " ")))
}

/// What to do, step by step, with the lines to type.
fn next(out: &mut dyn Write, steps: &[Step], masking: Masking) -> io::Result<()> {
    let e = |text: &str| escaped(text, masking);
    writeln!(out, "<section>\n<h2>{NEXT}</h2>\n<ol class=\"steps\">")?;
    for step in steps {
        write!(out, "<li><strong>{}</strong><br>{}", e(&step.title), e(&step.text))?;
        if !step.ways.is_empty() {
            write!(out, "<ul>")?;
        }
        for way in &step.ways {
            write!(out, "<li>{}", e(&way.text))?;
            if !way.lines.is_empty() {
                let lines: Vec<String> = way.lines.iter().map(|line| e(line)).collect();
                write!(out, "<pre>{}</pre>", lines.join("\n"))?;
            }
            write!(out, "</li>")?;
        }
        writeln!(out, "{}</li>", if step.ways.is_empty() { "" } else { "</ul>" })?;
    }
    writeln!(out, "</ol>\n</section>")
}
